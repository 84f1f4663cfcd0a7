"""Save small pipelines in today's format, for tests that later versions load them.

python scripts/make_fixtures.py tests/installed/fixtures/FORMAT

FORMAT is a new folder, named after the format of saved parsers; those that are there stay as
they are.
"""

from pathlib import Path
from typing import Any

import spacy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed

from spacy_arceager.annotation.graphs import GRAPH_EXTENSION

TOK2VEC = {
    "@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 4,
    "depth": 1, "embed_size": 10, "window_size": 1, "maxout_pieces": 2,
    "subword_features": False,
}
MODEL = {"hidden_width": 4, "tok2vec": TOK2VEC}
BEAM = {"@misc": "arceager.beam.v1", "width": 4}
PIPELINES: dict[str, dict[str, Any]] = {
    "tree": {"system": {"@misc": "arceager.arc_hybrid.v1"}},
    "segment": {"system": {"@misc": "arceager.arc_eager.v1", "segment": True}},
    "beam": {"system": {"@misc": "arceager.arc_eager.v1"}, "beam": BEAM},
    "graph": {"system": {"@misc": "arceager.dag.v1"}},
}
WORDS = ["she", "reads", "old", "books", ".", "he", "sleeps", "."]
HEADS = [1, 1, 3, 1, 1, 6, 6, 6]
LABELS = ["nsubj", "ROOT", "amod", "obj", "punct", "nsubj", "ROOT", "punct"]
UPDATES = 60


def example(nlp: Language, is_graph: bool) -> Example:
    starts = [i in (0, 5) for i in range(len(WORDS))]
    gold = Doc(nlp.vocab, words=WORDS, heads=HEADS, deps=LABELS, sent_starts=starts)
    if is_graph:
        graph = [[[head, label]] for head, label in zip(HEADS, LABELS)]
        gold._.set(GRAPH_EXTENSION, graph)
    return Example(Doc(nlp.vocab, words=WORDS), gold)


def make(name: str, config: dict[str, Any]) -> Language:
    """A pipeline that has learnt one text."""
    fix_random_seed(0)
    nlp = spacy.blank("xx")
    nlp.add_pipe("arceager_parser", config={"model": MODEL, **config})
    examples = [example(nlp, name == "graph")]
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.02
    for _ in range(UPDATES):
        nlp.update(examples, sgd=optimizer)
    return nlp


def parse_of(nlp: Language) -> dict[str, Any]:
    """What the pipeline says of the text, without boundaries."""
    doc = nlp(Doc(nlp.vocab, words=WORDS))
    return {
        "words": WORDS,
        "heads": [token.head.i for token in doc],
        "labels": [token.dep_ for token in doc],
        "starts": [bool(token.is_sent_start) for token in doc],
        "graph": doc._.get(GRAPH_EXTENSION) if doc.has_extension(GRAPH_EXTENSION) else None,
    }


def make_fixtures(folder: Path) -> None:
    folder.mkdir()
    for name, config in PIPELINES.items():
        nlp = make(name, config)
        nlp.to_disk(folder / name, exclude=["tokenizer"])     # 38 kB, and not ours
        srsly.write_json(folder / name / "parse.json", parse_of(nlp))


if __name__ == "__main__":
    typer.run(make_fixtures)

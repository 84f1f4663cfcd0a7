"""Docs through the pipe, with boundaries and arcs given before, white space and empty Docs."""

from collections import Counter
from functools import cache
from random import Random

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.annotation.fixed_arcs import NAME
from spacy_arceager.errors import ConstraintError
from spacy_arceager.systems import SystemParameters
from tests.fuzz.checks import Fault, check

TOK2VEC = {
    "@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 8,
    "depth": 1, "embed_size": 20, "window_size": 1, "maxout_pieces": 2,
    "subword_features": False,
}
CONFIGS = (
    {"system": {"@misc": "arceager.arc_eager.v1"}},
    {"system": {"@misc": "arceager.arc_eager.v1", "segment": True}},
    {"system": {"@misc": "arceager.arc_hybrid.v1", "swap": True}},
    {"system": {"@misc": "arceager.arc_standard.v1"},
     "beam": {"@misc": "arceager.beam.v1", "width": 3}},
)
TOKENS = ("she", "reads", "books", ".", " ", "\n\n")
LABELS = ("nsubj", "obj")


@cache
def pipeline(which: int) -> Language:
    """A small pipeline with random weights."""
    nlp = spacy.blank("xx")
    model = {"hidden_width": 8, "tok2vec": TOK2VEC}
    nlp.add_pipe("arceager_parser", config={"model": model, **CONFIGS[which]})
    words, deps = ["she", "reads", "books"], ["nsubj", "ROOT", "obj"]
    gold = Doc(nlp.vocab, words=words, heads=[1, 1, 1], deps=deps)
    nlp.initialize(lambda: [Example(Doc(nlp.vocab, words=words), gold)])
    return nlp


def random_doc(rng: Random, nlp: Language) -> Doc:
    n = rng.choice([0, 1, 3, 6, 12])
    doc = Doc(nlp.vocab, words=[rng.choice(TOKENS) for _ in range(n)])
    share = rng.choice([0.0, 0.2, 1.0])
    for token in doc:
        if rng.random() < share:
            token.is_sent_start = rng.random() < 0.5
    if n and rng.random() < 0.5:
        arcs = [
            (rng.randrange(n), rng.randrange(n), *rng.sample(LABELS, rng.randint(0, 1)))
            for _ in range(rng.randint(1, 3))
        ]
        doc._.set(NAME, arcs)
    return doc


def doc_case(rng: Random, parameters: SystemParameters) -> Counter:
    """Trees that keep what was given, or a ConstraintError of the Doc."""
    nlp = pipeline(rng.randrange(len(CONFIGS)))
    docs = [random_doc(rng, nlp) for _ in range(8)]
    given = [[token.is_sent_start for token in doc] for doc in docs]
    refused: list[Doc] = []

    def note(name: str, pipe: object, failed: list[Doc], error: Exception) -> None:
        if not isinstance(error, ConstraintError):
            raise Fault(f"an error that is no ConstraintError: {error!r}") from error
        refused.extend(failed)

    nlp.set_error_handler(note)
    parsed = list(nlp.pipe(docs))
    check(len(parsed) + len(refused) == len(docs), "a Doc is lost")
    for doc, starts in zip(docs, given):
        if not any(doc is other for other in refused):
            check_doc(doc, starts)
    return Counter(docs=len(docs), parses=len(parsed))


def check_doc(doc: Doc, starts: list[bool | None]) -> None:
    """starts: `is_sent_start` of each token before the Doc was parsed."""
    for sentence in doc.sents:
        roots = [token for token in sentence if token.head == token]
        check(len(roots) == 1, "ill-formed: a sentence without one root")
        check(len(list(roots[0].subtree)) == len(sentence), "ill-formed: words without the root")
    for token, start in zip(doc, starts):
        is_word = not token.is_space and not (token.i and doc[token.i - 1].is_space)
        if token.i and is_word and start is not None:
            check(token.is_sent_start == start, "lost preset: a boundary")
    for dependent, head, *label in doc._.get(NAME) or ():
        check(doc[dependent].head.i == head, "lost preset: a fixed head")
        if label and dependent != head:
            check(doc[dependent].dep_ == label[0], "lost preset: a fixed label")

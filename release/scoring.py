"""How good and how fast a pipeline is, by the scores of `arceager evaluate`."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import spacy
import typer
from spacy.language import Language
from spacy.tokens import Doc
from udtools import Validator
from udtools.incident import Incident, IncidentType

from replication.trainings import is_whole
from spacy_arceager.cli.evaluate import evaluate
from spacy_arceager.corpus.conllu import read_sentences
from spacy_arceager.evaluation.raw_alignment import paragraphs
from spacy_arceager.formats.trees.conllu import to_conllu

SPLITS = ("dev", "test")
KINDS = {"raw": "raw text", "gold": "gold tokens and sentences"}
REPETITIONS = 3


def score(model: Path, treebank: Path, folder: Path) -> None:
    """Write the scores that a folder lacks: of the dev file, and of the test file if there is one.

    Each is scored on its raw text, and on its gold tokens and sentences.
    """
    for split in SPLITS:
        if not [*treebank.glob(f"*{split}.conllu")]:
            continue
        for kind in KINDS:
            path = folder / f"{split}-{kind}.json"
            if not is_whole(path):
                typer.echo(f"\n{split}, {KINDS[kind]}")
                evaluate(
                    str(model), treebank / f"*{split}.conllu", path, raw=kind == "raw",
                    gold_sentences=kind == "gold",
                )


def load_with_texts(model: Path, dev: Path) -> tuple[Language, list[str]]:
    """A pipeline, and the paragraphs of a treebank as raw text."""
    nlp = spacy.load(model)
    with dev.open(encoding="utf8") as lines:
        texts = list(paragraphs(read_sentences(lines)))
    nlp.max_length = max(nlp.max_length, *(len(text) + 1 for text in texts))
    return nlp, texts


def measure_speed(model: Path, dev: Path) -> float:
    """Words a second of processor time, from raw text, on one core: the best of some runs."""
    nlp, texts = load_with_texts(model, dev)
    speeds = []
    for _ in range(REPETITIONS):
        start = process_time()
        words = sum(map(len, nlp.pipe(texts)))
        speeds.append(words / (process_time() - start))
    return max(speeds)


def count_errors(model: Path, dev: Path) -> dict[str, int]:
    """The errors that UD's validator (level 3) finds in the CoNLL-U of raw text, by their kind."""
    nlp, texts = load_with_texts(model, dev)
    found = Counter(one.testclass.name.lower() for one in find_errors(nlp.pipe(texts)))
    return dict(sorted(found.items()))


def find_errors(docs: Iterable[Doc]) -> list[Incident]:
    """The errors that UD's validator (level 3) finds in the CoNLL-U of Docs."""
    with TemporaryDirectory() as work:
        path = Path(work) / "parsed.conllu"
        with path.open("w", encoding="utf8") as file:
            for number, doc in enumerate(docs, 1):
                file.write(to_conllu(doc, {"id": f"paragraph-{number}"}))
        state = Validator(lang="ud", level=3, output=None).validate_files([str(path)])
    return [one for one in state.error_tracker if one.get_type() == IncidentType.ERROR]

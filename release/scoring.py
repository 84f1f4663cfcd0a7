"""How good and how fast a pipeline is, by the scores of `arceager evaluate`."""

from pathlib import Path
from time import process_time

import spacy
import typer

from replication.trainings import is_whole
from spacy_arceager.cli.evaluate import evaluate
from spacy_arceager.corpus.conllu import read_sentences
from spacy_arceager.evaluation.raw_alignment import paragraphs

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


def measure_speed(model: Path, dev: Path) -> float:
    """Words a second of processor time, from raw text, on one core: the best of some runs."""
    nlp = spacy.load(model)
    with dev.open(encoding="utf8") as lines:
        texts = list(paragraphs(read_sentences(lines)))
    nlp.max_length = max(nlp.max_length, *(len(text) + 1 for text in texts))
    speeds = []
    for _ in range(REPETITIONS):
        start = process_time()
        words = sum(map(len, nlp.pipe(texts)))
        speeds.append(words / (process_time() - start))
    return max(speeds)


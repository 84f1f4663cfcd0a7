"""What the benchmarks share: one thread for everybody, documents, medians and tables."""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"   # before NumPy is imported

import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from wasabi import msg

from spacy_arceager.corpus.conllu import create_conllu_corpus

warnings.filterwarnings("ignore", message=".*without sentence boundaries.*")


def read_examples(nlp: Language, path: Path) -> list[Example]:
    return list(create_conllu_corpus(path)(nlp))


def read_docs(nlp: Language, path: Path) -> list[Doc]:
    """Unparsed Docs with the gold tokens of a treebank, one sentence each."""
    return [example.predicted for example in read_examples(nlp, path)]


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def report(
    rates: dict[str, dict[str, list[float]]], output: Path | None, unit: str = "words/s"
) -> None:
    """Print and save, for each measure, both sides' medians and the median ratio.

    rates: measure -> side ("ours", "peer") -> one rate a repetition.
    """
    rows = []
    for measure, sides in rates.items():
        ratio = median(ours / peer for ours, peer in zip(sides["ours"], sides["peer"]))
        rows.append(
            (measure, f"{median(sides['ours']):,.0f}", f"{median(sides['peer']):,.0f}",
             f"{ratio:.2f}")
        )
    msg.table(rows, header=("measure", f"ours, {unit}", f"peer, {unit}", "ratio"), divider=True)
    if output is not None:
        output.write_text(json.dumps(rates, indent=1))

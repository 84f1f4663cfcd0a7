"""What the benchmarks share: documents, medians and tables."""

import platform
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Annotated

import numpy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import NumpyOps, set_current_ops
from wasabi import msg

from replication.figures import read_figures
from spacy_arceager.cli.configs import make_config
from spacy_arceager.corpus.corpus import ConlluCorpus

# A ratio that falls below this share of the one on record is no noise of the machine.
LEAST = 0.92
GuardOption = Annotated[
    bool, typer.Option("--guard", help="Fail if a ratio is below that in record/speed.csv.")
]
PEER = Path(__file__).parent / "peer.cfg"
# The texts of their configs, with the same token vectors.
CONFIGS = {
    "ours": make_config(token_vectors="words", encoder="windows", supertags=False),
    "peer": PEER.read_text(encoding="utf8"),
}

warnings.filterwarnings("ignore", message=".*without sentence boundaries.*")


def use_default_ops(same_blas: bool = False) -> None:
    """For layers made from now on thinc's own Ops, or with NumPy's BLAS as our configs have it.

    A pipeline loaded before has perhaps set others.
    """
    set_current_ops(NumpyOps(use_blis=not same_blas))


def read_examples(nlp: Language, path: Path) -> list[Example]:
    return list(ConlluCorpus(path)(nlp))


def read_docs(nlp: Language, path: Path) -> list[Doc]:
    """Unparsed Docs with the gold tokens of a treebank, one sentence each."""
    return [example.predicted for example in read_examples(nlp, path)]


def read_encoded(nlp: Language, path: Path) -> list[Doc]:
    """Unparsed Docs that have their token vectors."""
    return encode(nlp, read_docs(nlp, path))


def encode(nlp: Language, docs: list[Doc]) -> list[Doc]:
    """Run all components but the last, the parser."""
    for _, pipe in nlp.pipeline[:-1]:
        # A component that computes Doc by Doc has no `pipe`.
        docs = list(pipe.pipe(docs, batch_size=256) if hasattr(pipe, "pipe") else map(pipe, docs))
    return docs


def parse_alone(nlp: Language, docs: list[Doc]) -> None:
    """Run the last component, the parser."""
    for _ in nlp.pipeline[-1][1].pipe(docs, batch_size=256):
        pass


def read_texts(nlp: Language, path: Path, words: int) -> list[str]:
    """The raw sentences of a treebank, repeated until they have so many words."""
    texts = []
    for doc in cycle(read_docs(nlp, path)):
        texts.append(doc.text)
        words -= len(doc)
        if words <= 0:
            return texts
    return texts


def join(texts: list[str], size: int) -> list[str]:
    """Texts of so many sentences each."""
    return [" ".join(texts[i:i + size]) for i in range(0, len(texts), size)]


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def gigaflops(operations: float, action: Callable[[], object]) -> float:
    """Median rate of five runs of ten."""
    def run() -> None:
        for _ in range(10):
            action()

    return median(10e-9 * operations / seconds(run) for _ in range(5))


def describe_machine() -> dict[str, str]:
    """Python, the processor, and what both BLAS reach on one core with a square product."""
    square = numpy.ones((1000, 1000), dtype="f")
    found = {"Python": platform.python_version(), "processor": find_processor()}
    for name, use_blis in (("BLIS", True), ("NumPy's BLAS", False)):
        product = partial(NumpyOps(use_blis=use_blis).gemm, square, square)
        found[name] = f"{gigaflops(2 * 1000 ** 3, product):.0f} GFLOP/s"
    return found


def find_processor() -> str:
    """Its name, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf8").splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def find_ratio(sides: Mapping[str, Sequence[float]]) -> float:
    """The median ratio of the first side's rates to the second side's, one a repetition."""
    return median(a / b for a, b in zip(*sides.values()))


def guard(rates: Mapping[str, Mapping[str, Sequence[float]]], same_blas: bool) -> None:
    """End the program if a ratio is well below the one that is on record.

    rates: as for `report`, with the measures as in record/speed.csv.
    """
    column = "same BLAS" if same_blas else "as it comes"
    known = {
        figure.row: float(figure.value) for figure in read_figures("benchmarks", "speed")
        if figure.column == column and figure.row in rates
    }
    if missing := sorted(set(rates) - set(known)):
        raise SystemExit(f"Not on record for '{column}': {', '.join(missing)}")
    ratios = {measure: find_ratio(sides) for measure, sides in rates.items()}
    fallen = [
        f"{measure}: {ratios[measure]:.2f}, on record {ratio:.2f}"
        for measure, ratio in known.items() if ratios[measure] < LEAST * ratio
    ]
    if fallen:
        raise SystemExit("\n".join(["Slower than on record:", *fallen]))


def show_machine() -> dict[str, str]:
    """Print what `describe_machine` finds, and return it."""
    machine = describe_machine()
    msg.text(", ".join(f"{name}: {value}" for name, value in machine.items()))
    return machine


def report(
    rates: Mapping[str, Mapping[str, Sequence[float]]], output: Path | None, unit: str = "words/s"
) -> None:
    """Print and save, for each measure, both sides' medians and the median ratio.

    rates: measure -> side ("ours", "peer") -> one rate a repetition; two sides, the same for
    each measure, and the ratio is that of the first to the second.
    """
    machine = show_machine()
    rows = []
    for measure, sides in rates.items():
        first, second = sides.values()
        ratio = f"{find_ratio(sides):.2f}"
        rows.append((measure, f"{median(first):,.0f}", f"{median(second):,.0f}", ratio))
    names = [f"{name}, {unit}" for name in sides]
    msg.table(rows, header=("measure", *names, "ratio"), divider=True)
    save({"machine": machine, "rates": rates}, output)


def save(figures: object, output: Path | None) -> None:
    """Write figures as JSON, where a file is given."""
    if output is not None:
        srsly.write_json(output, figures)

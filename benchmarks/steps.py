"""What each step of docs/design.md brings to the parser alone, in words a second of processor time.

python -m benchmarks.steps DEV_CONLLU [--model en] [--output FILE]

All variants parse the same token vectors on one thread, and alternate. The slow ones parse the
first sentences only. Processor time is counted, so that a busy machine disturbs the figures less.
"""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import numpy
import typer
from numpy.typing import NDArray
from thinc.api import Model

import spacy_arceager
from spacy_arceager.kernels.row_product import HALVES, IN_PARSING
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.network.scoring import find_scoring, get_weights
from spacy_arceager.search import blocks
from spacy_arceager.search.beam import search
from spacy_arceager.search.greedy import parse
from spacy_arceager.search.settings import BeamSettings
from tests import slow_model

from .common import encode, read_docs, save, show_machine

FEW = 300    # words for the slow variants
NO_LIMIT = 10**9


class Words:
    """Sentences with their token vectors, and the layers that score them."""

    def __init__(
        self, system: TransitionSystem, model: Model, vectors: NDArray, lengths: list[int]
    ):
        self.system, self.model = system, model
        self.vectors, self.lengths = vectors, lengths
        self.weights = get_weights(model)

    def first(self, n_words: int) -> "Words":
        """The first sentences, of so many words at most."""
        n = int((numpy.cumsum(self.lengths) <= n_words).sum())
        total = sum(self.lengths[:n])
        return Words(self.system, self.model, self.vectors[:total], self.lengths[:n])

    def sentences(self) -> list[NDArray]:
        return numpy.split(self.vectors, numpy.cumsum(self.lengths)[:-1])


def in_python(words: Words, once: bool) -> None:
    """NumPy multiplies vectors with weights, once a sentence or again in each configuration."""
    weights = slow_model.get_weights(words.model)
    slots = numpy.arange(len(words.model.attrs["words"]))
    for vectors in words.sentences():
        table = products(weights, vectors, len(slots))
        configuration = words.system.initial(len(vectors))
        while slow_model.advance(configuration):
            if not once:
                table = products(weights, vectors, len(slots))
            rows, attributes = slow_model.features_of(configuration, words.model)
            sums = table[rows, slots].sum(axis=1) + weights["tables"][attributes].sum(axis=1)
            hidden = (sums + weights["lower_b"]).max(axis=1)
            scores = hidden @ weights["upper_W"] + weights["upper_b"]
            choice = slow_model.best(scores, slow_model.legal_cells(configuration))
            configuration.apply(*slow_model.choice_at(configuration, scores, *choice))


def products(weights: slow_model.Weights, vectors: NDArray, n_slots: int) -> NDArray:
    """Each word in each slot, then the special rows: (rows, slots, pieces, hidden)."""
    shape = (-1, n_slots, *weights["lower_b"].shape)
    return numpy.concatenate([(vectors @ weights["lower_W"]).reshape(shape), weights["special"]])


def compiled(
    words: Words, block: int = blocks.BLOCK, rounding: str | None = IN_PARSING,
    kernel: str | None = None,
) -> None:
    """The package's own search over blocks of so many words."""
    scorer = Scorer(words.weights, rounding, kernel)
    usual, blocks.BLOCK = blocks.BLOCK, block
    try:
        parse(words.system, scorer, words.vectors, words.lengths)
    finally:
        blocks.BLOCK = usual


def one_by_one(words: Words) -> None:
    """The same, a sentence a call."""
    scorer = Scorer(words.weights)
    for vectors in words.sentences():
        parse(words.system, scorer, vectors, [len(vectors)])


def with_a_beam(words: Words, width: int) -> None:
    scorer = Scorer(words.weights, IN_PARSING)
    search(words.system, scorer, words.vectors, words.lengths, BeamSettings(width=width))


def table(rates: dict[str, list[float]]) -> list[str]:
    """The medians as the lines of a Markdown table."""
    rows = [f"| {name} | {median(values):,.0f} |" for name, values in rates.items()]
    return ["| the parser alone | words/s |", "|---|---:|", *rows]


SLOW: dict[str, Callable[[Words], None]] = {
    "plain Python, each configuration from scratch": partial(in_python, once=False),
    "plain Python, products of words and slots ready": partial(in_python, once=True),
}
FAST: dict[str, Callable[[Words], None]] = {
    "compiled, a sentence a call": one_by_one,
    "in lock-step, blocks of 96 words": partial(compiled, block=96, rounding=None),
    "in lock-step, blocks of 768 words": partial(compiled, rounding=None),
    "in lock-step, one block": partial(compiled, block=NO_LIMIT, rounding=None),
    "half floats, blocks of 768 words": partial(compiled, rounding=HALVES, kernel="floats"),
    "as in parsing: bytes, if the processor has an instruction for them": compiled,
    "the same, one block": partial(compiled, block=NO_LIMIT),
    "a beam of 8": partial(with_a_beam, width=8),
}


def rate(action: Callable[[Words], None], words: Words) -> float:
    start = time.process_time()
    action(words)
    return len(words.vectors) / (time.process_time() - start)


def main(
    dev: Path,
    model: str = "en",
    repetitions: int = 5,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    nlp = spacy_arceager.load(model)
    docs = encode(nlp, read_docs(nlp, dev))
    parser: Any = nlp.pipeline[-1][1]
    scoring = find_scoring(parser.model, parser.system, parser.name)
    words = Words(parser.system, scoring, parser.model.predict(docs), [len(doc) for doc in docs])
    few = words.first(FEW)
    rates: dict[str, list[float]] = {name: [] for name in (*SLOW, *FAST)}
    for _ in range(repetitions):
        for name, action in SLOW.items():
            rates[name].append(rate(action, few))
        for name, action in FAST.items():
            rates[name].append(rate(action, words))
    machine = show_machine()
    print("\n".join(table(rates)))
    save({"machine": machine, "rates": rates}, output)


if __name__ == "__main__":
    typer.run(main)

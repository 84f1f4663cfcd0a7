"""What each step of docs/design.md brings to the parser alone, in words a second of processor time.

python benchmarks/steps.py DEV_CONLLU [--model en] [--output FILE]

All variants parse the same token vectors on one thread, and alternate. The slow ones parse the
first sentences only. Processor time is counted, so that a busy machine disturbs the figures less.
"""

from common import describe_machine, encode, read_docs  # isort: skip  (sets the thread counts)

import json
import sys
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
from wasabi import msg

import spacy_arceager
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.network.scoring import find_scoring, get_weights
from spacy_arceager.search import blocks
from spacy_arceager.search.beam import search
from spacy_arceager.search.greedy import parse
from spacy_arceager.search.settings import BeamSettings

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests import slow_model

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


def in_python(words: Words) -> None:
    """NumPy multiplies the vectors of the whole sentence again in each configuration."""
    for vectors in words.sentences():
        slow_model.parse_slowly(words.system, words.model, vectors)


def in_python_with_products(words: Words) -> None:
    """NumPy multiplies the vectors of a sentence once, for every slot."""
    weights = slow_model.get_weights(words.model)
    pieces, hidden = weights["lower_b"].shape
    n_slots = len(words.model.attrs["words"])
    slots = numpy.arange(n_slots)
    for vectors in words.sentences():
        products = (vectors @ weights["lower_W"]).reshape((-1, n_slots, pieces, hidden))
        table = numpy.concatenate([products, weights["special"]])
        configuration = words.system.initial(len(vectors))
        while slow_model.advance(configuration):
            rows, attributes = slow_model.features_of(configuration, words.model)
            sums = table[rows, slots].sum(axis=1) + weights["tables"][attributes].sum(axis=1)
            hidden_values = (sums + weights["lower_b"]).max(axis=1)
            scores = hidden_values @ weights["upper_W"] + weights["upper_b"]
            choice = slow_model.best(scores, slow_model.legal_cells(configuration))
            configuration.apply(*slow_model.choice_at(configuration, scores, *choice))


def compiled(
    words: Words, block: int = blocks.BLOCK, half: bool = True, pairs: bool = True
) -> None:
    """The package's own search over blocks of so many words."""
    scorer = Scorer(words.weights, half=half, pairs=pairs)
    usual, blocks.BLOCK = blocks.BLOCK, block
    try:
        parse(words.system, scorer, words.vectors, words.lengths)
    finally:
        blocks.BLOCK = usual


def one_by_one(words: Words) -> None:
    """The same, a sentence a call."""
    scorer = Scorer(words.weights, half=False)
    for vectors in words.sentences():
        parse(words.system, scorer, vectors, [len(vectors)])


def with_a_beam(words: Words, width: int) -> None:
    scorer = Scorer(words.weights, half=True)
    search(words.system, scorer, words.vectors, words.lengths, BeamSettings(width=width))


SLOW: dict[str, Callable[[Words], None]] = {
    "plain Python, each configuration from scratch": in_python,
    "plain Python, products of words and slots ready": in_python_with_products,
}
FAST: dict[str, Callable[[Words], None]] = {
    "compiled, a sentence a call": one_by_one,
    "in lock-step, blocks of 96 words": partial(compiled, block=96, half=False),
    "in lock-step, blocks of 768 words": partial(compiled, half=False),
    "in lock-step, one block": partial(compiled, block=NO_LIMIT, half=False),
    "half floats, blocks of 768 words": partial(compiled, pairs=False),
    "half floats by the processor's instruction, if it has one": compiled,
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
    machine = describe_machine()
    msg.text(", ".join(f"{name}: {value}" for name, value in machine.items()))
    msg.table([(name, f"{median(values):,.0f}") for name, values in rates.items()],
              header=("the parser alone", "words/s"), divider=True)
    if output is not None:
        output.write_text(json.dumps({"machine": machine, "rates": rates}, indent=1))


if __name__ == "__main__":
    typer.run(main)

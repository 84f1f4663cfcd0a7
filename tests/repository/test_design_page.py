"""The plain Python of docs/design.md is a parser: it does what the package's own does."""

import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.steps import table
from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.search.greedy import parse
from spacy_arceager.systems import arc_eager
from tests import slow_model
from tests.brute_force import projective_trees
from tests.conftest import random_scoring, random_vectors

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "design.md").read_text(encoding="utf8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
LENGTHS = [1, 2, 3, 5, 8, 13, 21]
NAMES = {False: "parse", True: "parse_to_one_tree"}


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """What the blocks of the page define."""
    names: dict[str, Any] = {}
    for block in BLOCKS:
        exec(compile(block, "docs/design.md", "exec"), names)
    return names


def best_scores(scores: Any, configuration: Configuration) -> dict[str, float]:
    """The best score of each transition, over its labels."""
    best: dict[str, float] = {}
    for i, score in enumerate(scores[0]):
        name = str(configuration.system.describe_class(i)[0])
        best[name] = max(score, best.get(name, score))
    return best


class Guide:
    """Scores for the page's parser, by the package's model in the package's configuration.

    Whenever it is asked, both parsers must have come to the same stack, buffer and heads.
    """

    def __init__(self, system: TransitionSystem, model: Any, vectors: Any):
        self.model, self.vectors = model, vectors
        self.weights = slow_model.get_weights(model)
        self.configuration = system.initial(len(vectors))

    def __call__(self, stack: list, buffer: list, heads: list) -> dict[str, float]:
        configuration = self.configuration
        while not configuration.buffer:     # the page takes UNSHIFT and REDUCE without asking
            self.take_the_only_one()
        assert (stack, buffer, heads) == (
            configuration.stack, configuration.buffer, configuration.heads)
        if configuration.is_terminal:       # the page still pushes the last word
            return {"SHIFT": 0.0}
        if len(configuration.legal()) == 1:
            return {self.take_the_only_one(): 0.0}
        features = slow_model.features_of(configuration, self.model)
        scores = slow_model.parse_scores(self.weights, self.vectors, *features)
        choice = slow_model.best(scores, slow_model.legal_cells(configuration))
        configuration.apply(*slow_model.choice_at(configuration, scores, *choice))
        return best_scores(scores, configuration)

    def take_the_only_one(self) -> str:
        (only,) = self.configuration.legal()
        self.configuration.apply(only)
        return str(only)


def reachable(configuration: Configuration) -> Iterator[Configuration]:
    """A configuration and all that come after it, but those at the end."""
    if configuration.is_terminal:
        return
    yield configuration
    for transition in configuration.legal():
        successor = configuration.copy()
        successor.apply(transition)
        yield from reachable(successor)


@pytest.mark.parametrize("tree_constraint", [False, True])
@pytest.mark.parametrize("length", LENGTHS)
def test_the_parser_of_the_page_is_the_packages(
    page: dict[str, Any], length: int, tree_constraint: bool
) -> None:
    system = TransitionSystem(arc_eager(tree_constraint=tree_constraint), ["a", "b"])
    parse_by_page: Callable = page[NAMES[tree_constraint]]
    for seed in range(5):
        model = random_scoring(system, seed)
        vectors = random_vectors(length, model.get_dim("nI"), seed)
        heads, _, _ = parse(system, model.predict(None), vectors, [length])
        assert parse_by_page(length, Guide(system, model, vectors)) == heads.tolist()


@pytest.mark.parametrize("n_words", [2, 3])
def test_the_costs_of_the_page_are_those_of_the_exact_oracle(
    page: dict[str, Any], n_words: int
) -> None:
    system = TransitionSystem(arc_eager(tree_constraint=False))
    configurations = [*reachable(system.initial(n_words))]
    assert len(configurations) > 1
    for gold, configuration in itertools.product(projective_trees(n_words), configurations):
        state = configuration.stack, configuration.buffer, configuration.heads
        exact = Oracle("exact").costs(configuration, gold)
        assert page["costs"](*state, gold) == {str(move): cost for move, cost in exact.items()}


def test_the_table_of_the_page_is_the_record() -> None:
    (path,) = re.findall(r"`(benchmarks/record/\S+\.json)`", PAGE)
    record = json.loads((ROOT / path).read_text(encoding="utf8"))
    assert "\n".join(table(record["rates"])) in PAGE

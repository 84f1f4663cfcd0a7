"""Oracles in plain Python: the oracle of the docs trains the same model, and errors are raised."""

import pickle
import random
import re
from pathlib import Path

import numpy
import pytest
import spacy

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.oracles.derivation import follow
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.oracles.python_oracle import PythonOracle, as_oracle
from spacy_arceager.search.beam import search
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import (
    SystemParameters,
    arc_eager,
    arc_hybrid,
    arc_standard,
    dag,
    easy_first,
)
from tests.brute_force import Search, projective_trees
from tests.conftest import (
    blank_pipeline,
    get_parser,
    random_scoring,
    random_vectors,
    read_corpus,
    train,
)
from tests.oracles.comparison import compare

DOCS = (Path(__file__).parents[2] / "docs" / "oracles.md").read_text(encoding="utf8")
CODE = next(re.finditer(r"```python\n(.*?)```", DOCS, re.DOTALL))[1]
PLAIN = {"@misc": "arceager.arc_eager.v1", "tree_constraint": False}


@pytest.fixture(scope="module")
def goldberg_nivre() -> type:
    names: dict = {}
    exec(CODE, names)
    return names["GoldbergNivre"]


def test_the_oracle_of_the_docs_is_short():
    assert len(CODE.split("class ")[1].splitlines()) <= 20


def test_the_oracle_of_the_docs_is_exact(goldberg_nivre):
    search = Search(TransitionSystem(arc_eager(False)), projective_trees(4))
    assert compare(search, as_oracle(goldberg_nivre())).wrong == 0


def trained(name: str, segment: bool = False, **config: object) -> bytes:
    nlp = blank_pipeline(system={**PLAIN, "segment": segment}, oracle={"@misc": name}, **config)
    examples = read_corpus(
        nlp, "en_small-dev.conllu", limit=24, sentences_per_doc=3 if segment else 1)
    train(nlp, examples, epochs=3)
    return get_parser(nlp).model.to_bytes()


@pytest.mark.parametrize("segment", [False, True])
def test_it_trains_the_same_model_as_ours(goldberg_nivre, segment: bool) -> None:
    models = {
        trained(name, segment) for name in ("goldberg_nivre.v1", "arceager.dynamic_oracle.v1")
    }
    assert len(models) == 1


def test_it_trains_a_beam(goldberg_nivre):
    beam = {"@misc": "arceager.beam.v1", "width": 2}
    models = {
        trained(name, beam=beam) for name in ("goldberg_nivre.v1", "arceager.dynamic_oracle.v1")
    }
    assert len(models) == 1


class Ours:
    """A Python oracle that asks an oracle of the package."""

    def __init__(self, name: str):
        self.oracle = Oracle(name)

    def costs(self, configuration: Configuration, heads: list) -> dict:
        return self.oracle.costs(configuration, heads)


@pytest.mark.parametrize(
    ("system", "name"),
    [(easy_first(), "dynamic"), (arc_hybrid(True, "right"), "exact"), (arc_eager(), "exact")],
)
def test_derivations_are_those_of_the_oracle_that_is_asked(system, name):
    compiled = TransitionSystem(system)
    for tree in projective_trees(4):
        expected = Oracle(name).costs(compiled.initial(4), tree)
        assert as_oracle(Ours(name)).costs(compiled.initial(4), tree) == expected
        steps = as_oracle(Ours(name)).derivation(compiled, tree)
        configuration = compiled.initial(4)
        for transition, _ in steps:
            configuration.apply(transition)
        assert configuration.tree() == list(tree)


@pytest.mark.parametrize("system", [
    arc_eager(segment=True), arc_eager(True, ["left", "reduce"], segment=True),
    arc_hybrid(True, segment=True), arc_standard(segment=True),
])
def test_what_is_asked_sees_the_text_end_with_the_sentence(system: SystemParameters) -> None:
    compiled = TransitionSystem(system)
    starts = [True, False, False, True, False]
    for seed, tree in enumerate(projective_trees(3)):
        heads = [*tree, 3, 3]
        rng = random.Random(seed)
        configuration = compiled.initial(5)
        while not configuration.is_terminal:
            expected = Oracle("exact").costs(configuration, heads, starts)
            assert as_oracle(Ours("exact")).costs(configuration, heads, starts) == expected
            configuration.apply(rng.choice([*expected]))


def test_a_parser_takes_it_at_any_time() -> None:
    parser = get_parser(blank_pipeline())
    parser.oracle = Ours("exact")
    assert isinstance(parser.oracle, PythonOracle)
    for other, error in (("exact", TypeError), (Oracle("static_dynamic"), ValueError)):
        with pytest.raises(error):
            parser.oracle = other


def test_graphs_have_a_list_of_heads_for_each_word():
    seen = []

    class Watch(Ours):
        def costs(self, configuration, heads):
            seen.append(heads)
            return super().costs(configuration, heads)

    as_oracle(Watch("dynamic")).derivation(TransitionSystem(dag()), [[], [0, 2], [0]])
    assert seen and all(heads == [[], [0, 2], [0]] for heads in seen)


def test_missing_heads_are_none():
    seen = []

    class Watch:
        def costs(self, configuration, heads):
            seen.append(heads)
            return dict.fromkeys(configuration.legal(), 0)

    as_oracle(Watch()).derivation(TransitionSystem(arc_hybrid(root="right")), [None, 1, 1])
    assert seen[0] == [None, 1, 1]


WRONG = {
    "failed: KeyError: 'spam'": lambda legal: {}["spam"],
    "no cost of LEFT-ARC, which is legal": lambda legal: {"SHIFT": 0},
    "SHIFT costs -1; costs are from 0 to 999999": lambda legal: dict.fromkeys(legal, -1),
    "SHIFT costs 1000000": lambda legal: dict.fromkeys(legal, 1000000),
    "SHIFT costs 'free'; costs are whole numbers": lambda legal: dict.fromkeys(legal, "free"),
    "SHIFT costs 0.9; costs are whole numbers": lambda legal: dict.fromkeys(legal, 0.9),
    "TypeError: costs() returned None, not a dict": lambda legal: None,
    "TypeError: costs() returned [1, 0], not a dict": lambda legal: [1, 0],
}


@pytest.mark.parametrize("message", WRONG)
def test_what_goes_wrong_comes_out_with_the_name_of_the_class(message):
    class Broken:
        def costs(self, configuration, heads):
            return WRONG[message](configuration.legal())

    oracle = as_oracle(Broken())
    system = TransitionSystem(arc_eager(False))
    configuration = system.initial(3)
    configuration.apply("SHIFT")
    for attempt in (
        lambda: oracle.costs(configuration, [0, 0, 0]),
        lambda: oracle.derivation(system, [0, 0, 0]),
        lambda: follow(system, oracle, GoldTrees([3], [0, 0, 0], [-1] * 3)),
    ):
        with pytest.raises(ValueError, match="The oracle Broken failed: ") as error:
            attempt()
        assert message in str(error.value)
        assert error.value.__cause__ is not None


def test_an_error_ends_the_update(goldberg_nivre):
    # The lambda is needed because the class is defined below.
    spacy.registry.misc("broken_oracle.v1", func=lambda: BrokenLater())  # noqa: PLW0108

    class BrokenLater:
        asked = 0

        def costs(self, configuration, heads):
            self.asked += 1
            if self.asked > 50:
                raise RuntimeError("enough")
            return goldberg_nivre().costs(configuration, heads)

    with pytest.raises(ValueError, match="BrokenLater failed: RuntimeError: enough"):
        trained("broken_oracle.v1")


def test_an_error_ends_a_search_under_constraints():
    class Broken:
        def costs(self, configuration, heads):
            raise RuntimeError("enough")

    system = TransitionSystem(arc_eager())
    scorer, fixed = random_scoring(system, 1).predict(None), numpy.asarray([-1, 0, -1], dtype="i")
    with pytest.raises(ValueError, match="Broken failed: RuntimeError: enough"):
        search(
            system, scorer, random_vectors(3, 8, 1), [3], BeamSettings(4), None,
            (fixed, numpy.full_like(fixed, -1)), as_oracle(Broken()),
        )


def test_ctrl_c_is_passed_on():
    class Stopped:
        def costs(self, configuration, heads):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        as_oracle(Stopped()).derivation(TransitionSystem(arc_eager()), [1, 1, 1])


def test_an_object_without_costs_is_refused():
    with pytest.raises(TypeError, match="needs a method costs"):
        as_oracle("exact")
    with pytest.raises(TypeError, match="needs a method costs"):
        blank_pipeline(oracle={"@misc": "arceager.beam.v1", "width": 2})


def test_it_is_pickled_with_what_it_asks():
    oracle = pickle.loads(pickle.dumps(PythonOracle(Ours("exact"))))
    assert (type(oracle), oracle.name) == (PythonOracle, "Ours")
    assert oracle.cost_model.oracle.name == "exact"


def test_the_oracles_of_the_package_are_taken_as_they_are():
    oracle = Oracle("static")
    assert as_oracle(oracle) is oracle

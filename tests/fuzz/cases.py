"""The cases: each draws its input from a random number generator, checks what comes out,
and counts what was tried. Whatever it raises is a fault."""

from collections import Counter
from collections.abc import Callable
from random import Random

import numpy
from numpy.typing import NDArray

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.configured import constraint_oracle
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.oracles.registry import options_of, oracles_for
from spacy_arceager.search.beam import search
from spacy_arceager.search.beam_update import roll_out_beam
from spacy_arceager.search.greedy import parse, parse_graphs
from spacy_arceager.search.rollout import roll_out
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import SystemParameters
from tests.fuzz.checks import check, check_graphs, check_parses, check_roll_out
from tests.fuzz.damage import file_case, model_case
from tests.fuzz.docs import doc_case
from tests.fuzz.inputs import (
    random_fixed,
    random_gold,
    random_labels,
    random_lengths,
    random_presets,
    random_scorer,
    random_vectors,
    within_arcs,
)

Case = Callable[[Random, SystemParameters], Counter]
BEAM_WORDS, GOLD_WORDS = 60, 16
# Of a large batch, little time goes into making the system and its model.
GREEDY_WORDS = (2000, 20_000)


def greedy_case(rng: Random, parameters: SystemParameters) -> Counter:
    """Greedy parses, or graphs; some once more in another batch."""
    system = TransitionSystem(parameters, random_labels(rng))
    scorer, weights = random_scorer(rng, system, rounded=True)
    lengths = random_lengths(rng, rng.choice(GREEDY_WORDS))
    vectors = random_vectors(rng, int(lengths.sum()))
    if parameters.graph:
        arcs = parse_graphs(system, scorer, vectors, lengths)
        check_graphs(system, lengths, arcs)
        return Counter(graphs=len(lengths), parses=len(lengths))
    flags = presets_for(rng, parameters, lengths)
    parsed = parse(system, scorer, vectors, lengths, flags)
    check_parses(system, lengths, flags, *parsed)
    n = rng.randint(1, len(lengths))
    words = int(lengths[:n].sum())
    again = parse(system, scorer, vectors[:words], lengths[:n], flags[:words])
    if weights != "huge" and numpy.abs(vectors).max() < 1e30:     # sums may overflow
        for new, old in zip(again, parsed):
            check(numpy.array_equal(new, old[:words]), "another batch, another parse")
    return Counter(parses=len(lengths) + n, again=n)


def presets_for(rng: Random, parameters: SystemParameters, lengths: NDArray) -> NDArray:
    if parameters.segment:
        return random_presets(rng, lengths)
    return numpy.zeros((lengths.sum(),), dtype="i")


def beam_case(rng: Random, parameters: SystemParameters) -> Counter:
    """Beam search, sometimes with arcs fixed in advance."""
    if parameters.graph:
        return greedy_case(rng, parameters)
    system = TransitionSystem(parameters, random_labels(rng))
    scorer, _ = random_scorer(rng, system, rounded=True)
    lengths = random_lengths(rng, BEAM_WORDS)
    vectors = random_vectors(rng, int(lengths.sum()))
    flags = presets_for(rng, parameters, lengths)
    oracle = constraint_oracle(parameters)
    fixed = None
    if oracle is not None and rng.random() < 0.3:
        fixed = random_fixed(rng, system, lengths)
        flags[within_arcs(fixed[0], lengths)] = 1     # as the parser calls it
    settings = BeamSettings(
        rng.choice([1, 2, 3, 8]), rng.choice([0.0, 0.0, 0.01]), rng.choice(["none", "early"])
    )
    found = search(
        system, scorer, vectors, lengths, settings, flags, fixed, oracle
    )
    check(len(found) == len(lengths), "beam: as many results as sentences")
    sizes = numpy.asarray([len(trees) for trees in found])
    check(fixed is not None or (sizes > 0).all(), "ill-formed: no tree")
    check((sizes <= settings.width).all(), "beam: more trees than its width")
    if sizes.any():
        check_all(system, lengths, sizes, flags, fixed, found)
    if settings.width == 1 and fixed is None:
        heads, labels, _ = parse(system, scorer, vectors, lengths, flags)
        best = [numpy.concatenate(column) for column in zip(*(trees[0][1:3] for trees in found))]
        check(numpy.array_equal(best, [heads, labels]), "a beam of one is not greedy")
    return Counter(parses=len(lengths), beam_parses=len(lengths))


def check_all(
    system: TransitionSystem,
    lengths: NDArray,
    sizes: NDArray,
    flags: NDArray,
    fixed: tuple[NDArray, NDArray] | None,
    found: list[list[tuple]],
) -> None:
    """Check the trees of all sentences at once; sizes: so many trees each sentence has."""
    columns = zip(*(tree[1:4] for trees in found for tree in trees))
    heads, labels, starts = map(numpy.concatenate, columns)
    words = numpy.split(numpy.arange(lengths.sum()), numpy.cumsum(lengths)[:-1])
    rows = numpy.concatenate([row for row, size in zip(words, sizes) for _ in range(size)])
    check_parses(system, numpy.repeat(lengths, sizes), flags[rows], heads, labels, starts)
    if fixed is not None:
        given, given_labels = (values[rows] for values in fixed)
        check((heads == given)[given >= 0].all(), "lost preset: a fixed head")
        labelled = (given_labels >= 0) & (labels >= 0)
        check((labels == given_labels)[labelled].all(), "lost preset: a fixed label")


def roll_out_case(rng: Random, parameters: SystemParameters) -> Counter:
    """Roll-outs with every oracle that is made for the system, on good and bad gold trees."""
    system = TransitionSystem(parameters, random_labels(rng))
    scorer, weights = random_scorer(rng, system, rounded=False)
    counts: Counter = Counter()
    for name in oracles_for(parameters):
        oracle = random_oracle(rng, name)
        lengths = random_lengths(rng, GOLD_WORDS, rng.choice([8, 8, 16]))
        vectors = random_vectors(rng, int(lengths.sum()))
        gold = random_gold(rng, system, lengths)
        is_finite = numpy.abs(vectors).max() < 1e30
        dropout = rng.choice([0.0, 0.2])
        seed = rng.getrandbits(63) | 1
        result = roll_out(
            system, scorer, vectors, gold, oracle, rng.choice([0.0, 0.5, 1.0]), dropout, seed
        )
        check_roll_out(result, weights if is_finite else "nan", beam=False)
        counts += Counter(roll_outs=1, states=result.n_states, gold_sentences=len(lengths))
        if parameters.graph or rng.random() < 0.7:
            continue
        result = roll_out_beam(
            system, scorer, vectors, gold, oracle, random_updates(rng), dropout, seed
        )
        check_roll_out(result, weights if is_finite else "nan", beam=True)
        counts += Counter(roll_outs=1, beam_roll_outs=1, gold_sentences=len(lengths))
    return counts


def random_updates(rng: Random) -> BeamSettings:
    update = rng.choice(["early", "max_violation"])
    return BeamSettings(rng.choice([1, 2, 8]), rng.choice([0.0, 0.01]), update)


def random_oracle(rng: Random, name: str) -> Oracle:
    """An oracle with each of its options at random."""
    choices = {key: option.choices or (False, True) for key, option in options_of(name).items()}
    return Oracle(name, **{key: rng.choice(values) for key, values in choices.items()})


CASES: dict[str, tuple[float, Case]] = {
    "greedy": (0.45, greedy_case),
    "beam": (0.2, beam_case),
    "roll_out": (0.25, roll_out_case),
    "file": (0.03, file_case),
    "model": (0.02, model_case),
    "doc": (0.05, doc_case),
}

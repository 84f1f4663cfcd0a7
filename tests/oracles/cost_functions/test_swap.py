"""The oracles of systems with SWAP, against every derivation of every small gold tree."""

import pickle
import random
import threading
from collections.abc import Iterator

import pytest

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.oracles.python_oracle import PythonOracle
from spacy_arceager.search.rollout import roll_out
from spacy_arceager.systems import arc_eager, arc_hybrid, arc_standard, attardi, dag
from spacy_arceager.systems.parameters import Transition
from tests.brute_force import Heads, Search, all_trees, is_projective
from tests.conftest import float_scorer, random_scoring, random_vectors
from tests.oracles.comparison import Comparison, compare

ROOTS = ("none", "right", "left")
SMALL_TREES = [tree for n in range(1, 5) for tree in all_trees(n)]
TREES_OF_FIVE = random.Random(1).sample(all_trees(5), 12)

# SWAPs in the derivations of all trees of up to five words.
SWAPS = {
    (arc_hybrid, "arcs_first"): 917,
    (arc_hybrid, "eager"): 976,
    (arc_hybrid, "lazy"): 863,
    (arc_standard, "arcs_first"): 917,
    (arc_standard, "eager"): 917,
    (arc_standard, "lazy"): 813,
}


@pytest.mark.parametrize(
    ("make", "name"), [(arc_hybrid, "exact"), (arc_hybrid, "dynamic"), (arc_standard, "exact")]
)
def test_derivations_by_costs_make_no_detours(make, name):
    system = TransitionSystem(make(swap=True))
    for tree in SMALL_TREES:
        steps = Oracle(name).derivation(system, tree)
        configuration = system.initial(len(tree))
        for transition, _ in steps:
            configuration.apply(transition)
        built = [word if head is None else head for word, head in enumerate(configuration.heads)]
        assert built == list(tree)
        assert len(steps) == len(Oracle("static", swap_order="eager").derivation(system, tree))


@pytest.mark.slow
@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize(("make", "swap_order"), SWAPS)
def test_static_oracles_rebuild_every_tree(make, swap_order, root):
    system = TransitionSystem(make(swap=True, root=root))
    oracle = Oracle("static", swap_order=swap_order)
    swaps = 0
    for tree in SMALL_TREES + list(all_trees(5)):
        configuration = system.initial(len(tree))
        for transition, _ in oracle.derivation(system, tree):
            configuration.apply(transition)
            swaps += transition.move == "SWAP"
        assert configuration.tree() == list(tree)
    assert swaps == SWAPS[make, swap_order]


@pytest.mark.slow
@pytest.mark.parametrize("root", ["none", "right", "left"])
def test_lazy_static_dynamic_oracle_swaps_as_little_as_the_lazy_static_one(root):
    system = TransitionSystem(arc_hybrid(swap=True, root=root))
    static, dynamic = (Oracle(kind, swap_order="lazy") for kind in ("static", "static_dynamic"))
    for tree in SMALL_TREES + list(all_trees(5)):
        steps = dynamic.derivation(system, tree)
        assert steps == static.derivation(system, tree)


def projective_order(tree: Heads) -> list[int]:
    """Place of each word in an in-order walk (Nivre 2009); the artificial root comes last."""

    def walk(word: int) -> Iterator[int]:
        dependents = [d for d, head in enumerate(tree) if head == word != d]
        for dependent in dependents:
            if dependent < word:
                yield from walk(dependent)
        yield word
        for dependent in dependents:
            if dependent > word:
                yield from walk(dependent)

    root = next(d for d, head in enumerate(tree) if d == head)
    order = list(walk(root))
    return [order.index(word) for word in range(len(tree))] + [len(tree)]


SWAP = Transition("SWAP")
EAGER = Oracle("static_dynamic", swap_order="eager")


class Regime:
    """The configurations of a gold tree if SWAP is taken exactly where the projective order asks.

    `choices` holds each of them with the true costs of its transitions.
    """

    def __init__(self, system: TransitionSystem, tree: Heads):
        self.order = projective_order(tree)
        root = None if system.parameters.root == "none" else len(tree)
        self.gold = [root if head == d else head for d, head in enumerate(tree)]
        self.values: dict[tuple, int] = {}
        self.choices: list[tuple[Configuration, dict]] = []
        self.value(system.initial(len(tree)))

    def moves(self, configuration: Configuration) -> list:
        legal = configuration.legal()
        swap = [t for t in legal if t.move == "SWAP"]
        if swap:
            s0, b = configuration.operative[-2:]
            assert s0 is not None and b is not None
            if self.order[s0] > self.order[b]:
                return swap
        return [t for t in legal if t.move != "SWAP"]

    def value(self, configuration: Configuration) -> int:
        state = configuration.state()
        if state not in self.values:
            after = {}
            for transition in self.moves(configuration):
                successor = configuration.copy()
                successor.apply(transition)
                after[transition] = self.value(successor)
            n_correct = sum(a == b for a, b in zip(configuration.heads, self.gold))
            self.values[state] = max(after.values(), default=n_correct)
            if after:
                costs = {t: self.values[state] - value for t, value in after.items()}
                self.choices.append((configuration, costs))
        return self.values[state]


@pytest.mark.slow
@pytest.mark.parametrize("root", ROOTS)
def test_static_dynamic_oracle_is_exact_in_its_own_regime(root):
    system = TransitionSystem(arc_hybrid(swap=True, root=root))
    for tree in SMALL_TREES + TREES_OF_FIVE:
        for configuration, truth in Regime(system, tree).choices:
            costs = EAGER.costs(configuration, tree)
            assert {t: costs[t] for t in truth} == truth
            best = min(costs.values())
            assert all(t in truth for t in costs if costs[t] == best)


def explored(oracle: Oracle, system: TransitionSystem, tree: Heads) -> dict:
    """The configurations that training can reach with exploration 1.0, by their states.

    Training takes no transition that costs more than the number of words.
    """
    by_state, waiting = {}, [system.initial(len(tree))]
    while waiting:
        configuration = waiting.pop()
        if configuration.is_terminal or configuration.state() in by_state:
            continue
        by_state[configuration.state()] = configuration
        for transition, cost in oracle.costs(configuration, tree).items():
            if cost <= len(tree):
                successor = configuration.copy()
                successor.apply(transition)
                waiting.append(successor)
    return by_state


@pytest.mark.slow
@pytest.mark.parametrize("root", ROOTS)
def test_training_never_leaves_the_regime_of_the_static_dynamic_oracle(root):
    system = TransitionSystem(arc_hybrid(swap=True, root=root))
    for tree in SMALL_TREES + TREES_OF_FIVE:
        regime = {choice.state() for choice, _ in Regime(system, tree).choices}
        assert explored(EAGER, system, tree).keys() == regime


@pytest.mark.slow
@pytest.mark.parametrize("root", ROOTS)
def test_a_lazy_swap_is_forced_too(root):
    system = TransitionSystem(arc_hybrid(swap=True, root=root))
    oracle = Oracle("static_dynamic", swap_order="lazy")
    for tree in all_trees(4):
        swaps = 0
        for configuration in explored(oracle, system, tree).values():
            costs = oracle.costs(configuration, tree)
            if costs.get(SWAP) == 0:
                swaps += 1
                assert all(cost > len(tree) for t, cost in costs.items() if t != SWAP)
        assert swaps or is_projective(tree)


class Recorder:
    """Costs of an oracle, and the configurations that training has asked about."""

    def __init__(self, oracle: Oracle):
        self.oracle = oracle
        self.seen: list[tuple[Heads, Configuration]] = []

    def costs(self, configuration: Configuration, heads: Heads) -> dict:
        self.seen.append((heads, configuration))
        return self.oracle.costs(configuration, heads, preferred=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_roll_outs_never_leave_a_forced_swap(seed):
    # Exploration at every step, whatever the model likes best.
    system = TransitionSystem(arc_hybrid(swap=True))
    trees = random.Random(seed).sample(all_trees(4), 40)
    gold = GoldTrees([4] * 40, [head for tree in trees for head in tree], [0] * 160)
    recorder = Recorder(EAGER)
    result = roll_out(
        system, float_scorer(random_scoring(system, seed)), random_vectors(160, 8, seed), gold,
        PythonOracle(recorder), 1.0, 0.0, seed,
    )
    regimes = {tree: explored(EAGER, system, tree) for tree in trees}
    assert all(configuration.state() in regimes[tuple(tree)]
               for tree, configuration in recorder.seen)
    assert result.n_wrong > 40 and len(recorder.seen) == result.n_states


# The measured errors of the dynamic oracle for four words. The test fails when they change.
DYNAMIC = {
    ("right", True, False): Comparison(39090, 660, 1, 22080, 35),
    ("right", False, False): Comparison(44302, 2374, 2, 25024, 576),
    ("right", True, True): Comparison(39090, 4172, 1, 22080, 33),
    ("right", False, True): Comparison(44302, 6428, 2, 25024, 441),
}


@pytest.mark.slow
@pytest.mark.parametrize(("root", "projective", "ties"), DYNAMIC)
def test_dynamic_oracle_errs_as_measured(root, projective, ties):
    trees = [tree for tree in all_trees(4) if is_projective(tree) == projective]
    search = Search(TransitionSystem(arc_hybrid(swap=True, root=root)), trees)
    oracle = Oracle("dynamic", projective_ties=ties)
    assert compare(search, oracle) == DYNAMIC[root, projective, ties]


def n_costly(search: Search, configuration: Configuration, oracle: Oracle, tree: int) -> int:
    """How many of the transitions that an oracle offers have a true cost above 0."""
    truth = search.true_costs(configuration)
    costs = oracle.costs(configuration, search.trees[tree])
    best = min(costs.values(), default=0)
    return sum(truth[t][tree] > 0 for t in costs if costs[t] == best)


# For all trees of four words: the number of configurations, and the numbers of those in which the
# static-dynamic and the dynamic oracle offer a transition with a true cost above 0.
EXPLORED = {"none": (4127, 85, 0), "right": (7058, 85, 0), "left": (7058, 85, 0)}


@pytest.mark.slow
@pytest.mark.parametrize("root", EXPLORED)
def test_in_the_regime_of_the_static_dynamic_oracle_the_dynamic_one_is_never_costly(root):
    search = Search(TransitionSystem(arc_hybrid(swap=True, root=root)), all_trees(4))
    counts = [0, 0, 0]
    for i, tree in enumerate(search.trees):
        for configuration, _ in Regime(search.system, tree).choices:
            counts[0] += 1
            for k, oracle in enumerate((EAGER, Oracle("dynamic")), 1):
                counts[k] += n_costly(search, configuration, oracle, i) > 0
    assert tuple(counts) == EXPLORED[root]


@pytest.mark.slow
@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("make", [arc_hybrid, arc_standard])
def test_exact_oracle_is_exact_wherever_one_can_get(make, root):
    for n in range(1, 5):
        search = Search(TransitionSystem(make(swap=True, root=root)), all_trees(n))
        result = compare(search, Oracle("exact", projective_ties=False))
        assert result.wrong == 0 and result.costly == 0


# The number of configurations in random derivations, and the numbers of those in which the dynamic
# and the exact oracle offer a transition with a true cost above 0.
RANDOM_WAYS = {arc_hybrid: (6211, 36, 0), arc_standard: (6386, None, 0)}


@pytest.mark.slow
@pytest.mark.parametrize("make", RANDOM_WAYS)
def test_costly_offers_on_random_ways(make):
    draw = random.Random(0)
    search = Search(TransitionSystem(make(swap=True)), TREES_OF_FIVE)
    dynamic, exact = Oracle("dynamic"), Oracle("exact")
    states = costly_dynamic = costly_exact = 0
    for _ in range(40):
        for i, tree in enumerate(search.trees):
            configuration = search.system.initial(5)
            while not configuration.is_terminal:
                states += 1
                costly_exact += int(n_costly(search, configuration, exact, i) > 0)
                if make is arc_hybrid:
                    costly_dynamic += int(n_costly(search, configuration, dynamic, i) > 0)
                costs = exact.costs(configuration, tree)
                best = [t for t in costs if costs[t] == 0]
                explores = draw.random() < 0.2
                configuration.apply(draw.choice(list(costs) if explores else best))
    expected = costly_dynamic if make is arc_hybrid else None
    assert (states, expected, costly_exact) == RANDOM_WAYS[make]


def test_a_swap_that_repairs_is_free():
    # 0 and 1 on the stack, 2 in front: word 1 can go back and then take both by LEFT.
    configuration = TransitionSystem(arc_hybrid(swap=True)).initial(3)
    configuration.apply("SHIFT")
    configuration.apply("SHIFT")
    offers = {}
    for kind in ("static_dynamic", "dynamic", "exact"):
        costs = Oracle(kind).costs(configuration, [1, 1, 1])
        offers[kind] = [t.move for t in costs if costs[t] == 0]
    assert offers == {"static_dynamic": ["SHIFT"], "dynamic": ["SWAP"], "exact": ["SWAP"]}


def test_options_survive_pickling():
    oracle = pickle.loads(pickle.dumps(Oracle("static", swap_order="eager")))
    assert dict(oracle.options) == {"swap_order": "eager"}


@pytest.mark.parametrize(
    ("kind", "system", "message"),
    [
        ("dynamic", arc_standard(swap=True), "Use one of exact, static"),
        ("static_dynamic", arc_standard(swap=True), "needs an arc-hybrid system with SWAP"),
        ("static_dynamic", arc_eager(), "needs an arc-hybrid system with SWAP"),
        ("static_dynamic", arc_hybrid(), "needs an arc-hybrid system with SWAP"),
        ("exact", attardi(2), "Use one of dynamic, lookahead, reachability, static"),
        ("exact", dag(), "Use one of dynamic, static"),
    ],
)
def test_an_oracle_refuses_systems_that_it_is_not_made_for(kind, system, message):
    with pytest.raises(ValueError, match=message):
        Oracle(kind).check(system)


def test_an_unknown_swap_order_is_refused():
    with pytest.raises(ValueError, match="swap_order='late' is unknown"):
        Oracle("static", swap_order="late")


@pytest.mark.parametrize("make", [arc_hybrid, arc_standard])
def test_a_long_document_needs_no_deep_stack(make) -> None:
    """Threads may have half a megabyte."""
    system = TransitionSystem(make(swap=True))
    n = 4000
    costs: dict[Transition, int] = {}

    def ask() -> None:
        costs.update(Oracle("exact").costs(system.initial(n), [0, *range(n - 1)]))

    size = threading.stack_size(1 << 19)
    try:
        thread = threading.Thread(target=ask)
        thread.start()
    finally:
        threading.stack_size(size)
    thread.join()
    assert min(costs.values()) == 0

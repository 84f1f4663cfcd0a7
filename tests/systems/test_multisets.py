"""Systems with several LEFTs or RIGHTs, without one of them, or without SHIFT are sound."""

from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pytest

from spacy_arceager.gold.derivable import derivable
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.registry import oracles_for
from spacy_arceager.systems import (
    ArcParameters,
    ParameterError,
    SystemParameters,
    Transition,
    arc_eager,
    arc_hybrid,
    custom_system,
)
from tests.brute_force import all_trees, is_tree, projective_trees
from tests.systems.all_paths import BOTH, PERIPHERIES, behaviour, finished, system_stops_at_end

KINDS = [ArcParameters(*values) for values in product(BOTH, BOTH, PERIPHERIES)]


def differ_in_one(first: ArcParameters, second: ArcParameters) -> bool:
    return (
        (first.reduce != second.reduce) + (first.shift != second.shift)
        + (first.periphery != second.periphery)
    ) == 1


PAIRS = [pair for pair in combinations(KINDS, 2) if differ_in_one(*pair)]
SINGLES = [(kind,) for kind in KINDS]
# Pairs of LEFTs and RIGHTs: one of the two is empty, or one of them has two members.
MULTISETS = [
    *((arcs, ()) for arcs in SINGLES + PAIRS), *(((), arcs) for arcs in SINGLES + PAIRS),
    *product(PAIRS, SINGLES), *product(SINGLES, PAIRS),
]
REDUCES = [(False, "left"), *((True, periphery) for periphery in PERIPHERIES)]
# Capacity and distance, front, REDUCE, root, and whether there is the tree constraint.
SETTINGS = list(product(
    ((2, 1), (3, 1), (3, 2)), BOTH, REDUCES, ("none", "right", "left"), BOTH))


@cache
def accepted() -> list[SystemParameters]:
    """The systems that are accepted, without systems that behave like another one of them."""
    by_behaviour = {}
    for (lefts, rights), ((capacity, distance), front, (reduce, end), root, tree) in product(
        MULTISETS, SETTINGS
    ):
        try:
            system = SystemParameters(
                "multiset", capacity, distance, front, lefts, rights, True, reduce, end,
                root=root, tree_constraint=tree,
            )
        except ParameterError:
            continue
        by_behaviour[behaviour(system)] = system
    return list(by_behaviour.values())


def outputs(parameters: SystemParameters, n: int) -> set[tuple[int, ...]]:
    """All parses of n words; fails on a dead end or an infinite loop."""
    initial = TransitionSystem(parameters).initial(n)
    return {tuple(end.tree()) for end in finished(initial, set(), set())}


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_accepted_multiset_ends_in_a_tree(n: int) -> None:
    for parameters in accepted():
        trees = outputs(parameters, n)
        assert trees, parameters
        assert all(map(is_tree, trees)) or system_stops_at_end(parameters), parameters


@pytest.mark.slow
def test_every_way_to_differ_is_accepted_somewhere() -> None:
    """Two LEFTs or RIGHTs may differ in B, in S or in P, and one side may have no arcs."""
    seen = {(len(p.lefts), len(p.rights)) for p in accepted()}
    assert seen == {(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)}
    for name in ("reduce", "shift", "periphery"):
        for side in ("lefts", "rights"):
            assert any(
                len({getattr(arc, name) for arc in getattr(p, side)}) == 2 for p in accepted()
            ), (name, side)


@pytest.mark.slow
def test_transitions_of_a_multiset_have_different_names() -> None:
    for parameters in accepted():
        names = [str(transition) for transition in parameters.transitions]
        assert len(set(names)) == len(names), names


@pytest.mark.slow
def test_without_right_all_heads_are_to_the_right() -> None:
    for parameters in accepted():
        if not parameters.rights and not system_stops_at_end(parameters):
            for tree in outputs(parameters, 3):
                assert all(head >= word for word, head in enumerate(tree)), parameters


@pytest.mark.slow
def test_the_static_oracle_rebuilds_a_part_of_what_can_be_derived() -> None:
    for parameters in accepted()[::5]:
        system = TransitionSystem(parameters)
        rebuilt = {tree for tree in all_trees(3) if derivable(system, tree)}
        assert rebuilt <= outputs(parameters, 3), parameters


@pytest.mark.slow
def test_only_the_static_oracle_is_made_for_them() -> None:
    for parameters in accepted()[::50]:
        assert not parameters.has_usual_transitions
        assert "static" in oracles_for(parameters)
        for kind in ("dynamic", "exact", "reachability", "lookahead", "static_dynamic"):
            assert kind not in oracles_for(parameters), (kind, parameters)


# By hand


@pytest.mark.slow
def test_two_rights_are_told_apart_by_what_they_differ_in() -> None:
    """The system is arc-eager with two RIGHTs: one keeps the dependent, the other reduces it."""
    both = custom_system(
        2, front=True, reduce=True,
        right=[{"reduce": False, "shift": True}, {"reduce": True, "shift": True}],
    )
    assert list(map(str, both.transitions)) == [
        "SHIFT", "LEFT-ARC", "RIGHT-ARC[keep]", "RIGHT-ARC[reduce]", "REDUCE",
    ]
    configuration = TransitionSystem(both).initial(3)
    configuration.apply("SHIFT")
    configuration.apply("RIGHT-ARC[keep]")
    assert configuration.stack == [0, 1]
    configuration.apply("RIGHT-ARC[reduce]")
    assert (configuration.stack, configuration.heads) == ([0, 1], [None, 0, 1])


@pytest.mark.slow
def test_a_list_of_one_is_that_one() -> None:
    block = {"reduce": False, "shift": True}
    system = custom_system(2, front=True, reduce=True, right=block)
    assert custom_system(2, front=True, reduce=True, right=[block]) == system
    assert hash(custom_system(2, front=True, reduce=True, right=[block])) == hash(system)


@pytest.mark.slow
def test_the_same_arcs_twice_are_refused() -> None:
    with pytest.raises(ParameterError, match="two of left have reduce=true and shift=false"):
        custom_system(2, left=[{}, {}])
    with pytest.raises(ParameterError, match="two of right"):
        custom_system(3, right=[{"periphery": "any"}, {"periphery": "right"}])


@pytest.mark.slow
@pytest.mark.parametrize("arcs", ["no", 5, [1], {"bottom_up": True}, [{"reduce": "no"}]])
def test_blocks_that_are_none_are_refused(arcs: object) -> None:
    with pytest.raises(ParameterError, match="left"):
        custom_system(2, left=arcs)


# Systems with a single transition that pushes words (Honnibal et al. 2013, section 4)


def right_only(**settings: object) -> SystemParameters:
    """Arc-eager without SHIFT: RIGHT pushes every word, and LEFT replaces a wrong head."""
    return replace(arc_eager(non_monotonic=["left"], **settings), shift=False)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("constraint", BOTH)
def test_pushing_by_right_alone_derives_every_projective_tree(n: int, constraint: bool) -> None:
    parameters = right_only(tree_constraint=constraint)
    assert outputs(parameters, n) == set(projective_trees(n))


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_static_oracle_pushes_by_right_and_repairs(n: int) -> None:
    system = TransitionSystem(right_only())
    for tree in projective_trees(n):
        assert derivable(system, tree), tree


@pytest.mark.slow
def test_pushing_by_right_alone_needs_such_a_right() -> None:
    with pytest.raises(ParameterError, match="shift=false needs .*right.shift=true"):
        replace(arc_hybrid(), shift=False)


@pytest.mark.slow
@pytest.mark.parametrize("root", ["right", "left"])
def test_pushing_by_right_alone_under_a_root_is_sound(root: str) -> None:
    for n in (1, 2, 3, 4):
        outputs(right_only(tree_constraint=False, root=root), n)


@pytest.mark.slow
def test_pushing_by_shift_alone_is_arc_hybrid() -> None:
    """Arc-hybrid has SHIFT and LEFT, and as RIGHT the ATTACH of arc-eager with labels."""
    labelled = arc_eager(non_monotonic=["reduce"], labelled_reduce=True).transitions
    attach = next(t for t in labelled if t.move == "ATTACH")
    left = next(t for t in labelled if t.move == "LEFT")
    assert arc_hybrid().transitions == (
        Transition("SHIFT"), left, Transition("RIGHT", attach.left, attach.right, reduces=True),
    )

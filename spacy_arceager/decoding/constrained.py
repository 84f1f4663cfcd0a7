"""The search for trees that have all fixed arcs and whole subtrees, and nothing forbidden.

Constraints lead the search to configurations that are rare in training, where single decisions are
less reliable. Units with constraints are therefore searched with a beam of at least WIDTH, even if
the parser is greedy otherwise.

A beam can end where only forbidden arcs are left. Then the best allowed tree is found without the
transition system: every arc is worth the share of the unconstrained parses in a beam that have it.
The arcs of that tree are fixed, and the search only labels it. Where the rules about dependents
leave no tree that has what is asked for, they yield.

The static oracle leads to such a tree in linear time, if the system derives it. With SWAP, whose
exact oracle is a search, it does so from the start where every head of a unit is fixed. If the
system cannot derive the tree, crossing arcs are lifted (see `annotation.projective`), the search
labels the lifted tree, and the fixed heads are kept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy
from numpy.typing import NDArray

from ..annotation.fixed_arcs import FREE
from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..oracles.oracle import Oracle
from ..search.beam import search
from ..search.beam_tree import BeamTree
from ..search.forbidden import Forbidden
from ..trees.algorithms import lift
from ..trees.arborescence import NEVER
from ..trees.best_tree import Spans, best_projective_tree, best_tree
from .plan import SearchPlan, put

WIDTH = 8           # the smallest beam that searches under constraints
CLOSENESS = 1e-3    # the weight of an arc to the next word beside the votes, which add up to 1


def tree_probabilities(
    trees: Sequence[BeamTree], temperature: float = 1.0
) -> NDArray[numpy.float64]:
    """How likely each tree of a beam is if it is one of these: (n_trees,)."""
    scores = numpy.asarray([tree.score for tree in trees]) / temperature
    shares = numpy.exp(scores - scores.max())
    return shares / shares.sum()


def search_plan(
    system: TransitionSystem, scorer: Scorer, vectors: NDArray, plan: SearchPlan,
    most: int | None = None, with_choices: bool = False,
) -> list[list[BeamTree]]:
    """The trees of each unit, the best first, that beam search finds by a plan.

    Args:
        vectors: (n_words, width) the vectors of the words of the plan's units.
        most: how many trees of a unit are returned at most; None for all.
        with_choices: whether the trees have their choices.
    """
    return search(
        system, scorer, vectors, plan.lengths, plan.beam, plan.boundaries, plan.fixed,
        plan.oracle, plan.threads, plan.forbidden if any(plan.forbidden) else None, plan.rules,
        plan.begun, most, with_choices,
    )


def search_constrained(
    system: TransitionSystem, scorer: Scorer, vectors: NDArray, plan: SearchPlan,
    with_choices: bool = False,
) -> tuple[SearchPlan, list[list[BeamTree]]]:
    """The trees of units with constraints, the best first.

    Args:
        plan: the constraints that the Docs ask for.

    Returns:
        The plan that was followed in the end, in which the units whose tree the first search did
        not find have all arcs fixed or no rules; and the trees of each unit, an empty list where
        no tree meets the constraints.
    """
    followed = replace(plan, beam=replace(plan.beam, width=max(WIDTH, plan.beam.width)))
    trees: list[list[BeamTree]] = [[] for _ in plan.lengths]
    searched = [
        unit for unit, span in enumerate(plan.spans)
        if not (system.parameters.swap and has_all_heads(plan.heads[span]))
    ]
    if searched:
        words, part = plan.words_of(searched), followed.of_units(searched)
        found = search_plan(system, scorer, vectors[words], part, with_choices=with_choices)
        put(trees, searched, found)
    for unit, span in enumerate(plan.spans):
        trees[unit] = keep_allowed(plan, unit, trees[unit])
        if trees[unit]:
            continue
        for other in other_plans(system, scorer, vectors[span], followed.of_units([unit])):
            (of_unit,) = search_plan(
                system, scorer, vectors[span], other, with_choices=with_choices)
            trees[unit] = keep_allowed(plan, unit, of_unit)
            if trees[unit]:
                followed = followed.with_units([unit], other)
                break
    return followed, trees


def other_plans(
    system: TransitionSystem, scorer: Scorer, vectors: NDArray, plan: SearchPlan
) -> Iterator[SearchPlan]:
    """Plans for a unit of which the beam found no tree: all arcs fixed, then without rules."""
    with_heads = []
    for completed in plans_with_heads(system, scorer, vectors, plan):
        with_heads.append(completed)
        yield completed
    if plan.rules is not None:
        for other in (plan, *with_heads):
            yield replace(other, rules=None)


def plans_with_heads(
    system: TransitionSystem, scorer: Scorer, vectors: NDArray, plan: SearchPlan
) -> Iterator[SearchPlan]:
    """Plans for a unit that fix all heads: those of the plan, or else those of an allowed tree."""
    canonical = Oracle("static")
    if has_all_heads(plan.heads):
        yield replace(plan, oracle=canonical)
    completed = complete(system, scorer, vectors, plan)
    if completed is not None:
        yield replace(completed, oracle=canonical)
        yield completed     # for systems of which the static oracle does not derive every tree


def keep_allowed(plan: SearchPlan, unit: int, trees: Sequence[BeamTree]) -> list[BeamTree]:
    """The trees of a unit that have nothing forbidden, each with the heads that the plan fixes.

    The heads of a tree differ from the fixed ones only if its arcs were lifted for the search.
    """
    asked, forbidden = plan.heads[plan.spans[unit]], plan.forbidden[unit]
    fixed = [
        tree._replace(heads=numpy.where(asked == FREE, tree.heads, asked)) for tree in trees
    ]
    if forbidden is None:
        return fixed
    return [tree for tree in fixed if forbidden.allows(tree.heads, tree.labels)]


def complete(
    system: TransitionSystem, scorer: Scorer, vectors: NDArray, plan: SearchPlan
) -> SearchPlan | None:
    """A plan that fixes all arcs of an allowed tree; None if there is none. plan: of one unit."""
    (forbidden,) = plan.forbidden
    boundaries = plan.boundaries
    lifted = lift_trees(plan.heads)
    if lifted is not None:
        heads = plan.heads
    else:
        subtrees = [] if forbidden is None else [(a, b) for a, b in forbidden.subtrees.tolist()]
        weights = find_weights(system, scorer, vectors, plan)
        tree = find_tree(system, weights, subtrees, boundaries)
        if tree is None:
            return None
        heads, starts = tree
        if system.parameters.segment:
            boundaries = numpy.where(starts, 2, 1).astype("i")
    return replace(
        plan,
        boundaries=boundaries,
        heads=heads if lifted is None else lifted,
        forbidden=(None if forbidden is None else labels_alone(forbidden, heads),),
    )


def has_all_heads(heads: NDArray) -> bool:
    """Whether no word is free."""
    return not (heads == FREE).any()


def lift_trees(heads: NDArray) -> NDArray | None:
    """The heads of a unit, (n_words,), in which each of its trees is made projective by `lift`.

    None if a word is free or there is a cycle, and if arcs cross too often to be lifted.
    """
    if not has_all_heads(heads):
        return None
    roots = heads
    for _ in range(len(heads).bit_length()):    # every pass goes up twice as far as the one before
        roots = roots[roots]
    if (heads[roots] != roots).any():
        return None
    lifted = heads.copy()
    for root in numpy.unique(roots):
        words = numpy.flatnonzero(roots == root)
        try:
            of_tree = lift(numpy.searchsorted(words, heads[words]).astype("i"))
        except OverflowError:
            return None
        lifted[words] = words[of_tree]
    return lifted


def labels_alone(forbidden: Forbidden, heads: NDArray) -> Forbidden:
    """What is still forbidden once the heads are decided: the labels that a word may not have."""
    labels = forbidden.labels.copy()
    for word, head, label in forbidden.labelled.tolist():
        if heads[word] == head:
            labels[word, label] = 1
    return Forbidden(numpy.zeros_like(forbidden.arcs), labels)


def find_weights(
    system: TransitionSystem, scorer: Scorer, vectors: NDArray, plan: SearchPlan
) -> NDArray[numpy.float64]:
    """The weight of each arc, by dependent and head, (n, n); NEVER for arcs not allowed."""
    (forbidden,) = plan.forbidden
    weights = count_votes(system, scorer, vectors, plan)
    if forbidden is not None:
        weights[forbidden.arcs > 0] = NEVER
    for word, head in enumerate(plan.heads):
        if head != FREE:
            weights[word, numpy.arange(len(weights)) != head] = NEVER
    return weights


def count_votes(
    system: TransitionSystem, scorer: Scorer, vectors: NDArray, plan: SearchPlan
) -> NDArray[numpy.float64]:
    """The share of free parses in a beam that have each arc, by dependent and head, (n, n).

    Each parse counts by its probability, and short arcs get a little more than long ones.
    """
    n = len(vectors)
    beam = replace(plan.beam, density=0)
    (trees,) = search(system, scorer, vectors, [n], beam, plan.boundaries)
    words = numpy.arange(n)
    votes = CLOSENESS / (1 + abs(words[:, None] - words))
    for share, tree in zip(tree_probabilities(trees), trees):
        votes[words, tree.heads] += share
    return votes


def find_tree(
    system: TransitionSystem, weights: NDArray, subtrees: Spans, boundaries: NDArray
) -> tuple[NDArray, NDArray] | None:
    """Heads and sentence starts of the best tree among the kind of trees that a system derives."""
    segment, swap = system.parameters.segment, system.parameters.swap
    if segment or not swap:
        tree = best_projective_tree(weights, subtrees, boundaries if segment else None)
        if tree is not None or not swap or (boundaries[1:] == 2).any():
            return tree
    heads = best_tree(weights, subtrees)
    return None if heads is None else (heads, numpy.arange(len(heads)) == 0)

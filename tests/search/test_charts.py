"""The charts against enumeration of the derivations of the project's own transition system."""

from math import exp, log

import numpy
import pytest

from replication.exact.reference import EndScores, Scores, all_derivations, constrain, k_best
from spacy_arceager import TransitionSystem, arc_eager
from spacy_arceager.search import charts


def best_tree(*scores):
    found = charts.best_tree(dict(zip(Scores._fields, scores)))
    return None if found is None else (found[0], [0, *found[1]])


def marginals(*scores):
    total, found = charts.marginals(dict(zip(Scores._fields, scores)))
    return total, *(found[name] for name in Scores._fields)


SYSTEM = TransitionSystem(arc_eager(), labels=["a"])
N_TREES = {1: 1, 2: 2, 3: 7, 4: 30, 5: 143, 6: 728}      # projective trees with one root


def derivations(n, canonical):
    """Yield (heads, [(transition, top, front, after UNSHIFT)]); a root has head 0, places from 1.

    Canonical: no UNSHIFT, and a REDUCE is followed by an arc before any SHIFT.
    """
    def go(c, steps, reduced):
        if c.is_terminal:
            yield tuple(0 if h is None else h + 1 for h in c.heads), steps
            return
        stack, buffer = c.stack, c.buffer
        top = stack[-1] + 1 if stack else 0
        front = buffer[0] + 1 if buffer else n + 1
        back = c.ended and bool(buffer)
        for t in c.legal():
            if canonical and (t.move == "UNSHIFT" or (t.move == "SHIFT" and reduced
                                                      and str(t) == "SHIFT")):
                continue
            new = c.copy()
            new.apply(t, "a" if t.is_arc else None)
            yield from go(new, [*steps, (t.move, top, front, back)],
                          t.move == "REDUCE" and front <= n)
    yield from go(SYSTEM.initial(n), [], False)


def score_of(n, steps, scores, end=None, heads=None):
    tables = dict(zip(("SHIFT", "LEFT", "RIGHT", "REDUCE"), scores))
    ends = {} if end is None else dict(zip(("LEFT", "RIGHT", "REDUCE"), end))
    total = 0.0
    for move, top, front, back in steps:
        if move == "UNSHIFT":
            total += end.unshift[top]
        elif front <= n:
            total += (ends if back else tables)[move][top, front]
    return total + (scores.root[heads.index(0) + 1] if heads else 0)


def random_scores(n, seed):
    rng = numpy.random.default_rng(seed)
    scores = Scores(*(rng.normal(0, 1.5, (n + 1, n + 1)) for _ in range(4)),
                    rng.normal(0, 1, n + 1))
    scores.shift[0, n] = 0      # the last word over an empty stack is not shifted
    return scores


def enumerate_trees(n, scores):
    """[(score, heads, steps)], the best first."""
    return sorted(
        ((score_of(n, steps, scores, heads=heads), heads, steps)
         for heads, steps in derivations(n, True)), reverse=True)


@pytest.mark.parametrize("n", range(1, 7))
def test_one_canonical_derivation_a_tree(n):
    found = [heads for heads, _ in derivations(n, True)]
    assert len(found) == len(set(found)) == N_TREES[n]
    assert all(heads.count(0) == 1 for heads in found)
    if n < 6:
        assert set(found) == {heads for heads, _ in derivations(n, False)}


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("seed", range(5))
def test_best_and_marginals(n, seed):
    scores = random_scores(n, seed)
    trees = enumerate_trees(n, scores)
    best, heads = best_tree(*scores)
    assert best == pytest.approx(trees[0][0])
    assert tuple(heads[1:]) == trees[0][1]
    total, *found = marginals(*scores)
    assert total == pytest.approx(log(sum(exp(score) for score, *_ in trees)))
    expected = [numpy.zeros((n + 1, n + 1)) for _ in range(4)] + [numpy.zeros(n + 1)]
    number = {"SHIFT": 0, "LEFT": 1, "RIGHT": 2, "REDUCE": 3}
    for score, of_words, steps in trees:
        p = exp(score - total)
        expected[4][of_words.index(0) + 1] += p
        for move, top, front, _ in steps:
            if front <= n:
                expected[number[move]][top, front] += p
    expected[0][0, n] = found[0][0, n]      # see random_scores
    for one, other in zip(found, expected):
        numpy.testing.assert_allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("n", range(1, 7))
def test_marginals_are_the_gradient(n):
    scores = random_scores(n, 9)
    _, *found = marginals(*scores)
    rng = numpy.random.default_rng(n)
    for array, gradient in zip(scores, found):
        for _ in range(4):
            place = tuple(rng.integers(0, size) for size in array.shape)
            old = array[place]
            array[place] = old + 1e-3
            up = marginals(*scores)[0]
            array[place] = old - 1e-3
            down = marginals(*scores)[0]
            array[place] = old
            assert (up - down) / 2e-3 == pytest.approx(gradient[place], abs=1e-3)


@pytest.mark.parametrize("n", range(2, 7))
@pytest.mark.parametrize("seed", range(5))
def test_constraints(n, seed):
    scores = random_scores(n, seed)
    trees = enumerate_trees(n, scores)
    rng = numpy.random.default_rng(seed)
    for _ in range(5):
        of_words = trees[rng.integers(len(trees))][1]
        fixed = {w: of_words[w - 1] for w in set(rng.integers(1, n + 1, 2).tolist())}
        banned = [(h, w) for h, w in zip(rng.integers(0, n + 1, 3), rng.integers(1, n + 1, 3))
                  if h != w]
        left = [t for t in trees if all(t[1][w - 1] == h for w, h in fixed.items())
                and not any(t[1][w - 1] == h for h, w in banned)]
        found = best_tree(*constrain(scores, fixed, banned))
        if not left:
            assert found is None
            continue
        assert found[0] == pytest.approx(left[0][0])
        assert tuple(found[1][1:]) == left[0][1]
        total = marginals(*constrain(scores, fixed, banned))[0]
        assert total == pytest.approx(log(sum(exp(t[0]) for t in left)))


@pytest.mark.parametrize("n", range(1, 7))
def test_k_best(n):
    scores = random_scores(n, 3)
    expected = enumerate_trees(n, scores)[:50]
    found = k_best(scores, 50, lambda head, word: [0.0])
    assert [score for score, _ in found] == pytest.approx([score for score, *_ in expected])
    for (_, arcs), (_, heads, _) in zip(found, expected):
        assert {(w, h) for w, h, _ in arcs} == {(w, h) for w, h in enumerate(heads, 1)}


@pytest.mark.parametrize("n", range(1, 5))
def test_k_best_with_labels(n):
    scores = random_scores(n, 3)
    rng = numpy.random.default_rng(n)
    second = -rng.random((n + 1, n + 1))
    expected = []
    for score, heads, _ in enumerate_trees(n, scores):
        lists = [score]
        for word, head in enumerate(heads, 1):
            if head:
                lists = [s + extra for s in lists for extra in (0, second[head, word])]
        expected += lists
    found = k_best(scores, 40, lambda h, w: [0.0, second[h, w]] if h else [0.0])
    assert [s for s, _ in found] == pytest.approx(sorted(expected, reverse=True)[:40])
    assert len({tuple(sorted(arcs)) for _, arcs in found}) == len(found)


@pytest.mark.parametrize("n", range(1, 6))
def test_all_derivations_with_unshift(n):
    """The whole tree-constrained system has an O(n^3) chart, too."""
    scores = random_scores(n, 1)
    scores.root[:] = 0
    rng = numpy.random.default_rng(n)
    end = EndScores(*(rng.normal(0, 1, (n + 1, n + 1)) for _ in range(3)),
                    rng.normal(0, 1, n + 1))
    values = [score_of(n, steps, scores, end) for _, steps in derivations(n, False)]
    assert all_derivations(scores, end, max) == pytest.approx(max(values))
    expected = log(sum(map(exp, values)))
    assert all_derivations(scores, end, numpy.logaddexp) == pytest.approx(expected)

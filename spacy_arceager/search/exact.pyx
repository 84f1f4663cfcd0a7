"""Exact search: the best tree of all, marginals, and learning by the likelihood of gold trees.

All pairs of a top of the stack and a front of the buffer are scored, and a chart does the rest; see
charts.pxd. The features must be known from these two words alone.
"""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray

from libc.math cimport log
from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from ..kernels.kernels cimport exp_scores, find_highest
from ..machine.configuration cimport NONE
from ..machine.system cimport TransitionSystem
from ..network.addresses cimport MISSING_ROW, distance_bin
from ..network.features import Address
from ..network.lower_layer cimport LowerC, LowerLayer
from ..network.scorer cimport Scorer, ScorerC
from ..oracles.gold cimport ROOT_HEAD, GoldC, GoldTrees
from ..systems.parameters import SystemParameters
from .blocks import Batch
from .charts cimport NEVER, Chart
from .lockstep cimport check_classes, check_gold
from .record cimport Record, record_scores
from .rollout import RollOut, check_training

# What the features may be.
WORDS = ("O1", "O2", "U1")
ATTRIBUTES = ("O2-O1",)

cdef enum:
    FRONT = 0        # O1
    TOP_WORD = 1     # O2
    NEXT = 2         # U1
    CHUNK = 256      # pairs that are scored at a time in parsing


def find_contradiction(parameters: SystemParameters) -> str | None:
    """Why a system cannot be searched exactly; None where it can be."""
    if not (parameters.tree_constraint and parameters.front and parameters.distance == 1):
        return "it is not arc-eager with the tree constraint"
    if parameters.non_monotonic:
        return f"non_monotonic={list(parameters.non_monotonic)} is not []"
    if parameters.root != "none" or parameters.segment:
        return "it has an artificial root or finds sentence boundaries"
    return None


cdef struct ClassesC:
    int shift
    int left
    int right
    int reduce
    int n_labels


cdef class Pairs:
    """The pairs of a sentence: their features, scores, and the chart made of them."""

    cdef TransitionSystem system
    cdef Scorer scorer
    cdef ClassesC classes
    cdef Chart chart
    cdef Record record
    cdef vector[int] kinds           # of the word features
    cdef vector[float] shares        # of the labels of LEFT and RIGHT, by pair

    def __init__(self, TransitionSystem system not None, Scorer scorer not None, bint learns):
        why = find_contradiction(system.parameters)
        if why is not None:
            raise ValueError(f"System '{system.parameters.name}' has no exact search: {why}")
        check_classes(system, scorer)
        self.system, self.scorer = system, scorer
        self.chart, self.record = Chart(), Record(learns)
        dims = scorer.weights.dims
        for address in dims.words:
            self.kinds.push_back(kind_of(address))
        for address in dims.attributes:
            if address.attribute != "distance" or (address.position, address.other_position) != (
                    2, 1):
                raise ValueError(f"Exact search has the attributes {', '.join(ATTRIBUTES)} alone")
        name = system.labels[0] if system.labels else None
        self.classes = ClassesC(
            system.find_class("SHIFT", None), system.find_class("LEFT-ARC", name),
            system.find_class("RIGHT-ARC", name), system.find_class("REDUCE", None),
            system.n_labels)

    cdef int score(self, LowerC* lower, int first, int n, int chunk, float dropout,
                   uint64_t* random) except -1 nogil:
        # Records all pairs, front by front, behind the rows in use.
        cdef const ScorerC* s = &self.scorer.c
        cdef int n_features = s.n_words + s.n_attributes, total = n * (n + 1) // 2
        cdef int j = 1, k = 0, done = 0, i, m, f
        cdef int* features
        while done < total:
            m = min(chunk, total - done)
            self.record.reserve(s, m)
            features = self.record.features.data() + self.record.rows * n_features
            for i in range(m):
                for f in range(s.n_words):
                    features[f] = self.row_of(lower, first, n, k, j, self.kinds[f])
                for f in range(s.n_attributes):
                    features[s.n_words + f] = s.attribute_start[f] + (
                        0 if k == 0 else 1 + distance_bin(j - k))
                features += n_features
                k += 1
                if k == j:
                    j, k = j + 1, 0
            record_scores(self.record, s, lower, m, dropout, random)
            done += m
        return 0

    cdef inline int row_of(self, const LowerC* lower, int first, int n, int k, int j,
                           int kind) noexcept nogil:
        if kind == FRONT:
            return first + j - 1
        if kind == TOP_WORD:
            return first + k - 1 if k else lower.n_words + MISSING_ROW
        return first + j if j < n else lower.n_words + MISSING_ROW

    cdef void fill_best(self, const float* scores, int n) noexcept nogil:
        # The scores of a chart for the best label of each arc.
        cdef int k, j, s = n + 1
        cdef size_t at
        for j in range(1, s):
            for k in range(j):
                at = <size_t>k * s + j
                self.chart.shift[at] = scores[self.classes.shift]
                self.chart.reduce[at] = scores[self.classes.reduce]
                self.chart.left[at] = scores[self.classes.left + find_highest(
                    scores + self.classes.left, self.classes.n_labels)]
                self.chart.right[at] = scores[self.classes.right + find_highest(
                    scores + self.classes.right, self.classes.n_labels)]
                scores += self.scorer.c.width
        self.end_scores(n)

    cdef int best_label(self, int word, int head) noexcept nogil:
        # Of the sentence that was scored last and alone.
        cdef int first = self.classes.left if head > word else self.classes.right
        cdef int front = max(word, head)
        cdef size_t pair = <size_t>front * (front - 1) // 2 + min(word, head)
        return find_highest(self.record.scores.data() + pair * self.scorer.c.width + first,
                            self.classes.n_labels)

    cdef void fill_marginals(self, int n) noexcept nogil:
        # Makes the marginals of arcs the scores, so that the best tree has the most right heads to
        # be expected (Goodman 1996).
        cdef int k, j, s = n + 1
        cdef size_t at
        self.chart.find_marginals()
        for j in range(1, s):
            for k in range(j):
                at = <size_t>k * s + j
                self.chart.shift[at] = self.chart.reduce[at] = 0
                self.chart.left[at] = self.chart.d_left[at]
                self.chart.right[at] = self.chart.d_right[at]
            self.chart.root[j] = self.chart.d_root[j]

    cdef inline void end_scores(self, int n) noexcept nogil:
        cdef int i
        self.chart.shift[n] = 0     # the last word over an empty stack is left over, not shifted
        for i in range(n + 1):
            self.chart.root[i] = 0

    cdef void fill_sums(self, const float* scores, int n, float temperature) noexcept nogil:
        # The scores of a chart for all labels of each arc together, and the shares of the labels.
        cdef int k, j, s = n + 1, width = self.classes.n_labels
        cdef size_t at
        cdef float* shares
        self.shares.resize(<size_t>n * s * width)
        shares = self.shares.data()
        for j in range(1, s):
            for k in range(j):
                at = <size_t>k * s + j
                self.chart.shift[at] = scores[self.classes.shift] / temperature
                self.chart.reduce[at] = scores[self.classes.reduce] / temperature
                self.chart.left[at] = log_sum(
                    scores + self.classes.left, width, temperature, shares)
                self.chart.right[at] = log_sum(
                    scores + self.classes.right, width, temperature, shares + width)
                shares += 2 * width
                scores += self.scorer.c.width
        self.end_scores(n)

    cdef double add_gradient(self, const float* scores, float* d_scores, int n,
                             double sign) noexcept nogil:
        # Adds the marginals, or with the sign -1 takes them away. Returns the log of the sum.
        cdef double total = self.chart.find_marginals()
        cdef int k, j, i, width = self.classes.n_labels
        cdef size_t at
        cdef float left, right
        cdef const float* shares = self.shares.data()
        for j in range(1, n + 1):
            for k in range(j):
                at = <size_t>k * (n + 1) + j
                if k or j < n:
                    d_scores[self.classes.shift] += sign * self.chart.d_shift[at]
                d_scores[self.classes.reduce] += sign * self.chart.d_reduce[at]
                left, right = sign * self.chart.d_left[at], sign * self.chart.d_right[at]
                for i in range(width):
                    d_scores[self.classes.left + i] += left * shares[i]
                    d_scores[self.classes.right + i] += right * shares[width + i]
                shares += 2 * width
                d_scores += self.scorer.c.width
        return total

    cdef void keep_gold(self, const GoldC* gold, const float* scores, int n) noexcept nogil:
        # Leaves only the trees with the known gold heads and labels.
        cdef int word, head, i, width = self.classes.n_labels, s = n + 1, place, first
        cdef size_t at
        for word in range(1, s):
            head = gold.head[word - 1]
            if head == NONE:
                continue
            for i in range(1, s):
                if i < word and i - 1 != head:
                    self.chart.right[i * s + word] = NEVER
                elif i > word and i - 1 != head:
                    self.chart.left[word * s + i] = NEVER
            if head == ROOT_HEAD or head == word - 1:
                continue
            self.chart.root[word] = NEVER
            i = gold.label[word - 1]
            if i == NONE:
                continue
            place, first = max(word, head + 1), self.classes.left
            at = <size_t>min(word, head + 1) * s + place
            place = place * (place - 1) // 2 + min(word, head + 1)
            if head + 1 < word:
                first = self.classes.right
            self.set_label(place, first, i)
            if first == self.classes.left:
                self.chart.left[at] = scores[<size_t>place * self.scorer.c.width + first + i]
            else:
                self.chart.right[at] = scores[<size_t>place * self.scorer.c.width + first + i]

    cdef void set_label(self, int place, int first, int label) noexcept nogil:
        # Gives all of an arc to one of its labels.
        cdef int i, width = self.classes.n_labels
        cdef float* shares = self.shares.data() + <size_t>place * 2 * width
        if first == self.classes.right:
            shares += width
        for i in range(width):
            shares[i] = i == label


def kind_of(address: Address) -> int:
    """What a word feature shows. Raises ValueError for one that two words do not decide."""
    where = ("U" if address.in_unprocessed else "O") + str(address.position)
    if address.hops or where not in WORDS:
        raise ValueError(f"Exact search has the word features {', '.join(WORDS)} alone; there is "
                         f"{where}{''.join('.' + hop for hop in address.hops)}")
    return WORDS.index(where)


cdef inline double log_sum(const float* scores, int n, float temperature,
                           float* shares) noexcept nogil:
    # The log of the sum over labels, and the share of each.
    cdef float top, part
    cdef double total
    cdef int i
    if n == 0:
        return NEVER
    top = scores[find_highest(scores, n)]
    if temperature == 1:
        total = exp_scores(shares, scores, n, top)
    else:
        for i in range(n):
            shares[i] = (scores[i] - top) / temperature
        total = exp_scores(shares, shares, n, 0)
    part = 1 / total
    for i in range(n):
        shares[i] *= part
    return top / temperature + log(total)


def parse(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer], int threads=1, bint least_risk=True,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.bool_]]:
    """The best tree of each sentence. Arguments, results and errors are those of `greedy.parse`.

    Args:
        least_risk: whether it is the tree with the most right heads to be expected, and not the
            most probable one.

    Raises:
        ValueError: Also for a system or for features that exact search does not have.
    """
    results = numpy.zeros((2, len(vectors)), dtype="i")
    batch = Batch(scorer, vectors, lengths, None)
    longest = batch.longest_block
    for words, trees in batch.parse(
            lambda blocks: _parse_blocks(system, scorer, blocks, longest, least_risk), True, threads):
        results[:, words] = trees
    starts = numpy.zeros((len(vectors),), dtype=bool)
    lengths = batch.lengths
    starts[(numpy.cumsum(lengths) - lengths)[lengths > 0]] = True
    return results[0], results[1], starts


def _parse_blocks(TransitionSystem system, Scorer scorer, blocks, int longest, bint least_risk):
    cdef Pairs pairs = Pairs(system, scorer, False)
    cdef LowerLayer lower = LowerLayer(scorer, longest)
    cdef int[:, ::1] trees
    cdef int n, first
    for block in blocks:
        lower.start(block.vectors)
        results = numpy.zeros((2, block.words.size), dtype="i")
        trees = results
        first = 0
        for n in block.lengths:
            if n:
                with nogil:
                    parse_one(pairs, &lower.c, first, n, least_risk, &trees[0, first],
                              &trees[1, first])
            first += n
        yield block.words, results


cdef int parse_one(Pairs pairs, LowerC* lower, int first, int n, bint least_risk, int* heads,
                   int* labels) except -1 nogil:
    cdef vector[int] places
    cdef uint64_t unused = 1
    cdef int word, head, s = n + 1
    pairs.record.rows = 0
    pairs.score(lower, first, n, CHUNK, 0, &unused)
    pairs.chart.start(n)
    if least_risk:
        pairs.fill_sums(pairs.record.scores.data(), n, 1)
        pairs.fill_marginals(n)
    else:
        pairs.fill_best(pairs.record.scores.data(), n)
    places.resize(s)
    pairs.chart.find_best(places.data())
    for word in range(1, s):
        head = places[word]
        heads[word - 1] = (head or word) - 1
        labels[word - 1] = NONE if head == 0 else pairs.best_label(word, head)
    return 0


def learn(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    GoldTrees gold not None, float dropout, uint64_t seed,
) -> RollOut:
    """The loss of a batch and its gradient: minus the log likelihood of the known gold arcs.

    A sentence whose gold arcs no tree has (they cross or form a cycle) adds nothing.

    Args:
        vectors: (n_words, width) float32, of the words of all sentences, one after the other.
        gold: the gold trees of these sentences.
        dropout: rate for the hidden layer.
        seed: of the random numbers; not 0.

    Returns:
        A RollOut with a row for each pair of a top of the stack and a front of the buffer.
    """
    check_training(system, scorer, gold, dropout, seed)
    cdef Pairs pairs = Pairs(system, scorer, True)
    check_gold(system, gold, len(vectors))
    cdef LowerLayer lower = LowerLayer(scorer, len(vectors))
    cdef int i, n, first = 0
    lower.start(vectors)
    for i in range(gold.n_trees):
        n = gold.lengths[i]
        if n:
            with nogil:
                learn_one(pairs, &lower.c, first, n, &gold.c[i], dropout, &seed)
        first += n
    return RollOut(**pairs.record.arrays(scorer), loss=pairs.record.loss,
                   n_states=pairs.record.n_states, n_wrong=pairs.record.n_wrong)


cdef int learn_one(Pairs pairs, LowerC* lower, int first, int n, const GoldC* gold, float dropout,
                   uint64_t* random) except -1 nogil:
    cdef size_t begin = pairs.record.rows, cells
    cdef const float* scores
    cdef float* d_scores
    cdef double total, of_gold
    cdef size_t i
    pairs.score(lower, first, n, n * (n + 1) // 2, dropout, random)
    scores = pairs.record.scores.data() + begin * pairs.scorer.c.width
    d_scores = pairs.record.d_scores.data() + begin * pairs.scorer.c.width
    pairs.chart.start(n)
    pairs.fill_sums(scores, n, 1)
    total = pairs.add_gradient(scores, d_scores, n, 1)
    pairs.keep_gold(gold, scores, n)
    of_gold = pairs.add_gradient(scores, d_scores, n, -1)
    if of_gold <= NEVER / 2:
        cells = (pairs.record.rows - begin) * pairs.scorer.c.width
        for i in range(cells):
            d_scores[i] = 0
        return 0
    pairs.record.loss += total - of_gold
    pairs.record.n_states += 2 * n
    return 0


def confidences(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer], heads: NDArray[numpy.int32],
    labels: NDArray[numpy.int32], float temperature=1,
) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """The marginal probability of each head, and that of its label among the arc's labels.

    Args:
        heads: (n_words,), counted from the first word of the sentence; a root is its own head.
        labels: (n_words,) numbers of labels; -1 for a root, which has a label's probability of 1.
        temperature: scores are divided by it.
    """
    cdef Pairs pairs = Pairs(system, scorer, False)
    batch = Batch(scorer, vectors, lengths, None)
    cdef LowerLayer lower = LowerLayer(scorer, max(1, int(batch.lengths.max(initial=0))))
    of_heads, of_labels = numpy.ones((len(vectors),)), numpy.ones((len(vectors),))
    cdef double[::1] c_heads = of_heads
    cdef double[::1] c_labels = of_labels
    cdef const int[::1] gold_heads = numpy.ascontiguousarray(heads, dtype="i")
    cdef const int[::1] gold_labels = numpy.ascontiguousarray(labels, dtype="i")
    cdef int n, first = 0
    for n in batch.lengths:
        if n:
            lower.start(batch.vectors[first : first + n])
            with nogil:
                judge_one(pairs, &lower.c, n, &gold_heads[first], &gold_labels[first],
                          temperature, &c_heads[first], &c_labels[first])
        first += n
    return of_heads, of_labels


cdef int judge_one(Pairs pairs, LowerC* lower, int n, const int* heads, const int* labels,
                   float temperature, double* of_heads, double* of_labels) except -1 nogil:
    cdef int word, head, low, high, side, s = n + 1, width = pairs.classes.n_labels
    cdef uint64_t unused = 1
    pairs.record.rows = 0
    pairs.score(lower, 0, n, CHUNK, 0, &unused)
    pairs.chart.start(n)
    pairs.fill_sums(pairs.record.scores.data(), n, temperature)
    pairs.chart.find_marginals()
    for word in range(1, s):
        head = heads[word - 1] + 1
        if head == word:
            of_heads[word - 1] = min(1.0, pairs.chart.d_root[word])
            continue
        low, high, side = min(word, head), max(word, head), head < word
        if side:
            of_heads[word - 1] = min(1.0, pairs.chart.d_right[low * s + high])
        else:
            of_heads[word - 1] = min(1.0, pairs.chart.d_left[low * s + high])
        of_labels[word - 1] = pairs.shares[
            (<size_t>high * (high - 1) // 2 + low) * 2 * width + side * width
            + labels[word - 1]]
    return 0

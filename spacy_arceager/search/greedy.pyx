"""Greedy decoding: each sentence takes the best-scored legal transition until it ends."""

import numpy

from cymem.cymem cimport Pool

from ..machine.configuration cimport TOP
from ..machine.rules import WordRules
from ..machine.system cimport TransitionSystem
from ..network.lower_layer cimport LowerC, LowerLayer, compute_hidden
from ..network.scorer cimport Scorer, ScorerC, extract_features, score
from .anchors cimport best_of_anchors, keep_scores, refresh_anchors
from .blocks import Batch
from .graph_heads cimport GraphHeads
from ..kernels.interrupt cimport WatchC, check_signals
from .lockstep cimport LockStep, UnscoredC, best_legal, check_classes

cdef enum:
    MAX_ROWS = 256    # anchors scored in one product


def parse(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer], boundaries: NDArray[numpy.int32] | None = None,
    int threads=1,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.bool_]]:
    """Parse sentences with the model's best transitions.

    Args:
        vectors: (n_words, width) float32, of the words of all sentences, one after the other.
        lengths: words of each sentence.
        boundaries: (n_words,) for systems with BREAK: 1 where no sentence may start, 2 where a
            sentence must start, 0 where the parser decides.
        threads: how many threads parse; the results do not depend on it.

    Returns:
        Heads and labels, (n_words,) int32, and sentence starts, (n_words,) bool. Heads count from
        the first word of the sentence, and a root is its own head. Labels are indices, -1 for a
        root.

    Raises:
        ValueError: For arguments that do not belong together.
        TypeError: For arguments that do not belong together.
    """
    return parse_by_rules(system, scorer, vectors, lengths, boundaries, threads)[:3]


def parse_by_rules(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer], boundaries: NDArray[numpy.int32] | None = None,
    int threads=1, rules: WordRules | None = None,
) -> tuple[
    NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.bool_],
    dict[int, NDArray[numpy.int32]],
]:
    """Parse sentences as `parse` does, as far as the rules about dependents let it.

    Arguments and errors are those of `parse`.

    Args:
        rules: what dependents the words may have; None for any.

    Returns:
        Those of `parse`, and the sentences in which the rules refuse a best transition: by their
        indices the choices before it, as `beam.search` takes them. These sentences are not parsed
        to their ends.
    """
    check_classes(system, scorer)
    results = numpy.empty((3, len(vectors)), dtype="i")
    refused = {}
    for words, trees, of_block in _decode(
            system, scorer, Batch(scorer, vectors, lengths, boundaries, rules), threads,
            _trees_and_refused, keep_choices=rules is not None):
        results[:, words] = trees
        refused.update(of_block)
    return results[0], results[1], results[2].astype(bool), dict(sorted(refused.items()))


def parse_graphs(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer], int threads=1,
) -> NDArray[numpy.int32]:
    """Parse sentences to graphs. Arguments and errors are those of `parse`.

    Returns:
        Dependent, head and label of each arc, (n_arcs, 3) int32, sorted, with words numbered
        through all sentences. A word without an arc is a root.
    """
    if not system.c.shape.graph:
        raise ValueError(f"System '{system.parameters.name}' builds trees, not graphs")
    check_classes(system, scorer)
    arcs = [numpy.zeros((0, 3), dtype="i")]
    for words, block_arcs in _decode(
            system, scorer, Batch(scorer, vectors, lengths, None), threads, _graphs_of):
        block_arcs[:, :2] = words[block_arcs[:, :2]]
        arcs.append(block_arcs)
    every_arc = numpy.concatenate(arcs)
    return every_arc[numpy.lexsort((every_arc[:, 1], every_arc[:, 0]))]


def derive_by_rules(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer], boundaries: NDArray[numpy.int32] | None = None,
    int threads=1, rules: WordRules | None = None,
) -> tuple[list[NDArray[numpy.int32]], dict[int, NDArray[numpy.int32]]]:
    """The choices that `parse_by_rules` makes. Arguments and errors are those of `parse_by_rules`.

    Returns:
        The class and the anchor of each choice of each sentence, (n_choices, 2) int32; and the
        sentences in which the rules refuse a best transition, as of `parse_by_rules`.
    """
    check_classes(system, scorer)
    choices = [numpy.zeros((0, 2), dtype="i") for _ in lengths]
    refused = {}
    for sentences, choices_of_block, of_block in _decode(
            system, scorer, Batch(scorer, vectors, lengths, boundaries, rules), threads,
            _choices_and_refused, keep_choices=True):
        for sentence, chosen in zip(sentences, choices_of_block):
            choices[sentence] = chosen[:, :2]
        refused.update(of_block)
    return choices, dict(sorted(refused.items()))


def _decode(TransitionSystem system, Scorer scorer, batch, int threads, read,
            bint keep_choices=False):
    # What `read` makes of each block and its finished LockStep.
    return batch.parse(
        lambda blocks: _decode_blocks(
            system, scorer, blocks, batch.longest_block, read, keep_choices),
        threads)


def _decode_blocks(TransitionSystem system, Scorer scorer, blocks, int longest_block, read,
                   bint keep_choices):
    cdef LowerLayer lower = LowerLayer(scorer, longest_block)
    cdef LockStep steps
    cdef GraphHeads heads
    for block in blocks:
        lower.start(block.vectors)
        steps = LockStep(system, block.lengths, scorer, block.boundaries)
        steps.restrict(block.rules, True)
        if keep_choices:
            steps.keep_choices()
        heads = GraphHeads(system, block.lengths) if system.c.shape.graph else None
        parse_block(steps, &scorer.c, &lower.c, heads)
        yield read(block, steps)


def _refused_of(block, LockStep steps):
    # The sentences in which the rules refused a transition, and their choices before it.
    return {block.sentences[i]: steps.choices_of(i)
            for i in range(steps.n_sentences) if steps.refused[i]}


def _trees_and_refused(block, LockStep steps):
    # The words of a block; their heads, labels and starts, (3, n_words) int32; what rules refused.
    results = numpy.empty((3, block.words.size), dtype="i")
    cdef int[:, ::1] c_results = results
    steps.results(&c_results[0, 0], &c_results[1, 0], &c_results[2, 0])
    return block.words, results, _refused_of(block, steps)


def _graphs_of(block, LockStep steps):
    # The words of a block, and dependent, head and label of each arc, (n_arcs, 3) int32.
    arcs = numpy.empty((steps.n_arcs(), 3), dtype="i")
    cdef int[:, ::1] c_arcs = arcs
    if arcs.size:
        steps.arcs(&c_arcs[0, 0])
    return block.words, arcs


def _choices_and_refused(block, LockStep steps):
    choices = [steps.choices_of(i) for i in range(steps.n_sentences)]
    return block.sentences, choices, _refused_of(block, steps)


# Arrays that every step uses, allocated once for each block.
cdef struct BuffersC:
    int capacity              # rows
    float* hidden
    float* scores
    unsigned char* which
    int* features


cdef int parse_block(LockStep steps, const ScorerC* scorer, LowerC* lower,
                     GraphHeads heads) except -1:
    # Takes all transitions of a block of sentences. heads: None for trees.
    cdef bint graph = heads is not None
    cdef int i
    cdef Pool memory = Pool()
    cdef BuffersC b
    cdef WatchC watch = WatchC(0, 0)
    b.capacity = max(MAX_ROWS if steps.system.c.anchored else 1, steps.n_sentences)
    b.hidden = <float*>memory.alloc(b.capacity * <size_t>scorer.hidden, sizeof(float))
    b.scores = <float*>memory.alloc(b.capacity * <size_t>scorer.width, sizeof(float))
    b.which = <unsigned char*>memory.alloc(b.capacity * <size_t>scorer.hidden, 1)
    b.features = <int*>memory.alloc(
        b.capacity * <size_t>(scorer.n_words + scorer.n_attributes), sizeof(int))
    with nogil:
        steps.settle()
        while steps.n_active:
            check_signals(&watch)
            score_all(steps, scorer, lower, &b)
            if graph:
                take_best_of_graph(steps, heads, scorer, b.scores)
            else:
                take_best(steps.system, steps, scorer, b.scores)
            steps.settle()
        if graph:
            for i in range(steps.n_sentences):
                heads.reach_all(i, &steps.states[i])
    return 0


cdef void score_all(LockStep steps, const ScorerC* scorer, LowerC* lower,
                    BuffersC* b) noexcept nogil:
    # Scores all anchors that need it before a step. A system with one anchor has all of them in one
    # product, and its caller reads their scores from `b`.
    cdef int size, first = 0
    while first < steps.n_rows:
        size = min(b.capacity, steps.n_rows - first)
        score_rows(steps, scorer, lower, steps.rows + first, size, b)
        if steps.system.c.anchored:
            keep_rows(steps.system, steps, scorer, steps.rows + first, size, b.scores)
        first += size


cdef void score_rows(LockStep steps, const ScorerC* scorer, LowerC* lower, const UnscoredC* rows,
                     int n, BuffersC* b) noexcept nogil:
    cdef int n_features = scorer.n_words + scorer.n_attributes
    cdef int i, s
    for i in range(n):
        s = rows[i].sentence
        extract_features(scorer, &steps.states[s], rows[i].anchor, steps.first_word[s],
                         lower.n_words, b.features + i * n_features)
    compute_hidden(lower, scorer, b.features, n, b.hidden, b.which)
    score(scorer, b.hidden, n, b.scores)


cdef void keep_rows(TransitionSystem system, LockStep steps, const ScorerC* scorer,
                    const UnscoredC* rows, int n, const float* scores) noexcept nogil:
    cdef int i
    for i in range(n):
        keep_scores(&steps.anchors[rows[i].sentence], system, rows[i].anchor,
                    scores + i * scorer.width)


cdef int take_best(TransitionSystem system, LockStep steps, const ScorerC* scorer,
                   const float* scores) except -1 nogil:
    cdef int i, s, index, anchor
    for i in range(steps.n_active):
        s = steps.active[i]
        if system.c.anchored:
            refresh_anchors(&steps.anchors[s], &system.c, &steps.states[s])
            index = best_of_anchors(&steps.anchors[s], &system.c, &steps.states[s], &anchor)
            steps.take(i, anchor, index, NULL)
        else:
            index = best_legal(system, steps.legal + i * system.c.n_transitions,
                               scores + i * scorer.width)
            steps.take(i, TOP, index, scores + i * scorer.width)
    return 0


cdef int take_best_of_graph(LockStep steps, GraphHeads heads, const ScorerC* scorer,
                            const float* scores) except -1 nogil:
    cdef int n_transitions = steps.system.c.n_transitions
    cdef int i, s, index
    for i in range(steps.n_active):
        s = steps.active[i]
        index = heads.choose(s, &steps.states[s], steps.legal + i * n_transitions,
                             scores + i * scorer.width)
        steps.take(i, TOP, index, NULL)
    return 0

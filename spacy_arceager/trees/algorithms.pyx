"""Properties of trees that are given as head sequences.

In a head sequence, a root is its own head, and -1 is a missing head. Every function takes
O(n log n) steps for n words, except `is_well_nested` and `lift`. The long computations run without
the GIL.
"""

import numpy

from libcpp.pair cimport pair
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

# `lift` gives up after this many steps, which take some seconds.
MAX_STEPS = 1_000_000_000


def is_tree(const int[:] heads) -> bool:
    """Whether no head is missing, and there is one root and no cycle.

    Args:
        heads: (n_words,).

    Raises:
        ValueError: If a head is outside the sentence.
    """
    cdef ForestC forest
    read_forest(heads, forest)
    return forest.n_roots == 1 and forest.n_missing == 0 and forest.n_cycles == 0


def has_cycle(const int[:] heads) -> bool:
    """Whether a word can be reached from itself. Heads may be missing.

    Args:
        heads: (n_words,).

    Raises:
        ValueError: If a head is outside the sentence.
    """
    cdef ForestC forest
    read_forest(heads, forest)
    return forest.n_cycles > 0


def non_projective_arcs(const int[:] heads) -> list[int]:
    """The dependents of the non-projective arcs, as a list.

    An arc is non-projective if some word between its ends does not descend from its head
    (Havelka 2007). A root has no arc. Heads may be missing, and there may be cycles: a word
    descends from every word that is met when the heads are followed upwards from it.

    Args:
        heads: (n_words,).

    Raises:
        ValueError: If a head is outside the sentence.
    """
    cdef Py_ssize_t n = heads.shape[0], word
    cdef ForestC forest
    cdef vector[RunC] runs
    check(heads)
    with nogil:
        number_words(heads, forest)
        find_runs(forest, runs)
    return [word for word in range(n) if not is_projective(heads, runs, word)]


def crossing_arcs(ends: ArrayLike) -> NDArray[numpy.bool_]:
    """Which arcs cross another arc.

    Two arcs cross if exactly one end of the first arc lies strictly between the ends of the
    second arc, and the other end lies strictly outside them. Directions and labels do not matter,
    and arcs that share an end do not cross. The arc of a root to an artificial root counts only
    if it is in `ends`.

    Args:
        ends: (n_arcs, 2) ints, the two words that each arc joins, in any order.

    Returns:
        (n_arcs,) bool.

    Raises:
        ValueError: If `ends` has another shape.
    """
    pairs = numpy.sort(numpy.asarray(ends, dtype="i").reshape((len(ends), 2)), axis=1)
    # Crossing depends only on the order of the words. The words at ends of arcs are numbered
    # anew, so that the tables stay small even if the numbers of the words are large.
    words, places = numpy.unique(pairs, return_inverse=True)
    crossing = numpy.zeros((len(pairs),), dtype=bool)
    find_crossing(places.reshape(pairs.shape), len(words), crossing.view("uint8"))
    return crossing


def count_blocks(const int[:] heads) -> NDArray[numpy.int32]:
    """The number of blocks of each subtree.

    A block is a longest run of adjacent words that all belong to the subtree. A subtree has one
    gap fewer than it has blocks.

    Args:
        heads: (n_words,), the heads of a tree.

    Returns:
        (n_words,) int32.

    Raises:
        ValueError: If the heads are no tree.
    """
    cdef Py_ssize_t n = heads.shape[0], i
    cdef int first, second, place
    cdef ForestC forest
    cdef vector[int] above      # above[number of a word]: the number of the head of the word
    cdef vector[vector[int]] table
    if not is_tree(heads):
        raise ValueError("The heads are no tree")
    blocks = numpy.ones((n,), dtype="i")
    cdef int[:] result = blocks
    with nogil:
        number_words(heads, forest)
        above.resize(n)
        for i in range(n):
            above[forest.first[i]] = forest.first[heads[i]]
        build_table(above, table, -1)
        # A subtree has as many blocks as words, minus the number of pairs of neighbours that are
        # both in it. Two neighbours are both in the subtrees of their lowest common ancestor and
        # of all ancestors above that. So each pair is subtracted at its lowest common ancestor,
        # and the next loop adds the counts up towards the root. With `first` < `second` the
        # numbers of the two neighbours, the number of their lowest common ancestor is the least
        # value of above[first + 1], ..., above[second].
        for i in range(1, n):
            first = min(forest.first[i - 1], forest.first[i])
            second = max(forest.first[i - 1], forest.first[i])
            result[forest.order[extreme(table, first + 1, second + 1, -1)]] -= 1
        for place in range(<int>n - 1, 0, -1):
            i = forest.order[place]
            result[heads[i]] += result[i]
    return blocks


def is_well_nested(const int[:] heads) -> bool:
    """Whether no two subtrees without common words interleave (Kuhlmann and Nivre 2006).

    The gap of an arc is the set of words between its ends that do not descend from its head. Two
    subtrees interleave if and only if there are two non-projective arcs that each have an end in
    the gap of the other arc (Havelka 2007). The function takes one step for each pair of
    non-projective arcs.

    Args:
        heads: (n_words,), the heads of a tree.

    Raises:
        ValueError: If the heads are no tree.
    """
    if not is_tree(heads):
        raise ValueError("The heads are no tree")
    cdef vector[int] arcs = non_projective_arcs(heads)
    cdef ForestC forest
    cdef size_t i, j
    cdef bint is_ill_nested = False
    with nogil:
        number_words(heads, forest)
        for i in range(arcs.size()):
            for j in range(i):
                is_ill_nested = (reaches_gap(heads, forest, arcs[i], arcs[j])
                                 and reaches_gap(heads, forest, arcs[j], arcs[i]))
                if is_ill_nested:
                    break
            if is_ill_nested:
                break
    return not is_ill_nested


def lift(const int[:] heads, long max_steps=MAX_STEPS) -> NDArray[numpy.int32]:
    """Lift non-projective arcs until the tree is projective (Nivre and Nilsson 2005, section 2).

    To lift an arc is to replace the head of its dependent by the head of that head. The shortest
    non-projective arc is lifted first. If several arcs are equally short, the arc with the
    leftmost dependent is lifted first. spaCy's `nonproj.projectivize` gives the same trees.

    Args:
        heads: (n_words,), the heads of a tree.
        max_steps: the function gives up after about this many steps.

    Returns:
        (n_words,) int32.

    Raises:
        ValueError: If the heads are no tree.
        OverflowError: If the function gives up.
    """
    cdef Py_ssize_t n = heads.shape[0]
    cdef bint done
    cdef ForestC forest
    cdef vector[RunC] runs
    if not is_tree(heads):
        raise ValueError("The heads are no tree")
    lifted = numpy.array(heads, dtype="i")
    cdef int[:] result = lifted
    with nogil:
        number_words(heads, forest)
        find_runs(forest, runs)
        done = lift_arcs(result, runs, max_steps)
    if not done:
        raise OverflowError(
            f"The arcs of this sentence of {n} words cross too often to lift them all. Leave "
            "it out, or cut it."
        )
    return lifted


cdef int find_crossing(
    const Py_ssize_t[:, :] arcs, int n_words, unsigned char[:] crossing
) except -1:
    cdef Py_ssize_t i
    cdef int start, end
    cdef vector[int] starts     # of a word: the least start of the arcs that end there
    cdef vector[int] stops      # of a word: the largest end of the arcs that start there
    cdef vector[vector[int]] furthest_start, furthest_stop
    with nogil:
        starts.resize(n_words, n_words)
        stops.resize(n_words, -1)
        for i in range(arcs.shape[0]):
            start, end = <int>arcs[i, 0], <int>arcs[i, 1]
            starts[end] = min(starts[end], start)
            stops[start] = max(stops[start], end)
        build_table(starts, furthest_start, -1)
        build_table(stops, furthest_stop, 1)
        for i in range(arcs.shape[0]):
            start, end = <int>arcs[i, 0], <int>arcs[i, 1]
            crossing[i] = end - start > 1 and (
                extreme(furthest_start, start + 1, end, -1) < start
                or extreme(furthest_stop, start + 1, end, 1) > end
            )
    return 0


cdef cppclass ForestC:
    # The words of a head sequence, numbered from the top down, so that the numbers of a subtree
    # are consecutive. All words of a cycle have the same number, because each of them descends
    # from all the others.
    vector[int] first       # of a word: its number, the first of its subtree
    vector[int] last        # of a word: the last number of its subtree
    vector[int] order       # of a number: the word
    int n_roots
    int n_missing
    int n_cycles


cdef struct RunC:
    # The longest run of adjacent words around a word that all descend from the word, from `left`
    # to `right`, both included.
    int left
    int right


cdef int check(const int[:] heads) except -1:
    cdef Py_ssize_t n = heads.shape[0], word
    for word in range(n):
        if heads[word] >= n:
            raise ValueError(
                f"The head of word {word} is {heads[word]}, but there are {n} words"
            )
    return 0


cdef int read_forest(const int[:] heads, ForestC& forest) except -1:
    check(heads)
    with nogil:
        number_words(heads, forest)
    return 0


cdef int number_words(const int[:] heads, ForestC& forest) except -1 nogil:
    cdef int n = <int>heads.shape[0], word, member
    cdef vector[int] child, sibling
    child.resize(n, -1)
    sibling.resize(n, -1)
    for word in range(n - 1, -1, -1):
        if heads[word] >= 0 and heads[word] != word:
            sibling[word] = child[heads[word]]
            child[heads[word]] = word
    forest.first.resize(n, -1)
    forest.last.resize(n, -1)
    forest.order.reserve(n)
    forest.n_roots = forest.n_missing = forest.n_cycles = 0
    for word in range(n):
        if heads[word] == word or heads[word] < 0:
            forest.n_roots += heads[word] == word
            forest.n_missing += heads[word] < 0
            number_subtree(word, heads, child, sibling, forest)
    # Every word that has no number yet is on a cycle or descends from one.
    for word in range(n):
        if forest.first[word] >= 0:
            continue
        forest.n_cycles += 1
        member = find_cycle(heads, word)
        number_subtree(member, heads, child, sibling, forest)
        share_number(heads, member, forest)
    return 0


cdef int number_subtree(
    int top, const int[:] heads, vector[int]& child, const vector[int]& sibling,
    ForestC& forest,
) except -1 nogil:
    cdef int word = top, below
    forest.first[word] = <int>forest.order.size()
    forest.order.push_back(word)
    while True:
        below = child[word]
        if below == top:    # `top` is on a cycle, and numbered already
            below = child[word] = sibling[below]
        if below >= 0:
            child[word] = sibling[below]
            forest.first[below] = <int>forest.order.size()
            forest.order.push_back(below)
            word = below
            continue
        forest.last[word] = <int>forest.order.size() - 1
        if word == top:
            return 0
        word = heads[word]


cdef int find_cycle(const int[:] heads, int word) noexcept nogil:
    # A word of the cycle that `word` is on or descends from. Two walks go up from `word`, one of
    # them twice as fast, until they meet on the cycle (Floyd's algorithm).
    cdef int slow = heads[word], fast = heads[heads[word]]
    while slow != fast:
        slow = heads[slow]
        fast = heads[heads[fast]]
    return slow


cdef void share_number(const int[:] heads, int member, ForestC& forest) noexcept nogil:
    # Gives the numbers of one word of a cycle to all words of the cycle.
    cdef int word = heads[member]
    while word != member:
        forest.first[word] = forest.first[member]
        forest.last[word] = forest.last[member]
        word = heads[word]


# The largest (sign = 1) or least (sign = -1) value of any range in constant time, from a table
# of the extremes of all ranges of 1, 2, 4, 8, ... values (Bender and Farach-Colton 2000).


cdef int build_table(
    const vector[int]& values, vector[vector[int]]& table, int sign
) except -1 nogil:
    cdef size_t width = 1, i, n = values.size()
    cdef vector[int] row
    table.push_back(values)
    while 2 * width <= n:
        row.resize(n - 2 * width + 1)
        for i in range(row.size()):
            row[i] = further(table.back()[i], table.back()[i + width], sign)
        table.push_back(row)
        width *= 2
    return 0


cdef inline int further(int first, int second, int sign) noexcept nogil:
    return max(first, second) if sign > 0 else min(first, second)


cdef int extreme(
    const vector[vector[int]]& table, int start, int end, int sign
) noexcept nogil:
    # The extreme of the values from `start` up to, but without, `end`. The range is not empty.
    cdef int level = 0
    while 2 << level <= end - start:
        level += 1
    return further(table[level][start], table[level][end - (1 << level)], sign)


cdef int find_runs(ForestC& forest, vector[RunC]& runs) except -1 nogil:
    cdef vector[vector[int]] least, most
    cdef int n = <int>forest.first.size(), word, level
    cdef RunC run
    build_table(forest.first, least, -1)
    build_table(forest.first, most, 1)
    for word in range(n):
        run.left = run.right = word
        for level in range(<int>least.size() - 1, -1, -1):
            if descends(forest, least, most, word, run.left - (1 << level), level):
                run.left -= 1 << level
            if descends(forest, least, most, word, run.right + 1, level):
                run.right += 1 << level
        runs.push_back(run)
    return 0


cdef inline bint descends(
    const ForestC& forest, const vector[vector[int]]& least, const vector[vector[int]]& most,
    int word, int start, int level,
) noexcept nogil:
    # Whether the 2 ** level words from `start` on all exist and descend from `word`.
    return (start >= 0 and start < <int>least[level].size()
            and least[level][start] >= forest.first[word]
            and most[level][start] <= forest.last[word])


cdef inline bint is_projective(
    const int[:] heads, const vector[RunC]& runs, Py_ssize_t word
) noexcept nogil:
    cdef int head = heads[word]
    return head < 0 or (runs[head].left <= word and word <= runs[head].right)


cdef inline bint reaches_gap(
    const int[:] heads, const ForestC& forest, int dependent, int other
) noexcept nogil:
    # Whether one arc has an end in the gap of the other arc. Both are named by their dependents.
    return (in_gap(heads, forest, other, dependent)
            or in_gap(heads, forest, other, heads[dependent]))


cdef inline bint in_gap(
    const int[:] heads, const ForestC& forest, int dependent, int word
) noexcept nogil:
    # Whether a word is in the gap of the arc of `dependent`; see `is_well_nested`.
    cdef int head = heads[dependent]
    return (min(head, dependent) < word and word < max(head, dependent)
            and not (forest.first[head] <= forest.first[word]
                     and forest.first[word] <= forest.last[head]))


cdef int lift_arcs(int[:] heads, vector[RunC]& runs, long max_steps) except -1 nogil:
    # Returns whether the tree is projective at the end, which it is unless `max_steps` is passed.
    # When an arc is lifted, only its old head loses descendants. So only the run of the old head
    # becomes shorter, and only arcs from the old head can become non-projective.
    cdef int n = <int>heads.shape[0], word, head, other
    cdef long steps = 0
    cdef priority_queue[pair[int, int]] queue     # (-length, -dependent)
    cdef vector[vector[int]] children
    cdef vector[int] subtree
    cdef RunC old
    children.resize(n)
    for word in range(n):
        if heads[word] != word:
            children[heads[word]].push_back(word)
        if not is_projective(heads, runs, word):
            queue.push(pair[int, int](-abs(word - heads[word]), -word))
    while not queue.empty():
        if steps > max_steps:
            return 0
        word = -queue.top().second
        queue.pop()
        head = heads[word]
        old = runs[head]
        steps += remove(children[head], word)
        heads[word] = heads[head]
        children[heads[head]].push_back(word)
        steps += cut_run(runs[head], head, word, children, subtree)
        for other in children[head]:
            if (old.left <= other and other <= old.right
                    and not is_projective(heads, runs, other)):
                queue.push(pair[int, int](-abs(other - head), -other))
        steps += children[head].size()
        if not is_projective(heads, runs, word):
            queue.push(pair[int, int](-abs(word - heads[word]), -word))
    return 1


cdef long remove(vector[int]& words, int word) noexcept nogil:
    # Removes a word from `words`, whose order may change, and returns the steps that it took.
    cdef size_t i = 0
    while words[i] != word:
        i += 1
    words[i] = words.back()
    words.pop_back()
    return <long>i


cdef long cut_run(
    RunC& run, int head, int top, const vector[vector[int]]& children, vector[int]& subtree
) except -1 nogil:
    # Cuts the run of `head` so that the subtree of `top` is not in it, and returns the steps
    # that it took. `subtree` is memory to work in.
    cdef int word
    cdef size_t done = 0
    subtree.clear()
    subtree.push_back(top)
    while done < subtree.size():
        word = subtree[done]
        done += 1
        subtree.insert(subtree.end(), children[word].begin(), children[word].end())
        if word < head:
            run.left = max(run.left, word + 1)
        else:
            run.right = min(run.right, word - 1)
    return <long>done

"""The basic operations on a configuration. configuration.pxd explains its fields."""

from libc.string cimport memcpy

from ..kernels.memory cimport BlockC, n_ints, take_ints

cdef enum:
    ARCS_A_WORD = 4    # at most 2n pairs of words meet, and a pair has at most two arcs


cdef size_t block_size(const ShapeC* shape, int n_words) noexcept nogil:
    cdef ConfigurationC c
    return lay_out(&c, shape, NULL, n_words)


cdef size_t lay_out(ConfigurationC* c, const ShapeC* shape, int* block,
                    int n_words) noexcept nogil:
    # A row has an int for each word and for the artificial root.
    cdef size_t row = <size_t>n_words + 1
    cdef size_t graph_row = row if shape.graph else 0
    cdef size_t arcs = ARCS_A_WORD * graph_row
    cdef BlockC arrays = BlockC(<char*>block, 0)
    c.block = block
    # `initialise` fills the rows from here to `place` with NONE.
    c.below = take_ints(&arrays, row)
    c.above = take_ints(&arrays, row)
    c.unprocessed = take_ints(&arrays, row)
    c.head = take_ints(&arrays, row)
    c.label = take_ints(&arrays, row)
    c.remembered = take_ints(&arrays, row)
    c.left1 = take_ints(&arrays, row)
    c.left2 = take_ints(&arrays, row)
    c.right1 = take_ints(&arrays, row)
    c.right2 = take_ints(&arrays, row)
    c.first_arc = take_ints(&arrays, graph_row)
    # It fills the rows from here to `queue` with 0.
    c.place = take_ints(&arrays, row)
    c.n_left = take_ints(&arrays, row)
    c.n_right = take_ints(&arrays, row)
    c.is_start = take_ints(&arrays, row)
    c.seen = take_ints(&arrays, graph_row)
    # The other rows are written before they are read.
    c.queue = take_ints(&arrays, graph_row)
    c.next_arc = take_ints(&arrays, arcs)
    c.arc_head = take_ints(&arrays, arcs)
    c.arc_label = take_ints(&arrays, arcs)
    return n_ints(&arrays)


cdef inline void fill(int* begin, int* end, int value) noexcept nogil:
    while begin < end:
        begin[0] = value
        begin += 1


cdef void initialise(ConfigurationC* c, const ShapeC* shape, int* block,
                     int n_words) noexcept nogil:
    cdef int* end = block + lay_out(c, shape, block, n_words)
    c.rules = NULL
    c.kinds = NULL
    c.n_words = n_words
    c.n_nodes = n_words + (shape.root != NO_ROOT)
    c.n_operative = c.n_unprocessed = c.n_waiting = c.n_arcs = 0
    c.top = c.bottom = NONE
    c.start = 0
    c.limit = n_words
    c.furthest = NONE
    c.ended = c.end_on_top = c.more = False
    fill(c.below, c.place, NONE)
    fill(c.place, c.queue if shape.graph else end, 0)
    if n_words:
        c.is_start[0] = True
    fill_unprocessed(c, shape)


cdef void fill_unprocessed(ConfigurationC* c, const ShapeC* shape) noexcept nogil:
    cdef int i
    if shape.root == ROOT_RIGHT:
        c.unprocessed[0] = c.n_words
        c.n_unprocessed = 1
    for i in range(c.n_words - 1, -1, -1):
        c.unprocessed[c.n_unprocessed] = i
        c.n_unprocessed += 1
    if shape.root == ROOT_LEFT:
        put_on_top(c, c.n_words)
    if shape.filled:
        for _ in range(c.n_words):
            push_next(c)
    elif shape.front and c.n_unprocessed > 0:
        push_next(c)


cdef void copy_configuration(ConfigurationC* target, const ConfigurationC* source,
                             const ShapeC* shape) noexcept nogil:
    cdef int* block = target.block
    cdef size_t size
    target[0] = source[0]
    size = lay_out(target, shape, block, source.n_words)
    memcpy(block, source.block, size * sizeof(int))


cdef void put_on_top(ConfigurationC* c, int node) noexcept nogil:
    c.place[node] = OPERATIVE
    c.below[node] = c.top
    c.above[node] = NONE
    if c.top == NONE:
        c.bottom = node
    else:
        c.above[c.top] = node
    c.top = node
    c.n_operative += 1


cdef void push_next(ConfigurationC* c) noexcept nogil:
    cdef int word
    if c.n_unprocessed == 0:
        c.end_on_top = c.ended = True
        return
    word = unprocessed(c, 1)
    c.n_unprocessed -= 1
    if is_root_node(c, word):
        c.ended = True
    else:
        c.furthest = max(c.furthest, word)
    put_on_top(c, word)


cdef void unlink(ConfigurationC* c, int node) noexcept nogil:
    if c.below[node] == NONE:
        c.bottom = c.above[node]
    else:
        c.above[c.below[node]] = c.above[node]
    if c.above[node] == NONE:
        c.top = c.below[node]
    else:
        c.below[c.above[node]] = c.below[node]
    c.n_operative -= 1


cdef void take_out(ConfigurationC* c, int node) noexcept nogil:
    c.place[node] = REDUCED
    unlink(c, node)


cdef void push_back(ConfigurationC* c, int node) noexcept nogil:
    unlink(c, node)
    c.place[node] = UNPROCESSED
    c.unprocessed[c.n_waiting + c.n_unprocessed] = node
    c.n_unprocessed += 1


cdef void start_sentence(ConfigurationC* c, const ShapeC* shape) noexcept nogil:
    while c.top != NONE:
        take_out(c, c.top)
    c.n_unprocessed += c.n_waiting
    c.n_waiting = 0
    c.start = unprocessed(c, 1)
    c.limit = c.n_words
    c.is_start[c.start] = True
    c.ended = c.end_on_top = c.more = False
    if shape.front:
        push_next(c)


cdef void add_arc(ConfigurationC* c, int head, int dependent, int label) noexcept nogil:
    c.head[dependent] = head
    c.label[dependent] = label
    if dependent < head:
        c.n_left[head] += 1
        if c.left1[head] == NONE or dependent < c.left1[head]:
            c.left2[head] = c.left1[head]
            c.left1[head] = dependent
        elif c.left2[head] == NONE or dependent < c.left2[head]:
            c.left2[head] = dependent
    else:
        c.n_right[head] += 1
        if dependent > c.right1[head]:
            c.right2[head] = c.right1[head]
            c.right1[head] = dependent
        elif dependent > c.right2[head]:
            c.right2[head] = dependent


cdef void remove_arc(ConfigurationC* c, int dependent) noexcept nogil:
    # Only a non-monotonic LEFT removes an arc, which is rare. So all children of the head are
    # simply counted again.
    cdef int head = c.head[dependent]
    cdef int first = head + 1 if c.left1[head] == NONE else c.left1[head]
    cdef int last = head if c.right1[head] == NONE else c.right1[head]
    cdef int child
    c.head[dependent] = NONE
    c.left1[head] = c.left2[head] = c.right1[head] = c.right2[head] = NONE
    c.n_left[head] = c.n_right[head] = 0
    for child in range(first, last + 1):
        if c.head[child] == head:
            add_arc(c, head, child, c.label[child])
    c.label[dependent] = NONE


cdef void add_graph_arc(ConfigurationC* c, int head, int dependent, int label) noexcept nogil:
    add_arc(c, head, dependent, label)
    c.next_arc[c.n_arcs] = c.first_arc[dependent]
    c.first_arc[dependent] = c.n_arcs
    c.arc_head[c.n_arcs] = head
    c.arc_label[c.n_arcs] = label
    c.n_arcs += 1


cdef bint has_graph_arc(const ConfigurationC* c, int head, int dependent) noexcept nogil:
    cdef int arc = c.first_arc[dependent]
    while arc != NONE:
        if c.arc_head[arc] == head:
            return True
        arc = c.next_arc[arc]
    return False


cdef int ancestors(const ConfigurationC* c, int word, int* seen, int* words) noexcept nogil:
    # Fills `words` with a word and all its ancestors, marks them in `seen`, which is all 0 before,
    # and returns how many they are. The marks keep it linear: a graph can have exponentially many
    # paths between two words.
    cdef int arc, head, i = 0, n = 1
    words[0] = word
    seen[word] = 1
    while i < n:
        arc = c.first_arc[words[i]]
        while arc != NONE:
            head = c.arc_head[arc]
            if not seen[head]:
                seen[head] = 1
                words[n] = head
                n += 1
            arc = c.next_arc[arc]
        i += 1
    return n


cdef bint is_below_in_graph(const ConfigurationC* c, int word, int ancestor) noexcept nogil:
    cdef int n = ancestors(c, word, c.seen, c.queue)
    cdef bint is_below = c.seen[ancestor]
    cdef int i
    for i in range(n):
        c.seen[c.queue[i]] = 0
    return is_below

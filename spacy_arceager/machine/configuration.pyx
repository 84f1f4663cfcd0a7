"""Basic operations on a configuration; see configuration.pxd for its fields."""

from libc.string cimport memcpy

cdef enum:
    N_ARRAYS = 12


cdef inline size_t row_size(int n_words) noexcept nogil:
    # Room for the artificial root and for END.
    return n_words + 2


cdef size_t block_size(int n_words) noexcept nogil:
    return N_ARRAYS * row_size(n_words)


cdef void lay_out(ConfigurationC* c, int* block, int n_words) noexcept nogil:
    cdef size_t row = row_size(n_words)
    c.operative = block
    c.unprocessed = block + row
    c.head = block + 2 * row
    c.label = block + 3 * row
    c.remembered = block + 4 * row
    c.left1 = block + 5 * row
    c.left2 = block + 6 * row
    c.right1 = block + 7 * row
    c.right2 = block + 8 * row
    c.place = block + 9 * row
    c.n_left = block + 10 * row
    c.n_right = block + 11 * row


cdef void initialise(ConfigurationC* c, int* block, int n_words, bint root_right,
                     bint front) noexcept nogil:
    cdef size_t row = row_size(n_words)
    cdef int i
    lay_out(c, block, n_words)
    c.n_words = n_words
    c.n_nodes = n_words + (1 if root_right else 0)
    c.n_operative = 0
    c.n_unprocessed = c.n_nodes
    c.ended = False
    for i in range(2 * <int>row, 9 * <int>row):
        block[i] = NONE
    for i in range(9 * <int>row, N_ARRAYS * <int>row):
        block[i] = 0
    for i in range(c.n_nodes):
        c.unprocessed[i] = c.n_nodes - 1 - i
    if front and c.n_nodes > 0:
        push_next(c)


cdef void copy_configuration(ConfigurationC* target, const ConfigurationC* source) noexcept nogil:
    cdef int* block = target.operative
    cdef size_t row = row_size(source.n_words)
    memcpy(block, source.operative, N_ARRAYS * row * sizeof(int))
    target.n_words = source.n_words
    target.n_nodes = source.n_nodes
    target.n_operative = source.n_operative
    target.n_unprocessed = source.n_unprocessed
    target.ended = source.ended


cdef void push_next(ConfigurationC* c) noexcept nogil:
    # The front of U becomes O[1]; where U is empty, END does.
    cdef int word = END
    if c.n_unprocessed > 0:
        c.n_unprocessed -= 1
        word = c.unprocessed[c.n_unprocessed]
        c.place[word] = OPERATIVE
    else:
        c.ended = True
    c.operative[c.n_operative] = word
    c.n_operative += 1


cdef void take_out(ConfigurationC* c, int position) noexcept nogil:
    cdef int i = c.n_operative - position
    c.place[c.operative[i]] = REDUCED
    for i in range(i, c.n_operative - 1):
        c.operative[i] = c.operative[i + 1]
    c.n_operative -= 1


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
    # Rare (non-monotonic LEFT only), so the head's children are simply counted anew.
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

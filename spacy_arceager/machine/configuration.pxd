"""The configuration (O, U, A, ended) of one sentence, as a C struct.

Words are 0..n-1. With an artificial root it is node n. O's right end O[1] is
`operative[n_operative - 1]`; U's front is `unprocessed[n_unprocessed - 1]`.
"""

cdef enum:
    NONE = -1    # no word: no head, no child, no label
    END = -2     # the marker for the end of the input, only ever O[1]

cdef enum Place:
    UNPROCESSED = 0
    OPERATIVE = 1
    REDUCED = 2

# All arrays are slices of one block of `block_size(n)` ints that the caller owns.
cdef struct ConfigurationC:
    int n_words
    int n_nodes          # words, and the artificial root if there is one
    int n_operative      # length of O, END included
    int n_unprocessed    # length of U
    bint ended           # the end of the input has been seen
    int* operative
    int* unprocessed
    int* head            # NONE, a word or the artificial root
    int* label           # index into the system's labels, or NONE
    int* remembered      # label that a word would have got by RIGHT when it was shifted
    int* place           # a Place for each node
    int* left1           # leftmost child, then the second from the left
    int* left2
    int* right1          # rightmost child, then the second from the right
    int* right2
    int* n_left          # number of left and of right children
    int* n_right

cdef size_t block_size(int n_words) noexcept nogil

# Lays the arrays into `block`; their contents stay as they are.
cdef void lay_out(ConfigurationC* c, int* block, int n_words) noexcept nogil

# Lays the arrays into `block` and sets the initial configuration.
cdef void initialise(ConfigurationC* c, int* block, int n_words, bint root_right,
                     bint front) noexcept nogil

# Copies `source` into `target`, laid out for as many words.
cdef void copy_configuration(ConfigurationC* target, const ConfigurationC* source) noexcept nogil

# O[position] (1 is the right end), END, or NONE where O is shorter.
cdef inline int operative(const ConfigurationC* c, int position) noexcept nogil:
    if position < 1 or position > c.n_operative:
        return NONE
    return c.operative[c.n_operative - position]

# U[position] (1 is the front), or NONE where U is shorter.
cdef inline int unprocessed(const ConfigurationC* c, int position) noexcept nogil:
    if position < 1 or position > c.n_unprocessed:
        return NONE
    return c.unprocessed[c.n_unprocessed - position]

cdef inline bint is_root_node(const ConfigurationC* c, int node) noexcept nogil:
    return node == c.n_words

# Nodes not yet reduced, END not counted.
cdef inline int n_remaining(const ConfigurationC* c) noexcept nogil:
    cdef int n = c.n_operative + c.n_unprocessed
    if c.n_operative and c.operative[c.n_operative - 1] == END:
        n -= 1
    return n

cdef void add_arc(ConfigurationC* c, int head, int dependent, int label) noexcept nogil
cdef void remove_arc(ConfigurationC* c, int dependent) noexcept nogil
cdef void push_next(ConfigurationC* c) noexcept nogil
cdef void take_out(ConfigurationC* c, int position) noexcept nogil

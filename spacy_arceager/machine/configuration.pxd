"""The configuration (O, U, A, ended) of one sentence, as a C struct.

Words are 0..n-1. An artificial root is node n. O is a list linked in both directions,
from which a token is taken out in constant time; its right end O[1] is `top`, or END.
U's front is `unprocessed[n_unprocessed - 1]`.

Where sentence boundaries are found by BREAK, the words of a whole document are parsed in
one configuration, a sentence after the other: `start` and `limit` bound the present one.
"""

cdef enum:
    NONE = -1    # no word: no head, no child, no label
    END = -2     # the marker for the end of the input, only ever O[1]
    TOP = -4     # the anchor of all systems that have only one: O[1], END or not

cdef enum Place:
    UNPROCESSED = 0
    OPERATIVE = 1
    REDUCED = 2

cdef enum Root:
    NO_ROOT = 0
    ROOT_LEFT = 1
    ROOT_RIGHT = 2

# What of a system decides how its configurations are laid out and begin.
cdef struct ShapeC:
    bint front
    bint graph       # a word may have several heads
    bint filled      # all words are in O from the start
    Root root

# All arrays are slices of one block of `block_size` ints that the caller owns.
cdef struct ConfigurationC:
    int* block
    int n_words
    int n_nodes          # words, and the artificial root if there is one
    int n_operative      # length of O, END not counted
    int n_unprocessed    # length of U
    int n_waiting        # words of later sentences, below U in its array
    bint more            # they are to be parsed, once the present sentence is
    int n_arcs           # of a graph
    int top              # right end of O, END aside; NONE where O is empty
    int bottom           # left end of O
    int start            # first word of the present sentence
    int limit            # first word of the next sentence, or n_words where it is not known
    int furthest         # last word that has left U so far
    bint end_on_top      # O[1] is END
    bint ended           # END, or the artificial root behind the last word, has been in O
    int* below           # left neighbour of a token in O
    int* above           # right neighbour
    int* unprocessed
    int* head            # NONE, a word or the artificial root; the latest one in a graph
    int* label           # index into the system's labels, or NONE
    int* remembered      # label that a word would have got by RIGHT when it was shifted
    int* left1           # leftmost child, then the second from the left
    int* left2
    int* right1          # rightmost child, then the second from the right
    int* right2
    int* place           # a Place for each node
    int* n_left          # number of left and of right children
    int* n_right
    int* is_start        # 1: a sentence starts here; 2: one must; -1: none may
    int* first_arc       # graphs only: arcs of each dependent, as a linked list
    int* next_arc
    int* arc_head
    int* arc_label
    int* seen            # graphs only: for `ancestors`; all 0 between its calls
    int* queue

cdef size_t block_size(const ShapeC* shape, int n_words) noexcept nogil

# Lays the arrays into `block`, whose contents stay as they are, and returns how many ints they
# take; with NULL for `block` it does no more than count.
cdef size_t lay_out(ConfigurationC* c, const ShapeC* shape, int* block,
                    int n_words) noexcept nogil

# Lays the arrays into `block` and sets the initial configuration.
cdef void initialise(ConfigurationC* c, const ShapeC* shape, int* block,
                     int n_words) noexcept nogil

# Copies `source` into `target`, laid out for as many words.
cdef void copy_configuration(ConfigurationC* target, const ConfigurationC* source,
                             const ShapeC* shape) noexcept nogil

# The token `steps` to the left of one in O, or NONE.
cdef inline int walk_left(const ConfigurationC* c, int node, int steps) noexcept nogil:
    while steps > 0 and node >= 0:
        node = c.below[node]
        steps -= 1
    return node

# O[position] (1 is the right end), END, or NONE where O is shorter.
cdef inline int operative(const ConfigurationC* c, int position) noexcept nogil:
    if c.end_on_top:
        if position == 1:
            return END
        position -= 1
    return walk_left(c, c.top, position - 1)

# The same, counted from an anchor: a token in O, or TOP.
cdef inline int operative_from(const ConfigurationC* c, int anchor,
                               int position) noexcept nogil:
    if anchor == TOP:
        return operative(c, position)
    return walk_left(c, anchor, position - 1)

# U[position] (1 is the front), or NONE where U is shorter.
cdef inline int unprocessed(const ConfigurationC* c, int position) noexcept nogil:
    if position < 1 or position > c.n_unprocessed:
        return NONE
    return c.unprocessed[c.n_waiting + c.n_unprocessed - position]

# The token `steps` to the right of an anchor, in O or behind it in U.
cdef inline int right_of(const ConfigurationC* c, int anchor, int steps) noexcept nogil:
    if anchor == TOP:
        return unprocessed(c, steps)
    while steps > 0 and c.above[anchor] >= 0:
        anchor = c.above[anchor]
        steps -= 1
    return anchor if steps == 0 else unprocessed(c, steps)

cdef inline bint is_root_node(const ConfigurationC* c, int node) noexcept nogil:
    return node == c.n_words

# Unprocessed, and not of a later sentence.
cdef inline bint is_ahead(const ConfigurationC* c, int node) noexcept nogil:
    return node >= 0 and c.place[node] == UNPROCESSED and (
        node < c.limit or node == c.n_words)

# Nodes of the present sentence not yet reduced, END not counted.
cdef inline int n_remaining(const ConfigurationC* c) noexcept nogil:
    return c.n_operative + c.n_unprocessed

cdef void add_arc(ConfigurationC* c, int head, int dependent, int label) noexcept nogil
cdef void remove_arc(ConfigurationC* c, int dependent) noexcept nogil

# Graphs: add an arc to those that the dependent has; and whether there is one.
cdef void add_graph_arc(ConfigurationC* c, int head, int dependent, int label) noexcept nogil
cdef bint has_graph_arc(const ConfigurationC* c, int head, int dependent) noexcept nogil

# Graphs: whether one word is another or lies below it.
cdef bint is_below_in_graph(const ConfigurationC* c, int word, int ancestor) noexcept nogil

# The front of U becomes O[1]; where U is empty, END does.
cdef void push_next(ConfigurationC* c) noexcept nogil
# Takes a token out of O for good.
cdef void take_out(ConfigurationC* c, int node) noexcept nogil
# Takes a token out of O and makes it the front of U.
cdef void push_back(ConfigurationC* c, int node) noexcept nogil
# Closes the present sentence, whose last word waits below END or alone in O, and goes on
# with the words that wait.
cdef void start_sentence(ConfigurationC* c, const ShapeC* shape) noexcept nogil

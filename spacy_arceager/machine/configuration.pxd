"""The configuration (O, U, A, ended) of one sentence, as a C struct.

O has the operative tokens: the stack and, in a front system, the front of the buffer at its right
end. U has the unprocessed words, which are the rest of the buffer. A has the arcs. `ended` says
whether the end of the input has been seen.

Words are 0..n-1. An artificial root is node n. O is a list linked in both directions, so that
a token is taken out of it in constant time. Its right end, O[1], is `top` or END. The front of U
is `unprocessed[n_unprocessed - 1]`.

A system with BREAK parses the words of a whole document in one configuration, one sentence after
the other. `start` and `limit` bound the present sentence.
"""

from .rules cimport RulesC

cdef enum:
    NONE = -1    # no word: no head, no child, no label
    END = -2     # the marker for the end of the input; it stands in O[1] or nowhere
    TOP = -4     # the anchor O[1], be it END or not, of a system with a single anchor

cdef enum Place:
    UNPROCESSED = 0
    OPERATIVE = 1
    REDUCED = 2

cdef enum Root:
    NO_ROOT = 0
    ROOT_LEFT = 1
    ROOT_RIGHT = 2

# The settings of a system that its configurations need for their layout and their first state.
cdef struct ShapeC:
    bint front
    bint graph       # a word may have several heads
    bint filled      # all words start in O
    Root root

# All arrays are slices of one block of `block_size` ints that the caller owns.
cdef struct ConfigurationC:
    int* block
    const RulesC* rules  # what dependents a word may have; NULL: any
    const int* kinds     # (n_words,) the Kind of each word, if there are rules
    int n_words
    int n_nodes          # words, and the artificial root if there is one
    int n_operative      # length of O, END not counted
    int n_unprocessed    # length of U
    int n_waiting        # words of later sentences, which lie below U in its array
    bint more            # after the present sentence, the waiting words are parsed
    int n_arcs           # graphs only: the arcs made so far
    int top              # right end of O without END; NONE: O is empty
    int bottom           # left end of O
    int start            # first word of the present sentence
    int limit            # first word of the next sentence; n_words: not known
    int furthest         # last word that has left U so far
    bint end_on_top      # O[1] is END
    bint ended           # END, or an artificial root behind the last word, has been in O
    int* below           # left neighbour of a token in O
    int* above           # right neighbour
    int* unprocessed
    int* head            # NONE, a word or the artificial root; in a graph the latest head
    int* label           # index into the system's labels, or NONE
    int* remembered      # label that RIGHT would have given a word when SHIFT took it
    int* left1           # leftmost child; left2: the second from the left
    int* left2
    int* right1          # rightmost child; right2: the second from the right
    int* right2
    int* place           # a Place for each node
    int* n_left          # number of left children
    int* n_right         # number of right children
    int* is_start        # 1: a sentence starts here; 2: one must start; -1: none may
    int* first_arc       # graphs only: the arcs to each dependent, as a linked list
    int* next_arc
    int* arc_head
    int* arc_label
    int* seen            # graphs only: memory of `ancestors`, all 0 between its calls
    int* queue

cdef size_t block_size(const ShapeC* shape, int n_words) noexcept nogil

# Points the arrays into `block`, whose contents stay as they are, and returns how many ints the
# arrays take. If `block` is NULL, it only counts.
cdef size_t lay_out(ConfigurationC* c, const ShapeC* shape, int* block,
                    int n_words) noexcept nogil

# Points the arrays into `block` and sets the initial configuration.
cdef void initialise(ConfigurationC* c, const ShapeC* shape, int* block,
                     int n_words) noexcept nogil

# Copies `source` into `target`, which has a block for as many words.
cdef void copy_configuration(ConfigurationC* target, const ConfigurationC* source,
                             const ShapeC* shape) noexcept nogil

# The token of O that lies `steps` to the left of `node`, or NONE.
cdef inline int walk_left(const ConfigurationC* c, int node, int steps) noexcept nogil:
    while steps > 0 and node >= 0:
        node = c.below[node]
        steps -= 1
    return node

# O[position], which may be END, or NONE if O is shorter. Position 1 is the right end.
cdef inline int operative(const ConfigurationC* c, int position) noexcept nogil:
    if c.end_on_top:
        if position == 1:
            return END
        position -= 1
    return walk_left(c, c.top, position - 1)

# The token at `position` counted from an anchor: position 1 is the anchor, a token of O or TOP.
cdef inline int operative_from(const ConfigurationC* c, int anchor,
                               int position) noexcept nogil:
    if anchor == TOP:
        return operative(c, position)
    return walk_left(c, anchor, position - 1)

# U[position], or NONE if U is shorter. Position 1 is the front.
cdef inline int unprocessed(const ConfigurationC* c, int position) noexcept nogil:
    if position < 1 or position > c.n_unprocessed:
        return NONE
    return c.unprocessed[c.n_waiting + c.n_unprocessed - position]

# The token `steps` to the right of an anchor, in O or, behind its right end, in U.
cdef inline int right_of(const ConfigurationC* c, int anchor, int steps) noexcept nogil:
    if anchor == TOP:
        return unprocessed(c, steps)
    while steps > 0 and c.above[anchor] >= 0:
        anchor = c.above[anchor]
        steps -= 1
    return anchor if steps == 0 else unprocessed(c, steps)

cdef inline bint is_root_node(const ConfigurationC* c, int node) noexcept nogil:
    return node == c.n_words

# Whether a node is unprocessed and belongs to the present sentence.
cdef inline bint is_ahead(const ConfigurationC* c, int node) noexcept nogil:
    return node >= 0 and c.place[node] == UNPROCESSED and (
        node < c.limit or node == c.n_words)

# Whether a front system has a node on its stack, which is O without the front.
cdef inline bint on_stack(const ConfigurationC* c, int node) noexcept nogil:
    return node >= 0 and c.place[node] == OPERATIVE and node != operative(c, 1)

# Whether a front system has a node in its buffer: the front, and what is ahead.
cdef inline bint in_buffer(const ConfigurationC* c, int node) noexcept nogil:
    return is_ahead(c, node) or (node >= 0 and node == operative(c, 1))

# The nodes of the present sentence that have not been reduced; END is not counted.
cdef inline int n_remaining(const ConfigurationC* c) noexcept nogil:
    return c.n_operative + c.n_unprocessed

cdef void add_arc(ConfigurationC* c, int head, int dependent, int label) noexcept nogil
cdef void remove_arc(ConfigurationC* c, int dependent) noexcept nogil

# In a graph, adds an arc to the arcs that the dependent has already.
cdef void add_graph_arc(ConfigurationC* c, int head, int dependent, int label) noexcept nogil

# Whether a graph has an arc from `head` to `dependent`.
cdef bint has_graph_arc(const ConfigurationC* c, int head, int dependent) noexcept nogil

# Whether a word of a graph is `ancestor` itself or lies below it.
cdef bint is_below_in_graph(const ConfigurationC* c, int word, int ancestor) noexcept nogil

# The front of U becomes O[1]. If U is empty, END becomes O[1].
cdef void push_next(ConfigurationC* c) noexcept nogil
# Takes a token out of O for good.
cdef void take_out(ConfigurationC* c, int node) noexcept nogil
# Takes a token out of O and makes it the front of U.
cdef void push_back(ConfigurationC* c, int node) noexcept nogil
# Closes the present sentence, whose last word is alone in O or lies below END there, and
# makes the waiting words the next sentence.
cdef void start_sentence(ConfigurationC* c, const ShapeC* shape) noexcept nogil

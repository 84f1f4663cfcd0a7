"""Feature addresses as the compiled loops read them; see addresses.pxd.

Each hop and each attribute is a function and its row in HOPS or ATTRIBUTES.
"""

import numpy

from libc.stdint cimport uint64_t

from ..machine.configuration cimport (
    END, NONE, ConfigurationC, is_root_node, operative_from, right_of,
)

N_SPECIAL: int = N_SPECIAL_ROWS

cdef enum:
    MOST_CHILDREN = 3     # a valency counts no more children than these on each side
    N_BINS = 10           # of distances
    N_SINGLE = 5          # up to this number, a bin holds the distance of its number alone
    SET_BITS = 10         # of the hash of a label set; treebanks have 500 to 2,000 different sets
    N_SETS = 1 << SET_BITS

# 2**64 divided by the golden ratio: an odd number whose bits have no pattern.
cdef uint64_t MULTIPLIER = 0x9E3779B97F4A7C15

# The first distance of each bin. Bin 0 is for a word that SWAP has moved past the other.
cdef int* FIRST_OF_BIN = [0, 1, 2, 3, 4, 5, 7, 10, 15, 25]


# Values of attributes

cdef int label_row(const ConfigurationC* c, const AddressC* address, int node,
                   int anchor) noexcept nogil:
    return 1 if c.head[node] == NONE else 2 + c.label[node]


cdef int valency_row(const ConfigurationC* c, const AddressC* address, int node,
                     int anchor) noexcept nogil:
    return (1 + (MOST_CHILDREN + 1) * min(c.n_left[node], <int>MOST_CHILDREN)
            + min(c.n_right[node], <int>MOST_CHILDREN))


cdef int distance_row(const ConfigurationC* c, const AddressC* address, int node,
                      int anchor) noexcept nogil:
    cdef int other
    if address.other_position < 0:
        other = right_of(c, anchor, -address.other_position)
    else:
        other = operative_from(c, anchor, address.other_position)
    if other == NONE:
        return 0
    if other == END:
        other = c.n_words
    return 1 + distance_bin(other - node)


cdef inline int distance_bin(int distance) noexcept nogil:
    # Most distances are short, so that the loop seldom runs.
    cdef int index = min(max(distance, 0), <int>N_SINGLE)
    while index < N_BINS - 1 and distance >= FIRST_OF_BIN[index + 1]:
        index += 1
    return index


cdef int left_labels_row(const ConfigurationC* c, const AddressC* address, int node,
                         int anchor) noexcept nogil:
    if c.left1[node] == NONE:
        return 1
    return set_row(labels_of_children(c, node, c.left1[node], node - 1))


cdef int right_labels_row(const ConfigurationC* c, const AddressC* address, int node,
                          int anchor) noexcept nogil:
    return set_row(labels_of_children(c, node, node + 1, c.right1[node]))


cdef inline uint64_t labels_of_children(const ConfigurationC* c, int head, int first,
                                        int last) noexcept nogil:
    # The labels of a head's children between two words, as bits. They are not kept in the
    # configuration, since a beam would copy them even if no feature asks for them.
    cdef uint64_t labels = 0
    cdef int word, arc
    for word in range(first, last + 1):
        if c.first_arc == NULL:
            if c.head[word] == head:
                labels |= label_bit(c.label[word])
        else:
            arc = c.first_arc[word]
            while arc != NONE:
                if c.arc_head[arc] == head:
                    labels |= label_bit(c.arc_label[arc])
                arc = c.next_arc[arc]
    return labels


cdef inline uint64_t label_bit(int label) noexcept nogil:
    return 0 if label == NONE else <uint64_t>1 << (label % 64)


cdef inline int set_row(uint64_t labels) noexcept nogil:
    # Multiply-shift hashing (Dietzfelbinger et al. 1997). Two sets may share a row.
    if labels == 0:
        return 1
    return 2 + <int>(labels * MULTIPLIER >> (64 - SET_BITS))


cdef class Attribute:
    """One kind of attribute.

    Attributes:
        table_size: a function from the number of labels to the rows of the learnt table.
        meaning: a description for the documentation.
    """

    cdef ValueC value
    cdef readonly object table_size     # Callable[[int], int]
    cdef readonly str meaning


cdef Attribute attribute(ValueC value, table_size, str meaning):
    cdef Attribute made = Attribute()
    made.value = value
    made.table_size = table_size
    made.meaning = meaning
    return made


ATTRIBUTES: Mapping[str, Attribute] = {
    "label": attribute(label_row, lambda n_labels: 2 + n_labels, "the label of the word's arc"),
    "valency": attribute(
        valency_row, lambda n_labels: 1 + (MOST_CHILDREN + 1) ** 2,
        f"left and right children so far, each up to {MOST_CHILDREN}",
    ),
    "left_labels": attribute(
        left_labels_row, lambda n_labels: 2 + N_SETS,
        f"the set of labels of its left children so far (Zhang & Nivre 2011), hashed into "
        f"{N_SETS:,} rows",
    ),
    "right_labels": attribute(
        right_labels_row, lambda n_labels: 2 + N_SETS,
        "the same of its right children",
    ),
    "distance": attribute(
        distance_row, lambda n_labels: 1 + N_BINS,
        "the distance between two words, in bins; the right one may be the end of the input, and "
        "with SWAP O1-U1 tells whether a word came back",
    ),
}


# Hops: from a word or the artificial root to another word

cdef int left1_of(const ConfigurationC* c, int node) noexcept nogil:
    return c.left1[node]


cdef int left2_of(const ConfigurationC* c, int node) noexcept nogil:
    return c.left2[node]


cdef int right1_of(const ConfigurationC* c, int node) noexcept nogil:
    return c.right1[node]


cdef int right2_of(const ConfigurationC* c, int node) noexcept nogil:
    return c.right2[node]


cdef int head_of(const ConfigurationC* c, int node) noexcept nogil:
    return c.head[node]


cdef class Hop:
    """One kind of hop, over an arc of the word.

    Nothing else may change where it leads: the scores of an anchor stay valid until an arc is made
    near it.

    Attributes:
        meaning: a description for the documentation.
    """

    cdef HopC follow
    cdef readonly str meaning


cdef Hop hop(HopC follow, str meaning):
    cdef Hop made = Hop()
    made.follow = follow
    made.meaning = meaning
    return made


HOPS: Mapping[str, Hop] = {
    "left1": hop(left1_of, "its leftmost child so far"),
    "left2": hop(left2_of, "its second child from the left so far, left of it"),
    "right1": hop(right1_of, "its rightmost child so far"),
    "right2": hop(right2_of, "its second child from the right so far, right of it"),
    "head": hop(head_of, "its head"),
}


def pack(addresses: Sequence[Address]) -> NDArray[numpy.uint8]:
    """Addresses as an array of AddressC: (n_addresses, bytes)."""
    cdef AddressC c
    cdef Attribute kind
    cdef Hop hop_of_name
    packed = numpy.zeros((len(addresses), sizeof(AddressC)), dtype="uint8")
    cdef unsigned char[:, ::1] rows = packed
    for i, address in enumerate(addresses):
        c.in_unprocessed = address.in_unprocessed
        c.position = address.position
        c.hops = [NULL, NULL]
        for k, name in enumerate(address.hops):
            hop_of_name = HOPS[name]
            c.hops[<int>k] = hop_of_name.follow
        c.other_position = address.other_position
        c.value = NULL
        if address.attribute is not None:
            kind = ATTRIBUTES[address.attribute]
            c.value = kind.value
        (<AddressC*>&rows[i, 0])[0] = c
    return packed


cdef inline int find_node(const ConfigurationC* c, const AddressC* address,
                          int anchor) noexcept nogil:
    cdef int node, i
    if address.in_unprocessed:
        node = right_of(c, anchor, address.position)
    else:
        node = operative_from(c, anchor, address.position)
    for i in range(2):
        if address.hops[i] == NULL:
            return node
        if node < 0:
            return NONE
        node = address.hops[i](c, node)
    return node


cdef int word_row(const ConfigurationC* c, const AddressC* address, int anchor, int first_row,
                  int n_rows) noexcept nogil:
    cdef int node = find_node(c, address, anchor)
    if node == NONE:
        return n_rows + MISSING_ROW
    if node == END:
        return n_rows + END_ROW
    if is_root_node(c, node):
        return n_rows + ROOT_ROW
    return first_row + node


cdef int attribute_row(const ConfigurationC* c, const AddressC* address,
                       int anchor) noexcept nogil:
    cdef int node = find_node(c, address, anchor)
    return 0 if node < 0 else address.value(c, address, node, anchor)

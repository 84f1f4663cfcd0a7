"""Feature addresses as the compiled loops read them."""

from ..machine.configuration cimport ConfigurationC

# A hop: from a word or the artificial root to another word of the configuration, or NONE.
ctypedef int (*HopC)(const ConfigurationC* c, int node) noexcept nogil

# The row of an attribute's table at an anchor; `node` is the word at its address.
ctypedef int (*ValueC)(const ConfigurationC* c, const AddressC* address, int node,
                       int anchor) noexcept nogil

cdef struct AddressC:
    bint in_unprocessed
    int position
    HopC hops[2]          # NULL: none
    int other_position    # second word of a distance: its position in O, or minus that in U
    ValueC value          # NULL for a word

# The special vectors: their rows in the lower layer, counted from behind the last word.
cdef enum:
    MISSING_ROW = 0
    END_ROW = 1
    ROOT_ROW = 2
    N_SPECIAL_ROWS = 3

# The row in the lower layer of the word at an address. The configuration's words begin at
# first_row, and n_rows words precede the special vectors.
cdef int word_row(const ConfigurationC* c, const AddressC* address, int anchor, int first_row,
                  int n_rows) noexcept nogil

# The row of an attribute in its own table; 0 stands for "no word".
cdef int attribute_row(const ConfigurationC* c, const AddressC* address,
                       int anchor) noexcept nogil

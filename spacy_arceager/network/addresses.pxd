"""Feature addresses for the C loops, and all that Python and C must agree on about them."""

from ..machine.configuration cimport ConfigurationC

# A hop: another word that a configuration has for a word or the artificial root; NONE without one.
ctypedef int (*HopC)(const ConfigurationC* c, int node) noexcept nogil

# The row of an attribute's table at an anchor; `node` is the word at its address.
ctypedef int (*ValueC)(const ConfigurationC* c, const AddressC* address, int node,
                       int anchor) noexcept nogil

cdef struct AddressC:
    bint in_unprocessed
    int position
    HopC hops[2]          # NULL: none
    int other_position    # for a distance: in O, or if negative in U
    ValueC value          # NULL for a word

# How far a feature looks that may see any change: more tokens than a sentence has.
cdef enum:
    EVERYWHERE = 1 << 24

# Rows of the lower layer behind those of the words.
cdef enum:
    MISSING_ROW = 0
    END_ROW = 1
    ROOT_ROW = 2
    N_SPECIAL_ROWS = 3

# The row in the lower layer of the word at an address. first_row: of the first word of the
# configuration. n_rows: of all words.
cdef int word_row(const ConfigurationC* c, const AddressC* address, int anchor, int first_row,
                  int n_rows) noexcept nogil

# The row in its own table of the attribute at an address; 0 is "no word".
cdef int attribute_row(const ConfigurationC* c, const AddressC* address,
                       int anchor) noexcept nogil

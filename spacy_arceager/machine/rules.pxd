"""The rules about dependents as tables over the labels of a system; see systems/ud_rules.py."""

# What a label is to the rules.
cdef enum Trait:
    RIGHTWARD = 1       # its head stands before it
    SUBJECT = 2         # a head has at most one
    OBJECT = 4          # a head has at most one
    FIXED = 8
    GOESWITH = 16
    PUNCTUATION = 32
    OBLIQUE = 64
    NOMINAL = 128       # a nominal with it has an oblique only if it is a predicate
    OF_PREDICATE = 256  # it shows that its head is a predicate
    LEAF = 512          # it limits the dependents of the word

# What a word is to the rules: the number of its tag in UPOS, from 1, or 0 if it has none, and
# these bits.
cdef enum Kind:
    TAG = 31
    IS_PUNCT = 32
    IS_NOMINAL = 64
    IS_NAME = 128       # it takes no `fixed`
    NEGATES = 256       # as an `advmod` it may have any head but punctuation
    POSSESSES = 512     # as a `det` it may have more dependents
    TOUCHES = 1024      # no white space follows

# Under a label a dependent with another label is:
cdef enum Under:
    FORBIDDEN = 0
    ALLOWED = 1
    IF_NEGATION = 2
    IF_POSSESSIVE = 4

cdef struct RulesC:
    int n_labels
    const unsigned char* of_tag     # (tags, n_labels) whether a word with a tag may have a label
    const unsigned char* under      # (n_labels, n_labels) an Under, by label of head and dependent
    const int* traits               # (n_labels,) the Traits of each label
    bint knows_punct                # some label is `punct`
    bint crossing                   # the system derives trees with crossing arcs
    bint swaps                      # it does so by SWAP
    bint right_alone                # on the stack all arcs lead to the right, as in arc-hybrid

# The kind of all words of a unit that no rules bind.
cdef enum:
    UNBOUND = -1

cdef class TreeRules:
    cdef readonly object parameters  # SystemParameters
    cdef readonly tuple labels      # tuple[str, ...]
    cdef const unsigned char[:, ::1] of_tag
    cdef const unsigned char[:, ::1] under
    cdef const int[::1] traits
    cdef RulesC c

cdef class WordRules:
    cdef readonly TreeRules rules
    cdef readonly object kinds      # NDArray[numpy.int32]
    cdef const int[::1] _kinds
    cdef const int* c_kinds

    cdef const RulesC* of_unit(self, int first_word) noexcept

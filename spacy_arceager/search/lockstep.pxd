"""The configurations of many sentences, which take their transitions in lock-step."""

from cymem.cymem cimport Pool
from libcpp.vector cimport vector

from ..machine.configuration cimport ConfigurationC
from ..machine.rules cimport WordRules
from ..machine.system cimport TransitionSystem
from ..oracles.gold cimport GoldTrees
from .anchors cimport AnchorsC
from .forbidden cimport ForbiddenC
from ..network.scorer cimport Scorer

# An anchor of a sentence whose classes are to be scored.
cdef struct UnscoredC:
    int sentence
    int anchor

# A choice, made where more than one transition or label was possible.
cdef struct ChoiceC:
    int index              # class
    int anchor
    int label              # that of its arc, or the one that a SHIFT leaves for REDUCE

cdef class LockStep:
    cdef readonly TransitionSystem system
    cdef readonly int n_sentences
    cdef ConfigurationC* states
    cdef AnchorsC* anchors     # of each sentence, for systems with several
    cdef Pool memory
    cdef int* blocks           # the arrays of all configurations
    cdef char* anchor_memory
    cdef int* first_word       # of each sentence
    cdef int* active           # sentences that are not finished, in order
    cdef int n_active
    cdef UnscoredC* rows            # the anchors to be scored before the next step
    cdef int n_rows
    cdef int* nodes            # scratch
    cdef int* legal            # (n_active, n_transitions), for systems with one anchor
    cdef int reach_left
    cdef int reach_right
    cdef object restriction    # keeps the rules about dependents alive
    cdef bint stops_at_rules
    cdef int* refused          # whether the rules have refused a transition of a sentence
    cdef bint keeps            # whether choices are kept
    cdef vector[vector[ChoiceC]] choices     # of each sentence

    # Lets all configurations know the rules about dependents, unless they are None. stop: whether a
    # sentence ends at a transition that they refuse. In training the oracle knows them.
    cdef int restrict(self, WordRules restriction, bint stop) except -1

    # Keeps all choices from here on.
    cdef int keep_choices(self) except -1

    # Takes transitions as long as there is nothing to decide, drops finished sentences, and fills
    # `rows` and `legal` for the others.
    cdef void settle(self) noexcept nogil

    cdef void _add_rows(self, int s) noexcept nogil

    # The i-th active sentence takes the transition of a class at an anchor, or ends.
    cdef int take(self, int i, int anchor, int index, const float* scores) except -1 nogil

    # Heads, labels and sentence starts of all words.
    cdef void results(self, int* heads, int* labels, int* starts) noexcept nogil

    # The arcs of graphs: how many there are, and dependent, head and label of each, with words
    # numbered through all sentences.
    cdef int n_arcs(self) noexcept nogil
    cdef void arcs(self, int* results) noexcept nogil

# The `is_start` of a word by its boundary: 1 forbids a sentence start, 2 demands one.
cdef inline int start_flag(int given) noexcept nogil:
    return -1 if given == 1 else given

# Fills heads, labels and sentence starts of a parsed sentence, (n_words,) each. A word without a
# head, or below the artificial root, is its own head and has no label.
cdef void read_parse(const ConfigurationC* c, int* heads, int* labels,
                     int* starts) noexcept nogil

# Raises ValueError for a system without labels, or with other classes than the model scores.
cdef int check_classes(TransitionSystem system, Scorer scorer) except -1

# Raises ValueError for gold trees or graphs that do not fit the system and the words of a batch.
cdef int check_gold(TransitionSystem system, GoldTrees gold, int n_words) except -1

# The best-scored class among those of the legal transitions.
cdef int best_legal(TransitionSystem system, const int* legal,
                    const float* scores) noexcept nogil

# The label of a class. In a system whose REDUCE is non-monotonic, a SHIFT has the best-scored label
# of RIGHT that nothing forbids: the word remembers it, in case REDUCE attaches the word later.
# forbidden: NULL if nothing is.
cdef int label_of(TransitionSystem system, const ConfigurationC* c, int index,
                  const float* scores, const ForbiddenC* forbidden) noexcept nogil

# Takes transitions of one configuration as long as there is nothing to decide. Fills `legal` in a
# system with one anchor. Returns False if the configuration is terminal.
cdef bint advance(TransitionSystem system, ConfigurationC* c, AnchorsC* anchors,
                  int reach_left, int reach_right, int* legal) noexcept nogil

# The only legal transition if it has no label to choose, otherwise NONE. Fills `legal` in a system
# with one anchor.
cdef int only_transition(TransitionSystem system, const ConfigurationC* c,
                         int* legal) noexcept nogil

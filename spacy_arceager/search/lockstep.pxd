"""The configurations of many sentences, which take their transitions in lock-step."""

from cymem.cymem cimport Pool
from libcpp.vector cimport vector

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem
from ..oracles.gold cimport GoldTrees
from .anchors cimport AnchorsC
from ..network.scorer cimport Scorer

# An anchor of a sentence whose classes are to be scored.
cdef struct UnscoredC:
    int sentence
    int anchor

# What was chosen where there was something to decide.
cdef struct ChoiceC:
    int index              # class
    int anchor

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
    cdef UnscoredC* rows            # what is to be scored before the active ones take a step
    cdef int n_rows
    cdef int* nodes            # scratch
    cdef int* legal            # (n_sentences, n_transitions); of the active ones, stack systems
    cdef int reach_left
    cdef int reach_right
    cdef bint keeps            # whether choices are
    cdef vector[vector[ChoiceC]] choices     # of each sentence; none where they are not kept

    # Keeps all choices from here on.
    cdef int keep_choices(self) except -1

    # Takes every transition that nothing has to be decided about, drops the sentences
    # that are finished, and fills `rows` (and `legal`) for the others.
    cdef void settle(self) noexcept nogil

    cdef void _add_rows(self, int s) noexcept nogil

    # The i-th active sentence takes the transition of a class at an anchor.
    cdef int take(self, int i, int anchor, int index, const float* scores) except -1 nogil

    # Heads, labels and sentence starts of all words.
    cdef void results(self, int* heads, int* labels, int* starts) noexcept nogil

    # Of graphs: how many arcs there are; dependent, head and label of each, words numbered
    # through all sentences.
    cdef int n_arcs(self) noexcept nogil
    cdef void arcs(self, int* results) noexcept nogil

# The is_start of a word whose boundary is given: 1 means that none may start, 2 that one must.
cdef inline int start_flag(int given) noexcept nogil:
    return -1 if given == 1 else given

# Heads, labels and sentence starts of a parsed sentence, (n_words,) each: a word without head,
# or below the artificial root, is its own head and has no label.
cdef void read_parse(const ConfigurationC* c, int* heads, int* labels,
                     int* starts) noexcept nogil

# Raises ValueError where a model does not score the classes of a system, or there are none.
cdef int check_classes(TransitionSystem system, Scorer scorer) except -1

# Raises ValueError where gold trees or graphs do not fit a system and the words of a batch.
cdef int check_gold(TransitionSystem system, GoldTrees gold, int n_words) except -1

# The best-scored class among those of the legal transitions.
cdef int best_legal(TransitionSystem system, const int* legal,
                    const float* scores) noexcept nogil

# The label that a word is given for a non-monotonic REDUCE later, when it is shifted by the
# class `index`; otherwise the label of the class.
cdef int label_of(TransitionSystem system, int index, const float* scores) noexcept nogil

# Takes the transitions of one configuration that nothing has to be decided about, and fills
# `legal` where there is one anchor. False once it is finished.
cdef bint advance(TransitionSystem system, ConfigurationC* c, AnchorsC* anchors,
                  int reach_left, int reach_right, int* legal) noexcept nogil

# The only legal transition, if it has no label to choose; otherwise NONE. Fills `legal` where
# there is one anchor.
cdef int only_transition(TransitionSystem system, const ConfigurationC* c,
                         int* legal) noexcept nogil

"""The configurations of many sentences, which take their transitions in lock-step."""

from libc.stdlib cimport calloc, free, malloc

from ..machine.configuration cimport (
    NONE,
    ConfigurationC,
    block_size,
    initialise,
    is_root_node,
)
from ..machine.system cimport TransitionSystem
from ..machine.transitions cimport (
    RIGHT,
    SHIFT,
    apply_transition,
    is_arc,
    legal_transitions,
)
from .scorer cimport Scorer


cdef class LockStep:
    """The configurations of a batch of sentences.

    lengths: words of each sentence. n_rows: how many feature rows a step sums up.
    """

    def __cinit__(self, TransitionSystem system, int[::1] lengths, int n_rows):
        cdef size_t total = 0
        cdef int i, start = 0
        self.system = system
        self.n_sentences = lengths.shape[0]
        for i in range(self.n_sentences):
            total += block_size(lengths[i])
        self.states = <ConfigurationC*>calloc(self.n_sentences + 1, sizeof(ConfigurationC))
        self.memory = <int*>malloc((total + 1) * sizeof(int))
        self.first_row = <int*>calloc(self.n_sentences + 1, sizeof(int))
        self.active = <int*>calloc(self.n_sentences + 1, sizeof(int))
        self.legal = <int*>calloc(self.n_sentences * system.c.n_transitions + 1, sizeof(int))
        self.rows = <const float**>calloc(n_rows + 1, sizeof(float*))
        if not (self.states and self.memory and self.first_row and self.active
                and self.legal and self.rows):
            raise MemoryError()
        total = 0
        for i in range(self.n_sentences):
            initialise(&self.states[i], self.memory + total, lengths[i],
                       system.c.root_right, system.c.front)
            self.first_row[i] = start
            self.active[i] = i
            total += block_size(lengths[i])
            start += lengths[i]
        self.n_active = self.n_sentences

    def __dealloc__(self):
        free(self.states)
        free(self.memory)
        free(self.first_row)
        free(self.active)
        free(self.legal)
        free(self.rows)

    cdef void settle(self) noexcept nogil:
        cdef int i, n = 0
        cdef int n_transitions = self.system.c.n_transitions
        for i in range(self.n_active):
            if advance(self.system, &self.states[self.active[i]],
                       self.legal + n * n_transitions):
                self.active[n] = self.active[i]
                n += 1
        self.n_active = n

    cdef void results(self, int* heads, int* labels) noexcept nogil:
        # A word without head, or below the artificial root, is its own head.
        cdef ConfigurationC* c
        cdef int i, word, row
        for i in range(self.n_sentences):
            c = &self.states[i]
            for word in range(c.n_words):
                row = self.first_row[i] + word
                if c.head[word] == NONE or is_root_node(c, c.head[word]):
                    heads[row] = word
                    labels[row] = NONE
                else:
                    heads[row] = c.head[word]
                    labels[row] = c.label[word]


cdef int check_classes(TransitionSystem system, Scorer scorer) except -1:
    if system.n_labels == 0:
        raise ValueError("A system without labels makes no arcs; give it at least one label")
    if scorer.n_classes != system.n_classes:
        raise ValueError(
            f"The model scores {scorer.n_classes} classes, but the system with its labels "
            f"has {system.n_classes}; they do not belong together"
        )
    return 0


cdef bint advance(TransitionSystem system, ConfigurationC* c, int* legal) noexcept nogil:
    # False once the sentence is finished.
    cdef int i, n, only
    while True:
        n = legal_transitions(&system.c, c, legal)
        if n == 0:
            return False
        if n > 1:
            return True
        only = 0
        for i in range(system.c.n_transitions):
            if legal[i]:
                only = i
        if is_arc(&system.c.transitions[only]):
            return True   # its label is still to be chosen
        apply_transition(&system.c, c, &system.c.transitions[only], NONE)


cdef inline int n_classes_of(TransitionSystem system, int transition) noexcept nogil:
    return system.n_labels if is_arc(&system.c.transitions[transition]) else 1


cdef inline int best_class(TransitionSystem system, int transition, const float* scores,
                           int best) noexcept nogil:
    # The best-scored of a class found so far (or NONE) and those of a transition.
    cdef int first = system.first_class[transition]
    cdef int k
    for k in range(first, first + n_classes_of(system, transition)):
        if best == NONE or scores[k] > scores[best]:
            best = k
    return best


cdef int best_legal(TransitionSystem system, const int* legal, const float* scores) noexcept nogil:
    cdef int t, best = NONE
    for t in range(system.c.n_transitions):
        if legal[t]:
            best = best_class(system, t, scores, best)
    return best


cdef int remembered_label(TransitionSystem system, const float* scores) noexcept nogil:
    # The label that RIGHT would have given, had it been chosen instead of SHIFT.
    cdef int t, best = NONE
    for t in range(system.c.n_transitions):
        if system.c.transitions[t].move == RIGHT:
            best = best_class(system, t, scores, best)
    return NONE if best == NONE else system.class_label[best]


cdef void take(TransitionSystem system, ConfigurationC* c, int index,
               const float* scores) noexcept nogil:
    cdef int t = system.class_transition[index]
    cdef int label = system.class_label[index]
    if system.c.reduce_attaches and system.c.transitions[t].move == SHIFT:
        label = remembered_label(system, scores)
    apply_transition(&system.c, c, &system.c.transitions[t], label)

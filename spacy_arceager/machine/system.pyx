# cython: boundscheck=True, wraparound=True
"""The Python face of the machine: build a system, get a configuration, take transitions."""

import numpy

from ..systems.parameters import SystemParameters, Transition

from .configuration cimport END, NONE, block_size, copy_configuration, initialise
from .transitions cimport (
    LEFT,
    MAX_TRANSITIONS,
    REDUCE,
    RIGHT,
    SHIFT,
    UNSHIFT,
    apply_transition,
    is_legal,
    is_terminal,
)

MOVES = {"SHIFT": SHIFT, "LEFT": LEFT, "RIGHT": RIGHT, "REDUCE": REDUCE, "UNSHIFT": UNSHIFT}


cdef class TransitionSystem:
    """A transition system over a set of labels.

    parameters: the control parameters.
    labels: the dependency labels of LEFT and RIGHT.
    """

    def __init__(self, parameters: SystemParameters, labels=("dep",)):
        self.parameters = parameters
        self.labels = tuple(labels)
        self.n_labels = len(self.labels)
        self.transitions = parameters.transitions
        if len(self.transitions) > MAX_TRANSITIONS:
            raise ValueError(
                f"Transition system '{parameters.name}' has {len(self.transitions)} "
                f"transitions; the machine takes at most {MAX_TRANSITIONS}. Lower "
                "distance or capacity."
            )
        self.c.front = parameters.front
        self.c.root_right = parameters.root == "right"
        self.c.tree_constraint = parameters.tree_constraint
        self.c.left_replaces_head = "left" in parameters.non_monotonic
        self.c.reduce_attaches = "reduce" in parameters.non_monotonic
        self.c.n_transitions = len(self.transitions)
        cdef int i
        for i, transition in enumerate(self.transitions):
            self.c.transitions[i].move = MOVES[transition.move]
            self.c.transitions[i].left = transition.left
            self.c.transitions[i].right = transition.right
            self.c.transitions[i].reduces = transition.reduces
            self.c.transitions[i].shifts = transition.shifts
        self._number_classes()

    def _number_classes(self):
        classes = []
        first = []
        for i, transition in enumerate(self.transitions):
            first.append(len(classes))
            labels = range(len(self.labels)) if transition.is_arc else [NONE]
            classes.extend((i, label) for label in labels)
        table = numpy.asarray(classes, dtype="i").reshape((-1, 2))
        self.n_classes = len(classes)
        self.class_transition = numpy.ascontiguousarray(table[:, 0])
        self.class_label = numpy.ascontiguousarray(table[:, 1])
        self.first_class = numpy.asarray(first, dtype="i")

    def __reduce__(self):
        return TransitionSystem, (self.parameters, self.labels)

    def initial(self, n_words):
        """The initial Configuration of a sentence of `n_words` words."""
        return Configuration(self, n_words)

    def describe_class(self, index):
        """A class as (Transition, label or None)."""
        label = self.class_label[index]
        return (self.transitions[self.class_transition[index]],
                None if label == NONE else self.labels[label])

    def find_class(self, transition, label):
        """Index of the class of a Transition and a label (None for those without arc)."""
        first = self.first_class[self.find(transition)]
        return first if label is None else first + self.labels.index(label)

    def class_name(self, index):
        """A class for people, e.g. "LEFT-ARC(nsubj)"."""
        transition, label = self.describe_class(index)
        return str(transition) if label is None else f"{transition}({label})"

    def find(self, transition):
        """Index of a Transition, or of its name ("SHIFT", "LEFT-ARC", ...)."""
        for i, candidate in enumerate(self.transitions):
            if transition == candidate or transition == str(candidate):
                return i
        names = ", ".join(str(t) for t in self.transitions)
        raise ValueError(f"'{transition}' is no transition of this system; it has {names}")


cdef class Configuration:
    """One sentence while it is parsed. See configuration.pxd for what it holds."""

    def __init__(self, TransitionSystem system not None, int n_words):
        if n_words < 0:
            raise ValueError(f"A sentence cannot have {n_words} words")
        self.system = system
        self.block = numpy.zeros((block_size(n_words),), dtype="i")
        initialise(&self.c, &self.block[0], n_words, system.c.root_right, system.c.front)

    def copy(self):
        """A configuration of its own in the same state."""
        cdef Configuration other = Configuration(self.system, self.c.n_words)
        copy_configuration(&other.c, &self.c)
        return other

    @property
    def n_words(self):
        return self.c.n_words

    @property
    def is_terminal(self):
        """True once parsing is over; no transition is legal then."""
        return bool(is_terminal(&self.system.c, &self.c))

    @property
    def ended(self):
        """True once the end of the input has been seen."""
        return bool(self.c.ended)

    @property
    def heads(self):
        """Head of each word; None without one, n_words for the artificial root."""
        return [None if self.c.head[i] == NONE else self.c.head[i]
                for i in range(self.c.n_words)]

    @property
    def labels(self):
        """Label of each word's arc, None without one."""
        return [None if self.c.head[i] == NONE or self.c.label[i] == NONE
                else self.system.labels[self.c.label[i]] for i in range(self.c.n_words)]

    @property
    def operative(self):
        """O from left to right; the marker END is None."""
        return [None if self.c.operative[i] == END else self.c.operative[i]
                for i in range(self.c.n_operative)]

    @property
    def unprocessed(self):
        """U, its front first."""
        return [self.c.unprocessed[i] for i in range(self.c.n_unprocessed - 1, -1, -1)]

    @property
    def stack(self):
        """The stack, its top last: all of O, without the front in front systems."""
        return self.operative[:-1] if self.system.c.front else self.operative

    @property
    def buffer(self):
        """The buffer, its front first; END is not a word and is left out."""
        front = self.operative[-1:] if self.system.c.front else []
        return [node for node in front if node is not None] + self.unprocessed

    def tree(self):
        """Heads of a finished parse as spaCy has them: a root is its own head."""
        return [i if head is None or head == self.c.n_words else head
                for i, head in enumerate(self.heads)]

    def legal(self):
        """The legal transitions, a list of Transition."""
        return [t for i, t in enumerate(self.system.transitions)
                if is_legal(&self.system.c, &self.c, &self.system.c.transitions[i])]

    def apply(self, transition, label=None):
        """Take a legal transition (a Transition or its name) with an arc label.

        Raises ValueError where it is not legal or the label is unknown.
        """
        cdef int index = self.system.find(transition)
        if not is_legal(&self.system.c, &self.c, &self.system.c.transitions[index]):
            names = ", ".join(str(t) for t in self.legal()) or "none, parsing is over"
            raise ValueError(f"{transition} is not legal here; legal: {names}")
        if label is not None and label not in self.system.labels:
            raise ValueError(f"Label '{label}' is unknown; use one of {self.system.labels}")
        cdef int label_index = NONE if label is None else self.system.labels.index(label)
        apply_transition(
            &self.system.c, &self.c, &self.system.c.transitions[index], label_index
        )

    def state(self):
        """Everything that decides what can still happen, hashable."""
        return (tuple(self.operative), tuple(self.unprocessed), tuple(self.heads),
                self.ended)

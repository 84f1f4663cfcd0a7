# cython: boundscheck=True, wraparound=True
"""The Python face of the machine: build a system, get a configuration, take transitions."""

import numpy

from ..systems.parameters import SystemParameters, Transition

from .configuration cimport (
    END,
    NONE,
    NO_ROOT,
    ROOT_LEFT,
    ROOT_RIGHT,
    TOP,
    block_size,
    copy_configuration,
    initialise,
    operative,
)
from .transitions cimport (
    BREAK,
    LEFT,
    MAX_TRANSITIONS,
    REDUCE,
    RIGHT,
    SHIFT,
    SWAP,
    UNSHIFT,
    apply_transition,
    first_anchor,
    is_legal,
    is_terminal,
    n_anchors,
)

MOVES = {"SHIFT": SHIFT, "LEFT": LEFT, "RIGHT": RIGHT, "REDUCE": REDUCE,
         "UNSHIFT": UNSHIFT, "SWAP": SWAP, "BREAK": BREAK, "ATTACH": RIGHT}
ROOTS = {"none": NO_ROOT, "left": ROOT_LEFT, "right": ROOT_RIGHT}

cdef enum:
    UNLIMITED = 2147483647


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
        self._compile(parameters)
        self._number_classes()

    def _compile(self, parameters):
        capacity = UNLIMITED if parameters.capacity is None else parameters.capacity
        self.c.shape.front = parameters.front
        self.c.shape.graph = parameters.graph
        self.c.shape.filled = parameters.fills_at_once
        self.c.shape.root = ROOTS[parameters.root]
        self.c.anchored = parameters.is_anchored
        self.c.reduces_anywhere = any(
            t.move == "REDUCE" and t.anchored for t in self.transitions)
        self.c.stops_at_end = (
            parameters.front and parameters.keeps_dependents and not parameters.tree_constraint
        )
        self.c.tree_constraint = parameters.tree_constraint
        self.c.left_replaces_head = "left" in parameters.non_monotonic
        self.c.reduce_attaches = "reduce" in parameters.non_monotonic
        self.c.labelled_reduce = parameters.labelled_reduce
        self.c.reduce_headless = parameters.reduce_headless
        self.c.single_root = not self.c.stops_at_end
        self.c.segments = parameters.segment
        self.c.checks_cycles = (
            parameters.acyclic and parameters.keeps_dependents and not parameters.is_arc_eager
        )
        self.c.capacity = capacity
        self.c.fill = capacity if parameters.fill is None else parameters.fill
        self.c.n_transitions = len(self.transitions)
        cdef int i
        for i, transition in enumerate(self.transitions):
            self.c.transitions[i].move = MOVES[transition.move]
            self.c.transitions[i].left = transition.left
            self.c.transitions[i].right = transition.right
            self.c.transitions[i].reduces = transition.reduces
            self.c.transitions[i].shifts = transition.shifts
            self.c.transitions[i].anchored = transition.anchored

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
        """Index of a Transition, or of its name ("SHIFT", "LEFT-ARC", ...), at any anchor."""
        name = str(transition).split("@")[0]
        for i, candidate in enumerate(self.transitions):
            if name == str(candidate):
                return i
        names = ", ".join(str(t) for t in self.transitions)
        raise ValueError(f"'{transition}' is no transition of this system; it has {names}")


cdef class Configuration:
    """One sentence while it is parsed. See configuration.pxd for what it holds."""

    def __init__(self, TransitionSystem system not None, int n_words):
        if n_words < 0:
            raise ValueError(f"A sentence cannot have {n_words} words")
        self.system = system
        self.block = numpy.zeros((block_size(&system.c.shape, n_words),), dtype="i")
        initialise(&self.c, &system.c.shape, &self.block[0], n_words)

    def copy(self):
        """A configuration of its own in the same state."""
        cdef Configuration other = Configuration(self.system, self.c.n_words)
        copy_configuration(&other.c, &self.c, &self.system.c.shape)
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
        """True once the end of the sentence has been seen."""
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
    def graph(self):
        """All (head, label) of each word, sorted by head; of a tree, at most one each."""
        if not self.system.parameters.graph:
            return [[] if head is None else [(head, label)]
                    for head, label in zip(self.heads, self.labels)]
        return [sorted(self._arcs_of(word)) for word in range(self.c.n_words)]

    def _arcs_of(self, int word):
        cdef int arc = self.c.first_arc[word]
        while arc != NONE:
            label = self.c.arc_label[arc]
            yield self.c.arc_head[arc], "" if label == NONE else self.system.labels[label]
            arc = self.c.next_arc[arc]

    @property
    def sentence_starts(self):
        """The first words of the sentences found so far."""
        return [i for i in range(self.c.n_words) if self.c.is_start[i] == 1]

    def forbid_start(self, int word):
        """No sentence may start at a word; for systems with BREAK."""
        if not 0 < word < self.c.n_words:
            raise ValueError(f"Word {word} is not one of 1 to {self.c.n_words - 1}")
        self.c.is_start[word] = -1

    def require_start(self, int word):
        """A sentence must start at a word; for systems with BREAK."""
        if not 0 < word < self.c.n_words:
            raise ValueError(f"Word {word} is not one of 1 to {self.c.n_words - 1}")
        self.c.is_start[word] = 2

    @property
    def operative(self):
        """O from left to right; the marker END is None."""
        nodes = []
        cdef int node = self.c.bottom
        while node != NONE:
            nodes.append(node)
            node = self.c.above[node]
        return nodes + [None] if self.c.end_on_top else nodes

    @property
    def unprocessed(self):
        """U, its front first; words of a later sentence are left out."""
        cdef int first = self.c.n_waiting
        return [self.c.unprocessed[i]
                for i in range(first + self.c.n_unprocessed - 1, first - 1, -1)]

    @property
    def waiting(self):
        """The words of later sentences after a BREAK."""
        return [self.c.unprocessed[i] for i in range(self.c.n_waiting - 1, -1, -1)]

    @property
    def stack(self):
        """The stack, its top last: all of O, without the front in front systems."""
        return self.operative[:-1] if self.system.c.shape.front else self.operative

    @property
    def buffer(self):
        """The buffer, its front first; END is not a word and is left out."""
        front = self.operative[-1:] if self.system.c.shape.front else []
        return [node for node in front if node is not None] + self.unprocessed

    def tree(self):
        """Heads of a finished parse as spaCy has them: a root is its own head."""
        return [i if head is None or head == self.c.n_words else head
                for i, head in enumerate(self.heads)]

    def legal(self):
        """The legal transitions, a list of Transition, each at its anchor."""
        cdef const SystemC* system = &self.system.c
        cdef int anchor = first_anchor(system, &self.c)
        cdef int position, i
        result = []
        for position in range(1, n_anchors(system, &self.c) + 1):
            for i in range(system.n_transitions):
                if is_legal(system, &self.c, &system.transitions[i], anchor, position):
                    result.append(self.system.transitions[i].at(position))
            if anchor >= 0:
                anchor = self.c.below[anchor]
        return result

    def apply(self, transition, label=None):
        """Take a legal transition (a Transition or its name) with an arc label.

        Raises ValueError where it is not legal or the label is unknown.
        """
        cdef const SystemC* system = &self.system.c
        cdef int index = self.system.find(transition)
        cdef int position = int((str(transition).split("@") + ["1"])[1])
        cdef int anchor = self.anchor_at(position)
        if anchor == NONE or not is_legal(system, &self.c, &system.transitions[index],
                                          anchor, position):
            names = ", ".join(str(t) for t in self.legal()) or "none, parsing is over"
            raise ValueError(f"{transition} is not legal here; legal: {names}")
        if label is not None and label not in self.system.labels:
            raise ValueError(f"Label '{label}' is unknown; use one of {self.system.labels}")
        cdef int label_index = NONE if label is None else self.system.labels.index(label)
        apply_transition(system, &self.c, &system.transitions[index], anchor, label_index)

    cdef int anchor_at(self, int position):
        # NONE where there is no such anchor; an empty O still has the first one.
        cdef int anchor = first_anchor(&self.system.c, &self.c)
        if position == 1:
            return TOP if anchor == NONE else anchor
        if position < 1 or position > n_anchors(&self.system.c, &self.c):
            return NONE
        return operative(&self.c, position)

    def state(self):
        """Everything that decides what can still happen, hashable."""
        arcs = self.graph if self.system.parameters.graph else self.heads
        return (tuple(self.operative), tuple(self.unprocessed), tuple(self.waiting),
                tuple(map(str, arcs)), tuple(self.sentence_starts), self.ended)

# cython: boundscheck=True, wraparound=True
"""Transition systems and their configurations for Python."""

from operator import index as as_index

from ..errors import unknown_name
from ..systems.parameters import SystemParameters, Transition

from .configuration cimport (
    NONE, NO_ROOT, ROOT_LEFT, ROOT_RIGHT, TOP, block_size, copy_configuration, initialise,
    operative,
    unprocessed,
)
from .transitions.declarations cimport MAX_TRANSITIONS, TransitionC
from .transitions.dispatch cimport (
    apply_transition, declare, first_anchor, is_legal, is_terminal, n_anchors, next_anchor,
)

from .transitions.dispatch import MOVES

ROOTS = {"none": NO_ROOT, "left": ROOT_LEFT, "right": ROOT_RIGHT}

cdef enum:
    UNLIMITED = 2147483647
    MAX_WORDS = 1 << 24    # all sizes fit into 32 bits


cdef int whole_number(str name, value, int least, int most) except? -1:
    # Values come from Python code of users, so a wrong one raises TypeError or ValueError.
    try:
        number = as_index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r} should be int") from None
    if not least <= number <= most:
        raise ValueError(f"{name}={number} is not one of {least} to {most}")
    return number


cdef tuple checked_labels(labels):
    if isinstance(labels, (str, bytes)):
        raise TypeError(f"labels={labels!r} should be a list of labels")
    labels = tuple(labels)
    for label in labels:
        if not isinstance(label, str):
            raise TypeError(f"Label {label!r} should be str")
    if len(set(labels)) < len(labels):
        repeated = sorted({label for label in labels if labels.count(label) > 1})
        raise ValueError(f"Labels {', '.join(map(repr, repeated))} are given twice")
    return labels


cdef class TransitionSystem:
    """A transition system over a set of labels.

    Args:
        labels: the dependency labels that LEFT and RIGHT can give, all different.

    Raises:
        TypeError: If the parameters are no SystemParameters, or a label is no str.
        ValueError: If a label is given twice.
    """

    def __cinit__(self, parameters: SystemParameters, labels: Iterable[str] = ("dep",)):
        if not isinstance(parameters, SystemParameters):
            raise TypeError(f"parameters={parameters!r} should be SystemParameters")
        self.parameters = parameters
        self.labels = checked_labels(labels)
        self.n_labels = len(self.labels)
        self.transitions = parameters.transitions
        assert len(self.transitions) <= MAX_TRANSITIONS     # see systems/contradictions.py
        self.index_of = {str(t): i for i, t in enumerate(self.transitions)}
        self.label_index = {label: i for i, label in enumerate(self.labels)}
        self._set_flags(parameters)
        self._compile_transitions()
        self._number_classes()

    def _set_flags(self, parameters):
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
        self.c.unshifts_early = parameters.unshifts_early
        self.c.labelled_reduce = parameters.labelled_reduce
        self.c.reduce_headless = parameters.reduce_headless
        self.c.shift_is_choice = parameters.shift
        self.c.segments = parameters.segment
        self.c.checks_cycles = (
            parameters.acyclic and parameters.keeps_dependents and not parameters.is_arc_eager
        )
        self.c.capacity = capacity
        self.c.fill = capacity if parameters.fill is None else parameters.fill

    def _compile_transitions(self):
        cdef TransitionC* t
        cdef int i
        self.c.n_transitions = len(self.transitions)
        for i, transition in enumerate(self.transitions):
            t = &self.c.transitions[i]
            t.move = MOVES[transition.move]
            t.left = transition.left
            t.right = transition.right
            t.reduces = transition.reduces
            t.shifts = transition.shifts
            t.anchored = transition.anchored
            declare(t)
        self.c.i_shift = self.index_of.get("SHIFT", NONE)
        self.c.i_attach = self.index_of.get("ATTACH", NONE)
        self.c.i_unshift = self.index_of.get("UNSHIFT", NONE)
        self.c.i_swap = self.index_of.get("SWAP", NONE)
        self.c.i_break = self.index_of.get("BREAK", NONE)

    def _number_classes(self):
        cdef int i, label
        for i in range(self.c.n_transitions):
            self.first_class.push_back(<int>self.class_transition.size())
            if self.c.transitions[i].makes_arc:
                for label in range(self.n_labels):
                    self.class_transition.push_back(i)
                    self.class_label.push_back(label)
            else:
                self.class_transition.push_back(i)
                self.class_label.push_back(NONE)
        self.n_classes = <int>self.class_transition.size()

    def __reduce__(self):
        return TransitionSystem, (self.parameters, self.labels)

    def initial(self, n_words: int) -> Configuration:
        """The initial Configuration of a sentence of `n_words` words."""
        return Configuration(self, n_words)

    def describe_class(self, index: int) -> tuple[Transition, str | None]:
        """The Transition and the label of a class; the label is None if it makes no arc.

        Raises:
            ValueError: If no class has this index.
        """
        cdef int i = whole_number("index", index, 0, self.n_classes - 1)
        cdef int label = self.class_label[i]
        return (self.transitions[self.class_transition[i]],
                None if label == NONE else self.labels[label])

    def find_class(self, transition: Transition | str, label: str | None) -> int:
        """The index of the class of a Transition and a label, None for one that makes no arc.

        Raises:
            ValueError: If the system has no such class.
        """
        cdef int i = self.find(transition)
        if self.transitions[i].is_arc == (label is None):
            needed = "a" if label is None else "no"
            raise ValueError(f"{transition} needs {needed} label, not {label!r}")
        cdef int first = self.first_class[i]
        return first if label is None else first + self.find_label(label)

    cdef int find_label(self, label) except? -1:
        if label is None:
            return NONE
        if not isinstance(label, str):
            raise TypeError(f"Label {label!r} should be str")
        if label not in self.label_index:
            raise ValueError(unknown_name(f"Label '{label}'", label, self.labels))
        return self.label_index[label]

    def class_name(self, index: int) -> str:
        """The name of a class as people read it, such as "LEFT-ARC(nsubj)"."""
        transition, label = self.describe_class(index)
        return str(transition) if label is None else f"{transition}({label})"

    def find(self, transition: Transition | str) -> int:
        """The index of a transition, whatever its anchor.

        Args:
            transition: a Transition, or its name, such as "SHIFT" or "LEFT-ARC".

        Raises:
            ValueError: If the system has no such transition.
        """
        if isinstance(transition, str):
            index = self.index_of.get(transition.split("@")[0])
        elif isinstance(transition, Transition):
            index = self.index_of.get(str(transition.at(1)))
            if index is not None and self.transitions[index] != transition.at(1):
                index = None
        else:
            raise TypeError(f"{transition!r} should be a Transition or its name")
        if index is None:
            names = ", ".join(str(t) for t in self.transitions)
            raise ValueError(f"'{transition}' is no transition of this system; it has {names}")
        return index


cdef int position_in(transition) except -1:
    # The position of a transition's anchor, which a name gives behind an @, as in "LEFT-ARC@3".
    if isinstance(transition, Transition):
        return whole_number("anchor", transition.anchor, 1, MAX_WORDS)
    _, _, position = transition.partition("@")
    if not position:
        return 1
    if not (position.isascii() and position.isdigit()):
        raise ValueError(f"'{transition}' should end in the number of an anchor, as in '@2'")
    return whole_number("anchor", int(position[:20]), 1, MAX_WORDS)


cdef class Configuration:
    """One sentence while it is parsed. configuration.pxd explains what it holds.

    Raises:
        TypeError: If n_words is no int.
        ValueError: If n_words is negative or larger than the machine can count.
    """

    def __cinit__(self, TransitionSystem system not None, n_words: int):
        cdef int n = whole_number("n_words", n_words, 0, MAX_WORDS)
        self.system = system
        self.memory.resize(block_size(&system.c.shape, n))
        initialise(&self.c, &system.c.shape, self.memory.data(), n)

    def copy(self) -> Configuration:
        """An independent configuration in the same state."""
        cdef Configuration other = Configuration(self.system, self.c.n_words)
        copy_configuration(&other.c, &self.c, &self.system.c.shape)
        other.kept = self.kept
        return other

    __copy__ = copy

    @property
    def n_words(self) -> int:
        return self.c.n_words

    @property
    def is_terminal(self) -> bool:
        """Whether parsing is over, so that no transition is legal."""
        return bool(is_terminal(&self.system.c, &self.c))

    @property
    def ended(self) -> bool:
        """Whether the end of the sentence has been seen."""
        return bool(self.c.ended)

    @property
    def heads(self) -> list[int | None]:
        """The head of each word: None if it has none, n_words for the artificial root."""
        return [None if self.c.head[i] == NONE else self.c.head[i]
                for i in range(self.c.n_words)]

    def head_of(self, word: int) -> int | None:
        """The head of one word, as `heads` has it."""
        cdef int i = whole_number("word", word, 0, self.c.n_words - 1)
        return None if self.c.head[i] == NONE else self.c.head[i]

    @property
    def labels(self) -> list[str | None]:
        """The label of the arc to each word; None if it has no head or no label."""
        return [None if self.c.head[i] == NONE or self.c.label[i] == NONE
                else self.system.labels[self.c.label[i]] for i in range(self.c.n_words)]

    @property
    def graph(self) -> list[list[tuple[int, str]]]:
        """For each word a list of (head, label), sorted by head; in a tree it has at most one."""
        if not self.system.parameters.graph:
            return [[] if head is None else [(head, label)]
                    for head, label in zip(self.heads, self.labels)]
        return [sorted(self.arcs_of(word)) for word in range(self.c.n_words)]

    cdef list arcs_of(self, int word):
        cdef int arc = self.c.first_arc[word]
        heads_and_labels = []
        while arc != NONE:
            label = self.c.arc_label[arc]
            heads_and_labels.append((
                self.c.arc_head[arc], "" if label == NONE else self.system.labels[label]))
            arc = self.c.next_arc[arc]
        return heads_and_labels

    @property
    def sentence_starts(self) -> list[int]:
        """The first words of the sentences found so far."""
        return [i for i in range(self.c.n_words) if self.c.is_start[i] == 1]

    def forbid_start(self, word: int) -> None:
        """Forbid, in a system with BREAK, that a sentence starts at a word.

        Raises:
            ValueError: If there is no such word, or a sentence has started there already.
        """
        cdef int i = whole_number("word", word, 1, self.c.n_words - 1)
        if self.c.is_start[i] == 1:
            raise ValueError(f"A sentence has started at word {i} already")
        self.c.is_start[i] = -1

    @property
    def operative(self) -> list[int | None]:
        """O from left to right, with None for the marker END."""
        nodes = []
        cdef int node = self.c.bottom
        while node != NONE:
            nodes.append(node)
            node = self.c.above[node]
        return nodes + [None] if self.c.end_on_top else nodes

    def operative_at(self, position: int) -> int | None:
        """The node of O at a position, counted from 1 at the right end; None for END or none.

        Raises:
            ValueError: For a position below 1.
        """
        cdef int node = operative(
            &self.c, whole_number("position", position, 1, MAX_WORDS))
        return None if node < 0 else node

    @property
    def unprocessed(self) -> list[int]:
        """U, its front first, without the words of later sentences."""
        cdef int first = self.c.n_waiting
        return [self.c.unprocessed[i]
                for i in range(first + self.c.n_unprocessed - 1, first - 1, -1)]

    @property
    def waiting(self) -> list[int]:
        """The words of later sentences, which a BREAK has put off."""
        return [self.c.unprocessed[i] for i in range(self.c.n_waiting - 1, -1, -1)]

    @property
    def stack(self) -> list[int | None]:
        """The stack, its top last. It is O, without O[1] in a front system."""
        return self.operative[:-1] if self.system.c.shape.front else self.operative

    @property
    def buffer(self) -> list[int]:
        """The buffer, its front first, without END, which is no word."""
        front = self.operative[-1:] if self.system.c.shape.front else []
        return [node for node in front if node is not None] + self.unprocessed

    @property
    def front(self) -> int | None:
        """The first node of the buffer; None if it is empty."""
        cdef int node = operative(&self.c, 1) if self.system.c.shape.front else NONE
        if node < 0:
            node = unprocessed(&self.c, 1)
        return None if node < 0 else node

    def tree(self) -> list[int]:
        """The heads of a finished parse as spaCy has them: a root is its own head."""
        return [i if head is None or head == self.c.n_words else head
                for i, head in enumerate(self.heads)]

    def legal(self) -> list[Transition]:
        """The legal transitions: a list of Transition, each at its anchor."""
        cdef const SystemC* system = &self.system.c
        cdef int anchor = first_anchor(system, &self.c)
        cdef int position, i
        result = []
        for position in range(1, n_anchors(system, &self.c) + 1):
            for i in range(system.n_transitions):
                if is_legal(system, &self.c, &system.transitions[i], anchor, position):
                    result.append(self.system.transitions[i].at(position))
            anchor = next_anchor(&self.c, anchor)
        return result

    def apply(self, transition: Transition | str, label: str | None = None) -> None:
        """Take a transition.

        Args:
            transition: a Transition, or its name, such as "SHIFT" or "LEFT-ARC@2".
            label: the label of the arc that it makes. For a SHIFT, the label that a later
                non-monotonic REDUCE gives the word.

        Raises:
            ValueError: If the transition is not legal, or the label is unknown.
        """
        cdef const SystemC* system = &self.system.c
        cdef int i = self.system.find(transition)
        cdef int position = position_in(transition)
        cdef int anchor = self.anchor_at(position)
        cdef int label_index = self.system.find_label(label)
        if anchor == NONE or not is_legal(system, &self.c, &system.transitions[i], anchor,
                                          position):
            names = ", ".join(str(t) for t in self.legal()) or "none, parsing is over"
            raise ValueError(f"{transition} is not legal here; legal: {names}")
        apply_transition(system, &self.c, &system.transitions[i], anchor, label_index)

    cdef int anchor_at(self, int position):
        cdef int anchor = first_anchor(&self.system.c, &self.c)
        if position == 1:
            return TOP if anchor == NONE else anchor
        if position < 1 or position > n_anchors(&self.system.c, &self.c):
            return NONE
        return operative(&self.c, position)

    def state(self) -> tuple:
        """A hashable value that is the same for two configurations that can go on alike."""
        arcs = self.graph if self.system.parameters.graph else self.heads
        # It tells which words of the buffer UNSHIFT has put back.
        furthest = self.c.furthest if self.system.c.unshifts_early else None
        return (tuple(self.operative), tuple(self.unprocessed), tuple(self.waiting),
                tuple(map(str, arcs)), tuple(self.sentence_starts), self.ended, furthest)

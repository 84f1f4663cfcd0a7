"""Which transitions the rules about dependents allow; see valid.pxd."""

import numpy

from ..systems.parameters import Transition
from ..trees.algorithms import has_cycle

from .configuration cimport (
    NONE, ConfigurationC, add_arc, is_root_node, n_remaining, operative, operative_from, remove_arc,
    unprocessed,
)
from .rules cimport (
    ALLOWED, FIXED, GOESWITH, IF_NEGATION, IF_POSSESSIVE, IS_NAME, IS_NOMINAL, IS_PUNCT, LEAF,
    NEGATES, NOMINAL, OBJECT, OBLIQUE, OF_PREDICATE, POSSESSES, PUNCTUATION, RIGHTWARD, SUBJECT,
    TAG, TOUCHES, UNBOUND, RulesC, WordRules,
)
from .system cimport Configuration, TransitionSystem
from .transitions.arc cimport arc_dependent, arc_head, has_dependents, is_below
from .transitions.break_ cimport BREAK
from .transitions.declarations cimport SystemC, TransitionC, is_arc
from .transitions.reduce cimport REDUCE
from .transitions.shift cimport SHIFT
from .transitions.swap cimport SWAP


cdef bint find_arc(const SystemC* system, const ConfigurationC* c, const TransitionC* t, int anchor,
                   int* head, int* dependent) noexcept nogil:
    if is_arc(t):
        head[0] = arc_head(c, t, anchor)
        dependent[0] = arc_dependent(c, t, anchor)
        return True
    if t.move != REDUCE or not system.reduce_attaches:
        return False
    dependent[0] = operative_from(c, anchor, t.left)
    head[0] = c.below[dependent[0]]
    return c.head[dependent[0]] == NONE


cdef inline int traits(const ConfigurationC* c, int word) noexcept nogil:
    # The Traits of the label that a word has got; 0 if it has none.
    if c.head[word] == NONE or is_root_node(c, c.head[word]) or c.label[word] == NONE:
        return 0
    return c.rules.traits[c.label[word]]


cdef inline bint is_punct(const ConfigurationC* c, int word) noexcept nogil:
    # Whether a word may be `punct` or a root, and nothing else.
    return c.rules.knows_punct and c.kinds[word] & IS_PUNCT != 0


cdef int traits_below(const ConfigurationC* c, int head) noexcept nogil:
    # The Traits of the labels of all dependents together.
    cdef int word, all_traits = 0
    if not has_dependents(c, head):
        return 0
    for word in range(head + 1 if c.left1[head] == NONE else c.left1[head],
                      head if c.right1[head] == NONE else c.right1[head] + 1):
        if c.head[word] == head:
            all_traits |= traits(c, word)
    return all_traits


cdef bint allows_label(const ConfigurationC* c, int word, int label) noexcept nogil:
    return c.rules.of_tag[<size_t>(c.kinds[word] & TAG) * c.rules.n_labels + label]


cdef bint may_be_under(const ConfigurationC* c, int head, int head_label, int dependent,
                       int label) noexcept nogil:
    cdef int under = c.rules.under[<size_t>head_label * c.rules.n_labels + label]
    return (under == ALLOWED
            or under == IF_NEGATION and c.kinds[dependent] & NEGATES
            or under == IF_POSSESSIVE and c.kinds[head] & POSSESSES)


cdef bint may_have_dependents(const ConfigurationC* c, int word, int label) noexcept nogil:
    # Whether the dependents of a word allow that it gets a label.
    cdef int dependent, below
    if not has_dependents(c, word):
        return True
    if c.rules.traits[label] & LEAF:
        for dependent in range(word + 1 if c.left1[word] == NONE else c.left1[word],
                               word if c.right1[word] == NONE else c.right1[word] + 1):
            if c.head[dependent] == word and c.label[dependent] != NONE and not may_be_under(
                    c, word, label, dependent, c.label[dependent]):
                return False
    if c.rules.traits[label] & NOMINAL and c.kinds[word] & IS_NOMINAL:
        below = traits_below(c, word)
        return not below & OBLIQUE or below & OF_PREDICATE != 0
    return True


cdef bint head_takes(const ConfigurationC* c, int head, int dependent,
                     int label) noexcept nogil:
    # Whether the label of a head, its tag and its other dependents allow one more.
    cdef int wanted = c.rules.traits[label]
    cdef bint is_root = c.head[head] != NONE and is_root_node(c, c.head[head])
    if wanted & FIXED and c.kinds[head] & IS_NAME:
        return False
    if wanted & (SUBJECT | OBJECT) and wanted & (SUBJECT | OBJECT) & traits_below(c, head):
        return False
    if c.head[head] == NONE:
        return (not is_punct(c, head) or wanted & PUNCTUATION
                or n_remaining(c) - (c.n_nodes - c.n_words) <= 2)
    if is_root or c.label[head] == NONE:
        return True
    if not may_be_under(c, head, c.label[head], dependent, label):
        return False
    if wanted & OBLIQUE and traits(c, head) & NOMINAL and c.kinds[head] & IS_NOMINAL:
        return traits_below(c, head) & OF_PREDICATE != 0
    return True


cdef bint joins_parts(const ConfigurationC* c, int head, int dependent) noexcept nogil:
    # Whether all words from a head to its `goeswith` are parts of one word.
    cdef int before = dependent - 1
    return not c.kinds[before] & TOUCHES and (
        before == head or c.head[before] == head and traits(c, before) & GOESWITH)


cdef bint may_lose_head(const ConfigurationC* c, int word) noexcept nogil:
    # Whether the present head of a word can do without it. A nominal with an `obl` needs something
    # that shows it is a predicate.
    cdef int head = c.head[word], other
    if head == NONE or is_root_node(c, head) or not (
            traits(c, word) & OF_PREDICATE and traits(c, head) & NOMINAL
            and c.kinds[head] & IS_NOMINAL and traits_below(c, head) & OBLIQUE):
        return True
    for other in range(c.n_words):
        if other != word and c.head[other] == head and traits(c, other) & OF_PREDICATE:
            return True
    return False


cdef bint spares_punctuation(const ConfigurationC* c, int head, int dependent,
                             int label) noexcept nogil:
    # Whether no arc of a `punct` crosses another arc once this one is made.
    cdef int first = min(head, dependent), last = max(head, dependent)
    cdef int word, end
    cdef bint is_punctuation = c.rules.traits[label] & PUNCTUATION != 0
    for word in range(first + 1, last):
        if is_punctuation and not lies_under(c, head, dependent, word):
            return False
        if traits(c, word) & PUNCTUATION:
            end = c.head[word]
            if first < end < last:
                continue
            if end < first < word or word < last < end:
                return False
    return True


cdef bint lies_under(const ConfigurationC* c, int head, int dependent, int word) noexcept nogil:
    # Whether a word under the arc of a `punct` will lie below its head, and no arc leads from the
    # word to behind the `punct`.
    if not (is_below(c, word, head) or is_below(c, word, dependent)):
        return False
    if head < dependent:
        return c.head[word] <= dependent and c.right1[word] < dependent
    return c.head[word] >= dependent and (c.left1[word] == NONE or c.left1[word] > dependent)


cdef bint allows_arc(const ConfigurationC* c, int head, int dependent, int label) noexcept nogil:
    cdef int wanted
    if is_root_node(c, head) or label == NONE:
        return True
    wanted = c.rules.traits[label]
    return (allows_label(c, dependent, label)
            and not (wanted & RIGHTWARD and dependent < head)
            and not (wanted & GOESWITH and not joins_parts(c, head, dependent))
            and head_takes(c, head, dependent, label)
            and may_have_dependents(c, dependent, label)
            and may_lose_head(c, dependent)
            and (not c.rules.crossing or spares_punctuation(c, head, dependent, label)))


cdef bint is_left_to(const ConfigurationC* c, int word, int above) noexcept nogil:
    # Whether a punctuation mark on the stack has a word above it that it cannot take, and is not
    # the root.
    return (is_punct(c, word) and not is_punct(c, above)
            and c.below[word] != NONE and not is_root_node(c, c.below[word]))


cdef bint can_close(const ConfigurationC* c, int top) noexcept nogil:
    # Whether each word on the stack can take the one above it. top: the topmost one.
    cdef int word = top
    while word != NONE and c.below[word] != NONE and not is_root_node(c, c.below[word]):
        if is_left_to(c, c.below[word], word):
            return False
        word = c.below[word]
    return True


cdef bint more_heads_come(const ConfigurationC* c) noexcept nogil:
    # Whether a word of the present sentence that can take those on the stack is still ahead.
    cdef int i, word
    for i in range(1, c.n_unprocessed + 1):
        word = unprocessed(c, i)
        if is_root_node(c, word) or c.is_start[word] == 2:
            return False
        if not is_punct(c, word):
            return True
    return False


cdef bint leaves_heads(const SystemC* system, const ConfigurationC* c,
                       const TransitionC* t) noexcept nogil:
    # In arc-hybrid, words on the stack are taken by a word ahead or by the one below them, and
    # punctuation takes only punctuation. So the last word that can take others must not be shifted
    # as long as a mark on the stack needs it, and the sentence must not end.
    if c.end_on_top or c.top == NONE or not system.shape.front:
        return True
    if t.move == BREAK:
        return can_close(c, c.below[c.top])
    return (is_root_node(c, c.top) or is_punct(c, c.top) or more_heads_come(c)
            or can_close(c, c.top))


cdef bint waits_as_punct(const ConfigurationC* c, int word) noexcept nogil:
    return c.head[word] == NONE and is_punct(c, word)


cdef bint another_takes_it(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    # Whether a word that is still ahead can take the mark that SHIFT puts on the stack. Marks go
    # below marks as well, but in arc-standard never below one that stands to their right alone.
    cdef bint front = system.shape.front
    cdef int i, word
    for i in range(1 if front else 2, c.n_unprocessed + 1):
        word = unprocessed(c, i)
        if is_root_node(c, word) or c.is_start[word] == 2:
            return False
        if front or not is_punct(c, word):
            return True
    return False


cdef bint finds_head(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    # Whether a mark that SHIFT puts on the stack has a head ahead of it or on its left. All words
    # between it and that on its left must lie below one of both, and swapped words do not.
    cdef int mark = c.top if system.shape.front else unprocessed(c, 1)
    cdef int left, word
    if mark == NONE or is_root_node(c, mark) or not is_punct(c, mark):
        return True
    left = c.below[mark] if system.shape.front else c.top
    if left == NONE or is_root_node(c, left) or another_takes_it(system, c):
        return True
    for word in range(left + 1, mark):
        if not (is_below(c, word, left) or is_below(c, word, mark)):
            return False
    return True


cdef bint is_valid(const SystemC* system, const ConfigurationC* c, const TransitionC* t, int anchor,
                   int label) noexcept nogil:
    cdef int head, dependent
    # Nothing crosses the arc of a mark. So all that SWAP is needed for can be done before a mark
    # comes, or after it has got its head.
    if t.move == SWAP:
        return not (waits_as_punct(c, operative(c, 1)) or waits_as_punct(c, operative(c, 2)))
    if t.move == SHIFT and c.rules.swaps and not finds_head(system, c):
        return False
    if t.move == SHIFT or t.move == BREAK:
        return not c.rules.right_alone or leaves_heads(system, c, t)
    if not find_arc(system, c, t, anchor, &head, &dependent):
        return True
    return allows_arc(c, head, dependent, c.remembered[dependent] if t.move == REDUCE else label)


def restrict(Configuration configuration not None, WordRules rules not None) -> None:
    """Let a configuration know the rules about its words.

    Raises:
        ValueError: For rules of other labels, or for other words.
    """
    rules.check(configuration.system.labels, configuration.c.n_words)
    configuration.kept = rules
    configuration.c.rules = rules.of_unit(0)
    configuration.c.kinds = rules.c_kinds


def valid_classes(Configuration configuration not None) -> list[tuple[Transition, str | None]]:
    """The legal transitions that break no rule, each with its label, None if it makes no arc.

    The label of a SHIFT is left out, too. Without `restrict` all legal classes are valid.
    """
    cdef TransitionSystem system = configuration.system
    cdef const ConfigurationC* c = &configuration.c
    cdef int anchor, t, k
    classes = []
    for transition in configuration.legal():
        t = system.find(transition)
        anchor = configuration.anchor_at(transition.anchor)
        for k in range(system.first_class[t], system.n_classes):
            if system.class_transition[k] != t:
                break
            if c.rules == NULL or is_valid(&system.c, c, &system.c.transitions[t], anchor,
                                           system.class_label[k]):
                classes.append((transition, system.describe_class(k)[1]))
    return classes


cdef check_tree(heads, labels, int n_labels):
    # heads, labels: (n_words,) arrays, as of `FinishedTree`.
    if heads.shape != labels.shape:
        raise ValueError(f"{len(labels)} labels for {len(heads)} words")
    if ((heads < 0) | (heads >= len(heads))).any():
        raise ValueError(f"Heads are numbers of {len(heads)} words")
    if has_cycle(heads.astype("i")):
        raise ValueError("The heads have a cycle")
    of_arcs = labels[heads != numpy.arange(len(heads))]
    if ((of_arcs < 0) | (of_arcs >= n_labels)).any():
        raise ValueError(f"Labels are numbers of {n_labels} labels")


cdef class FinishedTree:
    """A whole tree that the rules are asked about, crossing arcs included.

    Args:
        system: a system with the labels of the rules.
        heads: (n_words,), where a root is its own head.
        labels: (n_words,), indices of labels. Those of roots do not matter.

    Raises:
        ValueError: For arguments that do not belong together, or for words that no rules bind.
    """

    cdef Configuration configuration
    cdef RulesC rules

    def __init__(self, TransitionSystem system not None, WordRules rules not None,
                 heads: NDArray[numpy.integer], labels: NDArray[numpy.integer]):
        cdef int word
        n = len(heads)
        rules.check(system.labels, n)
        if (rules.kinds == UNBOUND).any():
            raise ValueError("The rules do not bind all words")
        check_tree(numpy.asarray(heads), numpy.asarray(labels), system.n_labels)
        self.configuration = system.initial(n)
        restrict(self.configuration, rules)
        self.rules = rules.rules.c
        self.rules.crossing = True
        self.configuration.c.rules = &self.rules
        for word in range(n):
            if heads[word] == word:
                self.configuration.c.head[word] = self.configuration.c.n_words
            else:
                add_arc(&self.configuration.c, heads[word], word, labels[word])

    cdef int check_arc(self, int word, int head) except -1:
        cdef const ConfigurationC* c = &self.configuration.c
        if not (0 <= word < c.n_words and 0 <= head < c.n_words):
            raise ValueError(f"An arc from {head} to {word}, of {c.n_words} words")
        if c.head[word] == c.n_words:
            raise ValueError(f"Word {word} is a root")
        if is_below(c, head, word):
            raise ValueError(f"Word {head} is word {word} or lies below it")
        return 0

    def broken(self) -> list[int]:
        """The words whose arcs break a rule together with the rest of the tree."""
        cdef const ConfigurationC* c = &self.configuration.c
        return [word for word in range(c.n_words)
                if c.head[word] != c.n_words and not self.allows(word, c.head[word])]

    def allows(self, int word, int head) -> bool:
        """Whether a word, which is no root, may have this head in the place of its own.

        Raises:
            ValueError: For a root, for numbers of no word, and for a head that is the word or lies
                below it.
        """
        cdef ConfigurationC* c = &self.configuration.c
        self.check_arc(word, head)
        cdef int old = c.head[word], label = c.label[word]
        cdef bint allowed
        if not may_lose_head(c, word) and head != old:
            return False
        remove_arc(c, word)
        allowed = allows_arc(c, head, word, label)
        add_arc(c, old, word, label)
        return bool(allowed)

    def move(self, int word, int head) -> None:
        """Give a word, which is no root, another head. Raises as `allows` does."""
        cdef ConfigurationC* c = &self.configuration.c
        self.check_arc(word, head)
        cdef int label = c.label[word]
        remove_arc(c, word)
        add_arc(c, head, word, label)

# cython: boundscheck=True, wraparound=True
"""The rules about dependents as tables; see rules.pxd."""

from functools import cache

import numpy

from ..systems import ud_rules
from ..systems.parameters import SystemParameters
from ..systems.ud_rules import RELATIONS, UPOS, Relation, universal


cdef class TreeRules:
    """The rules of Universal Dependencies for the trees that a system builds.

    Args:
        labels: the labels of the system, without the marks of lifted arcs.

    Raises:
        ValueError: If the system builds graphs.
    """

    def __init__(self, parameters: SystemParameters, labels: Sequence[str]):
        if parameters.graph:
            raise ValueError(f"System '{parameters.name}' builds graphs, and valid='ud' is for "
                             "trees")
        self.parameters = parameters
        self.labels = tuple(labels)
        self.of_tag = tags_and_labels(labels)
        self.under = labels_under_labels(labels)
        self.traits = numpy.asarray([traits_of(label) for label in labels], dtype="i")
        self.c.n_labels = len(labels)
        if labels:
            self.c.of_tag = &self.of_tag[0, 0]
            self.c.under = &self.under[0, 0]
            self.c.traits = &self.traits[0]
        self.c.knows_punct = any(trait & PUNCTUATION for trait in self.traits)
        self.c.crossing = not parameters.is_projective
        self.c.swaps = parameters.swap
        self.c.right_alone = parameters.front and not parameters.keeps_dependents and not any(
            arc.periphery != "right" for arc in parameters.lefts)

    def __reduce__(self) -> tuple:
        return TreeRules, (self.parameters, self.labels)


cdef class WordRules:
    """The rules, and what some words are to them.

    Args:
        kinds: (n_words,), the Kind of each word; UNBOUND for all words of a unit without rules.
    """

    def __init__(self, TreeRules rules not None, kinds: NDArray[numpy.integer]):
        self.rules = rules
        self.kinds = numpy.ascontiguousarray(kinds, dtype="i")
        self._kinds = self.kinds
        self.c_kinds = &self._kinds[0] if self.kinds.size else NULL

    def __reduce__(self) -> tuple:
        return WordRules, (self.rules, self.kinds)

    def of_words(self, words: NDArray[numpy.integer] | slice) -> WordRules:
        """The same for some of the words: (n,) indices, or a slice."""
        return WordRules(self.rules, self.kinds[words])

    def with_kinds(self, words: NDArray[numpy.integer] | slice, kinds: NDArray | int) -> WordRules:
        """The same with other kinds of some words: (n,) indices or a slice, and (n,) or one."""
        changed = self.kinds.copy()
        changed[words] = kinds
        return WordRules(self.rules, changed)

    def without(self, words: NDArray[numpy.integer] | slice) -> WordRules:
        """The same, but none for some words, which are all those of a unit."""
        return self.with_kinds(words, UNBOUND)

    cdef const RulesC* of_unit(self, int first_word) noexcept:
        # The rules of the unit that begins at a word; NULL if there are none.
        if first_word < self._kinds.shape[0] and self._kinds[first_word] == UNBOUND:
            return NULL
        return &self.rules.c

    def check(self, labels: Sequence[str], n_words: int) -> None:
        """Raise ValueError for rules of another number of labels, or for other words."""
        if len(labels) != len(self.rules.labels):
            raise ValueError(
                f"The rules are for {len(self.rules.labels)} labels, not {len(labels)}")
        self.check_words(n_words)

    def check_words(self, n_words: int) -> None:
        """Raise ValueError for rules of another number of words."""
        if n_words != self.kinds.size:
            raise ValueError(f"{self.kinds.size} kinds of words for {n_words} words")


def tags_and_labels(labels: Sequence[str]) -> NDArray[numpy.uint8]:
    """Whether a word may have a label, by the number of its tag: (tags + 1, n_labels)."""
    table = numpy.ones((len(UPOS) + 1, len(labels)), dtype="uint8")
    known = {universal(label) for label in labels}
    for k, label in enumerate(labels):
        name = universal(label)
        if name in ud_rules.ROOTS:
            table[:, k] = 0
        for tag, upos in enumerate(UPOS, 1):
            only = ud_rules.ONLY.get(upos)
            if only in known and name != only:
                table[tag, k] = 0
            for row in RELATIONS:
                if row.name == name and (upos in row.not_upos.split()
                                         or row.upos and upos not in row.upos.split()):
                    table[tag, k] = 0
    return table


def labels_under_labels(labels: Sequence[str]) -> NDArray[numpy.uint8]:
    """An Under for each label of a head and each label of a dependent: (n_labels, n_labels)."""
    table = numpy.full((len(labels), len(labels)), ALLOWED, dtype="uint8")
    for k, label in enumerate(labels):
        for row in RELATIONS:
            if row.name == universal(label) and row.dependents is not None:
                table[k] = [under(row, universal(other)) for other in labels]
    return table


def under(row: Relation, dependent: str) -> int:
    """An Under: whether a word with the relation of a row may have such a dependent."""
    if dependent in row.dependents.split():
        return ALLOWED
    if dependent in row.possessive_dependents.split():
        return IF_POSSESSIVE
    if dependent == "advmod" and row.name not in ud_rules.NEVER_NEGATED:
        return IF_NEGATION
    return FORBIDDEN


def traits_of(label: str) -> int:
    """The Traits of a label."""
    name = universal(label)
    of_relations = {row.name: row for row in RELATIONS}
    row = of_relations.get(name, Relation(name))
    traits = {
        RIGHTWARD: row.rightward,
        SUBJECT: name in ud_rules.SUBJECTS and label not in ud_rules.OUTER,
        OBJECT: name in ud_rules.OBJECTS,
        FIXED: name == "fixed",
        GOESWITH: name == "goeswith",
        PUNCTUATION: name == "punct",
        OBLIQUE: name == "obl",
        NOMINAL: name in ud_rules.NOMINALS,
        OF_PREDICATE: name in ud_rules.OF_PREDICATES,
        LEAF: row.dependents is not None,
    }
    return sum(int(trait) for trait, is_so in traits.items() if is_so)


@cache
def kind_of(upos: str, feats: str, touches: bool = False) -> int:
    """The Kind of a word: what it is to the rules.

    Args:
        upos: its tag; "" if it has none.
        feats: its features as CoNLL-U has them. ExtPos takes the place of the tag wherever the
            validator says so.
        touches: whether the next word follows without white space.
    """
    values = dict(feat.split("=", 1) for feat in feats.split("|") if "=" in feat)
    outside = values.get("ExtPos", upos)
    kind = 1 + UPOS.index(outside) if outside in UPOS else 0
    bits = {
        IS_PUNCT: outside == "PUNCT",
        IS_NOMINAL: upos in ud_rules.NOMINAL_TAGS,
        IS_NAME: outside in ud_rules.NEVER_HEADS_OF_FIXED,
        NEGATES: upos in ud_rules.NEGATION_TAGS and values.get("Polarity") == "Neg",
        POSSESSES: values.get("Poss") == "Yes",
        TOUCHES: touches,
    }
    return kind + sum(int(bit) for bit, is_so in bits.items() if is_so)

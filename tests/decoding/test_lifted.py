"""Lifted arcs are put back where no rule is broken."""

import numpy
import pytest
import spacy

from spacy_arceager.annotation.projective import deprojectivized
from spacy_arceager.decoding.lifted import put_back
from spacy_arceager.machine.rules import TreeRules, WordRules, kind_of
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.systems.catalogue import find_system

LABELS = ("dep", "punct", "obj", "acl", "obj||acl", "punct||acl", "dep||acl", "punct||dep")
NOUN, PUNCT = kind_of("NOUN", ""), kind_of("PUNCT", "")
SYSTEM = TransitionSystem(find_system("arc_eager"), LABELS)
RULES = TreeRules(SYSTEM.parameters, [label.partition("||")[0] for label in LABELS])
VOCAB = spacy.blank("xx").vocab


def place(heads: list[int], labels: list[str], kinds: list[int]) -> tuple[list[int], list[str]]:
    numbers = numpy.asarray([LABELS.index(label) if label else -1 for label in labels])
    rules = WordRules(RULES, numpy.asarray(kinds))
    new_heads, new_labels = put_back(SYSTEM, rules, numpy.asarray(heads), numbers)
    names = [*LABELS, *RULES.labels]
    return new_heads.tolist(), ["" if label < 0 else names[label] for label in new_labels]


def test_an_arc_goes_back_to_the_head_that_its_label_names() -> None:
    heads, labels = [1, 1, 1, 1], ["dep||acl", "", "dep", "acl"]
    assert place(heads, labels, [NOUN] * 4) == ([3, 1, 1, 1], ["dep", "", "dep", "acl"])


def test_it_stays_where_a_rule_would_be_broken() -> None:
    heads, labels = [1, 1, 1, 1, 3], ["obj||acl", "", "dep", "acl", "obj"]
    assert place(heads, labels, [NOUN] * 5) == (heads, ["obj", "", "dep", "acl", "obj"])


def test_it_goes_to_the_next_head_of_that_label() -> None:
    heads, labels = [1, 1, 1, 2, 1, 2], ["obj||acl", "", "acl", "obj", "acl", "dep"]
    assert place(heads, labels, [NOUN] * 6) == (
        [4, 1, 1, 2, 1, 2], ["obj", "", "acl", "obj", "acl", "dep"])


def test_punctuation_is_not_put_back_across_other_arcs() -> None:
    heads, labels = [1, 1, 1, 1], ["punct||acl", "", "dep", "acl"]
    kinds = [PUNCT, NOUN, NOUN, NOUN]
    assert place(heads, labels, kinds) == (heads, ["punct", "", "dep", "acl"])


@pytest.mark.parametrize("seed", range(30))
def test_without_broken_rules_it_is_as_spacy_does_it(seed: int) -> None:
    generator = numpy.random.default_rng(seed)
    n = 8
    order = generator.permutation(n)
    heads = numpy.zeros(n, int)
    heads[order[0]] = order[0]
    for i in range(1, n):
        heads[order[i]] = order[generator.integers(i)]
    labels = [str(label) for label in generator.choice(["dep", "acl"], n)]
    # While spaCy moves several arcs, it goes by edges of subtrees from before they moved.
    labels[order[n - 1]] = "dep||acl"
    labels[order[0]] = ""
    expected, names = deprojectivized(VOCAB, heads.astype("i"), labels)
    found, found_names = place(heads.tolist(), labels, [NOUN] * n)
    assert found == expected.tolist()
    assert found_names == ["" if expected[i] == i else name for i, name in enumerate(names)]


def test_unmarked_trees_stay_as_they_are() -> None:
    assert place([1, 1], ["dep", ""], [NOUN, NOUN]) == ([1, 1], ["dep", ""])

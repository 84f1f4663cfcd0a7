"""The rules about dependents as tables."""

import numpy
import pytest

from spacy_arceager.machine.rules import TreeRules, WordRules, kind_of
from spacy_arceager.systems.catalogue import find_system


def test_a_kind_knows_tag_features_and_white_space() -> None:
    kinds = {
        kind_of("NOUN", ""), kind_of("ADV", ""), kind_of("ADV", "Polarity=Neg"),
        kind_of("DET", "Poss=Yes"), kind_of("DET", ""), kind_of("", ""),
        kind_of("NOUN", "", touches=True),
    }
    assert len(kinds) == 7
    assert kind_of("", "") == 0
    assert kind_of("NOUN", "Number=Sing|Polarity=Neg") == kind_of("NOUN", "")
    assert kind_of("SPACE", "") == kind_of("", "")      # a tag of spaCy, not of UD


def test_a_noun_that_stands_for_an_adverb_is_a_nominal_adverb() -> None:
    assert kind_of("NOUN", "ExtPos=ADV") not in (kind_of("NOUN", ""), kind_of("ADV", ""))
    assert kind_of("VERB", "ExtPos=ADV") == kind_of("ADV", "")


def test_graphs_have_no_rules() -> None:
    with pytest.raises(ValueError, match="builds graphs"):
        TreeRules(find_system("dag"), ["dep"])


def test_some_words_have_the_rules_of_all() -> None:
    rules = TreeRules(find_system("arc_eager"), ["dep", "punct"])
    words = WordRules(rules, numpy.arange(5))
    assert words.of_words(slice(1, 3)).kinds.tolist() == [1, 2]
    assert words.of_words(numpy.asarray([4, 0])).kinds.tolist() == [4, 0]
    assert words.of_words(slice(0, 0)).kinds.tolist() == []
    assert words.of_words(slice(1, 3)).rules is rules

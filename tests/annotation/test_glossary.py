"""`spacy.explain` knows the labels of the English pipeline, and nothing of spaCy's is lost."""

import subprocess
import sys
import warnings

import spacy
from spacy.glossary import GLOSSARY

import spacy_arceager
from spacy_arceager.annotation.glossary import SUBTYPES, explain_subtypes

UNTOUCHED = """
import spacy, spacy.glossary
before = dict(spacy.glossary.GLOSSARY)
spacy.blank("xx")
after = spacy.glossary.GLOSSARY
assert all(after[label] == text for label, text in before.items())
print(len(after) - len(before))
"""


def test_all_labels_of_the_english_pipeline_are_explained() -> None:
    labels = spacy_arceager.load("en").get_pipe("arceager_parser").labels
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explained = {label: spacy.explain(label) for label in labels}
    assert len(explained) > 40
    assert all(explained.values())


def test_any_pipeline_brings_them_and_what_was_there_stays() -> None:
    command = [sys.executable, "-c", UNTOUCHED]
    added = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert 0 < int(added) <= len(SUBTYPES)


def test_what_is_there_is_not_overwritten(monkeypatch) -> None:
    monkeypatch.setitem(GLOSSARY, "nsubj:pass", "mine")
    explain_subtypes()
    assert spacy.explain("nsubj:pass") == "mine"


def test_each_has_a_relation_of_ud() -> None:
    for label in SUBTYPES:
        assert label.partition(":")[0] in GLOSSARY

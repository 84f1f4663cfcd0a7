"""The kinds of words that replication/error_kinds.py tells apart."""

import spacy
from spacy.tokens import Doc

from replication import error_kinds


def test_kinds_of_a_sentence() -> None:
    doc = Doc(
        spacy.blank("xx").vocab, ["What", "did", ",", "then", ",", "they", "sing", "?"],
        heads=[6, 6, 3, 6, 3, 6, 6, 6],
        deps=["obj", "aux", "punct", "advmod", "punct", "nsubj:outer", "root", "punct"],
    )
    length, known = "sentence of 1-10 words", "known form"
    left, right = "head to the left", "head to the right"
    found = error_kinds.word_kinds(doc, {"What", "did", "they", ",", "?"})
    everywhere = {"all", length}
    assert all(everywhere <= kinds for kinds in found)
    assert [kinds - everywhere for kinds in found] == [
        {known, "content word", right, "distance 4-6"},
        {known, "function word", right, "distance 4-6"},
        {known, "other punctuation", right, "distance 1"},
        {"unknown form", "content word", right, "distance 3"},
        {known, "other punctuation", left, "distance 1"},
        {known, "content word", right, "distance 1"},
        {"unknown form", "content word", "root"},
        {known, "final punctuation", left, "distance 1"},
    ]
    kinds = {kind for own in found for kind in own}
    assert kinds <= set(error_kinds.KINDS)


def test_non_projective_arcs() -> None:
    # 0 hangs on 2, over 1, which hangs on the root.
    doc = Doc(spacy.blank("xx").vocab, list("abcd"), heads=[2, 3, 3, 3], deps=["obj"] * 4)
    found = ["on a non-projective arc" in kinds for kinds in error_kinds.word_kinds(doc, set())]
    assert found == [True, False, False, False]

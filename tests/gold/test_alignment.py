"""Words of exactly the same characters in the two Docs of an Example."""

import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.gold.alignment import one_to_one

VOCAB = spacy.blank("xx").vocab


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        (["a", "b"], ["a", "b"], {0: 0, 1: 1}),
        (["ab", "c"], ["a", "b", "c"], {1: 2}),                     # joined
        (["a", "b", "c"], ["ab", "c"], {2: 1}),                     # split
        (["ab", "cd"], ["a", "bcd"], {}),                           # cut elsewhere
        (["a", "bc", "d", "e"], ["ab", "c", "d", "e"], {2: 2, 3: 3}),
    ],
)
def test_only_words_of_the_same_characters_are_the_same(
    predicted: list[str], gold: list[str], expected: dict[int, int]
) -> None:
    docs = [Doc(VOCAB, words, spaces=[False] * len(words)) for words in (predicted, gold)]
    example = Example(*docs)
    assert one_to_one(example, docs[0]) == expected
    assert one_to_one(example, docs[0][:1]) == {i: j for i, j in expected.items() if i == 0}

"""How long a request may be."""

import pytest

from spacy_arceager.serve.errors import ServeError
from spacy_arceager.serve.limits import LONG_WORDS, LONGEST_WORD, check_text, check_words


def test_the_length_of_a_text() -> None:
    check_text("ab " * 33, words=10)
    with pytest.raises(ServeError, match="Send at most 100 at a time"):
        check_text("ab " * 34, words=10)
    check_text("x" * LONGEST_WORD + " y", words=1000)
    with pytest.raises(ServeError, match=r"1,001 characters without white space"):
        check_text("y " + "x" * (LONGEST_WORD + 1), words=1000)
    long = "x" * LONGEST_WORD + " "
    check_text(LONG_WORDS * long, words=10_000)
    with pytest.raises(ServeError, match="20 of 1,000 characters"):
        check_text(LONG_WORDS * long + "y", words=10_000)
    check_words(5, 5)
    with pytest.raises(ServeError, match="6 words"):
        check_words(6, 5)

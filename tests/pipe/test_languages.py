"""Languages that spaCy lacks are there once the package is installed."""

import pytest
import spacy


@pytest.mark.parametrize("code", ["cy", "mt"])
def test_spacy_knows_the_language(code: str) -> None:
    assert spacy.blank(code).lang == code

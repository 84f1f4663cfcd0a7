"""How errors about input quote it."""

import pytest

from spacy_arceager.corpus.errors import quote


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", "''"),
        ("it's", '"it\'s"'),
        ("a\x1b[2J", r"'a\x1b[2J'"),
        ("x" * 40, f"'{'x' * 40}'"),
        ("x" * 40 + "y", f"'{'x' * 40}...'"),
    ],
)
def test_forty_characters_are_quoted_and_none_is_a_control_character(
    text: str, quoted: str
) -> None:
    assert quote(text) == quoted

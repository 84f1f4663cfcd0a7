"""Settings of layers that are out of range are refused before anything is built."""

from collections.abc import Callable
from typing import Any

import pytest
from thinc.api import Model

from spacy_arceager.checks import check_least, check_shares
from spacy_arceager.token_vectors.mixed_embed import build_mixed_embed
from spacy_arceager.token_vectors.recurrent_encoder import build_recurrent_encoder
from spacy_arceager.token_vectors.subword_embed import build_subword_embed
from spacy_arceager.token_vectors.window_encoder import build_window_encoder

WINDOW = {"width": 4, "window_size": 1, "maxout_pieces": 2, "depth": 1}
RECURRENT = {"width": 4, "window_size": 1, "maxout_pieces": 2}
SUBWORD = {"width": 4, "attrs": ["NORM"], "rows": [10]}


def test_whole_numbers() -> None:
    check_least(1, a=1, b=1000)
    for wrong in (0, -1, 1.0, True, None, "2"):
        with pytest.raises(ValueError, match=f"a={wrong!r}; use a whole number, 1 or more"):
            check_least(1, a=wrong)


def test_shares() -> None:
    check_shares(a=0, b=0.5, c=1)
    for wrong in (-0.1, 1.5, float("nan"), None):
        with pytest.raises(ValueError, match=f"a={wrong!r}; use a number from 0 to 1"):
            check_shares(a=wrong)


@pytest.mark.parametrize(("build", "settings", "name", "wrong"), [
    *((build_window_encoder, WINDOW, name, 0) for name in ("width", "maxout_pieces", "depth")),
    (build_window_encoder, WINDOW, "window_size", -1),
    *((build_recurrent_encoder, RECURRENT, *wrong) for wrong in (
        ("width", 1), ("width", 4.0), ("depth", 0), ("recurrent_pieces", 0), ("maxout_pieces", 0),
        ("window_depth", -1), ("window_size", -1),
    )),
    *((build_subword_embed, SUBWORD, *wrong) for wrong in (
        ("width", 0), ("ngram_rows", 0), ("affix_rows", 0), ("word_dropout", 1.5),
        ("ngram_dropout", -1),
    )),
    (build_mixed_embed, {"word": None, "context": None}, "width", 0),
])
def test_each_layer(
    build: Callable[..., Model], settings: dict[str, Any], name: str, wrong: float
) -> None:
    with pytest.raises(ValueError, match=f"{name}={wrong}; use"):
        build(**{**settings, name: wrong})


def test_tables_without_rows() -> None:
    """Rows are found by a hash modulo their number."""
    with pytest.raises(ValueError, match="rows=0; use"):
        build_subword_embed(4, ["NORM", "SHAPE"], [10, 0])

"""Wrong settings of the transition model are refused."""

import pytest

from tests.conftest import (
    TINY_MODEL,
    blank_pipeline,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


@pytest.mark.parametrize(
    "wrong, named",
    [
        ({"words": ["O1", "S1"]}, "'S1'.*O1..O9"),
        ({"words": []}, "at least one word feature"),
        ({"attributes": ["O2"]}, "'O2'.*.label"),
    ],
)
def test_a_wrong_feature_in_a_config_is_named(wrong: dict, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        blank_pipeline(model={**TINY_MODEL, **wrong})


@pytest.mark.parametrize("name", ["hidden_width", "projection", "maxout_pieces"])
@pytest.mark.parametrize("width", [0, -1, 10**9, "8"])
def test_widths_that_no_layer_has_are_named(name: str, width: int | str) -> None:
    with pytest.raises(ValueError, match=f"{name}={width!r}; use 1 to"):
        blank_pipeline(model={**TINY_MODEL, name: width})

"""One step of one derivation as a drawing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..rows import DerivationFormat, DrawingOptions

if TYPE_CHECKING:
    from ...pipe.derived import Derived


def write_drawing(
    sentences: "Iterable[tuple[int, Sequence[Derived]]]", options: DrawingOptions
) -> Iterator[str]:
    """The drawing of a step.

    Raises:
        ValueError: If there is not exactly one derivation, or it has no such step.
    """
    from ...visual.page import DerivationPage

    views = [derived.view() for _, derivations in sentences for derived in derivations]
    if len(views) != 1:
        raise ValueError(f"An SVG drawing shows one derivation, but there are {len(views)}")
    try:
        yield DerivationPage([views]).to_svg(options.step) + "\n"
    except IndexError as error:
        raise ValueError(str(error)) from None


SVG = DerivationFormat(
    "svg", ".svg", "A drawing of one step of one derivation (see --step).", write_drawing,
    parse_name="svg", draws_step=True, next_step="Open it in a browser: {path}",
)

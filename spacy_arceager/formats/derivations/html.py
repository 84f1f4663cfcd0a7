"""Derivations as a page for a browser that shows them step by step."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..rows import DerivationFormat, DrawingOptions

if TYPE_CHECKING:
    from ...pipe.derived import Derived


def write_page(
    sentences: "Iterable[tuple[int, Sequence[Derived]]]", _: DrawingOptions
) -> Iterator[str]:
    """One page with all derivations. Raises ValueError if there are none."""
    from ...visual.page import DerivationPage

    views = [[derived.view() for derived in derivations] for _, derivations in sentences]
    yield DerivationPage(views).to_html() + "\n"


HTML = DerivationFormat(
    "html", ".html", "A page for a browser that shows the derivations step by step.",
    write_page, parse_name="html", next_step="Open it in a browser: {path}",
)

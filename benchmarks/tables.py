"""Tables in Markdown."""

from collections.abc import Iterable, Sequence

LEVELS = (0.05, 0.01, 0.001)
STARS = "stars for p < .05 (*), .01 (**), .001 (***)"


def as_markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lines of a table, the first column to the left, the others to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def stars(p: float) -> str:
    """How many of LEVELS a p is below."""
    return "*" * sum(p < level for level in LEVELS)

"""Tables in Markdown, and their stars."""

from collections.abc import Iterable, Sequence

LEVELS = (0.05, 0.01, 0.001)
STARS = "stars for p < .05 (*), .01 (**), .001 (***)"
OVER_BOTH = (
    "a t test over seeds and sentences (for one training each by randomization by sentence, the "
    "trainings held fixed)"
)


def as_markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lines of a table, the first column to the left, the others to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def stars(p: float) -> str:
    """How many of LEVELS a p is below."""
    return "*" * sum(p < level for level in LEVELS)


def by_chance(n_tested: int) -> str:
    """How many stars are to be expected of so many differences where none is real."""
    return (
        f"{n_tested} differences are tested: were none real, {LEVELS[0] * n_tested:.1f} would have "
        "a star by chance."
    )

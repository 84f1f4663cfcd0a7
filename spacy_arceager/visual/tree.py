"""Dependency trees as text.

Words run from top to bottom, one on each line, with the arcs at their left. All arcs of one head
share a vertical line, the rail of that head, and an arrow points at each dependent:

       ┌─►  a dependent
    ┌─►├──  the head of the lines above and below, itself a dependent
    │  └─►  a dependent
   ─┼──     two lines cross here, they do not join

The rail of a head stands left of the rails of its dependents, so that no lines cross in a
projective tree. In other trees, rails that share rows get columns of their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from spacy.tokens import Doc, Span, Token

from ..annotation.confidence import HEAD, values_of
from .text import pad, printable

COLUMN_WIDTH = 3  # characters: the rail, a line, an arrow head


@dataclass(frozen=True)
class Marks:
    """The characters that arcs are drawn with."""

    vertical: str = "│"
    horizontal: str = "─"
    top: str = "┌"
    middle: str = "├"
    bottom: str = "└"
    crossing: str = "┼"
    arrow: str = "►"


ASCII_MARKS = Marks("|", "-", ".", "+", "'", "|", ">")


@dataclass(frozen=True)
class Rail:
    """The vertical line of one head: the rows that it joins, in order, and its column.

    Columns are counted from 1, which is the column next to the words.
    """

    rows: Sequence[int]
    column: int

    def overlaps(self, rows: Sequence[int]) -> bool:
        """Whether a rail that joins these rows shares a row with this one."""
        return self.rows[0] <= rows[-1] and rows[0] <= self.rows[-1]


def render_tree(doc_or_span: Doc | Span, *, ascii: bool = False) -> str:
    r"""Draw the dependency tree of each sentence as lines of text.

    A line has the arcs, the token's number in its sentence (from 1, as in CoNLL-U), its form, its
    UPOS tag, its dependency label and the confidence of its head. What a sentence has not is left
    out. Forms with white space are shown as Python strings ('\n').

    Args:
        doc_or_span: any part of a text; arcs that leave it are not drawn. Words that are not parsed
            are drawn without arcs.
        ascii: use ASCII characters only for the arcs.

    Returns:
        A block of lines for each sentence, a blank line between two blocks, no line end at the end.
    """
    marks = ASCII_MARKS if ascii else Marks()
    return "\n\n".join(_render_sentence(tokens, marks) for tokens in _split_sentences(doc_or_span))


def _split_sentences(tokens: Iterable[Token]) -> list[list[Token]]:
    sentences: list[list[Token]] = []
    for token in tokens:
        if token.is_sent_start or not sentences:
            sentences.append([])
        sentences[-1].append(token)
    return sentences


def _render_sentence(tokens: Sequence[Token], marks: Marks) -> str:
    arcs = _draw_arcs(_local_heads(tokens), marks)
    words = _describe_words(tokens)
    return "\n".join(f"{arc}{word}".rstrip() for arc, word in zip(arcs, words))


def _local_heads(tokens: Sequence[Token]) -> list[int | None]:
    """The row of each token's head, None for a root and for a head that is not drawn."""
    rows = {token.i: row for row, token in enumerate(tokens)}
    return [None if token.head.i == token.i else rows.get(token.head.i) for token in tokens]


def _draw_arcs(heads: Sequence[int | None], marks: Marks) -> list[str]:
    rails = _place_rails(heads)
    width = COLUMN_WIDTH * max((rail.column for rail in rails.values()), default=0)
    left = {row: width - COLUMN_WIDTH * rail.column for row, rail in rails.items()}
    grid = [[" "] * width for _ in heads]
    for row, rail in rails.items():
        _draw_rail(grid, rail, left[row], marks)
    for row, head in enumerate(heads):
        # The rail of a word begins right of the arrow that points at the word.
        rail_of_word = left.get(row, width)
        _draw_line(grid[row], rail_of_word, width, marks)
        if head is not None:
            _draw_line(grid[row], left[head], rail_of_word, marks)
            grid[row][rail_of_word - 1] = marks.arrow
    return ["".join(cells) + " " if width else "" for cells in grid]


def _draw_rail(grid: Sequence[list[str]], rail: Rail, left: int, marks: Marks) -> None:
    top, *middle, bottom = rail.rows
    for row in range(top, bottom):
        grid[row][left] = marks.vertical
    for row in middle:
        grid[row][left] = marks.middle
    grid[top][left] = marks.top
    grid[bottom][left] = marks.bottom


def _draw_line(cells: list[str], rail: int, end: int, marks: Marks) -> None:
    """Draw the horizontal line of a row, from the right of a rail up to `end`."""
    for position in range(rail + 1, end):
        crosses = cells[position] == marks.vertical
        cells[position] = marks.crossing if crosses else marks.horizontal


def _place_rails(heads: Sequence[int | None]) -> dict[int, Rail]:
    """Give each word that has dependents a rail, in the first free column left of their rails."""
    dependents = _group_dependents(heads)
    rails: dict[int, Rail] = {}
    for head in _order_bottom_up(heads, dependents):
        rows = sorted([head, *dependents[head]])
        inner = [rails[row].column for row in dependents[head] if row in rails]
        taken = {rail.column for rail in rails.values() if rail.overlaps(rows)}
        columns = count(1 + max(inner, default=0))
        rails[head] = Rail(rows, next(c for c in columns if c not in taken))
    return rails


def _group_dependents(heads: Sequence[int | None]) -> dict[int, list[int]]:
    dependents: dict[int, list[int]] = {}
    for row, head in enumerate(heads):
        if head is not None:
            dependents.setdefault(head, []).append(row)
    return dependents


def _order_bottom_up(
    heads: Sequence[int | None], dependents: Mapping[int, Sequence[int]]
) -> list[int]:
    """The words that have dependents, each behind all such words below it."""
    order = [row for row, head in enumerate(heads) if head is None]
    for row in order:  # the list grows while it is read, breadth first from the roots
        order.extend(dependents.get(row, ()))
    return [row for row in reversed(order) if row in dependents]


def _describe_words(tokens: Sequence[Token]) -> list[str]:
    """The columns at the right of the arcs, padded to line up."""
    first, last = tokens[0], tokens[-1]
    confidences = values_of(first.doc[first.i : last.i + 1], HEAD) or [None] * len(tokens)
    columns = [
        pad([str(number) for number in range(1, len(tokens) + 1)], right=True),
        pad([printable(token.text) for token in tokens]),
        pad([token.pos_ for token in tokens]),
        pad([printable(token.dep_) for token in tokens]),
        pad(["" if value is None else f"{value:.2f}" for value in confidences]),
    ]
    return ["  ".join(filter(None, row)) for row in zip(*columns)]

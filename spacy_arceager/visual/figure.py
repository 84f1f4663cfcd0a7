"""The places at which the arcs, words, stack and buffer of a derivation are drawn.

Places are chosen for the arcs of all steps together, so that nothing moves from step to step. Words
stand in a line across the page with the arcs above, or down the page with the arcs at their left.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from .trace import Arc
from .view import View, is_repair

# Lengths in pixels.
CELL = 7.6        # the width of a character
GAP = 14          # the gap between words across the page
ROW = 22          # the distance between words down the page
# From arc to arc, where words run down the page (True) or across it, with room for labels.
LEVEL = {True: 13, False: 20}
MARGIN = 10
CORNER = 5        # the radius of corners
SIDE = 4          # from the middle of a word, where arcs come in, to where arcs go out
BOX = 26          # the height of a stack or buffer token

LONGEST = 24      # a longer word is cut to so many characters


class Lifetime(NamedTuple):
    """An arc, the step that made it, and the step that took it away (None if it stays)."""

    arc: Arc
    first: int
    end: int | None

    def is_there(self, step: int) -> bool:
        """Whether the arc is there after a step."""
        return self.first <= step and (self.end is None or step < self.end)


class ArcShape(NamedTuple):
    """An arc as it is drawn.

    Attributes:
        path: the line, as SVG writes it.
        head: the arrow head, as SVG writes it.
        x: where the label stands, from the left.
        y: where the label stands, from the top.
        kind: "right", "wrong" or "missing" by the gold tree; "" where no gold tree is known.
        first: the step that made the arc.
        end: the step that took it away; None if it stays.
        repair: whether a repair made the arc.
    """

    path: str
    head: str
    x: float
    y: float
    label: str
    kind: str
    first: int
    end: int | None
    repair: bool


class WordShape(NamedTuple):
    """A word as it is drawn.

    Attributes:
        node: its place in the sentence; the artificial root stands behind the last word.
        text: the word, cut if it is long.
        full: the whole word.
    """

    node: int
    x: float
    y: float
    text: str
    full: str


class BoxShape(NamedTuple):
    """A token of the stack or buffer, END, or the bar between the two."""

    x: float
    y: float
    width: float
    text: str
    kind: str


class Figure(NamedTuple):
    """A drawing of all steps. The anchor of texts is a value of SVG's attribute text-anchor."""

    width: float
    height: float
    arcs: list[ArcShape]
    words: list[WordShape]
    anchor: str


class Line(NamedTuple):
    """The line on which the words stand, and from which arcs rise.

    Attributes:
        down: whether it runs down the page.
        along: the place of each node on the line.
        base: the place of the line on the page.
    """

    down: bool
    along: list[float]
    base: float

    def point(self, along: float, up: float) -> str:
        """A point as SVG writes it."""
        x, y = (self.base - up, along) if self.down else (along, self.base - up)
        return f"{x:g} {y:g}"


def text_width(text: str) -> float:
    """The approximate width of a text."""
    return cell_len(text) * CELL


def cut(text: str) -> str:
    """The word, without its end if it is long."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def lifetimes(view: View) -> list[Lifetime]:
    """The arcs of all steps, in the order in which they are made."""
    lives: list[Lifetime] = []
    for number, step in enumerate(view.derivation.steps):
        for lost in step.lost:
            i = max(i for i, life in enumerate(lives) if life.arc == lost)
            lives[i] = lives[i]._replace(end=number)
        lives += [Lifetime(arc, number, None) for arc in step.arcs]
    return lives


def nodes_in_order(view: View) -> list[int]:
    """The words and the artificial root, if there is one, from left to right."""
    root = len(view.names) - 1
    words = [*range(root)]
    return {"left": [root, *words], "right": [*words, root]}.get(view.parameters.root, words)


def levels_of(spans: Sequence[tuple[int, int]]) -> list[int]:
    """The level of each arc, from 1: shorter arcs are lower, and no two arcs of a level overlap."""
    levels = [0] * len(spans)
    placed: list[list[tuple[int, int]]] = []
    for i in sorted(range(len(spans)), key=lambda i: spans[i][1] - spans[i][0]):
        left, right = spans[i]
        level = 0
        while level < len(placed) and any(
            left < other_right and other_left < right for other_left, other_right in placed[level]
        ):
            level += 1
        if level == len(placed):
            placed.append([])
        placed[level].append((left, right))
        levels[i] = level + 1
    return levels


def draw(view: View, *, down: bool) -> Figure:
    """Lay out all arcs and words of a derivation."""
    lives = lifetimes(view)
    built = {life.arc[:2] for life in lives}
    missing = [
        Arc(head, word, None) for word, heads in enumerate(view.gold or [])
        for head in heads or [] if (head, word) not in built
    ]
    order = nodes_in_order(view)
    place = {node: i for i, node in enumerate(order)}
    all_arcs = [life.arc for life in lives] + missing
    spans = [
        (min(pair), max(pair))
        for pair in ((place[arc.head], place[arc.dependent]) for arc in all_arcs)
    ]
    levels = levels_of(spans)
    height = LEVEL[down] * (max(levels, default=0) + 1)
    indents = indents_of(all_arcs) if view.parameters.graph else [0.0] * len(all_arcs)
    label_width = max(
        [indent + text_width(arc.label or "") for indent, arc in zip(indents, all_arcs)], default=0
    )
    line = place_words(view, order, all_arcs, height, down)
    lives += [Lifetime(arc, 0, None) for arc in missing]
    arcs = [
        draw_arc(view, life, line, place, level * LEVEL[down], indent, life.arc in missing)
        for life, level, indent in zip(lives, levels, indents)
    ]
    words = [
        WordShape(
            node,
            line.base + 2 * MARGIN + label_width if down else line.along[place[node]],
            line.along[place[node]] if down else line.base + ROW,
            cut(view.words[node]), view.words[node],
        )
        for node in order
    ]
    longest = max((text_width(word.text) for word in words), default=0)
    if down:
        size = (words[0].x if words else line.base) + longest + MARGIN, ROW * (len(words) + 0.5)
    else:
        size = max(line.along, default=0) + longest / 2 + GAP, line.base + 1.7 * ROW
    return Figure(*size, arcs, words, "start" if down else "middle")


def indents_of(arcs: Sequence[Arc]) -> list[float]:
    """The room that the label of each arc of a graph leaves for earlier labels of the same word."""
    widths: dict[int, float] = defaultdict(float)
    indents = []
    for arc in arcs:
        indents.append(widths[arc.dependent])
        widths[arc.dependent] += text_width(arc.label or "") + CELL
    return indents


def place_words(
    view: View, order: Sequence[int], arcs: Sequence[Arc], height: float, down: bool
) -> Line:
    """The line of the words, far enough from the edge for the arcs."""
    if down:
        return Line(True, [ROW * (i + 0.75) for i in range(len(order))], height + MARGIN)
    widths = {node: text_width(cut(view.words[node])) for node in order}
    for arc in arcs:
        widths[arc.dependent] = max(widths[arc.dependent], text_width(arc.label or ""))
    along, end = [], float(MARGIN)
    for node in order:
        along.append(end + widths[node] / 2)
        end += widths[node] + GAP
    return Line(False, along, height + MARGIN)


def draw_arc(
    view: View,
    life: Lifetime,
    line: Line,
    place: dict[int, int],
    up: float,
    indent: float,
    missing: bool,
) -> ArcShape:
    """One arc with its arrow head and its label.

    Args:
        place: the position of each node on the line.
        up: how high the arc rises.
        indent: how far its label is moved to the right.
        missing: whether it is a gold arc that is never built.
    """
    arc = life.arc
    end = line.along[place[arc.dependent]]
    sign = 1 if end > line.along[place[arc.head]] else -1
    start = line.along[place[arc.head]] + sign * SIDE
    p = line.point
    path = (
        f"M{p(start, 0)} L{p(start, up - CORNER)} Q{p(start, up)} {p(start + sign * CORNER, up)} "
        f"L{p(end - sign * CORNER, up)} Q{p(end, up)} {p(end, up - CORNER)} L{p(end, 6)}"
    )
    head = f"M{p(end, 0)} L{p(end - 3.5, 7)} L{p(end + 3.5, 7)} Z"
    if line.down:
        x, y = line.base + 6 + indent, end + 4
    else:
        x, y = (start + end) / 2, line.base - up - 4
    kind = "missing" if missing else ""
    gold = None if view.gold is None or missing else view.gold[arc.dependent]
    if gold is not None:
        root = len(view.names) - 1
        kind = "right" if arc.head in (gold or [root]) else "wrong"
    repair = is_repair(view.derivation.steps[life.first])
    return ArcShape(path, head, x, y, arc.label or "", kind, life.first, life.end, repair)


def draw_boxes(view: View, number: int, y: float) -> list[BoxShape]:
    """The stack and the buffer after a step, in a line."""
    step = view.derivation.steps[number]
    tokens = [
        (view.names[node], "active" if node in step.active else "stack") for node in step.stack
    ]
    tokens += [("", "bar")]
    tokens += [
        (view.names[node], "front" if node in step.active else "buffer") for node in step.buffer
    ]
    if view.parameters.front:
        tokens += [("END", "front" if step.end else "end")]
    boxes, x = [], float(MARGIN)
    for text, kind in tokens:
        width = text_width(cut(text)) + (GAP if text else 0)
        boxes.append(BoxShape(x, y, width, cut(text), kind))
        x += width + 5
    return boxes

"""Where the arcs, words, stack and buffer of a derivation are drawn.

The layout is that of all arcs that ever are, so that nothing moves from step to step. Words stand
in a line across the page with the arcs above them, or down the page with the arcs at their left.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from .trace import Arc
from .view import View

CELL = 7.6        # width of a character, in pixels, as of all numbers here
GAP = 14          # between words across the page
ROW = 22          # between words down the page
LEVEL = {True: 13, False: 20}     # between arcs: down the page, across it with room for labels
MARGIN = 10
CORNER = 5        # radius
SIDE = 4          # arcs leave a word so far at the side of where they come in
BOX = 26          # height of a stack or buffer token
LONGEST = 24      # characters of a word


class Lifetime(NamedTuple):
    """An arc, the step that made it and the one that took it away, None if none did."""

    arc: Arc
    first: int
    end: int | None

    def is_there(self, step: int) -> bool:
        """Whether there is the arc after a step."""
        return self.first <= step and (self.end is None or step < self.end)


class ArcShape(NamedTuple):
    """A drawn arc. kind: "right", "wrong" or "missing" by the gold tree, else ""."""

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
    """A drawn word; node: its place, an artificial root behind the last. full: if it was cut."""

    node: int
    x: float
    y: float
    text: str
    full: str


class BoxShape(NamedTuple):
    """A token of the stack or buffer, or END."""

    x: float
    y: float
    width: float
    text: str
    kind: str


class Figure(NamedTuple):
    """A drawing of all steps; label_anchor, word_anchor: SVG's text-anchor."""

    width: float
    height: float
    arcs: list[ArcShape]
    words: list[WordShape]
    label_anchor: str
    word_anchor: str


class Line(NamedTuple):
    """The line of the words: `along` it each node has its place, arcs rise from it by levels."""

    down: bool
    along: list[float]
    base: float

    def point(self, along: float, up: float) -> str:
        """A point as SVG has it."""
        x, y = (self.base - up, along) if self.down else (along, self.base - up)
        return f"{x:g} {y:g}"


def text_width(text: str) -> float:
    """About how wide a text is."""
    return cell_len(text) * CELL


def cut(text: str) -> str:
    """A long word without its end."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def lifetimes(view: View) -> list[Lifetime]:
    """All arcs that ever are, in the order in which they are made."""
    found: list[Lifetime] = []
    for number, step in enumerate(view.derivation.steps):
        for lost in step.lost:
            i = max(i for i, one in enumerate(found) if one.arc == lost)
            found[i] = found[i]._replace(end=number)
        found += [Lifetime(arc, number, None) for arc in step.arcs]
    return found


def nodes_in_order(view: View) -> list[int]:
    """The words and the artificial root, if there is one, from left to right."""
    root = len(view.names) - 1
    words = [*range(root)]
    return {"left": [root, *words], "right": [*words, root]}.get(
        view.parameters.root, words
    )


def levels_of(spans: Sequence[tuple[int, int]]) -> list[int]:
    """The height of each arc, from 1: the shortest lowest, none through another's."""
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
        for head in heads if (head, word) not in built
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
    anchors = ("start", "start") if down else ("middle", "middle")
    return Figure(*size, arcs, words, *anchors)


def indents_of(arcs: Sequence[Arc]) -> list[float]:
    """How far the label of each arc of a graph stands behind those of the same word."""
    widths: dict[int, float] = defaultdict(float)
    found = []
    for arc in arcs:
        found.append(widths[arc.dependent])
        widths[arc.dependent] += text_width(arc.label or "") + CELL
    return found


def place_words(
    view: View, order: Sequence[int], arcs: Sequence[Arc], height: float, down: bool
) -> Line:
    """The line of the words, so far from the edge that the arcs have room."""
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
    """One arc, its arrow head and its label. up: how high it rises. indent: of its label."""
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
    if view.gold is not None and not missing:
        root = len(view.names) - 1
        gold = view.gold[arc.dependent] or [root]
        kind = "right" if arc.head in gold else "wrong"
    step = view.derivation.steps[life.first]
    repair = bool(step.lost) or step.transition.startswith("REDUCE")
    return ArcShape(path, head, x, y, arc.label or "", kind, life.first, life.end, repair)


def draw_boxes(view: View, number: int, y: float) -> list[BoxShape]:
    """The stack and the buffer after a step, in a line."""
    step = view.derivation.steps[number]
    tokens = [(view.names[node], stack_kind(node in step.active)) for node in step.stack]
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


def stack_kind(is_active: bool) -> str:
    """How a token of the stack is drawn."""
    return "active" if is_active else "stack"

"""What each step of a derivation does, and derivations as text.

The text has one line for each step, with the stack and the buffer after it. The top of the stack
and the front of the buffer meet at the bar:

    transition       stack │ buffer           arc
    start                  │ She reads books
    SHIFT              She │ reads books
    LEFT-ARC(nsubj)        │ reads books      reads ─nsubj─► She

If a system makes arcs anywhere among the operative tokens, the stack shows all of these. Behind a
second bar (‖) stand the words of later sentences. An arc that replaces another one (non-monotonic
LEFT) stands before the words `instead of` and the old arc.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..machine.system import Configuration, TransitionSystem
from ..systems.parameters import Transition
from .text import pad, printable

ROOT_NAME = "ROOT"    # the name of the artificial root in drawings


class Arc(NamedTuple):
    """An arc between places of words, from 0; the artificial root stands behind the last word."""

    head: int
    dependent: int
    label: str | None


class Step(NamedTuple):
    """A transition and the configuration after it.

    Attributes:
        transition: its name, "" for the start.
        end: whether the end of the input is the front of the buffer.
        waiting: the words of later sentences.
        active: the operative tokens that arcs can join (Bohnet et al. 2016, section 3.4).
        lost: the arcs that were replaced by these.
    """

    transition: str
    label: str | None
    stack: list[int]
    buffer: list[int]
    end: bool
    waiting: list[int]
    active: list[int]
    arcs: list[Arc]
    lost: list[Arc]


class Derivation(NamedTuple):
    """The steps, of which the first is the start, and the heads that were built.

    A root is its own head.
    """

    steps: list[Step]
    heads: list[int]


def trace(
    system: TransitionSystem,
    n_words: int,
    transitions: Iterable[tuple[Transition | str, str | None]],
) -> Derivation:
    """Take transitions one by one, each with its label, and note what they do.

    Args:
        transitions: transitions with labels, as `Oracle.derivation` gives them. The label of a
            SHIFT is for a non-monotonic REDUCE that attaches the word later.

    Raises:
        ValueError: Where a transition is not legal.
    """
    configuration = system.initial(n_words)
    steps = [_note(configuration, "", None, set())]
    before: set[Arc] = set()
    for transition, label in transitions:
        configuration.apply(transition, label)
        makes_arc = system.transitions[system.find(transition)].is_arc
        name = str(transition)
        steps.append(_note(configuration, name, label if makes_arc else None, before))
        before = _arcs(configuration)
    return Derivation(steps, configuration.tree())


def _note(
    configuration: Configuration, transition: str, label: str | None, before: set[Arc]
) -> Step:
    after = _arcs(configuration)
    capacity = configuration.system.parameters.capacity or 0    # without a capacity, [-0:] is all
    return Step(
        transition,
        label,
        [word for word in configuration.stack if word is not None],
        configuration.buffer,
        configuration.operative[-1:] == [None],
        configuration.waiting,
        [word for word in configuration.operative[-capacity:] if word is not None],
        sorted(after - before, key=lambda arc: arc[:2]),
        sorted(before - after, key=lambda arc: arc[:2]),
    )


def _arcs(configuration: Configuration) -> set[Arc]:
    return {
        Arc(head, word, label)
        for word, arcs in enumerate(configuration.graph)
        for head, label in arcs
    }


def render_derivation(
    derivation: Derivation,
    words: Sequence[str],
    *,
    ascii: bool = False,
    probabilities: Sequence[float | None] | None = None,
    costs: Sequence[int | None] | None = None,
) -> str:
    """Draw a derivation: a header, a line a step, and the roots; no line end at the end.

    Args:
        words: the words; those that occur several times are shown with their number: the#4.
        ascii: use ASCII characters only, except in words.
        probabilities: the probability of each transition, for a column of its own; None for a
            transition without an alternative.
        costs: how much more each transition costs than the cheapest, for another column; None
            where that is not known. Costs of 0 are not shown.
    """
    names = name_words(words)
    derivation = with_printable_labels(derivation)
    rows = [("transition", "stack", "buffer", "arc")]
    rows += [_describe(step, names, ascii) for step in derivation.steps]
    transitions, stacks, buffers, arcs = map(list, zip(*rows))
    transitions = pad(transitions)
    added = []
    if probabilities is not None:
        added.append(["p", "", *("" if p is None else f"{p:.3f}" for p in probabilities)])
    if costs is not None:
        added.append(["cost", "", *(str(cost) if cost else "" for cost in costs)])
    for column in added:
        transitions = [f"{t}  {c}" for t, c in zip(transitions, pad(column, right=True))]
    columns = zip(transitions, pad(stacks, right=True), pad(buffers), arcs)
    bar = "|" if ascii else "│"
    lines = [
        f"{transition}  {stack} {bar} {buffer}  {arc}".rstrip()
        for transition, stack, buffer, arc in columns
    ]
    roots = [names[i] for i, head in enumerate(derivation.heads) if head == i]
    return "\n".join([*lines, f"root: {', '.join(roots)}"])


def shown_label(label: str | None) -> str | None:
    """A label as drawings show it; see `text.printable`."""
    return label and printable(label)


def with_printable_labels(derivation: Derivation) -> Derivation:
    """The same derivation with labels that can be printed; see `text.printable`."""
    def shown_arcs(arcs: Iterable[Arc]) -> list[Arc]:
        return [arc._replace(label=shown_label(arc.label)) for arc in arcs]

    steps = [
        step._replace(
            label=shown_label(step.label), arcs=shown_arcs(step.arcs), lost=shown_arcs(step.lost)
        )
        for step in derivation.steps
    ]
    return derivation._replace(steps=steps)


def name_words(words: Sequence[str]) -> list[str]:
    """The words and the artificial root as drawings show them."""
    counts = Counter(words)
    names = [
        printable(word) + (f"#{number}" if counts[word] > 1 else "")
        for number, word in enumerate(words, start=1)
    ]
    return [*names, ROOT_NAME]


def _describe(step: Step, names: Sequence[str], ascii: bool) -> tuple[str, str, str, str]:
    label = f"({step.label})" if step.label else ""
    bar = ["||" if ascii else "‖"] if step.waiting else []
    return (
        f"{step.transition}{label}" or "start",
        " ".join(names[word] for word in step.stack),
        " ".join(
            [names[word] for word in step.buffer] + bar + [names[word] for word in step.waiting]
        ),
        " instead of ".join(
            ", ".join(_describe_arc(arc, names, ascii) for arc in arcs)
            for arcs in (step.arcs, step.lost) if arcs
        ),
    )


def _describe_arc(arc: Arc, names: Sequence[str], ascii: bool) -> str:
    line, arrow = ("-", "->") if ascii else ("─", "─►")
    return f"{names[arc.head]} {line}{arc.label or ''}{arrow} {names[arc.dependent]}"

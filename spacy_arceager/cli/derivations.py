"""How commands write derivations: as text, JSON lines, a page or a drawing."""

import json
from collections.abc import Sequence
from typing import Any

from ..pipe.derived import Derived, Gold
from ..visual import render_derivation
from ..visual.derivation import Derivation, name_words
from ..visual.page import DerivationPage
from .messages import fail
from .outputs import Output


class DerivationOutput:
    """Derivations on their way to an output, their sentences numbered from 1.

    Text and JSON lines are written at once; a page ("html") holds all, a drawing ("svg") one, and
    is written when it is finished.

    Args:
        name: of the format.
        step: to draw, None for the last one.
    """

    def __init__(self, output: Output, name: str, *, ascii_only: bool, step: int | None) -> None:
        self.output = output
        self.name = name
        self.ascii_only = ascii_only
        self.step = step
        self.count = 0
        self.kept: list[Sequence[Derived]] = []

    def write(self, sentence: Sequence[Derived], number: int | None = None) -> None:
        """Take the derivations of one sentence. number: if it is not the next one.

        Raises:
            ValueError: For what cannot be written.
        """
        self.count = number or self.count + 1
        if self.name in ("html", "svg"):
            self.kept.append(sentence)
        for derived in () if self.kept else sentence:
            if self.name == "json":
                self.output.write(to_json(self.count, derived))
            else:
                self.output.write(to_text(self.count, derived, ascii_only=self.ascii_only))

    def finish(self) -> None:
        """Write the page or drawing; end the command where there is none."""
        try:
            if self.name == "html":
                self.output.write(to_page(self.kept))
            elif self.name == "svg":
                self.output.write(to_svg(self.kept, self.step))
        except ValueError as error:
            fail("Cannot draw the derivations.", str(error))


def to_text(number: int, derived: Derived, *, ascii_only: bool) -> str:
    """A derivation as lines of text, the last one blank."""
    derivation = derived.trace()
    probabilities = [step.probability if step.taken else None for step in derived.steps]
    drawing = render_derivation(
        derivation, derived.words, ascii=ascii_only,
        probabilities=None if derived.score is None else probabilities,
    )
    title = (
        f"# sentence {number}, {derived.name}: {len(derived.words)} words, "
        f"{len(derived.steps)} transitions"
    )
    score = "" if derived.score is None else f", score {derived.score:.3f}"
    return f"{title}{score}\n{drawing}{_lost_heads(derived, derivation)}\n\n"


def _lost_heads(derived: Derived, derivation: Derivation) -> str:
    if derived.gold is None:
        return ""
    names = name_words(derived.words)
    built = built_heads(derived.gold, derivation)
    wrong = [
        names[i] for i, heads in enumerate(zip(built, derived.gold.heads)) if heads[0] != heads[1]
    ]
    if not wrong:
        return ""
    kind = "graph" if derived.gold.is_graph else "tree"
    what = f"{derived.name} cannot derive this {kind}; " if derived.score is None else ""
    return f"\n{what}wrong heads: {', '.join(wrong)}"


def built_heads(gold: Gold, derivation: Derivation) -> list[Any]:
    """What was built, to compare it with the gold heads."""
    if not gold.is_graph:
        return derivation.heads
    heads: list[list[int]] = [[] for _ in gold.heads]
    for arc in sorted(arc[:2] for step in derivation.steps for arc in step.arcs):
        heads[arc[1]].append(arc[0])
    return heads


def to_json(number: int, derived: Derived) -> str:
    """A derivation and its gold tree as a line of JSON."""
    derivation = derived.trace()
    assert derived.gold is not None
    heads = built_heads(derived.gold, derivation)
    record: dict[str, Any] = {
        "sentence": number,
        "system": derived.name,
        "words": derived.words,
        "derived": heads == derived.gold.heads,
        "heads": heads,
        "steps": [
            {**step._asdict(), **{key: [arc._asdict() for arc in arcs] for key, arcs in (
                ("arcs", step.arcs), ("lost", step.lost),
            )}}
            for step in derivation.steps
        ],
    }
    if derived.score is not None:
        record["score"] = derived.score
        for step, scored in zip(record["steps"][1:], derived.steps):
            step["probability"] = scored.probability
    return json.dumps(record, ensure_ascii=False) + "\n"


def to_page(sentences: Sequence[Sequence[Derived]]) -> str:
    """All derivations as one page. Raises ValueError where there are none."""
    return DerivationPage([[*map(Derived.view, one)] for one in sentences]).to_html() + "\n"


def to_svg(sentences: Sequence[Sequence[Derived]], step: int | None) -> str:
    """A step of a derivation as a drawing. Raises ValueError where there is not one of both."""
    n = sum(map(len, sentences))
    if n != 1:
        raise ValueError(f"An SVG drawing is of one derivation, and here are {n}")
    try:
        return DerivationPage([[one[0].view()] for one in sentences]).to_svg(step) + "\n"
    except IndexError as error:
        raise ValueError(str(error)) from None

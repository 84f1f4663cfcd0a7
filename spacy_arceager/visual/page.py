"""Derivations as a page for a browser, or a step of one as an SVG drawing.

The page is one file that needs no network. All that comes from a text is escaped.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from ..systems.control_parameters import LEFT, MEANINGS, RIGHT
from .figure import BOX, MARGIN, draw, draw_boxes, lifetimes
from .view import View


class DerivationPage:
    """A page with the derivations of some sentences. A notebook shows it as it is.

    Args:
        sentences: the derivations of each sentence, which stand side by side.
        title: the title of the page; by default the text of the first sentence.
    """

    def __init__(self, sentences: Iterable[Sequence[View]], title: str = "") -> None:
        self.sentences = [list(views) for views in sentences if views]
        more = f" (and {len(self.sentences) - 1} more)" if len(self.sentences) > 1 else ""
        texts = [views[0].text for views in self.sentences[:1]]
        self.title = title or "".join(texts) + more

    def to_html(self) -> str:
        """The page. Raises ValueError where there is nothing to show."""
        if not self.sentences:
            raise ValueError("There is no derivation to show")
        script = read("page.js")
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        return template("page.html.jinja").render(
            title=self.title,
            css=read("page.css") + read("figure.css"),
            script=script,
            script_hash=digest,
            moves=legend(view for views in self.sentences for view in views),
            sentences=[
                {"text": views[0].text, "views": [*map(drawn, views)]} for views in self.sentences
            ],
            data=[{"views": [*map(to_data, views)]} for views in self.sentences],
        )

    def to_svg(self, step: int | None = None, sentence: int = 0, view: int = 0) -> str:
        """A step as an SVG drawing, with the words across the page.

        Args:
            step: the number of the step, from 0 for the start; by default the last step.
            sentence: the number of the sentence, from 0.
            view: the number of the derivation among those of the sentence, from 0.

        Raises:
            IndexError: Where there is no such sentence, derivation or step.
        """
        if not (0 <= sentence < len(self.sentences) and 0 <= view < len(self.sentences[sentence])):
            raise IndexError(f"There is no derivation {view} of a sentence {sentence}")
        shown = self.sentences[sentence][view]
        n_steps = len(shown.derivation.steps)
        if step is not None and not 0 <= step < n_steps:
            raise IndexError(f"There is no step {step}; the last one is {n_steps - 1}")
        number = n_steps - 1 if step is None else step
        figure = draw(shown, down=False)
        top = figure.height + BOX
        boxes = draw_boxes(shown, number, top)
        return template("step.svg.jinja").render(
            figure=figure, step=number, boxes=boxes, top=top, margin=MARGIN, box_height=BOX,
            width=max([figure.width, *(box.x + box.width + MARGIN for box in boxes)]),
            height=top + BOX + MARGIN,
            title=f"{shown.name}, step {number}: {step_name(shown, number)}",
            description=describe_arcs(shown, number),
            css=read("figure.css"),
        )

    def _repr_html_(self) -> str:
        if not self.sentences:
            return "<p>There is no derivation to show.</p>"
        page = escape(self.to_html(), quote=True)
        return (
            f'<iframe srcdoc="{page}" title="{escape(self.title, quote=True)}" '
            'sandbox="allow-scripts" style="width: 100%; height: 44rem; border: 0"></iframe>'
        )


@cache
def template(name: str) -> Template:
    """A template of this package, which escapes what is put into it."""
    loader = PackageLoader("spacy_arceager.visual")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template(name)


@cache
def read(name: str) -> str:
    """A style sheet or script of this package."""
    return (files("spacy_arceager.visual") / "templates" / name).read_text(encoding="utf8")


def step_name(view: View, number: int) -> str:
    """The transition of a step with its label."""
    step = view.derivation.steps[number]
    return f"{step.transition}({step.label})" if step.label else step.transition or "start"


def describe_arcs(view: View, number: int) -> str:
    """The arcs that are there after a step, in words."""
    arcs = [life.arc for life in lifetimes(view) if life.is_there(number)]
    return ", ".join(
        f"{view.names[head]} → {view.names[word]}" + (f" ({label})" if label else "")
        for head, word, label in arcs
    ) or "No arcs."


def is_scored(view: View) -> bool:
    """Whether a model's scores are known."""
    return any(choice.score is not None for choices in view.choices for choice in choices)


def legend(views: Iterable[View]) -> list[tuple[str, str, str]]:
    """The move, a name and the meaning of each kind of transition in some derivations."""
    names = {
        choice.transition for view in views for choices in view.choices for choice in choices
    }
    used = {re.split("[^A-Z_]", name)[0] for name in names}
    return [
        (move, f"{move}-ARC" if move in (LEFT, RIGHT) else move, meaning)
        for move, meaning in MEANINGS.items() if move in used
    ]


def drawn(view: View) -> dict[str, Any]:
    """What the template needs to know about a derivation."""
    return {"view": view, "figure": draw(view, down=True), "scored": is_scored(view)}


def to_data(view: View) -> dict[str, Any]:
    """What the script needs to know about a derivation."""
    return {
        "name": view.name,
        "names": view.names,
        "front": view.parameters.front,
        "scored": is_scored(view),
        "judged": bool(view.judge),
        "roots": view.roots,
        "wrong": view.wrong,
        "lifted": [*view.lifted],
        "steps": [
            {
                **step._asdict(),
                "marks": view.marks(number),
                "choices": [choice._asdict() for choice in choices],
                "n_choices": n_choices,
            }
            for number, (step, choices, n_choices) in enumerate(
                zip(view.derivation.steps, view.choices, view.n_choices)
            )
        ],
    }

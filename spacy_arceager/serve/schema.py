"""What the JSON API takes and gives. `GET /api/schema` describes it as JSON Schema."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import models_json_schema

MOST_ARCS = 1_000       # of each kind in a request
MOST_TREES = 20         # of each sentence in an answer
Index = Annotated[int, Field(ge=0)]


class Strict(BaseModel):
    """What a client sends: unknown keys and values of other types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Constraint(Strict):
    """An arc that a parse must or must not have. Tokens are numbered in the text, from 0.

    `{"word": 3, "head": 1}` means any label, `{"word": 3, "label": "obj"}` any head, and a word
    that is its own head is a root.
    """

    word: Index
    head: Index | None = None
    label: Annotated[str, Field(max_length=100)] | None = None

    def to_arc(self) -> tuple[int, int | None, str | None]:
        """The arc as `doc._.arceager_fixed_arcs` takes it."""
        return self.word, self.head, self.label


class ParseRequest(Strict):
    """A text to parse, and what the parse must and must not have."""

    text: str
    fixed: Annotated[list[Constraint], Field(max_length=MOST_ARCS)] = []
    forbidden: Annotated[list[Constraint], Field(max_length=MOST_ARCS)] = []
    k_best: Annotated[
        int, Field(ge=0, le=MOST_TREES, description="How many trees of each sentence are listed.")
    ] = 0
    draw: Literal["across", "down"] | None = Field(
        None, description="Whether drawings come along, with words across or down the page."
    )


class Word(BaseModel):
    """A word of a parse. Its index is what constraints call it; a root is its own head."""

    index: int
    text: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    label: str
    head_confidence: float | None
    label_confidence: float | None


class DrawnWord(BaseModel):
    """Where a word is drawn, in pixels."""

    index: int
    x: float
    y: float
    text: str


class DrawnArc(BaseModel):
    """How an arc is drawn: its line and its arrow head as SVG paths, and where its label is."""

    word: int
    head: int
    label: str
    line: str
    tip: str
    x: float
    y: float


class Drawing(BaseModel):
    """A tree as it is drawn. The anchor of texts is a value of SVG's attribute text-anchor."""

    width: float
    height: float
    anchor: str
    words: list[DrawnWord]
    arcs: list[DrawnArc]


class Tree(BaseModel):
    """One of the best trees of a sentence, with the head and label of each word."""

    scores: dict[str, float]
    heads: list[int]
    labels: list[str]
    drawing: Drawing | None


class Sentence(BaseModel):
    """A sentence with its parse and, if they were asked for, its best trees."""

    text: str
    confidence: float | None
    words: list[Word]
    drawing: Drawing | None
    trees: list[Tree]


class ParseAnswer(BaseModel):
    """The parse of a text."""

    model: str
    sentences: list[Sentence]
    conllu: str


class Fault(BaseModel):
    """Why there is no answer, and what to do."""

    status: int
    message: str


class ErrorAnswer(BaseModel):
    """What comes instead of an answer."""

    error: Fault


def describe() -> dict[str, Any]:
    """The JSON Schema of requests, answers and errors."""
    _, schema = models_json_schema(
        [(ParseRequest, "validation"), (ParseAnswer, "serialization"),
         (ErrorAnswer, "serialization")],
        title="The JSON API of arceager serve",
    )
    return schema

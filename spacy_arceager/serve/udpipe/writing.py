"""How parsed Docs become the result."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import spacy_arceager

from ...corpus.conllu import ConlluSentence, SurfaceText, sentences_of_doc
from ..pipeline import ServedPipeline
from .reading import Part

UNKNOWN = "_"
# Columns of CoNLL-U that the tagger fills, and those that the parser fills.
TAGS = slice(2, 6)
TREE = slice(6, 9)


class Rows(NamedTuple):
    """A sentence of CoNLL-U: its comments, the columns of its lines, and its text."""

    comments: list[str]
    rows: list[list[str]]
    text: str

    @property
    def words(self) -> list[str]:
        """The forms of the words. A form with spaces has no-break spaces there, as UDPipe does."""
        return [re.sub(r"\s", "\u00a0", row[1]) for row in self.rows if row[0].isdecimal()]


def rows_of(
    parts: Sequence[Part], *, tag: bool, parse: bool, ranges_in: str | None
) -> Iterator[Rows]:
    """The sentences of parsed parts, with the columns that were asked for.

    Args:
        ranges_in: the data, if the places of tokens in it were asked for.
    """
    given = {line for part in parts if part.source for line in part.source.comments}
    number, cursor = 1, 0
    for part in parts:
        comments, surface = part.comments, SurfaceText(part.doc)
        while f"# sent_id = {number}" in given:
            number += 1
        for indices, text in sentences_of_doc(part.doc, "", number):
            lines = text.rstrip("\n").split("\n")
            added = [line for line in lines if line.startswith("#")]
            rows = [line.split("\t") for line in lines[len(added):]]
            words = [row for row in rows if row[0].isdecimal()]
            if not tag:
                undo_tags(words, part.source)
            if not parse:
                undo_tree(words, part.source)
            if ranges_in is not None:
                cursor = add_ranges(rows, ranges_in, cursor)
            yield Rows([*comments, *added], rows, surface.of(indices))
            comments = []
            number += 1


def undo_tags(words: Sequence[list[str]], source: ConlluSentence | None) -> None:
    """Give words the tags and lemmas of the data, or none."""
    for i, row in enumerate(words):
        word = source.words[i] if source else None
        row[TAGS] = [word.lemma, word.upos, word.xpos, word.feats] if word else [UNKNOWN] * 4


def undo_tree(words: Sequence[list[str]], source: ConlluSentence | None) -> None:
    """Give words the arcs of the data, or none. Arcs to empty nodes go, for these are not kept."""
    for i, row in enumerate(words):
        row[TREE] = [UNKNOWN] * 3
        if source:
            word = source.words[i]
            head = UNKNOWN if word.head is None else str(word.head)
            row[TREE] = [head, word.deprel, UNKNOWN if source.empty_nodes else word.deps]
            row[9] = word.misc      # with the confidences of these arcs


def add_ranges(rows: Sequence[list[str]], data: str, cursor: int) -> int:
    """Add TokenRange to MISC: where each token stands in the data. Returns where to go on."""
    last = 0
    for row in rows:
        first, _, end = row[0].partition("-")
        if int(first) <= last:
            continue    # a word of a multi-word token
        last = int(end or first)
        start = data.find(row[1], cursor)
        if start >= 0:
            cursor = start + len(row[1])
            misc = [] if row[9] == UNKNOWN else [row[9]]
            row[9] = "|".join([*misc, f"TokenRange={start}:{cursor}"])
    return cursor


def write_conllu(pipeline: ServedPipeline, sentences: Iterable[Rows]) -> str:
    """CoNLL-U, headed by what has made it."""
    head = (
        f"# generator = spacy_arceager {spacy_arceager.__version__}\n"
        f"# udpipe_model = {pipeline.name}\n"
    )
    licence = pipeline.nlp.meta["license"]
    head += f"# udpipe_model_licence = {licence}\n" if licence else ""
    return head + "".join(
        "\n".join([*sentence.comments, *map("\t".join, sentence.rows), "", ""])
        for sentence in sentences
    )


def write_horizontal(_: ServedPipeline, sentences: Iterable[Rows]) -> str:
    """A line for each sentence, with spaces between words."""
    return "".join(" ".join(sentence.words) + "\n" for sentence in sentences)


def write_vertical(_: ServedPipeline, sentences: Iterable[Rows]) -> str:
    """A line for each word, and an empty one behind each sentence."""
    return "".join("\n".join([*sentence.words, "", ""]) for sentence in sentences)


def write_plaintext(_: ServedPipeline, sentences: Iterable[Rows]) -> str:
    """A line with the text of each sentence."""
    return "".join(f"{sentence.text}\n" for sentence in sentences)


WRITERS: dict[str, Callable[[ServedPipeline, Iterable[Rows]], str]] = {
    "conllu": write_conllu, "horizontal": write_horizontal, "vertical": write_vertical,
    "plaintext=normalized_spaces": write_plaintext,
}

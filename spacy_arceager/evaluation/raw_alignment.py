"""The words of a gold treebank and of a parse of its raw text, aligned by their characters.

The alignment is that of the CoNLL 2018 shared task (Zeman et al. 2018, section 4.1). Positions are
counted in the characters of the text without white space. Two words are aligned if they cover the
same characters. The words of a multi-word token have no characters of their own. Therefore, where
either side has such a token, the words of both sides that lie in it are aligned by the longest
common subsequence of their forms.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NamedTuple

from ..corpus.conllu import ConlluSentence, ConlluWord
from ..corpus.errors import quote
from .outcomes import DifferentWordsError

NO_HEAD = -1
QUOTED = 20    # characters of each text that the error shows


class Span(NamedTuple):
    """Characters `start` to `end`, the end not included."""

    start: int
    end: int


@dataclass(frozen=True)
class Text:
    """One side of a comparison.

    Attributes:
        characters: the text without white space.
        tokens: where each surface token lies.
        sentences: where each sentence lies.
        words: the columns of each word.
        spans: where each word lies; the words of a multi-word token all have its span.
        in_token: whether each word belongs to a multi-word token.
        heads: the index of each word's head; the word itself for a root, -1 without a head.
        starts: the index of the first word of each sentence.
    """

    characters: str
    tokens: list[Span]
    sentences: list[Span]
    words: list[ConlluWord]
    spans: list[Span]
    in_token: list[bool]
    heads: list[int]
    starts: list[int]

    def form_of(self, word: int) -> str:
        """The form by which a word is aligned. Only the forms of tokens have lost their spaces."""
        form = self.words[word].form.lower()
        return form if self.in_token[word] else without_spaces(form)


def read_text(sentences: Iterable[ConlluSentence]) -> Text:
    """Lay out sentences for a comparison."""
    text = Text("", [], [], [], [], [], [], [])
    characters: list[str] = []
    end = 0
    for sentence in sentences:
        first, start = len(text.words), end
        for token in sentence.surface_tokens():
            form = without_spaces(token.form)
            characters.append(form)
            span = Span(end, end := end + len(form))
            text.tokens.append(span)
            n_words = len(token.words)
            text.spans.extend([span] * n_words)
            text.in_token.extend([token.is_multi_word] * n_words)
        text.words.extend(sentence.words)
        text.heads.extend(NO_HEAD if head is None else first + head for head in sentence.heads)
        text.starts.append(first)
        text.sentences.append(Span(start, end))
    return replace(text, characters="".join(characters))


def without_spaces(form: str) -> str:
    """A form without its spaces, also those that do not break lines."""
    return "".join(char for char in form if unicodedata.category(char) != "Zs")


def paragraphs(sentences: Iterable[ConlluSentence]) -> Iterator[str]:
    """The raw text of a treebank, one string for each of its paragraphs or documents.

    A treebank that marks neither is one string.
    """
    text: list[str] = []
    for sentence in sentences:
        if any(starts_paragraph(comment) for comment in sentence.comments) and text:
            yield "".join(text).rstrip()
            text = []
        text.extend(
            token.form + " " * token.has_space_after for token in sentence.surface_tokens()
        )
    if text:
        yield "".join(text).rstrip()


def starts_paragraph(comment: str) -> bool:
    """Whether a comment says that its sentence begins a document or a paragraph."""
    return comment.lstrip("# ").split("=")[0].split(" id")[0].strip() in ("newdoc", "newpar")


def align(gold: Text, system: Text) -> dict[int, int]:
    """The gold word, by its index, that each aligned system word stands for.

    Raises:
        DifferentWordsError: If the two texts have other characters.
    """
    check_same_characters(gold, system)
    pairs: dict[int, int] = {}
    g = i = 0
    while g < len(gold.spans) and i < len(system.spans):
        if gold.in_token[g] or system.in_token[i]:
            g, i = align_tokens(gold, system, g, i, pairs)
        elif gold.spans[g] == system.spans[i]:
            pairs[i] = g
            g, i = g + 1, i + 1
        elif gold.spans[g].start <= system.spans[i].start:
            g += 1
        else:
            i += 1
    return pairs


def align_tokens(
    gold: Text, system: Text, g: int, i: int, pairs: dict[int, int]
) -> tuple[int, int]:
    """Align the words in a multi-word token of either side and in those that it overlaps.

    Args:
        g: a gold word.
        i: a system word. One of the two belongs to a multi-word token.
        pairs: gets the system words that are aligned and their gold words.

    Returns:
        The gold word and the system word behind the tokens.
    """
    end = gold.spans[g].end if gold.in_token[g] else system.spans[i].end
    # A word that begins before the multi-word token is no part of it.
    if not gold.in_token[g] and gold.spans[g].start < system.spans[i].start:
        g += 1
    elif not system.in_token[i] and system.spans[i].start < gold.spans[g].start:
        i += 1
    first_gold, first = g, i
    while lies_before(gold, g, end) or lies_before(system, i, end):
        is_gold = g < len(gold.spans) and (
            i == len(system.spans) or gold.spans[g].start <= system.spans[i].start
        )
        text, word = (gold, g) if is_gold else (system, i)
        if text.in_token[word]:
            end = max(end, text.spans[word].end)
        g, i = g + is_gold, i + (not is_gold)
    forms = (
        [text.form_of(word) for word in range(start, stop)]
        for text, start, stop in ((gold, first_gold, g), (system, first, i))
    )
    pairs.update((first + b, first_gold + a) for a, b in common_subsequence(*forms))
    return g, i


def lies_before(text: Text, word: int, end: int) -> bool:
    """Whether a word ends at `end` or before it, or its multi-word token begins before it."""
    if word >= len(text.spans):
        return False
    span = text.spans[word]
    return span.start < end if text.in_token[word] else span.end <= end


def check_same_characters(gold: Text, system: Text) -> None:
    """Raise DifferentWordsError, with the place, where two texts begin to differ."""
    if gold.characters == system.characters:
        return
    place = next(
        i for i, (a, b) in enumerate(zip_longest(gold.characters, system.characters)) if a != b
    )
    here, there = (quote(text.characters[place:place + QUOTED]) for text in (gold, system))
    raise DifferentWordsError(
        f"The two texts differ from character {place + 1} on, white space not counted: "
        f"{here} in the treebank, {there} in the parse"
    )


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The pairs of indices of a longest common subsequence.

    Of several, it is the one that pairs equal items as early as it can, and then skips items of
    `first` before items of `second`.
    """
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for a in reversed(range(len(first))):
        for b in reversed(range(len(second))):
            skipped = max(lengths[a + 1][b], lengths[a][b + 1])
            equal = first[a] == second[b]
            lengths[a][b] = max(skipped, 1 + lengths[a + 1][b + 1]) if equal else skipped
    a = b = 0
    while a < len(first) and b < len(second):
        if first[a] == second[b]:
            yield a, b
            a, b = a + 1, b + 1
        elif lengths[a + 1][b] == lengths[a][b]:
            a += 1
        else:
            b += 1

"""A sentence of a CoNLL-U file, with everything that the file says of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class ConlluWord(NamedTuple):
    """One syntactic word. Columns are as in the file, `_` where nothing is given.

    Attributes:
        head: ID of the head, counted from 1; 0 for the root, None where HEAD is `_`.
    """

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int | None
    deprel: str
    deps: str
    misc: str


@dataclass(frozen=True)
class MultiWordToken:
    """A surface token that stands for several words, such as `don't` or `du`.

    Attributes:
        first: the ID of its first word, from 1.
        last: the ID of its last word.
        columns: the nine columns after the ID, FORM to MISC.
    """

    first: int
    last: int
    columns: list[str]


class SurfaceToken(NamedTuple):
    """A token of the text: a word, or a multi-word token and its words."""

    form: str
    has_space_after: bool
    words: Sequence[ConlluWord]
    is_multi_word: bool


@dataclass(frozen=True)
class ConlluSentence:
    """One sentence.

    Attributes:
        comments: the lines of comments, with their `#`.
        empty_nodes: the ten columns of each empty node; the ID (`8.1`) is the first.
        place: file and line of its start, for messages; "" if it comes from no file.
    """

    comments: list[str]
    words: list[ConlluWord]
    multi_word_tokens: list[MultiWordToken]
    empty_nodes: list[list[str]]
    place: str = field(default="", compare=False)

    @property
    def heads(self) -> list[int | None]:
        """The head of each word, counted from 0; a root is its own head, None is a missing head."""
        return [
            None if word.head is None else word.head - 1 if word.head else i
            for i, word in enumerate(self.words)
        ]

    def surface_tokens(self) -> Iterator[SurfaceToken]:
        """The tokens of the sentence as the text has them."""
        multi_word = {token.first: token for token in self.multi_word_tokens}
        number = 1
        while number <= len(self.words):
            token = multi_word.get(number)
            last = token.last if token else number
            words = self.words[number - 1:last]
            form, misc = (token.columns[0], token.columns[-1]) if token else (
                words[0].form, words[0].misc
            )
            has_space_after = "SpaceAfter=No" not in misc.split("|")
            yield SurfaceToken(form, has_space_after, words, token is not None)
            number = last + 1


def comment_key(comment: str) -> str:
    """What a line of a comment is about, such as "text" in `# text = She reads.`."""
    return comment.lstrip("#").partition("=")[0].strip()

"""A sentence of a CoNLL-U file, with everything that the file says of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConlluWord:
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


@dataclass(frozen=True)
class ConlluSentence:
    """One sentence.

    Attributes:
        comments: the lines of comments, with their `#`.
        empty_nodes: the ten columns of each empty node; the ID (`8.1`) is the first.
    """

    comments: list[str]
    words: list[ConlluWord]
    multi_word_tokens: list[MultiWordToken]
    empty_nodes: list[list[str]]

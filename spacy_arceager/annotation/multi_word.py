"""Multi-word tokens of raw text, such as *du* whose words are *de* and *le*.

The Doc has the words. Of a span of just these words, `span._.arceager_multi_word_token` is the
token as the text has it, and None of any other span.

They are stored as spaCy stores extensions of spans, by the characters where these begin and end. So
they stay with their words where a Doc is cut, joined, retokenised or saved. A token whose words
have changed is one no more.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from spacy.tokens import Doc, Span

from .user_data import extension_of, key_of

NAME = "arceager_multi_word_token"


class SplitToken(NamedTuple):
    """A token that was split into words.

    Attributes:
        start: the index of its first word in the Doc.
        end: the index behind its last word.
        form: the token as the text has it.
    """

    start: int
    end: int
    form: str


def set_multi_word_token(words: Span, form: str) -> None:
    """Make some words the words of a token."""
    key = key_of(NAME, words.start_char, words.end_char)
    words.doc.user_data[key] = {"form": form, "words": [word.text for word in words]}


def find_multi_word_tokens(doc: Doc) -> Iterator[SplitToken]:
    """The multi-word tokens of a Doc."""
    user_data: dict[Any, Any] = doc.user_data
    for key, stored in user_data.items():
        if extension_of(key) != NAME:
            continue
        *_, start, end = key
        # What was cut off a Doc has its characters outside of it.
        words = doc.char_span(start, end) if 0 <= start < end else None
        if words is not None and [word.text for word in words] == [*stored["words"]]:
            yield SplitToken(words.start, words.end, stored["form"])


def copy_multi_word_tokens(words: Span, copy: Doc) -> None:
    """Give a Doc of some words alone the tokens that are whole there."""
    for start, end, form in find_multi_word_tokens(words.doc):
        if words.start <= start and end <= words.end:
            set_multi_word_token(copy[start - words.start : end - words.start], form)


def form_of(words: Span) -> str | None:
    """The token of some words; None where they are not those of one."""
    found = find_multi_word_tokens(words.doc)
    return next((one.form for one in found if one[:2] == (words.start, words.end)), None)


Span.set_extension(NAME, getter=form_of, force=True)

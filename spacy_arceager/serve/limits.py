"""What a client may ask for: how long, how often, and how much at a time."""

import re
from dataclasses import dataclass

from .errors import ServeError

PAGE_WORDS = 1_000          # of a text with constraints, whose search takes time in O(words³)
CHARACTERS_A_WORD = 10      # a text may have so many for each word that it may have
# spaCy's tokenizer takes off punctuation mark by mark, which takes time in O(length²) a word: up to
# 0.3 s for one of LONGEST_WORD, of which a text may have LONG_WORDS, or more shorter ones.
LONGEST_WORD = 1_000
LONG_WORDS = 20


@dataclass(frozen=True)
class Limits:
    """The limits of a server.

    Attributes:
        bytes: of the body of a request.
        words: of a request to UDPipe's `process`. Others may have PAGE_WORDS, if that is less.
        rate: how many requests a client may send in a minute.
        waiting: how many requests may be in work together; one of them is parsed, the others wait.
        seconds: how long a request may take, with waiting.
    """

    bytes: int = 1_000_000
    words: int = 10_000
    rate: int = 120
    waiting: int = 8
    seconds: float = 30.0

    @property
    def page_words(self) -> int:
        """How many words a text on the page or in the JSON API may have."""
        return min(self.words, PAGE_WORDS)


def check_text(text: str, words: int) -> None:
    """Raise ServeError for a text that is too long even to be split into words."""
    most = words * CHARACTERS_A_WORD
    if len(text) > most:
        raise ServeError(
            413, f"The text has {len(text):,} characters. Send at most {most:,} at a time."
        )
    lengths = [*map(len, re.findall(r"\S+", text))]
    longest = max(lengths, default=0)
    if longest > LONGEST_WORD:
        raise ServeError(
            413,
            f"The text has {longest:,} characters without white space. Send at most "
            f"{LONGEST_WORD:,}, and break longer lines.",
        )
    if sum(length**2 for length in lengths) > LONG_WORDS * LONGEST_WORD**2:
        raise ServeError(
            413,
            "The text has too many stretches of many characters without white space. Send at most "
            f"{LONG_WORDS} of {LONGEST_WORD:,} characters at a time, or more shorter ones.",
        )


def check_words(n_words: int, words: int) -> None:
    """Raise ServeError for a text of too many words."""
    if n_words > words:
        raise ServeError(413, f"The text has {n_words:,} words. Send at most {words:,} at a time.")

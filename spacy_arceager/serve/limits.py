"""What a client may ask for: how long, how often, and how much at a time."""

import asyncio
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from .errors import ServeError

Value = TypeVar("Value")

MINUTE = 60.0
MOST_CLIENTS = 10_000       # so many clients are counted; of more, the longest silent are forgotten
PAGE_WORDS = 1_000          # of a text with constraints, whose search takes time in O(words³)
CHARACTERS_A_WORD = 10      # a text may have so many for each word that it may have
# spaCy's tokenizer takes off punctuation mark by mark, which takes time in O(length²) a word.
LONGEST_WORD = 1_000


@dataclass(frozen=True)
class Limits:
    """The limits of a server.

    Attributes:
        bytes: of the body of a request.
        words: of a request to `process`. Other requests may have PAGE_WORDS, if that is less.
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
    """Raise ServeError for a text that is too long even to be split into words.

    Args:
        words: how many words it may have.
    """
    most = words * CHARACTERS_A_WORD
    if len(text) > most:
        raise ServeError(
            413, f"The text has {len(text):,} characters. Send at most {most:,} at a time."
        )
    longest = max(map(len, re.findall(r"\S+", text)), default=0)
    if longest > LONGEST_WORD:
        raise ServeError(
            413,
            f"The text has {longest:,} characters without white space. Send at most "
            f"{LONGEST_WORD:,}, and break longer lines.",
        )


def check_words(n_words: int, words: int) -> None:
    """Raise ServeError for a text of too many words."""
    if n_words > words:
        raise ServeError(413, f"The text has {n_words:,} words. Send at most {words:,} at a time.")


class RateLimit:
    """Counts the requests of each client in the last minute.

    Args:
        rate: how many requests a client may send in a minute.
        clock: returns the time in seconds.
    """

    def __init__(self, rate: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.clock = clock
        self._times: OrderedDict[str, list[float]] = OrderedDict()

    def check(self, client: str) -> None:
        """Count a request. Raises ServeError if it is one too many."""
        now = self.clock()
        times = [then for then in self._times.pop(client, []) if now - then < MINUTE]
        self._times[client] = times
        if len(self._times) > MOST_CLIENTS:
            self._times.popitem(last=False)
        if len(times) >= self.rate:
            wait = 1 + int(MINUTE - (now - times[0]))
            raise ServeError(
                429,
                f"A client is answered {self.rate} times a minute. Try again in {wait} seconds.",
                wait,
            )
        times.append(now)


class Work:
    """Runs functions one at a time, in a thread of its own, while the server answers others.

    A pipeline parses one text at a time, because its vocabulary is not made for several threads.
    """

    def __init__(self, limits: Limits) -> None:
        self.seconds = limits.seconds
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="parse")
        self._places = threading.BoundedSemaphore(limits.waiting)

    async def run(self, function: Callable[..., Value], *arguments: Any) -> Value:
        """The value of a function. Raises ServeError if too many wait, or it takes too long.

        A function that takes too long is not stopped, but its client need not wait for it.
        """
        if not self._places.acquire(blocking=False):
            raise ServeError(503, "Too many requests are waiting. Try again in a second.", 1)
        future = self._thread.submit(function, *arguments)
        future.add_done_callback(self._release)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self.seconds)
        except asyncio.TimeoutError:
            raise ServeError(
                503, f"This took more than {self.seconds:g} seconds. Send a shorter text.", 1
            ) from None

    def _release(self, _: "Future[Any]") -> None:
        self._places.release()

    def close(self) -> None:
        """Begin nothing that waits."""
        self._thread.shutdown(wait=False, cancel_futures=True)

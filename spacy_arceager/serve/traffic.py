"""How often a client is answered, and one request after another."""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from .errors import ServeError
from .limits import Limits

Value = TypeVar("Value")

MINUTE = 60.0
MOST_CLIENTS = 10_000       # so many clients are counted; of more, the longest silent are forgotten


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

    async def run(
        self, gone: Callable[[], Awaitable[Any]], function: Callable[..., Value], *arguments: Any
    ) -> Value:
        """The value of a function.

        A function that takes too long is not stopped, but its client need not wait for it. One that
        waits is not begun any more once its client has gone.

        Args:
            gone: returns when the client has gone.

        Raises:
            ServeError: If too many wait, if it takes too long, if the client goes, or if the server
                stops meanwhile.
        """
        if not self._places.acquire(blocking=False):
            raise ServeError(503, "Too many requests are waiting. Try again in a second.", 1)
        future = self._thread.submit(function, *arguments)
        future.add_done_callback(lambda _: self._places.release())
        value = asyncio.wrap_future(future)
        client = asyncio.ensure_future(gone())
        try:
            done, _ = await asyncio.wait(
                {value, client}, timeout=self.seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if value in done:
                return value.result()
        except asyncio.CancelledError:
            raise ServeError(503, "The server is about to stop. Try again later.", 1) from None
        finally:
            client.cancel()
            future.cancel()     # gives the place back at once
            value.cancel()
        if client in done:
            raise ServeError(400, "The client did not wait for the answer.")
        raise ServeError(
            503, f"This took more than {self.seconds:g} seconds. Send a shorter text.", 1
        )

    def close(self) -> None:
        """Begin nothing that waits."""
        self._thread.shutdown(wait=False, cancel_futures=True)

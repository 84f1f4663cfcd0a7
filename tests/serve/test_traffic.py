"""How often a client is answered, and how many requests wait."""

import asyncio
import threading

import pytest

from spacy_arceager.serve.errors import ServeError
from spacy_arceager.serve.limits import Limits
from spacy_arceager.serve.traffic import MOST_CLIENTS, RateLimit, Work


class Held:
    """A function that runs until its gate is opened."""

    def __init__(self) -> None:
        self.gate, self.running = threading.Event(), threading.Event()

    def __call__(self) -> int:
        self.running.set()
        assert self.gate.wait(60)
        return 1


async def stays() -> None:
    """A client that waits for its answer."""
    await asyncio.Event().wait()


def test_requests_of_a_minute_are_counted_for_each_client() -> None:
    now = 0.0
    limit = RateLimit(2, lambda: now)
    limit.check("a")
    now = 10.0
    limit.check("a")
    now = 20.0
    limit.check("b")
    with pytest.raises(ServeError) as caught:
        limit.check("a")
    assert (caught.value.status, caught.value.retry_after) == (429, 41)
    now = 61.0      # the request of second 0 no longer counts
    limit.check("a")
    with pytest.raises(ServeError):
        limit.check("a")


def test_clients_without_end_fill_no_memory() -> None:
    limit = RateLimit(1, lambda: 0.0)
    for client in range(MOST_CLIENTS + 50):
        limit.check(str(client))
    assert len(limit._times) == MOST_CLIENTS
    limit.check("0")        # the longest silent was forgotten
    with pytest.raises(ServeError):
        limit.check(str(MOST_CLIENTS + 49))


def test_one_function_runs_and_the_others_wait_up_to_a_number() -> None:
    held = Held()
    work = Work(Limits(waiting=2))

    async def scenario() -> None:
        first = asyncio.create_task(work.run(stays, held))
        await asyncio.to_thread(held.running.wait, 60)
        second = asyncio.create_task(work.run(stays, lambda: 2))
        await asyncio.sleep(0)
        with pytest.raises(ServeError, match="Too many requests are waiting") as caught:
            await work.run(stays, lambda: 3)
        assert (caught.value.status, caught.value.retry_after) == (503, 1)
        assert not second.done()
        held.gate.set()
        assert await first == 1 and await second == 2
        assert await work.run(stays, lambda: 3) == 3

    asyncio.run(scenario())
    work.close()


def test_a_function_that_takes_too_long_gives_its_place_back_when_it_ends() -> None:
    gate, ended = threading.Event(), threading.Event()
    work = Work(Limits(waiting=1, seconds=0.05))

    def wait() -> None:
        gate.wait(60)

    async def scenario() -> None:
        with pytest.raises(ServeError, match="more than 0.05 seconds") as caught:
            await work.run(stays, wait)
        assert caught.value.status == 503
        with pytest.raises(ServeError, match="Too many"):
            await work.run(stays, lambda: 1)
        gate.set()
        await asyncio.to_thread(lambda: work._thread.submit(ended.set).result(60))
        assert await work.run(stays, lambda: 2) == 2

    asyncio.run(scenario())
    work.close()


def test_what_waits_too_long_is_never_begun() -> None:
    gate = threading.Event()
    begun: list[int] = []
    work = Work(Limits(waiting=2, seconds=0.05))

    async def scenario() -> None:
        tasks = [work.run(stays, gate.wait, 60), work.run(stays, begun.append, 1)]
        assert [type(one) for one in await asyncio.gather(*tasks, return_exceptions=True)] == [
            ServeError, ServeError
        ]
        gate.set()
        await asyncio.to_thread(work._thread.submit(int).result, 60)

    asyncio.run(scenario())
    assert begun == []
    work.close()


def test_errors_of_a_function_come_through() -> None:
    work = Work(Limits(waiting=1))
    for _ in range(3):      # the place is given back each time
        with pytest.raises(ZeroDivisionError):
            asyncio.run(work.run(stays, lambda: 1 // 0))
    work.close()


def test_who_waits_while_the_server_stops_is_told_so() -> None:
    held = Held()
    work = Work(Limits())

    async def scenario() -> None:
        waiting = [asyncio.create_task(work.run(stays, held)) for _ in range(2)]
        await asyncio.to_thread(held.running.wait, 60)
        for task in waiting:
            task.cancel()
        for task in waiting:
            with pytest.raises(ServeError, match="about to stop") as caught:
                await task
            assert caught.value.status == 503
        held.gate.set()

    asyncio.run(scenario())


def test_what_waits_for_a_client_that_has_gone_is_never_begun() -> None:
    held = Held()
    begun: list[int] = []
    work = Work(Limits(waiting=2))

    async def leaves() -> None:
        return

    async def scenario() -> None:
        first = asyncio.create_task(work.run(stays, held))
        await asyncio.to_thread(held.running.wait, 60)
        for _ in range(3):      # the place is given back each time
            with pytest.raises(ServeError, match="did not wait"):
                await work.run(leaves, begun.append, 1)
        held.gate.set()
        assert await first == 1

    asyncio.run(scenario())
    assert begun == []
    work.close()

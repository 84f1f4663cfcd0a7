"""Runs cases in processes of their own, so that a crash or a hang is counted as a fault."""

import faulthandler
import multiprocessing
import os
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from random import Random
from typing import Any

from spacy_arceager.systems import SystemParameters
from tests.fuzz.cases import CASES, Case
from tests.fuzz.systems import named_systems, random_system

REPORT = 0.5    # seconds between reports of a worker
IDLE = -1


@dataclass
class Plan:
    """What to try.

    seed: with the number of a case it makes the case.
    first, processes: of the numbers of cases, and how many share them out.
    hang: seconds after which a case has hung.
    systems: how many random ones; every second case has a named one.
    cases: share and function of each kind.
    """

    seed: int = 0
    first: int = 0
    processes: int = 1
    hang: float = 120.0
    systems: int = 2000
    cases: dict[str, tuple[float, Case]] = field(default_factory=lambda: dict(CASES))


@dataclass
class Result:
    """Counts of what was tried, and the faults: kind of case, its number, what it was."""

    counts: Counter = field(default_factory=Counter)
    systems: set[str] = field(default_factory=set)
    faults: list[tuple[str, int, str]] = field(default_factory=list)


def run_case(plan: Plan, number: int) -> tuple[str, str, Counter]:
    """Draw and run one case: its kind, its system and what it counted."""
    rng = Random(f"{plan.seed} {number}")
    shares = [share for share, _ in plan.cases.values()]
    kind = rng.choices(list(plan.cases), shares)[0]
    name, parameters = system_of(plan, number, rng)
    return kind, name, plan.cases[kind][1](rng, parameters)


def system_of(plan: Plan, number: int, rng: Random) -> tuple[str, SystemParameters]:
    if number % 2 == 0:
        return rng.choice(list(named_systems().items()))
    which = number // 2 % plan.systems
    return f"random {which}", random_system(Random(f"{plan.seed} system {which}"))


class Worker:
    """A process that runs every n-th case. `number`: of the case that it runs."""

    def __init__(self, plan: Plan, number: int):
        context = multiprocessing.get_context("spawn")
        self.plan = plan
        self.number = context.Value("q", IDLE, lock=False)
        self.reports, sender = context.Pipe(duplex=False)
        self.process = context.Process(
            target=work, args=(plan, number, self.number, sender), daemon=True
        )
        self.process.start()
        sender.close()
        self._watched = (IDLE, time.monotonic())

    def has_hung(self) -> bool:
        """Whether the same case has been running for too long."""
        number, since = self._watched
        if self.number.value != number or number == IDLE:
            self._watched = (self.number.value, time.monotonic())
            return False
        return time.monotonic() - since > self.plan.hang

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self.process.is_alive() and self.process.pid:
            os.kill(self.process.pid, number)
        self.process.join()


def work(plan: Plan, number: int, current: Any, sender: Connection) -> None:
    """Run cases until stopped; a report each half second and with each fault."""
    faulthandler.enable()
    result, last = Result(), time.monotonic()
    while True:
        current.value = number
        try:
            _, name, counts = run_case(plan, number)
            result.systems.add(name)
            result.counts += counts + Counter(cases=1)
        except Exception as error:  # noqa: BLE001 (every error is a fault)
            place = traceback.extract_tb(error.__traceback__)[-1]
            text = f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"
            result.faults.append(("error", number, text))
        number += plan.processes
        if result.faults or time.monotonic() - last > REPORT:
            sender.send(result)
            result, last = Result(), time.monotonic()


def run(plan: Plan, is_enough: Callable[[Result], bool]) -> Iterator[Result]:
    """Run cases in processes until enough is known; yields what is known so far."""
    total = Result()
    workers = [Worker(plan, plan.first + i) for i in range(plan.processes)]
    try:
        while not is_enough(total):
            ready = wait_for([worker.reports for worker in workers], timeout=REPORT)
            for i, worker in enumerate(workers):
                if worker.reports in ready:
                    workers[i] = receive(worker, total)
                elif worker.has_hung():
                    worker.stop(signal.SIGABRT)     # faulthandler tells where it was
                    workers[i] = restart(worker, total, "hang", f"over {plan.hang} s")
            yield total
    finally:
        for worker in workers:
            worker.stop()


def receive(worker: Worker, total: Result) -> Worker:
    try:
        result = worker.reports.recv()
    except EOFError:
        worker.stop()
        return restart(worker, total, "crash", f"exit code {worker.process.exitcode}")
    total.counts += result.counts
    total.systems |= result.systems
    total.faults += result.faults
    return worker


def restart(worker: Worker, total: Result, fault: str, text: str) -> Worker:
    """A worker that goes on behind the case that ended the last one."""
    number = worker.number.value
    if number == IDLE:
        raise RuntimeError(f"a process ended before its first case: {text}")
    total.faults.append((fault, number, text))
    return Worker(worker.plan, number + worker.plan.processes)

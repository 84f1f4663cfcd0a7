"""All that a system can do: where its configurations end, and how it behaves."""

from collections.abc import Iterator

from spacy_arceager.machine.system import Configuration
from spacy_arceager.systems import SystemParameters

BOTH = (True, False)
PERIPHERIES = ("left", "right", "any")


def behaviour(system: SystemParameters) -> tuple:
    """All that decides how a system parses. Systems with equal values behave in the same way."""
    capacity = system.capacity if system.is_anchored else None
    fill = 2 if system.capacity == 2 else system.fill
    return system.transitions, capacity, system.front, system.root, fill


def finished(configuration: Configuration, path: set, done: set) -> Iterator[Configuration]:
    """The terminal configurations that can be reached; fails on a dead end or infinite loop."""
    state = configuration.state()
    assert state not in path, "an infinite loop"
    if state in done:
        return
    done.add(state)
    if configuration.is_terminal:
        yield configuration
        return
    transitions = configuration.legal()
    assert transitions, f"a dead end: {state}"
    for transition in transitions:
        after = configuration.copy()
        after.apply(transition)
        yield from finished(after, path | {state}, done)


def system_stops_at_end(system: SystemParameters) -> bool:
    """Whether a system stops at the end of the input, so that all words left over are roots."""
    return system.front and system.keeps_dependents and not system.tree_constraint

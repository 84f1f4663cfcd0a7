"""What the settings of a parser may be."""

from typing import Any

from ..search.settings import BeamSettings
from ..systems.parameters import SystemParameters
from ..gold.trees import POLICIES

MAX_THREADS = 1024


def check_settings(
    name: str,
    system: SystemParameters,
    non_projective: str,
    beam: BeamSettings | None,
    confidence: bool,
) -> None:
    """Raise ValueError for settings that are none, or contradict the system.

    Args:
        name: of the component, for messages.
    """
    if non_projective not in POLICIES:
        raise ValueError(
            f"non_projective='{non_projective}' is unknown; use one of {', '.join(POLICIES)}"
        )
    if beam is not None and system.graph:
        raise ValueError(
            f"beam and graph=true of system '{system.name}' contradict each other: graphs are "
            "parsed greedily; use beam=null"
        )
    if confidence and system.graph:
        raise ValueError(
            f"confidence=true and graph=true of system '{system.name}' contradict each other"
        )


def check_threads(name: str, threads: Any) -> None:
    """Raise ValueError for what is no number of threads."""
    if not isinstance(threads, int) or not 1 <= threads <= MAX_THREADS:
        raise ValueError(
            f"threads={threads!r} of '{name}'; use a whole number from 1 to {MAX_THREADS}"
        )


def check_temperature(name: str, temperature: Any) -> None:
    """Raise ValueError for what is no temperature."""
    if not temperature > 0:     # NaN neither
        raise ValueError(f"temperature={temperature} of '{name}'; use a number above 0")

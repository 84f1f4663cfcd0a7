"""The settings of a parser, and checks of settings and labels that people give."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from thinc.api import Model

from ..annotation.projective import is_label
from ..errors import unknown_name
from ..gold import POLICIES
from ..search.settings import BeamSettings
from ..systems.parameters import SystemParameters

MAX_THREADS = 1024


@dataclass(frozen=True)
class Settings:
    """The settings of an `arceager_parser`, besides its model and its scorer.

    The default and the meaning of each setting are written here only. The factory takes the
    defaults from here, and docs/settings.md takes the meanings.

    Attributes:
        system: a block, below, or a name that `arceager info` lists; the transition system.
            `add_pipe` without it takes `arc_eager`, `arceager init-config` writes `arc_eager_nm`.
        oracle: a block, or null; what says in training how good a transition is
            ([oracles.md](oracles.md)). null is the system's own, as `arceager info` lists it; of
            other parameters one that is fast and exact, static_dynamic for arc-hybrid with SWAP,
            reachability for arc-eager over other words, else the static one, which explores
            nothing: give bounded easy-first and Attardi's system `arceager.dynamic_oracle.v1`. In
            Python, `ArcEagerParser` also takes any object with a method
            `costs(configuration, heads)`.
        exploration: a number from 0 to 1, a schedule, or a block
            `arceager.aggressive_exploration.v1`; how often a costly best transition is followed in
            training. With the block (`rate` 1.0, `aggression` 0.1, `margin` 1.0) it also is how
            often the best costly one is followed where the model is right by less than `margin`
            (Kiperwasser & Goldberg 2016).
        non_projective: "projectivize", "skip" or "approximate"; what to do with gold trees that the
            system cannot derive.
        beam: a block, or null; null is greedy.
        threads: 1 or more; how many threads decode a batch together ([scale](scale.md#threads)).
            Parses are the same.
        confidence: true or false; whether Docs are told how likely each head and label is right
            ([confidence.md](confidence.md)). Parsing takes longer.
        temperature: from 1e-6 to 1e6; the higher, the less sure a parser is of its heads and
            labels. `arceager calibrate` finds it.
        valid: null, or "ud"; with "ud", trees keep the rules of Universal Dependencies about
            dependents ([valid_ud.md](valid_ud.md)).
    """

    system: SystemParameters
    oracle: Any = None
    exploration: Any = 1.0
    non_projective: str = "projectivize"
    beam: BeamSettings | None = None
    threads: int = 1
    confidence: bool = False
    temperature: float = 1.0
    valid: str | None = None

    def check(self) -> None:
        """Raise ValueError if a setting is invalid or contradicts the system.

        The oracle and the exploration are checked when they are made, and what can change later is
        checked whenever it is set.
        """
        if self.non_projective not in POLICIES:
            policy = self.non_projective
            raise ValueError(unknown_name(f"non_projective='{policy}'", policy, POLICIES))
        if self.beam is not None and not isinstance(self.beam, BeamSettings):
            raise ValueError(
                f"beam={self.beam!r} is no beam; use a block of arceager.beam.v1, or null"
            )
        if self.beam is not None and self.system.graph:
            raise ValueError(
                f"beam and graph=true of system '{self.system.name}' contradict each other: graphs "
                "are parsed greedily; use beam=null"
            )


def check_architecture(model: Model, layer: str, name: str, architecture: str) -> None:
    """Raise ValueError if the model of a component has another architecture.

    Args:
        layer: the reference to a layer that models of this architecture have.
    """
    if not model.has_ref(layer):
        raise ValueError(
            f"The model of '{name}' must be an {architecture}; this one has no layer '{layer}'"
        )


def check_label_data(data: Any, name: str, graph: bool) -> list[str]:
    """The labels in the form of `label_data`. Arguments and errors are those of `check_labels`."""
    if not isinstance(data, dict) or "labels" not in data:
        raise ValueError(f"The label data of '{name}' is not a dict with the key 'labels'")
    return check_labels(data["labels"], name, graph)


def check_labels(labels: Any, name: str, graph: bool) -> list[str]:
    """Check labels that come from a person or a file, and return them as a list.

    Args:
        graph: whether they are labels of graphs, in which no arc is lifted.

    Raises:
        ValueError: If they are not a list of different strings, or a string cannot be a label.
    """
    if not isinstance(labels, (list, tuple)):
        raise ValueError(f"The labels of '{name}' are {labels!r:.60}; give a list of strings")
    for label in labels:
        if not isinstance(label, str) or not label:
            raise ValueError(f"'{name}' has the label {label!r}; labels are strings, not empty")
        if not is_writable(label):
            raise ValueError(f"'{name}' has the label {label!r}, which UTF-8 cannot write")
        if not graph and not is_label(label):
            raise ValueError(
                f"'{name}' has the label '{label}'; '||' marks arcs that projectivisation "
                "lifted and stands between two labels. Rename the label"
            )
    repeated = [label for label, count in Counter(labels).items() if count > 1]
    if repeated:
        raise ValueError(f"'{name}' has the label '{repeated[0]}' twice")
    return list(labels)


def is_writable(label: str) -> bool:
    """Whether UTF-8 can write a label; it cannot write half of a surrogate pair."""
    try:
        label.encode()
    except UnicodeEncodeError:
        return False
    return True

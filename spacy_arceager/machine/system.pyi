"""The Python face of the machine: build a system, get a configuration, take transitions."""

from collections.abc import Iterable

from ..systems.parameters import SystemParameters, Transition

class TransitionSystem:
    """A transition system over a set of labels, and the classes that a model scores."""

    def __init__(
        self, parameters: SystemParameters, labels: Iterable[str] = ("dep",)
    ) -> None: ...
    @property
    def parameters(self) -> SystemParameters: ...
    @property
    def labels(self) -> tuple[str, ...]: ...
    @property
    def transitions(self) -> tuple[Transition, ...]: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def n_labels(self) -> int: ...
    def initial(self, n_words: int) -> Configuration:
        """The initial Configuration of a sentence of `n_words` words."""

    def describe_class(self, index: int) -> tuple[Transition, str | None]:
        """A class as (Transition, label or None)."""

    def find_class(self, transition: Transition | str, label: str | None) -> int:
        """Index of the class of a Transition and a label (None for those without arc)."""

    def class_name(self, index: int) -> str:
        """A class for people, e.g. "LEFT-ARC(nsubj)"."""

    def find(self, transition: Transition | str) -> int:
        """Index of a Transition, or of its name ("SHIFT", "LEFT-ARC", ...)."""

class Configuration:
    """One sentence while it is parsed."""

    def __init__(self, system: TransitionSystem, n_words: int) -> None: ...
    @property
    def system(self) -> TransitionSystem: ...
    @property
    def n_words(self) -> int: ...
    @property
    def is_terminal(self) -> bool:
        """True once parsing is over; no transition is legal then."""

    @property
    def ended(self) -> bool:
        """True once the end of the input has been seen."""

    @property
    def heads(self) -> list[int | None]:
        """Head of each word; None without one, n_words for the artificial root."""

    @property
    def labels(self) -> list[str | None]:
        """Label of each word's arc, None without one."""

    @property
    def operative(self) -> list[int | None]:
        """O from left to right; the marker END is None."""

    @property
    def unprocessed(self) -> list[int]:
        """U, its front first; words of a later sentence are left out."""

    @property
    def waiting(self) -> list[int]:
        """The words of later sentences after a BREAK."""

    @property
    def graph(self) -> list[list[tuple[int, str]]]:
        """All (head, label) of each word, sorted by head; of a tree, at most one each."""

    @property
    def sentence_starts(self) -> list[int]:
        """The first words of the sentences found so far."""

    def forbid_start(self, word: int) -> None:
        """No sentence may start at a word; for systems with BREAK."""

    @property
    def stack(self) -> list[int | None]:
        """The stack, its top last: all of O, without the front in front systems."""

    @property
    def buffer(self) -> list[int]:
        """The buffer, its front first; END is not a word and is left out."""

    def copy(self) -> Configuration:
        """A configuration of its own in the same state."""

    def tree(self) -> list[int]:
        """Heads of a finished parse as spaCy has them: a root is its own head."""

    def legal(self) -> list[Transition]:
        """The legal transitions, each at its anchor."""

    def apply(self, transition: Transition | str, label: str | None = None) -> None:
        """Take a transition; ValueError where it is not legal or the label is unknown."""

    def state(self) -> tuple:
        """Everything that decides what can still happen, hashable."""

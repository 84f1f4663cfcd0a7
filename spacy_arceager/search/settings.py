"""How a parser searches, as a config block."""

from dataclasses import dataclass

UPDATES = ("none", "early", "max_violation")
MAX_WIDTH = 10_000


@dataclass(frozen=True)
class BeamSettings:
    """Beam search.

    Attributes:
        width: derivations kept at each step, up to MAX_WIDTH; 1 is greedy.
        density: derivations whose probability is below this share of the best one's are dropped.
        update: how the model is trained: "none" as for greedy parsing, the beam only searches;
            "early" (Collins and Roark 2004) or "max_violation" (Huang, Fayong and Guo 2012) with
            global normalisation.
        greedy_updates: so many updates at first are as for greedy parsing. Early in a training no
            correct derivation stays in the beam for long, and "early" learns from the beginnings
            of sentences alone. Until then the beam searches by scores that are not trained to be
            added: train for more updates than these. A parser that is loaded and trained on begins
            with them again. For an `update` that is not "none".
    """

    width: int = 8
    density: float = 0.0
    update: str = "none"
    greedy_updates: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.width, int) or not 1 <= self.width <= MAX_WIDTH:
            raise ValueError(f"beam width={self.width!r}; use a whole number from 1 to {MAX_WIDTH}")
        if not isinstance(self.density, (int, float)) or not 0 <= self.density < 1:
            raise ValueError(f"beam density={self.density!r}; use 0 or more, below 1")
        if self.update not in UPDATES:
            raise ValueError(
                f"beam update='{self.update}' is unknown; use one of {', '.join(UPDATES)}"
            )
        if not isinstance(self.greedy_updates, int) or self.greedy_updates < 0:
            raise ValueError(
                f"beam greedy_updates={self.greedy_updates!r}; use a whole number from 0 on"
            )
        if self.greedy_updates and self.update == "none":
            raise ValueError(
                f"beam greedy_updates={self.greedy_updates} and update='none' contradict each "
                "other: without an update of its own all updates are greedy"
            )

    def learns_at(self, update: int) -> bool:
        """Whether the model learns with the beam at an update, counted from 0."""
        return self.update != "none" and update >= self.greedy_updates

    @property
    def is_normalised(self) -> bool:
        """Search with log probabilities, as the model was trained in each configuration."""
        return self.update == "none"

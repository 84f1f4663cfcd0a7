"""How a parser searches, as a config block."""

from dataclasses import dataclass

from ..errors import unknown_name

UPDATES = ("none", "early", "max_violation")
MAX_BEAM_WIDTH = 10_000


@dataclass(frozen=True)
class BeamSettings:
    """Beam search.

    Attributes:
        width: derivations kept at each step, up to MAX_BEAM_WIDTH; 1 is greedy.
        density: derivations whose probability is below this share of the best one's are dropped.
        update: how the model is trained. With "none" it is trained as for greedy parsing, and the
            beam only searches. "early" (Collins and Roark 2004) and "max_violation" (Huang, Fayong
            and Guo 2012) train with global normalisation.
        greedy_updates: the first updates of a training, as many as this says, are those of greedy
            parsing; only for an `update` that is not "none". Early in a training no correct
            derivation stays in the beam for long, and "early" would learn from the beginnings of
            sentences alone. Train for more updates than these: before, scores are not trained to be
            added up. A parser that is loaded and trained on begins with greedy updates again.
    """

    width: int = 8
    density: float = 0.0
    update: str = "none"
    greedy_updates: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.width, int) or not 1 <= self.width <= MAX_BEAM_WIDTH:
            raise ValueError(
                f"beam width={self.width!r}; use a whole number from 1 to {MAX_BEAM_WIDTH}"
            )
        if not isinstance(self.density, (int, float)) or not 0 <= self.density < 1:
            raise ValueError(f"beam density={self.density!r}; use 0 or more, below 1")
        if self.update not in UPDATES:
            raise ValueError(unknown_name(f"beam update='{self.update}'", self.update, UPDATES))
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
        """Whether the search adds up log probabilities, as a greedily trained model needs."""
        return self.update == "none"

"""How an encoder reads Docs: the settings of "arceager.FrozenEncoder.v1" that change vectors."""

from dataclasses import dataclass

# Full stops, question and exclamation marks of several scripts.
STOPS = ".?!…。！？։।؟۔።"
MIXTURES = ("mean", "learned")
POOLINGS = ("mean", "first", "last")


@dataclass(frozen=True)
class Reading:
    """How an encoder reads Docs; see `frozen_encoder.build_frozen_encoder`."""

    layers: tuple[int, ...] | None = None
    mixture: str = "mean"
    pooling: str = "mean"
    stops: str = STOPS
    window: int = 128
    stride: int = 96

    def __post_init__(self) -> None:
        choices = (("mixture", self.mixture, MIXTURES), ("pooling", self.pooling, POOLINGS))
        for name, value, allowed in choices:
            if value not in allowed:
                raise ValueError(f"{name}={value!r}; use one of {', '.join(allowed)}")
        layers = (0,) if self.layers is None else self.layers
        if not layers or not all(isinstance(layer, int) and layer >= 0 for layer in layers):
            raise ValueError(f"layers={list(layers)}; use null, or numbers such as [5,6,7,8]")
        if not 1 <= self.stride <= self.window - 2:
            raise ValueError(
                f"window={self.window}, stride={self.stride}; use a stride of 1 to window - 2"
            )

    @property
    def learns(self) -> bool:
        """Whether weights of the layers are learnt."""
        return self.mixture == "learned"

import numpy
from numpy.typing import NDArray

# All arrays: (n,) float32.
def adam_step(
    weights: NDArray[numpy.float32],
    gradient: NDArray[numpy.float32],
    mom1: NDArray[numpy.float32],
    mom2: NDArray[numpy.float32],
    averages: NDArray[numpy.float32] | None,
    *,
    max_norm: float,
    beta1: float,
    beta2: float,
    eps: float,
    step: float,
    decay: float,
    rate: float,
) -> None: ...

"""Our Adam computes what thinc's does."""

from typing import Any

import numpy
import pytest
from spacy.util import registry
from thinc.api import Adam as create_thinc_adam
from thinc.api import Linear, Optimizer
from thinc.schedules import warmup_linear

from spacy_arceager.kernels.adam import adam_step
from spacy_arceager.kernels.optimizer import Adam, create_adam

SHAPES = [(1,), (15,), (16,), (7, 33), (2, 3, 5), (0,)]
SETTINGS = [
    {"L2": 0.01},
    {"L2": 0.0, "use_averages": False},
    {"L2": 0.1, "grad_clip": 0.0},
    {"L2": 0.1, "L2_is_weight_decay": False},
    {"beta1": 0.5, "beta2": 0.9, "eps": 1e-3},
]


def make_both(settings: dict[str, Any]) -> tuple[Optimizer, Optimizer]:
    return create_adam(**settings), create_thinc_adam(**settings)


def run(optimizer: Optimizer, shape: tuple[int, ...], scale: float, seed: int) -> list[Any]:
    """Weights and averages after each of some steps."""
    rng = numpy.random.default_rng(seed)
    weights = rng.normal(size=shape).astype("f")
    results = []
    for _ in range(5):
        gradient = (scale * rng.normal(size=shape)).astype("f")
        weights, gradient = optimizer((1, "W"), weights, gradient, lr_scale=0.5)
        optimizer.step_schedules()
        assert not gradient.any()
        results.append(weights.copy())
        if optimizer.averages:
            results.append(optimizer.averages[1, "W"].reshape(shape).copy())
    return results


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("scale", [0.0, 1e-20, 1e-3, 1.0, 1e4])
def test_weights_and_averages_are_those_of_thinc(
    settings: dict[str, Any], shape: tuple[int, ...], scale: float
) -> None:
    ours, theirs = (run(each, shape, scale, seed=1) for each in make_both(settings))
    assert len(ours) == len(theirs)
    for our, their in zip(ours, theirs, strict=True):
        assert numpy.allclose(our, their, rtol=1e-5, atol=1e-7)


def test_a_config_names_it() -> None:
    config = {"optimizer": {"@optimizers": "arceager.Adam.v1", "L2": 0.5, "use_averages": False}}
    optimizer = registry.resolve(config)["optimizer"]
    assert type(optimizer) is Adam and optimizer.L2 == 0.5 and optimizer.averages is None


@pytest.mark.parametrize("averages", [True, False])
@pytest.mark.parametrize("step", [1, 2], ids=["fast", "thinc's"])
def test_the_weights_of_a_pytorch_module_have_a_rate_of_their_own(
    averages: bool, step: int
) -> None:
    def change(name: str, rate: float) -> Any:
        optimizer = create_adam(0.1, use_averages=averages, pytorch_rate=rate)
        weights = numpy.ones((8,), dtype="f")
        return 1 - optimizer((1, name), weights, numpy.ones((8 * step,), dtype="f")[::step])[0]

    whole = change("encoder.weight", 1.0)
    assert whole.all() and numpy.allclose(change("encoder.weight", 0.05), 0.05 * whole, atol=1e-6)
    assert not change("encoder.weight", 0.0).any()
    assert numpy.array_equal(change("W", 0.05), whole)


def test_a_schedule_of_learning_rates_is_followed() -> None:
    ours, theirs = (
        run(create(warmup_linear(0.1, 2, 5)), (9,), 1.0, 1)
        for create in (create_adam, create_thinc_adam)
    )
    assert numpy.allclose(ours, theirs, rtol=1e-5)


def test_a_gradient_that_does_not_lie_in_one_row_is_left_to_thinc() -> None:
    steps = [
        optimizer((1, "W"), numpy.ones((8,), dtype="f"), numpy.ones((16,), dtype="f")[::2])[0]
        for optimizer in make_both({"L2": 0.01})
    ]
    assert numpy.array_equal(*steps)


def test_a_model_is_changed_in_place_and_its_gradient_becomes_zero() -> None:
    model = Linear(3, 4).initialize()
    weights = model.get_param("W")
    before = weights.copy()
    model.inc_grad("W", numpy.ones((3, 4), dtype="f"))
    model.finish_update(Adam(0.1))
    assert model.get_param("W") is weights and not model.get_grad("W").any()
    assert not numpy.isclose(weights, before).any()


@pytest.mark.parametrize("place", range(5))
def test_arrays_of_different_lengths_are_refused(place: int) -> None:
    arrays = [numpy.ones((4,), dtype="f") for _ in range(5)]
    arrays[place] = numpy.ones((3,), dtype="f")
    with pytest.raises(ValueError, match="numbers for"):
        adam_step(*arrays, max_norm=1.0, beta1=0.9, beta2=0.9, eps=1e-8, step=0.1, decay=0.0,
                  rate=0.1)

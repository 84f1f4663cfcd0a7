"""What is computed from weights is kept until they change, however they change."""

import copy
from collections.abc import Callable

import numpy
import pytest
from thinc.api import Adam, Model

from spacy_arceager.kernels.model_cache import ModelCache, UpdateCount


def build(*, counts: bool) -> Model:
    return Model(
        "layer", lambda model, X, is_train: (X, lambda dY: dY),
        params={"W": numpy.ones(3, dtype="f")}, shims=[UpdateCount()] if counts else [],
    )


def sums(cache: ModelCache[float], model: Model, made: list[float]) -> float:
    """The sum of the weights. `made` gets each that is computed anew."""
    def make() -> float:
        made.append(float(model.get_param("W").sum()))
        return made[-1]

    return cache.get(model, [(model, "W")], make)


def update(model: Model, sgd: Adam) -> None:
    model.inc_grad("W", numpy.ones(3, dtype="f"))
    model.finish_update(sgd)


@pytest.mark.parametrize("counts", [True, False])
def test_every_update_counts(counts: bool) -> None:
    cache: ModelCache[float] = ModelCache()
    model, sgd, made = build(counts=counts), Adam(0.1), []
    for n in range(1, 4):
        assert sums(cache, model, made) == model.get_param("W").sum()
        assert len({*made}) == n
        update(model, sgd)


def test_a_value_is_kept_after_training() -> None:
    cache: ModelCache[float] = ModelCache()
    model, made = build(counts=True), []
    update(model, Adam(0.1))
    for _ in range(3):
        sums(cache, model, made)
    assert model.has_grad("W") and len(made) == 1


def test_averages_change_in_place_between_two_uses() -> None:
    cache: ModelCache[float] = ModelCache()
    model, sgd, made = build(counts=True), Adam(0.1, use_averages=True), []
    for n in range(1, 4):
        update(model, sgd)
        with model.use_params(sgd.averages):
            assert sums(cache, model, made) == model.get_param("W").sum()
        assert sums(cache, model, made) == model.get_param("W").sum()
        assert len(made) == 2 * n


@pytest.mark.parametrize("copied", [
    copy.deepcopy,
    lambda model: model.copy(),
    lambda model: build(counts=True).from_bytes(model.to_bytes()),
], ids=["deepcopy", "copy", "bytes"])
def test_copies_count_their_own_updates(copied: Callable[[Model], Model]) -> None:
    cache: ModelCache[float] = ModelCache()
    model, made = build(counts=True), []
    update(model, Adam(0.1))
    other = copied(model)
    sums(cache, model, made)
    sums(cache, other, made)
    update(other, Adam(0.1))
    assert sums(cache, other, made) == other.get_param("W").sum() != made[0]
    assert sums(cache, model, made) == model.get_param("W").sum()


def test_a_model_saved_without_a_count_loads() -> None:
    loaded = build(counts=True).from_bytes(build(counts=False).to_bytes())
    assert loaded.get_param("W").tolist() == [1, 1, 1]

import numpy
import pytest

from spacy_arceager.evaluation.calibration import (
    GRID,
    bins,
    calibration_error,
    find_temperature,
    log_loss,
)


def test_the_error_is_the_distance_of_confidence_from_accuracy() -> None:
    confidences = [0.95] * 10 + [0.55] * 10
    right = [True] * 9 + [False] + [True] * 2 + [False] * 8
    assert calibration_error(confidences, right) == pytest.approx(0.5 * 0.05 + 0.5 * 0.35)
    low, high = bins(confidences, right)
    assert (low.size, low.accuracy) == (10, 0.2) and high.confidence == pytest.approx(0.95)


def test_certainty_is_in_the_last_bin() -> None:
    assert [one.size for one in bins([0.0, 1.0, 0.99], [False, True, True])] == [1, 2]
    assert calibration_error([0.0, 1.0], [False, True]) == 0


def test_nothing_to_measure() -> None:
    with pytest.raises(ValueError, match="no predictions"):
        calibration_error([], [])


def test_log_loss() -> None:
    assert log_loss([0.5, 0.5], [True, False]) == pytest.approx(numpy.log(2))
    assert numpy.isfinite(log_loss([1.0], [False]))


@pytest.mark.parametrize("truth", [0.5, 1.0, 2.0, 8.0])
def test_the_temperature_of_scores_that_were_made_with_one(truth: float) -> None:
    generator = numpy.random.default_rng(0)
    scores = generator.normal(size=(20000,)) * 4
    right = generator.random(20000) < 1 / (1 + numpy.exp(-scores / truth))

    def loss(temperature: float) -> float:
        return log_loss(1 / (1 + numpy.exp(-scores / temperature)), right)

    assert find_temperature(loss) == pytest.approx(truth, rel=0.2)


def test_the_search_ends_at_the_ends_of_the_grid() -> None:
    assert find_temperature(lambda t: t) == GRID[0]
    assert find_temperature(lambda t: -t) == GRID[-1]

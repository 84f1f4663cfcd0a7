import numpy
import pytest

from spacy_arceager.evaluation.calibration import (
    GRID,
    bins,
    calibration_error,
    describe_error,
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


def test_the_error_is_that_of_ten_bins() -> None:
    assert calibration_error([0.05, 0.095], [True, False]) == pytest.approx(0.5 - 0.0725)


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


def test_the_grid_goes_from_a_quarter_to_sixteen_in_equal_steps() -> None:
    assert (GRID[0], GRID[-1]) == (1 / 4, 16)
    assert numpy.diff(numpy.log2(GRID)) == pytest.approx(1 / 4)


@pytest.mark.parametrize("lowest", [GRID[3], GRID[7], 1.0, GRID[9], GRID[-2]])
def test_the_search_goes_down_to_the_lowest_and_looks_one_step_behind_it(lowest: float) -> None:
    asked = []

    def loss(temperature: float) -> float:
        asked.append(temperature)
        return abs(numpy.log(temperature) - numpy.log(lowest))

    assert find_temperature(loss) == lowest
    places = [GRID.index(temperature) for temperature in asked]
    assert abs(places[-1] - GRID.index(lowest)) == 1
    assert len(asked) == len(set(asked))


def test_an_error_is_said_in_percent() -> None:
    assert describe_error(1.5, [0.9, 0.9], [True, False]) == (
        "Temperature 1.500: expected calibration error 40.00 % over 2 words"
    )


def test_being_certain_of_what_is_wrong_costs_the_log_of_the_tiniest_probability() -> None:
    assert log_loss([0.0], [True]) == pytest.approx(-numpy.log(1e-12))

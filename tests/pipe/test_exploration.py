"""Exploration: how often training follows the parser and not the oracle."""

import copy

import pytest

from spacy_arceager.pipe.exploration import Exploration
from tests.conftest import (
    blank_pipeline,
    get_parser,
    read_corpus,
    train,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


AGGRESSIVE = {"@misc": "arceager.aggressive_exploration.v1", "aggression": 0.5, "margin": 2.0}


@pytest.mark.parametrize(
    "schedule", [0.5, {"@schedules": "constant.v1", "rate": 0.5}, AGGRESSIVE]
)
def test_exploration_is_a_number_or_a_schedule(schedule: object) -> None:
    nlp = blank_pipeline(exploration=schedule)
    losses = train(nlp, read_corpus(nlp, "en_small-dev.conllu"), epochs=2)
    assert losses[1] < losses[0]


def test_a_copied_parser_keeps_the_exploration_of_the_last_update() -> None:
    schedule = {"@schedules": "compounding.v1", "start": 0.1, "stop": 1.0, "compound": 2.0}
    parser = get_parser(blank_pipeline(exploration=schedule))
    rates = [parser.exploration.rate_at(update) for update in (0, 0, 1)]
    assert rates == pytest.approx([0.1, 0.1, 0.2])
    assert copy.deepcopy(parser).exploration.rate_at(0) == pytest.approx(0.2)
    assert parser.exploration.rate_at(2) == pytest.approx(0.4)


def test_a_schedule_counts_updates_and_begins_again_with_the_training() -> None:
    schedule = {"@schedules": "compounding.v1", "start": 0.1, "stop": 1.0, "compound": 2.0}
    nlp = blank_pipeline(exploration=schedule)
    parser, examples = get_parser(nlp), read_corpus(nlp, "en_small-dev.conllu")
    for _ in range(2):
        found = []
        optimizer = nlp.initialize(lambda: examples)
        for batch in range(4):      # two to an update
            nlp.update(examples[:4], sgd=optimizer if batch % 2 else False)
            found.append(parser.exploration._last)
        assert found == pytest.approx([0.1, 0.1, 0.2, 0.2])


def test_aggressive_exploration_trains_otherwise_and_is_copied() -> None:
    examples = read_corpus(blank_pipeline(), "en_small-dev.conllu")
    assert train(blank_pipeline(exploration=AGGRESSIVE), examples, epochs=2) != train(
        blank_pipeline(exploration=1.0), examples, epochs=2
    )
    parser = copy.deepcopy(get_parser(blank_pipeline(exploration=AGGRESSIVE)))
    assert (parser.exploration.aggression, parser.exploration.margin) == (0.5, 2.0)
    assert parser.exploration.rate_at(5) == 1.0


@pytest.mark.parametrize("rate", [-1, 1.5, float("nan"), "0.5", None, [0.5]])
def test_exploration_is_a_share(rate: object) -> None:
    with pytest.raises(ValueError, match="exploration="):
        Exploration(rate)
    with pytest.raises(ValueError, match="aggression="):
        Exploration(1.0, rate)


def test_a_margin_is_not_negative() -> None:
    with pytest.raises(ValueError, match=r"margin=-1\.0"):
        Exploration(1.0, 0.1, -1.0)


def test_a_copy_made_before_the_first_update_has_the_first_rate_of_a_schedule() -> None:
    exploration = Exploration(iter([0.3, 0.5]))
    assert copy.deepcopy(exploration).rate_at(1) == 0.3
    assert [exploration.rate_at(update) for update in (0, 1, 2)] == [0.3, 0.5, 0.5]
    assert copy.deepcopy(exploration).rate_at(0) == 0.5

"""Outcomes by word and the tests of significance, held against their definitions."""

from itertools import product
from math import comb
from pathlib import Path

import numpy
import pytest
import spacy
import srsly
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from spacy.tokens import Doc
from spacy.training import Example
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.evaluation.outcomes import (
    DifferentWordsError,
    Outcomes,
    count_by_sentence,
    find_outcomes,
)
from spacy_arceager.evaluation.scorer import parser_score
from spacy_arceager.evaluation.significance import (
    TTest,
    bootstrap,
    compare,
    mcnemar,
    over_seeds_and_sentences,
    over_treebanks,
    randomization,
    seed_variance,
    wilcoxon,
)

VOCAB = spacy.blank("xx").vocab
DATA = Path(__file__).parents[1] / "data"


def doc(heads: list[int], labels: list[str], starts: list[bool]) -> Doc:
    words = [f"w{i}" for i in range(len(heads))]
    return Doc(VOCAB, words, heads=heads, deps=labels, sent_starts=starts)


STARTS = [True, False, False, True, False]
GOLD = doc([1, 1, 1, 4, 4], ["nsubj:pass", "ROOT", "obj", "det", "ROOT"], STARTS)
PARSED = doc([1, 1, 0, 4, 4], ["nsubj", "ROOT", "obj", "amod", "ROOT"], STARTS)


def outcomes(right: list[int], sentence: list[int]) -> Outcomes:
    return Outcomes(numpy.asarray(right, dtype=bool), numpy.asarray(sentence))


@pytest.mark.parametrize(("measure", "right"), [
    ("uas", [1, 1, 0, 1, 1]), ("las", [1, 1, 0, 0, 1]), ("las_full", [0, 1, 0, 0, 1]),
])
def test_outcomes_are_those_of_the_scorer(measure: str, right: list[int]) -> None:
    example = Example(PARSED, GOLD)
    found = find_outcomes([example], measure)
    assert found.right.astype(int).tolist() == right
    assert found.sentence.tolist() == [0, 0, 0, 1, 1]
    key = {"uas": "dep_uas_ud", "las": "dep_las_ud", "las_full": "dep_las_full"}[measure]
    assert found.accuracy == pytest.approx(parser_score([example])[key])


def test_unknown_measure() -> None:
    with pytest.raises(ValueError, match="measure='f1' is unknown"):
        find_outcomes([], "f1")


@given(gains=st.lists(st.integers(-9, 9), min_size=1, max_size=9))
def test_randomization_is_the_share_of_all_signs_with_a_sum_as_far_from_none(
    gains: list[int],
) -> None:
    totals = [sum(s * g for s, g in zip(signs, gains, strict=True))
              for signs in product((1, -1), repeat=len(gains))]
    expected = sum(abs(total) >= abs(sum(gains)) for total in totals) / len(totals)
    assert randomization(numpy.asarray(gains)) == pytest.approx(expected)


def test_randomization_of_many_sentences_finds_a_real_difference_and_no_other() -> None:
    noise = numpy.random.default_rng(1).integers(-2, 3, 1000)
    noise[0] -= noise.sum()
    assert randomization(noise) == pytest.approx(1.0)
    better = noise + (numpy.arange(1000) % 3 == 0)
    assert 0 <= randomization(better) < 0.001
    # The p is close to that of the normal distribution with the same variance.
    z = better.sum() / (better @ better) ** 0.5
    assert randomization(better) == pytest.approx(2 * stats.norm.sf(z), rel=0.3)


def test_randomization_does_not_depend_on_the_unit_of_the_gains() -> None:
    gains = numpy.random.default_rng(3).integers(-4, 6, 60)
    assert randomization(6 * gains) == pytest.approx(randomization(gains))


# The test over seeds and sentences, on two parsers that are equally good. How well a parser does on
# a sentence is drawn at random for each system, and for each of its seeds.


def right_words(
    generator: numpy.random.Generator, chances: numpy.ndarray, sizes: numpy.ndarray, n_seeds: int,
    luck: float,
) -> numpy.ndarray:
    """(n_seeds, n_sentences) right words of a system; luck: standard deviation of its seeds."""
    own = chances + generator.normal(0, 0.05, len(sizes))
    own = own + generator.normal(0, luck, (n_seeds, 1)) + generator.normal(0, 0.05, own.shape)
    return generator.binomial(sizes, own.clip(0, 1))


def found_differences(
    n_seeds: int, luck: float, better: float = 0.0, n: int = 400
) -> tuple[float, float]:
    """How often p < .05 by the test over seeds and sentences, and by randomization by sentence."""
    generator = numpy.random.default_rng(n_seeds)
    over_both = fixed = 0
    for _ in range(n):
        sizes, chances = generator.integers(5, 30, 200), generator.uniform(0.5, 0.95, 200)
        first = right_words(generator, chances + better, sizes, n_seeds, luck)
        second = right_words(generator, chances, sizes, n_seeds, luck)
        over_both += over_seeds_and_sentences(first, second, sizes).p < 0.05
        fixed += randomization(first.sum(axis=0) - second.sum(axis=0)) < 0.05
    return over_both / n, fixed / n


@pytest.mark.parametrize("n_seeds", [3, 6])
def test_of_parsers_that_differ_by_luck_alone_one_in_twenty_seems_better(n_seeds: int) -> None:
    over_both, fixed = found_differences(n_seeds, luck=0.02)
    assert 0.02 < over_both < 0.09
    assert fixed > 0.15      # it does not know that the next seed would be another


@pytest.mark.parametrize("n_seeds", [3, 6])
def test_without_luck_of_the_seeds_both_tests_hold_their_level(n_seeds: int) -> None:
    over_both, fixed = found_differences(n_seeds, luck=0.0)
    assert 0.01 < over_both < 0.09 and 0.02 < fixed < 0.09


def test_a_parser_that_is_better_is_found_to_be() -> None:
    assert found_differences(3, luck=0.003, better=0.05, n=100)[0] > 0.9


def test_the_same_weights_are_compared_pair_by_pair() -> None:
    """The luck of a seed, which two searches share, is no reason to doubt their difference."""
    generator = numpy.random.default_rng(4)
    sizes = numpy.full(300, 20)
    second = right_words(generator, numpy.full(300, 0.7), sizes, 3, luck=0.05)
    first = second + generator.binomial(sizes - second, 0.02)
    apart, paired = (
        over_seeds_and_sentences(first, second, sizes, same) for same in (False, True)
    )
    assert paired.difference == apart.difference > 0
    assert paired.p < 0.001 < 0.05 < apart.p


def test_the_luck_of_a_seed_in_single_sentences_is_told_from_its_luck_in_all() -> None:
    sizes = numpy.array([2, 2])
    assert seed_variance(numpy.array([[2, 0], [1, 1]]), sizes) == (0.0, 1 / 4**2 / 2, 1)
    assert seed_variance(numpy.array([[2, 2], [1, 1]]), sizes) == (0.125 / 2, 0.0, 1)


@pytest.mark.parametrize(("freedom", "quantile"), [(numpy.inf, 1.960), (4, 2.776)])
def test_the_interval_of_the_t_test(freedom: float, quantile: float) -> None:
    low, high = TTest(0.1, 0.02, freedom).interval
    assert (low, high) == pytest.approx((0.1 - quantile * 0.02, 0.1 + quantile * 0.02), abs=1e-5)
    assert TTest(0.02 * quantile, 0.02, freedom).p == pytest.approx(0.05, abs=1e-4)


def test_the_mean_over_treebanks_of_parsers_that_differ_by_luck_alone() -> None:
    """One in twenty seems better, where the treebanks have different sizes and lucks."""
    generator, found = numpy.random.default_rng(5), []
    for _ in range(400):
        tests = []
        for n, luck in ((200, 0.005), (40, 0.02), (100, 0.01)):
            sizes, chances = generator.integers(5, 30, n), generator.uniform(0.5, 0.95, n)
            sides = [right_words(generator, chances, sizes, 6, luck) for _ in range(2)]
            tests.append(over_seeds_and_sentences(*sides, sizes))
        found.append(over_treebanks(tests).p < 0.05)
    assert 0.02 < numpy.mean(found) < 0.09


def test_the_mean_of_equal_treebanks_is_as_sure_as_twice_the_sentences() -> None:
    one = TTest(0.1, 0.02, 10)
    found = over_treebanks([one, one])
    assert (found.difference, found.error, found.freedom) == pytest.approx((0.1, 0.02 / 2**0.5, 20))
    assert over_treebanks([TTest(0.0, 0.0, numpy.inf)]).p == 1.0


def test_what_the_t_test_says_of_parsers_that_do_not_differ_at_all() -> None:
    same = numpy.array([[1, 2], [2, 1]])
    found = over_seeds_and_sentences(same, same, numpy.array([3, 3]), same_weights=True)
    assert found.p == 1.0 and found.interval == (0.0, 0.0)


@given(only_first=st.integers(0, 12), only_second=st.integers(0, 12))
def test_mcnemar_is_the_binomial_of_the_discordant_words(only_first: int, only_second: int) -> None:
    first = [1] * only_first + [0] * only_second + [1, 0]
    second = [0] * only_first + [1] * only_second + [1, 0]
    n = only_first + only_second
    tail = sum(comb(n, k) for k in range(min(only_first, only_second) + 1)) / 2**n
    p = mcnemar(outcomes(first, [0] * len(first)), outcomes(second, [0] * len(second)))
    assert p == pytest.approx(min(1.0, 2 * tail))


@pytest.mark.parametrize("n", range(1, 9))
def test_wilcoxon_is_asked_where_it_can_be_significant(n: int) -> None:
    runs = [outcomes([1] * (20 + i) + [0] * (20 - i), [0] * 40) for i in range(n)]
    least = wilcoxon([1 + i / 100 for i in range(n)], [0.0] * n)
    assert least == pytest.approx(2 / 2**n)
    assert (compare(runs, runs).wilcoxon is not None) == (least < 0.05)


@pytest.mark.parametrize("seed", range(20))
def test_wilcoxon_takes_equal_gains_as_ties(seed: int) -> None:
    base = numpy.random.default_rng(seed).integers(200, 250, 7)
    gains = numpy.array([3, 3, -3, 3, 3, 3, 0])
    expected = stats.wilcoxon(gains).pvalue
    assert wilcoxon([*((base + gains) / 267)], [*(base / 267)]) == expected


def test_wilcoxon_of_equal_parsers() -> None:
    assert wilcoxon([1.0] * 6, [1.0] * 6) == 1.0


def test_bootstrap_holds_the_difference() -> None:
    generator = numpy.random.default_rng(2)
    gains, sizes = generator.integers(-1, 3, 400).astype(float), numpy.full(400, 10)
    difference, error = gains.mean() / 10, gains.std() / 10 / 400**0.5
    ends = (difference - 1.96 * error, difference + 1.96 * error)
    assert bootstrap(gains, sizes) == pytest.approx(ends, abs=0.1 * error)


def test_several_trainings_are_pooled_by_sentence() -> None:
    sentence = [0, 0, 1, 1]
    first = [outcomes([1, 1, 1, 0], sentence), outcomes([1, 1, 1, 1], sentence)]
    second = [outcomes([1, 0, 0, 0], sentence), outcomes([0, 0, 1, 1], sentence)]
    result = compare(first, second)
    assert result.first == [0.75, 1.0]
    assert result.difference == pytest.approx(0.875 - 0.375)
    assert result.p == result.seeds_and_sentences != result.randomization
    assert result.low < result.difference < result.high
    assert result.mcnemar is None
    assert result.wilcoxon is None
    assert count_by_sentence(first[0]).tolist() == [2, 1]


def test_parses_of_different_texts_are_refused() -> None:
    with pytest.raises(DifferentWordsError, match="5 words in 2 sentences, and 3 in 1"):
        compare([outcomes([1] * 5, [0, 0, 0, 1, 1])], [outcomes([1] * 3, [0, 0, 0])])


def test_one_sentence_shows_nothing() -> None:
    good, bad = (Outcomes(numpy.array([True, right]), numpy.array([0, 0])) for right in (1, 0))
    found = compare([good], [bad])
    assert found.seeds_and_sentences is None
    assert found.p == found.randomization == 1.0
    assert found.low == found.high == found.difference == 0.5


def test_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="no annotated words"):
        compare([outcomes([], [])], [outcomes([], [])])


def test_command_compares_a_pipeline_with_a_file(saved: str, tmp_path: Path) -> None:
    gold = DATA / "en_small-dev.conllu"
    report = tmp_path / "report.json"
    result = CliRunner().invoke(
        app, ["compare", str(gold), saved, str(gold), "--output", str(report)]
    )
    assert result.exit_code == 0, result.output
    assert "las of A: 100.00" in result.stdout
    saved = srsly.read_json(report)
    assert saved["difference"] == pytest.approx(1 - saved["second"][0])
    assert saved["randomization"] < 0.05
    assert saved["mcnemar"] < 0.05


def test_command_refuses_other_texts(saved: str, tmp_path: Path) -> None:
    gold = DATA / "en_small-dev.conllu"
    part = tmp_path / "part.conllu"
    part.write_text(gold.read_text(encoding="utf8").split("\n\n")[0] + "\n\n", encoding="utf8")
    result = CliRunner().invoke(app, ["compare", str(part), saved, str(gold)])
    assert result.exit_code == 1
    assert "are different texts" in result.stderr


def test_command_says_why_a_report_cannot_be_written(saved: str, tmp_path: Path) -> None:
    gold = str(DATA / "en_small-dev.conllu")
    for output in (tmp_path, tmp_path / "missing" / "report.json"):
        result = CliRunner().invoke(app, ["compare", gold, saved, gold, "--output", str(output)])
        assert result.exit_code == 1
        assert "Cannot write the output." in result.stderr


def test_unequal_numbers_of_trainings_have_no_pairs() -> None:
    generator = numpy.random.default_rng(0)
    sentence = [0, 0, 1, 1, 2, 2]
    trainings = [outcomes(generator.integers(0, 2, 6).tolist(), sentence) for _ in range(17)]
    assert compare(trainings[:8], trainings[8:]).wilcoxon is None
    result = compare(trainings[:8], trainings[8:16])
    assert result.wilcoxon == wilcoxon(result.first, result.second)
    # McNemar's test compares one training of each parser.
    assert compare(trainings[:1], trainings[1:2]).mcnemar is not None
    assert compare(trainings[:1], trainings[1:3]).mcnemar is None


def test_the_variance_over_sentences_alone() -> None:
    found = over_seeds_and_sentences(
        numpy.array([[3, 1]]), numpy.array([[1, 2]]), numpy.array([4, 4])
    )
    # The gains 2 and -1 are 1.5 from their mean: twice 1.5 ** 2 by one degree of freedom.
    assert (found.difference, found.freedom) == pytest.approx((1 / 8, 1))
    assert found.error == pytest.approx((2 * 2 * 1.5**2) ** 0.5 / 8)


@pytest.mark.parametrize("worse", [([0, 0], [1, 0]), ([0, 0], [0, 0]), ([0, 0],)])
def test_several_trainings_on_one_sentence_show_nothing_of_other_sentences(
    worse: tuple[list[int], ...]
) -> None:
    first, second = ([outcomes(right, [0, 0]) for right in side] for side in (
        ([1, 1], [1, 1]), worse
    ))
    found = compare(first, second)
    assert found.seeds_and_sentences is found.mcnemar is None
    assert found.p == found.randomization == 1.0
    assert found.low == found.high == found.difference


def test_seeds_that_differ_less_than_by_chance_take_no_variance_away() -> None:
    lucky, same = numpy.array([[2, 0], [1, 1]]), numpy.array([[1, 1], [1, 1]])
    found = over_seeds_and_sentences(lucky, same, numpy.array([2, 2]))
    assert (found.difference, found.error) == (0.0, (2 * 2 * 0.5**2) ** 0.5 / 4)


def test_seeds_that_vary_in_single_sentences_alone_are_no_certainty() -> None:
    first, second = numpy.array([[2, 0], [0, 2]]), numpy.array([[0, 0]])
    found = over_seeds_and_sentences(first, second, numpy.array([2, 2]))
    low, high = found.interval
    assert low < 0 < found.difference < high and found.p > 0.05


def test_two_trainings_show_how_seeds_differ() -> None:
    first, second = numpy.array([[4, 4], [2, 2]]), numpy.array([[2, 2]])
    found = over_seeds_and_sentences(first, second, numpy.array([4, 4]))
    # Both sentences gain as much, so the accuracies 1 and 0.5 of A's seeds are all that varies.
    assert (found.difference, found.freedom) == pytest.approx((0.25, 1))
    assert found.error == pytest.approx((0.125 / 2) ** 0.5)

"""Whether one parser is better than another, or only luckier. This module needs scipy.

- Randomization by sentence (Noreen 1989; Yeh 2000) is the test of Nivre and Fernández-González
  (2014, §4). It takes the trainings as they are, and says nothing about other seeds.
- A t test over seeds and sentences is for parsers that were trained several times. It treats both
  seeds and sentences as drawn at random, as studies of medical diagnosis treat readers and cases
  (Obuchowski and Rockette 1995; degrees of freedom by Satterthwaite 1946).
- McNemar's exact test by word is the test of de Lhoneux et al. (2017, §4).
- Wilcoxon's signed-rank test over trainings with several seeds is the test of Honnibal et al.
  (2013, §7).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray
from scipy import stats

from .outcomes import Outcomes, check_same_words, count_by_sentence, count_words

LEVEL = 0.05
RESAMPLES = 9999    # of the bootstrap

# Wilcoxon's test needs so many trainings of each parser. The least p that n pairs can give is
# 2 / 2 ** n, which is .0625 for five pairs and .03125 for six.
MIN_PAIRS = 6

Counts = NDArray[numpy.int64]


@dataclass(frozen=True)
class Comparison:
    """Parser A compared with parser B over the same gold words. All p values are two-sided.

    Attributes:
        first: accuracy (0 to 1) of each training of A.
        second: accuracy of each training of B.
        difference: mean accuracy of A minus mean accuracy of B.
        low: lower end of the 95 % interval of the difference. It comes from the t test over seeds
            and sentences, or from a bootstrap over sentences where that test is not done.
        high: upper end of this interval.
        randomization: p of randomization by sentence, which holds the trainings fixed.
        seeds_and_sentences: p of the t test over seeds and sentences; None for one training each,
            or one sentence, from which nothing is known about others.
        mcnemar: p of McNemar's test; None for several trainings, whose words are not independent.
        wilcoxon: p of Wilcoxon's test over pairs of trainings; None for fewer than MIN_PAIRS pairs,
            which can never be significant at .05.
    """

    first: list[float]
    second: list[float]
    difference: float
    low: float
    high: float
    randomization: float
    seeds_and_sentences: float | None
    mcnemar: float | None
    wilcoxon: float | None

    @property
    def p(self) -> float:
        """The p to report: that of the t test where there are several trainings."""
        return self.randomization if self.seeds_and_sentences is None else self.seeds_and_sentences


@dataclass(frozen=True)
class TTest:
    """A difference, its standard error, and the degrees of freedom of this error."""

    difference: float
    error: float
    freedom: float

    @property
    def p(self) -> float:
        """The two-sided p of the difference."""
        if not self.error:
            return float(not self.difference)
        return float(2 * stats.t.sf(abs(self.difference) / self.error, self.freedom))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference."""
        reach = self.error and self.error * float(stats.t.ppf(1 - LEVEL / 2, self.freedom))
        return self.difference - reach, self.difference + reach


def compare(
    first: Sequence[Outcomes], second: Sequence[Outcomes], seed: int = 0, same_weights: bool = False
) -> Comparison:
    """Compare two parsers, each by one training or more.

    Args:
        first: the outcomes of each training of A, on one treebank.
        second: the outcomes of each training of B, on the same treebank.
        seed: seed of the bootstrap.
        same_weights: whether training i of A and training i of B have the same weights, which were
            only searched in two ways.

    Raises:
        DifferentWordsError: Where the texts differ.
        ValueError: Where the treebank has no annotated words.
    """
    one, other, sizes = count_right(first, second)
    accuracies = [[outcomes.accuracy for outcomes in side] for side in (first, second)]
    n_pairs = len(one) * len(other)
    gains = one.sum(axis=0) * len(other) - other.sum(axis=0) * len(one)     # of all pairs
    both = None
    if n_pairs == 1 or len(sizes) == 1:
        low, high = bootstrap(gains, n_pairs * sizes, seed)
    else:
        both = over_seeds_and_sentences(one, other, sizes, same_weights)
        low, high = both.interval
    return Comparison(
        first=accuracies[0],
        second=accuracies[1],
        difference=float(gains.sum() / (n_pairs * sizes.sum())),
        low=low,
        high=high,
        randomization=randomization(gains),
        seeds_and_sentences=both.p if both else None,
        mcnemar=mcnemar(first[0], second[0]) if n_pairs == 1 else None,
        wilcoxon=wilcoxon(*accuracies) if len(first) == len(second) >= MIN_PAIRS else None,
    )


def count_right(
    first: Sequence[Outcomes], second: Sequence[Outcomes]
) -> tuple[Counts, Counts, Counts]:
    """The right words of each training of A and of B, and all words, by sentence.

    Args:
        first: as for `compare`, and `second` too; it raises what `compare` does.

    Returns:
        Two arrays (n_trainings, n_sentences), and one (n_sentences,).
    """
    for outcomes in (*first, *second):
        check_same_words(first[0], outcomes)
    if not first[0].right.size:
        raise ValueError("There are no annotated words to compare parsers on")
    one, other = (numpy.stack([count_by_sentence(run) for run in side]) for side in (first, second))
    return one, other, count_words(first[0])


def randomization(gains: Counts) -> float:
    """The exact two-sided p of randomization by sentence (Yeh 2000).

    Under the null hypothesis the two parses of a sentence could as well be swapped, which turns the
    sign of its gain. The p is the share of all choices of signs for which the sum of the gains is
    at least as far from 0 as the observed sum. The distribution of the sum follows from its
    characteristic function, a product of cosines (Pagano and Tritchler 1983), so nothing is
    resampled.

    Args:
        gains: (n_sentences,) right words of A minus right words of B, or a multiple of that.
    """
    gains = gains // max(1, numpy.gcd.reduce(gains))
    values, numbers = numpy.unique(numpy.abs(gains), return_counts=True)
    total = abs(int(gains.sum()))
    n_sums = 1 << int(2 * (values @ numbers)).bit_length()
    angles = 2 * numpy.pi / n_sums * numpy.arange(n_sums // 2 + 1)
    transformed = numpy.ones(len(angles))
    for value, number in zip(values, numbers, strict=True):
        transformed *= numpy.cos(value * angles) ** number
    shares = numpy.fft.irfft(transformed, n_sums)    # of the sums 0, 1, ...; -1 is as likely as 1
    nearer = shares[0] + 2 * shares[1:total].sum() if total else 0.0
    return float(numpy.clip(1 - nearer, 0.0, 1.0))


def over_seeds_and_sentences(
    first: Counts, second: Counts, sizes: Counts, same_weights: bool = False
) -> TTest:
    """A t test of two parsers whose seeds and sentences are both drawn at random.

    The variance of the difference has two parts: the gains differ from sentence to sentence, and
    the accuracies differ from seed to seed. What a seed happens to get right in a single sentence
    is in both parts, so it is subtracted from the second. If a parser has only one training, its
    seed adds no variance.

    Args:
        first: (n_trainings, n_sentences) right words of A.
        second: (n_trainings, n_sentences) right words of B; with `same_weights`, training i has
            the weights of training i of A.
        sizes: (n_sentences,) words of each sentence.
        same_weights: see `compare`.
    """
    n_words = int(sizes.sum())
    difference = float((first.mean(axis=0) - second.mean(axis=0)).sum() / n_words)
    gains = first.mean(axis=0) - second.mean(axis=0) - difference * sizes
    n = len(sizes)
    sentences = n / max(1, n - 1) * float(gains @ gains) / n_words**2
    sides = [first - second] if same_weights else [first, second]
    seeds = [seed_variance(side, sizes) for side in sides if len(side) > 1]
    chance = sum(of_sentences for _, of_sentences, _ in seeds)
    # The gains of few sentences may vary less than their seeds by chance.
    sentences = max(sentences, chance)
    variance = sentences + max(0.0, sum(of_seeds for of_seeds, _, _ in seeds) - chance)
    parts = [(sentences, n - 1), *((of_seeds, freedom) for of_seeds, _, freedom in seeds)]
    return TTest(difference, variance**0.5, degrees_of_freedom(variance, parts))


def over_treebanks(tests: Sequence[TTest]) -> TTest:
    """A t test of the mean of the differences on several treebanks.

    No two treebanks share a training or a sentence, so the variances add.
    """
    n = len(tests)
    parts = [(test.error**2, test.freedom) for test in tests]
    variance = sum(part for part, _ in parts)
    return TTest(
        sum(test.difference for test in tests) / n, variance**0.5 / n,
        degrees_of_freedom(variance, parts),
    )


def degrees_of_freedom(variance: float, parts: Sequence[tuple[float, float]]) -> float:
    """Those of a variance that is made of parts with degrees of their own (Satterthwaite 1946)."""
    spread = sum(part**2 / freedom for part, freedom in parts if freedom)
    return variance**2 / spread if spread else numpy.inf


def seed_variance(counts: Counts, sizes: Counts) -> tuple[float, float, int]:
    """The variance of a mean accuracy over seeds, and its degrees of freedom.

    Args:
        counts: (n_trainings, n_sentences) right words.
        sizes: (n_sentences,) words.

    Returns:
        The variance of the mean over the seeds; the part of it that comes from single sentences, in
        which one seed is luckier than another; the degrees of freedom.
    """
    n, n_words = len(counts), sizes.sum()
    accuracies = counts.sum(axis=1) / n_words
    rest = counts - accuracies[:, None] * sizes
    return (
        float(accuracies.var(ddof=1)) / n,
        float(rest.var(axis=0, ddof=1).sum()) / n_words**2 / n,
        n - 1,
    )


def bootstrap(gains: Counts, sizes: Counts, seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of the difference in accuracy, by a bootstrap over sentences.

    Args:
        gains: (n_sentences,) right words of A minus right words of B.
        sizes: (n_sentences,) words of each sentence.
    """
    generator = numpy.random.default_rng(seed)
    n = gains.size
    differences = numpy.empty(RESAMPLES)
    for i in range(RESAMPLES):
        weights = numpy.bincount(generator.integers(0, n, n), minlength=n)
        differences[i] = (weights @ gains) / (weights @ sizes)
    low, high = numpy.quantile(differences, [LEVEL / 2, 1 - LEVEL / 2])
    return float(low), float(high)


def mcnemar(first: Outcomes, second: Outcomes) -> float:
    """The two-sided p of McNemar's exact test over the words that only one parser got right."""
    only_first = int((first.right & ~second.right).sum())
    only_second = int((second.right & ~first.right).sum())
    if not only_first + only_second:
        return 1.0
    return float(stats.binomtest(only_first, only_first + only_second).pvalue)


def wilcoxon(first: Sequence[float], second: Sequence[float]) -> float:
    """The two-sided p of Wilcoxon's test over accuracies of A and B that are paired by seed."""
    # Equal differences of shares differ in their last digits, and would not be ties.
    differences = numpy.round(numpy.subtract(first, second), 12)
    return float(stats.wilcoxon(differences).pvalue) if differences.any() else 1.0

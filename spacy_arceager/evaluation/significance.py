"""Whether one parser is better than another, or only luckier. Needs scipy.

- Approximate randomization by sentence (Noreen 1989; Yeh 2000), the test of Nivre and
  Fernández-González (2014, §4).
- McNemar's test by word, exact, the test of de Lhoneux et al. (2017, §4).
- Wilcoxon's signed-rank test over trainings with several seeds, the test of Honnibal et al.
  (2013, §7).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature

import numpy
from numpy.typing import NDArray

from .outcomes import Outcomes, check_same_words, count_by_sentence, count_sentences

RESAMPLES = 9999

MIN_PAIRS = 5    # of trainings, for Wilcoxon's test: fewer can never be significant at .05


@dataclass(frozen=True)
class Comparison:
    """Parser A beside parser B, over the same gold words; accuracies are from 0 to 1.

    Attributes:
        first: accuracy of each training of A.
        second: of B.
        difference: mean accuracy of A minus that of B.
        low: the lower end of its 95 % interval, by a bootstrap over sentences.
        high: the upper end.
        randomization: p of approximate randomization by sentence, two-sided.
        mcnemar: p of McNemar's test, two-sided; None for several trainings, whose words are not
            independent.
        wilcoxon: p of Wilcoxon's test over pairs of trainings, two-sided; None for fewer than five
            pairs, which can never be significant at .05.
    """

    first: list[float]
    second: list[float]
    difference: float
    low: float
    high: float
    randomization: float
    mcnemar: float | None
    wilcoxon: float | None


def compare(first: Sequence[Outcomes], second: Sequence[Outcomes], seed: int = 0) -> Comparison:
    """Compare two parsers, each by one training or more.

    Args:
        first: the outcomes of each training of A, on one treebank.
        second: of B.
        seed: of the resampling.

    Raises:
        DifferentWordsError: Where the texts differ.
        ValueError: Where one has no words.
    """
    for outcomes in (*first, *second):
        check_same_words(first[0], outcomes)
    if not first[0].right.size:
        raise ValueError("There are no annotated words to compare parsers on")
    gains = mean_counts(first) - mean_counts(second)
    sizes = numpy.bincount(first[0].sentence, minlength=count_sentences(first[0]))
    low, high = interval(gains, sizes, seed)
    accuracies = [[outcomes.accuracy for outcomes in side] for side in (first, second)]
    single = len(first) == len(second) == 1
    return Comparison(
        first=accuracies[0],
        second=accuracies[1],
        difference=float(gains.sum() / sizes.sum()),
        low=low,
        high=high,
        randomization=randomization(gains, seed),
        mcnemar=mcnemar(first[0], second[0]) if single else None,
        wilcoxon=wilcoxon(*accuracies) if len(first) == len(second) >= MIN_PAIRS else None,
    )


def mean_counts(trainings: Sequence[Outcomes]) -> NDArray[numpy.float64]:
    """Right words of each sentence, in the mean of the trainings: (n_sentences,)."""
    return numpy.mean([count_by_sentence(outcomes) for outcomes in trainings], axis=0)


def randomization(gains: NDArray[numpy.float64], seed: int = 0) -> float:
    """The p, two-sided, of approximate randomization (Yeh 2000).

    Args:
        gains: (n_sentences,) right words of A minus those of B. Under the null hypothesis each
            sentence's parses could as well be swapped, which turns its sign.
    """
    from scipy.stats import permutation_test

    if gains.size == 1:
        return 1.0      # turned or not, it is as far from none

    def total(values: NDArray[numpy.float64], axis: int) -> NDArray[numpy.float64]:
        return values.sum(axis=axis)

    result = permutation_test(
        (gains,), total, permutation_type="samples", vectorized=True, n_resamples=RESAMPLES,
        batch=100, **{_random_argument(permutation_test): numpy.random.default_rng(seed)},
    )
    return float(result.pvalue)


def _random_argument(test: Callable) -> str:
    """What a test of scipy calls its source of random numbers: scipy 1.15 gave it another name."""
    return "rng" if "rng" in signature(test).parameters else "random_state"


def interval(
    gains: NDArray[numpy.float64], sizes: NDArray[numpy.int64], seed: int = 0
) -> tuple[float, float]:
    """The 95 % interval of the difference in accuracy, by a bootstrap over sentences.

    Args:
        gains: as in `randomization`.
        sizes: (n_sentences,) words of each sentence.
    """
    generator = numpy.random.default_rng(seed)
    n = gains.size
    differences = numpy.empty(RESAMPLES)
    for i in range(RESAMPLES):
        weights = numpy.bincount(generator.integers(0, n, n), minlength=n)
        differences[i] = (weights @ gains) / (weights @ sizes)
    low, high = numpy.quantile(differences, [0.025, 0.975])
    return float(low), float(high)


def mcnemar(first: Outcomes, second: Outcomes) -> float:
    """The p, two-sided, of McNemar's exact test over words that one of two got right."""
    from scipy.stats import binomtest

    only_first = int((first.right & ~second.right).sum())
    only_second = int((second.right & ~first.right).sum())
    if not only_first + only_second:
        return 1.0
    return float(binomtest(only_first, only_first + only_second).pvalue)


def wilcoxon(first: Sequence[float], second: Sequence[float]) -> float:
    """The p, two-sided, of Wilcoxon's test; accuracies of A and B, paired by seed."""
    from scipy.stats import wilcoxon as signed_rank

    differences = numpy.subtract(first, second)
    return float(signed_rank(differences).pvalue) if differences.any() else 1.0

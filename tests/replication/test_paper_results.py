"""What the papers' tables are made of: outcomes of several treebanks, and shares of fragments."""

from dataclasses import asdict
from statistics import mean
from types import SimpleNamespace
from typing import NamedTuple

import numpy
import pytest

from replication.paper_results import Results, find_p, fragments_table, join_outcomes
from spacy_arceager.evaluation.fragments import Fragments
from spacy_arceager.evaluation.outcomes import Outcomes


def test_outcomes_of_two_treebanks_are_joined() -> None:
    parts = [
        Outcomes(numpy.array(right, dtype=bool), numpy.array(sentence, dtype=int))
        for right, sentence in (([1, 0], [0, 1]), ([], []), ([0, 1, 1], [0, 0, 1]))
    ]
    joined = join_outcomes(parts)
    assert joined.right.astype(int).tolist() == [1, 0, 0, 1, 1]
    assert joined.sentence.tolist() == [0, 1, 2, 2, 3]


class Trained(NamedTuple):
    """A training whose outcomes and scores are at hand."""

    name: str
    treebank: SimpleNamespace
    seed: int
    words: list[int]

    def outcomes(self, _measure: str) -> Outcomes:
        """Each word a sentence of its own."""
        return Outcomes(numpy.array(self.words, dtype=bool), numpy.arange(len(self.words)))

    def read(self, _file: str) -> dict[str, float]:
        return {"dep_uas_ud": sum(self.words) / len(self.words), "dep_exact": self.words[0]}


def make_results(test: str, n_seeds: int) -> Results:
    """A large treebank on which "new" is worse, and a small one on which it is better by more."""
    banks = [SimpleNamespace(name="large"), SimpleNamespace(name="small")]
    words = {
        ("old", "large"): [1] * 80 + [0] * 20, ("new", "large"): [0] * 10 + [1] * 70 + [0] * 20,
        ("old", "small"): [1] * 4 + [0] * 16, ("new", "small"): [1] * 18 + [0] * 2,
    }
    trainings = [
        Trained(name, bank, seed, [1 - words[name, bank.name][0], *words[name, bank.name][1:]]
                if seed % 2 else words[name, bank.name])
        for seed in range(n_seeds) for name in ("old", "new") for bank in banks
    ]
    return Results({"test": test}, {"old": {}, "new": {}}, banks, trainings)    # type: ignore[arg-type]


@pytest.mark.parametrize("n_seeds", [1, 6])
def test_the_mean_over_treebanks_is_what_is_tested(n_seeds: int) -> None:
    """Of all words together as many are right in both."""
    results = make_results("randomization", n_seeds)
    gain = [mean(results.scores(model, results.treebanks, "dep_uas_ud"))
            for model in ("new", "old")]
    assert gain[0] - gain[1] > 0.25
    p = find_p(results, ("new", "old"), results.treebanks, "dep_uas_ud")
    assert p is not None and p < 0.001
    of_large = find_p(results, ("new", "old"), results.treebanks[:1], "dep_uas_ud")
    assert of_large is not None and of_large < 0.05


def test_wilcoxon_needs_six_seeds_and_other_scores_have_no_other_test() -> None:
    pair = ("new", "old")
    six, five = make_results("wilcoxon", 6), make_results("wilcoxon", 5)
    assert find_p(six, pair, six.treebanks, "dep_uas_ud") == pytest.approx(2 / 2**6)
    assert find_p(five, pair, five.treebanks, "dep_uas_ud") < 0.001
    assert find_p(six, pair, six.treebanks, "dep_exact") is not None
    assert find_p(five, pair, five.treebanks, "dep_exact") is None


def test_shares_of_fragments() -> None:
    counts = asdict(Fragments(
        stack_token=9, stack_head=8, stack_root=2, correct_old=2, correct_new=5, correct_root=1,
        words=10, right_old=6, right_new=9,
    ))
    results = SimpleNamespace(
        treebanks=[SimpleNamespace(name="af")], spec={"model": "m"},
        find=lambda _model, _bank: [SimpleNamespace(read=lambda _file: counts)],
    )
    table, _ = fragments_table(results)
    row = next(line for line in table.splitlines() if "af (1)" in line)
    assert [cell.strip() for cell in row.strip("|").split("|")][1:] == [
        "60.00", "90.00", "9.0", "8.0", "2.0", "5.0", "25.00", "62.50", "50.00", "66.67",
    ]

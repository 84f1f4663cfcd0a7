"""What the papers' tables are made of: outcomes of several treebanks, and shares of fragments."""

from dataclasses import asdict
from types import SimpleNamespace

import numpy

from replication.paper_results import fragments_table, join_outcomes
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

"""Trainings as the tables of the papers; `KINDS` has the kinds that papers.yml names."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy
from spacy import registry

from spacy_arceager.corpus.conllu import read_file
from spacy_arceager.corpus.errors import InputError
from spacy_arceager.evaluation.coverage import coverage
from spacy_arceager.evaluation.fragments import Fragments
from spacy_arceager.evaluation.outcomes import Outcomes, count_sentences
from spacy_arceager.evaluation.repairs import Repairs
from spacy_arceager.evaluation.shares import percent, share
from spacy_arceager.evaluation.significance import (
    MIN_PAIRS,
    Comparison,
    compare,
    count_right,
    over_seeds_and_sentences,
    over_treebanks,
    wilcoxon,
)
from spacy_arceager.evaluation.treebank import (
    GoldTree,
    complete_trees,
    measure_non_projectivity,
    to_gold,
)

from .tables import OVER_BOTH, STARS, as_markdown, by_chance, stars
from .trainings import Training, Treebank

LABELS_SHOWN = 5
# The scores that are shares of right words, and how these are told.
OUTCOMES = {"dep_uas_ud": "uas", "dep_las_ud": "las"}
# The counts that tables of several measures show.
COUNTS = {"sentences with several roots": "dep_multiple_roots"}
TESTS = {
    "randomization": OVER_BOTH,
    "mcnemar": "McNemar's test by word",
    "wilcoxon": "Wilcoxon's test over seeds",
}

Rows = list[list[str]]


# Treebanks


@cache
def read_trees(path: Path) -> list[GoldTree]:
    """The complete trees of a file; ends the program where they cannot be read."""
    try:
        return complete_trees(map(to_gold, read_file(path)))
    except (InputError, OSError) as error:
        raise SystemExit(f"{path} cannot be used: {error}") from None


def find_coverage(model: Mapping[str, Any], treebank: Treebank) -> float | None:
    """The share of the training sentences that a model's system derives (NPS)."""
    parameters = registry.resolve({"system": dict(model["system"])})["system"]
    return coverage(parameters, [tree.heads for tree in read_trees(treebank.train)]).sentences


# Results


@dataclass(frozen=True)
class Results:
    """The trainings of a table that are done, and what is asked of them.

    Attributes:
        spec: of the table, and `models` all models, as in papers.yml.
        tested: the p of each difference that was tested so far.
    """

    spec: Mapping[str, Any]
    models: Mapping[str, Mapping[str, Any]]
    treebanks: Sequence[Treebank]
    trainings: Sequence[Training]
    tested: list[float] = field(default_factory=list)

    def find(self, model: str, treebank: Treebank) -> list[Training]:
        """The trainings of a model on a treebank, by seed."""
        return [one for one in self.trainings
                if one.name == model and one.treebank.name == treebank.name]

    def by_seed(self, model: str, treebanks: Sequence[Treebank]) -> dict[int, list[Training]]:
        """The trainings of a model on all of some treebanks, by seed."""
        found = [{one.seed: one for one in self.find(model, bank)} for bank in treebanks]
        seeds = sorted(set.intersection(*map(set, found)))
        return {seed: [of_bank[seed] for of_bank in found] for seed in seeds}

    def outcomes(
        self, model: str, treebanks: Sequence[Treebank], measure: str, file: str = "outcomes.npz"
    ) -> list[Outcomes]:
        """What was right on all of some treebanks together, by seed."""
        return [
            join_outcomes([one.outcomes(measure, file) for one in of_seed])
            for of_seed in self.by_seed(model, treebanks).values()
        ]

    def scores(self, model: str, treebanks: Sequence[Treebank], key: str) -> list[float]:
        """A score, the mean of some treebanks, by seed; those without it are left out."""
        found = [
            [one.read("scores.json")[key] for one in of_seed]
            for of_seed in self.by_seed(model, treebanks).values()
        ]
        return [mean(values) for values in found if None not in values]


def as_text(results: Results) -> str:
    """A table in Markdown, with title and legend."""
    kind = results.spec["kind"]
    shown = kind == "scores" or results.trainings    # shares of a treebank need no training
    made = KINDS[kind](results) if shown else ["Nothing is trained."]
    return "\n\n".join([f"## {results.spec['title']}", *made]) + "\n"


def join_outcomes(parts: Sequence[Outcomes]) -> Outcomes:
    """The outcomes on several treebanks as those on one."""
    offsets = numpy.cumsum([0, *map(count_sentences, parts)])
    sentences = [part.sentence + offset for part, offset in zip(parts, offsets)]
    return Outcomes(
        numpy.concatenate([part.right for part in parts]), numpy.concatenate(sentences)
    )


# The kinds of tables


def fragments_table(results: Results) -> list[str]:
    """000 table 1: a row a treebank."""
    header = ["", "UAS old", "UAS new", "Stack token", "Stack head", "Correct old", "Correct new",
              "Recall old", "Recall new", "new, root", "new, other"]
    rows: dict[str, list[float | None]] = {}
    for bank in results.treebanks:
        trainings = results.find(results.spec["model"], bank)
        if not trainings:
            continue
        total = sum((Fragments(**one.read("fragments.json")) for one in trainings), Fragments())
        n = len(trainings)
        rows[f"{bank.name} ({n})"] = [
            share(total.right_old, total.words), share(total.right_new, total.words),
            total.stack_token / n, total.stack_head / n,
            total.correct_old / n, total.correct_new / n,
            share(total.correct_old, total.stack_head), share(total.correct_new, total.stack_head),
            share(total.correct_root, total.stack_root),
            share(
                total.correct_new - total.correct_root, total.stack_head - total.stack_root
            ),
        ]
    columns = [[value for value in column if value is not None] for column in zip(*rows.values())]
    rows["Average"] = [mean(column) if column else None for column in columns]
    cells = [[name, *map(fragment_cell, header[1:], values)] for name, values in rows.items()]
    return [as_markdown(header, cells), (
        "Dev files, words counted with punctuation; in brackets how many seeds the counts are "
        "means of. Old: words left over at the end of the input are roots. New: UNSHIFT, with the "
        "same classifier. A sentence with one word left over is a tree and not counted (the paper "
        "counts it). Lifted arcs are not put back."
    )]


def fragment_cell(column: str, value: float | None) -> str:
    is_count = column.startswith(("Stack", "Correct"))
    return f"{value:.1f}" if is_count and value is not None else percent(value)


def old_new_table(results: Results) -> list[str]:
    """000 table 2: a row a treebank, and one of all together."""
    header, model = ["", "LAS old", "LAS new", "UAS old", "UAS new"], results.spec["model"]
    groups = {bank.name: [bank] for bank in results.treebanks}
    if len(groups) > 1:
        groups["all, by word"] = list(results.treebanks)
    rows = []
    for name, banks in groups.items():
        cells = [f"{name} ({len(results.by_seed(model, banks))})"]
        for measure in ("las", "uas"):
            old = results.outcomes(model, banks, measure, "old.npz")
            new = results.outcomes(model, banks, measure)
            if new:
                result = compare(new, old, same_weights=True)
                results.tested.append(result.p)
                cells += [percent(mean(result.second)), with_difference(
                    percent(mean(result.first)), result.difference, result.p
                )]
        rows.append([*cells, *[""] * (len(header) - len(cells))])
    return [as_markdown(header, rows), (
        "Dev files, words counted with punctuation, means over as many seeds as stand in brackets; "
        f"behind a new score the difference, with {STARS} by {OVER_BOTH}. "
        f"{by_chance(len(results.tested))}"
    )]


def repairs_table(results: Results) -> list[str]:
    """001 table 2 for each treebank, and the labels that were repaired most."""
    parts = []
    for bank in results.treebanks:
        found = [one.read("repairs.json") for one in results.find(results.spec["model"], bank)]
        if not found:
            continue
        n = len(found)
        rows, total = [], Counter[str]()
        for transition in found[0]["counts"]:
            counts = Counter[str]()
            for one in found:
                counts.update(one["counts"][transition])
            rows.append(repair_row(transition, Repairs(**counts), n))
            total.update(counts)
        rows.append(repair_row("Total", Repairs(**total), n))
        header = [f"{bank.name} ({n})", "TP", "FP", "harmful FP", "TN", "FN"]
        parts += [as_markdown(header, rows), describe_labels(found)]
    return [*parts, (
        "Dev files, means over as many seeds as stand in brackets; words whose gold label is punct "
        "are left out. A harmful FP loses a gold head that was there or could still be had."
    )]


def repair_row(name: str, counts: Repairs, n: int) -> list[str]:
    values = (counts.true_positive, counts.false_positive, counts.harmful,
              counts.true_negative, counts.false_negative)
    return [name, *(f"{value / n:.1f}" for value in values)]


def describe_labels(found: Iterable[Mapping[str, Any]]) -> str:
    """The labels that right repairs brought in most often."""
    counts = Counter[tuple[str, str, str]]()
    for one in found:
        counts.update({(move, old, new): n for move, old, new, n in one["labels"]})
    shown = [
        f"{new} instead of {old} ({n})" if old else f"{new} by {move} ({n})"
        for (move, old, new), n in counts.most_common(LABELS_SHOWN)
    ]
    return f"Right repairs of all seeds, by label: {', '.join(shown) or 'none'}."


def scores_table(results: Results) -> list[str]:
    """Models and measures: a table a treebank, or where there is one measure a row a treebank."""
    groups = {bank.name: [bank] for bank in results.treebanks}
    if len(groups) > 1:
        groups["Average"] = list(results.treebanks)
    if len(results.spec["measures"]) > 1:
        made = [table_of_models(results, name, banks) for name, banks in groups.items()]
    else:
        made = [table_of_treebanks(results, groups)]
    return [*made, f"{legend(results.spec)} {by_chance(len(results.tested))}"]


def table_of_models(results: Results, name: str, treebanks: Sequence[Treebank]) -> str:
    spec = results.spec
    extra = ["NPS"] if spec.get("coverage") else []
    rows: Rows = []
    for row, model in spec["rows"].items():
        cells = [score_cell(results, model, treebanks, key) for key in spec["measures"].values()]
        cells += [count_cell(results, model, treebanks, key) for key in COUNTS.values()]
        shares = [find_coverage(results.models[model], bank) for bank in treebanks if extra]
        found = [value for value in shares if value is not None]
        rows.append([row, *cells, *([percent(mean(found))] if found else [""] * len(extra))])
    return as_markdown([name, *spec["measures"], *COUNTS, *extra], rows)


def table_of_treebanks(results: Results, groups: Mapping[str, Sequence[Treebank]]) -> str:
    spec = results.spec
    (key,) = spec["measures"].values()
    extra = ["%NP arcs / sentences"] if spec.get("non_projectivity") else []
    rows: Rows = []
    for name, banks in groups.items():
        cells = [score_cell(results, model, banks, key) for model in spec["rows"].values()]
        shares = [describe_non_projectivity(banks[0]) if len(banks) == 1 else ""] * len(extra)
        rows.append([name, *shares, *cells])
    return as_markdown([next(iter(spec["measures"])), *extra, *spec["rows"]], rows)


def describe_non_projectivity(treebank: Treebank) -> str:
    """Shares of non-projective arcs and sentences of the dev file."""
    found = measure_non_projectivity(read_trees(treebank.dev))
    return f"{percent(found.arc_share, 1)} / {percent(found.sentence_share, 1)}"


def score_cell(
    results: Results, model: str, treebanks: Sequence[Treebank], key: str
) -> str:
    """Mean and spread over seeds, and the difference to the base with its stars."""
    values = results.scores(model, treebanks, key)
    if not values:
        return ""
    spread = f" ± {100 * stdev(values):.2f}" if len(values) > 1 else ""
    text = f"{percent(mean(values))}{spread} ({len(values)})"
    base = results.spec["rows"][results.spec["base"]]
    others = results.scores(base, treebanks, key)
    if model == base or not others:
        return text
    p = find_p(results, (model, base), treebanks, key)
    results.tested.extend([] if p is None else [p])
    return with_difference(text, mean(values) - mean(others), p)


def count_cell(
    results: Results, model: str, treebanks: Sequence[Treebank], key: str
) -> str:
    """A count of the scorer, mean over seeds and treebanks."""
    values = results.scores(model, treebanks, key)
    return f"{mean(values):.1f}" if values else ""


def find_p(
    results: Results, models: tuple[str, str], treebanks: Sequence[Treebank], key: str
) -> float | None:
    """The p of a difference by the paper's test, or over seeds and sentences; None without one.

    On several treebanks, what is tested is the difference of the means over the treebanks.
    """
    by_seed = [results.by_seed(model, treebanks) for model in models]
    is_paired = [*by_seed[0]] == [*by_seed[1]]
    first, second = (results.scores(model, treebanks, key) for model in models)
    if results.spec["test"] == "wilcoxon" and is_paired and len(first) == len(second) >= MIN_PAIRS:
        return wilcoxon(first, second)
    if key not in OUTCOMES:
        return None
    weights = {results.models[model].get("weights", model) for model in models}
    same = is_paired and len(weights) == 1
    sides = [
        [[trainings[k].outcomes(OUTCOMES[key]) for trainings in of_model.values()]
         for of_model in by_seed]
        for k in range(len(treebanks))
    ]
    if len(treebanks) == 1:
        return choose_p(compare(*sides[0], same_weights=same), results.spec["test"])
    return over_treebanks([
        over_seeds_and_sentences(*count_right(*pair), same_weights=same) for pair in sides
    ]).p


def choose_p(result: Comparison, test: str) -> float:
    """The p of McNemar's test where it is the paper's and was made, else the one to report."""
    return result.mcnemar if test == "mcnemar" and result.mcnemar is not None else result.p


def with_difference(text: str, difference: float, p: float | None) -> str:
    """A score with its difference to the base, and the stars of that, or that it has no test."""
    return f"{text} [{100 * difference:+.2f}{', untested' if p is None else stars(p)}]"


def legend(spec: Mapping[str, Any]) -> str:
    test = spec["test"]
    seeds = "several" if test == "mcnemar" else "too few"
    other = f", or, where there are {seeds} seeds, by {OVER_BOTH}"
    other = "" if test == "randomization" else other
    more = " CUR: recall of arcs that cross another." if "CUR" in spec["measures"] else ""
    more += (
        " NPS: share of the training sentences that the system derives." if spec.get("coverage")
        else ""
    )
    return (
        "Dev files, words counted with punctuation: mean over seeds ± standard deviation (number "
        f"of seeds); in brackets the difference to {spec['base']}, with {STARS} by {TESTS[test]}"
        f"{other}. In rows Average the means over the treebanks are tested (by the t test, if not "
        f"by Wilcoxon's).{more}"
    )


KINDS: dict[str, Callable[[Results], list[str]]] = {
    "fragments": fragments_table,
    "old_new": old_new_table,
    "repairs": repairs_table,
    "scores": scores_table,
}

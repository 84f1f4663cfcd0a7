"""The command `inspect`: what a treebank is like and which system suits it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..systems.catalogue import CATALOGUE, TREE_SYSTEMS
from .messages import fail, printer, report_error

if TYPE_CHECKING:
    from ..corpus.conllu import ConlluSentence
    from ..evaluation.advice import Advice
    from ..evaluation.coverage import Coverage
    from ..evaluation.treebank import Treebank

SHOWN = 5  # faults, rare labels


class InspectFormat(str, Enum):
    """How the findings are written: tables to read, or one JSON object with all."""

    table = "table"
    json = "json"


def inspect(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="TREEBANK...", help="CoNLL-U files, folders or patterns."),
    ],
    output_format: Annotated[
        InspectFormat,
        typer.Option("--format", "-f", help="table, or json with all that is known."),
    ] = InspectFormat.table,
) -> None:
    """Describe a treebank: size, labels, crossing arcs, which systems derive its trees.

    It ends with the system to start from. Sentences that cannot be used, those with
    several roots or cycles among them, are reported and left out. Exit codes: 0 done, 1
    an input or a sentence failed, 2 wrong usage.
    """
    sentences, faults = _read(paths)
    treebank, coverages, advice = _examine(sentences)
    if output_format is InspectFormat.json:
        typer.echo(_to_json(treebank, coverages, advice, faults))
    else:
        typer.echo(_to_tables(treebank, coverages, advice))
    if faults:
        more = ["..."] if len(faults) > SHOWN else []
        report_error(
            f"{len(faults)} sentences cannot be used, and training would stop there.",
            "\n".join([*faults[:SHOWN], *more]),
        )
        raise typer.Exit(1)


def _read(paths: Iterable[Path]) -> tuple[list["ConlluSentence"], list[str]]:
    """The sentences, and what is wrong with those that cannot be used."""
    from ..corpus.conllu import ConlluError, read_tolerantly

    sentences, faults = [], []
    for path in paths:
        try:
            for item in read_tolerantly(path):
                if isinstance(item, ConlluError):
                    faults.append(str(item))
                else:
                    sentences.append(item)
        except (ConlluError, OSError) as error:
            fail("Cannot read the treebank.", str(error))
    if not sentences:
        places = "\n".join(faults[:SHOWN] or [f"{path}: no sentence" for path in paths])
        fail("There is no sentence that can be used.", places)
    return sentences, faults


def _examine(
    sentences: Sequence["ConlluSentence"],
) -> tuple["Treebank", dict[str, "Coverage"], list["Advice"]]:
    from ..evaluation.advice import advise
    from ..evaluation.coverage import coverage
    from ..evaluation.treebank import complete_trees, describe, to_gold

    treebank = describe(sentences)
    trees = [tree.heads for tree in complete_trees(map(to_gold, sentences))]
    coverages = {
        name: coverage(entry.parameters(), trees) for name, entry in TREE_SYSTEMS.items()
    }
    return treebank, coverages, advise(treebank, coverages)


def _to_json(
    treebank: "Treebank",
    coverages: Mapping[str, "Coverage"],
    advice: Iterable["Advice"],
    faults: Sequence[str],
) -> str:
    record: dict[str, Any] = {
        name: value and value._asdict() for name, value in treebank._asdict().items()
    }
    record["coverage"] = {name: item._asdict() for name, item in coverages.items()}
    record["advice"] = [item._asdict() for item in advice]
    record["faults"] = faults
    return json.dumps(record, ensure_ascii=False, indent=2)


# Tables


def _to_tables(
    treebank: "Treebank", coverages: Mapping[str, "Coverage"], advice: Iterable["Advice"]
) -> str:
    rows = [*_size_rows(treebank), *_label_rows(treebank), *_crossing_rows(treebank)]
    rows += [*_swap_rows(coverages), *_graph_rows(treebank)]
    lines = [f"configs/systems/{item.config}.cfg" if item.config else "-" for item in advice]
    reasons = [item.reason for item in advice]
    return "\n".join([
        printer.table(rows, max_col=80),
        _coverage_table(coverages),
        "Where to start",
        *(f"\n{line}\n  {reason}" for line, reason in zip(lines, reasons)),
    ])


def _size_rows(treebank: "Treebank") -> list[tuple[str, str]]:
    size = treebank.size
    return [
        ("sentences", str(size.sentences)),
        ("words", str(size.words)),
        ("words a sentence", f"{size.mean_length:.1f}, at most {size.longest}"),
        ("sentences that lack heads", str(size.incomplete)),
    ]


def _label_rows(treebank: "Treebank") -> list[tuple[str, str]]:
    labels = treebank.labels
    rare = sorted(labels.rare, key=lambda label: (labels.rare[label], label))
    shown = ", ".join(rare[:SHOWN]) + (", ..." if len(rare) > SHOWN else "")
    lifted = f"{labels.lifted}, {labels.rare_lifted} of them fewer than 10 times"
    return [
        ("labels", str(labels.number)),
        ("labels that occur fewer than 10 times", f"{len(rare)}: {shown}" if rare else "0"),
        ("labels that lifted arcs add", lifted),
        ("labels on crossing arcs only", ", ".join(labels.only_lifted) or "0"),
    ]


def _crossing_rows(treebank: "Treebank") -> list[tuple[str, str]]:
    crossing = treebank.non_projectivity
    degrees = enumerate(crossing.gap_degrees[1:], start=1)
    return [
        (
            "non-projective sentences",
            f"{crossing.sentences} ({_percent(crossing.sentence_share)} %)",
        ),
        ("non-projective arcs", f"{crossing.arcs} ({_percent(crossing.arc_share)} %)"),
        (
            "sentences by gap degree",
            ", ".join(f"{degree}: {n}" for degree, n in degrees) or "all 0",
        ),
        ("ill-nested sentences", str(crossing.ill_nested)),
    ]


def _swap_rows(coverages: Mapping[str, "Coverage"]) -> list[tuple[str, str]]:
    distances = coverages["arc_hybrid_swap"].swap_distances
    apart = [distance for distance, n in enumerate(distances) for _ in range(n)]
    if not apart:
        return []
    middle = apart[len(apart) // 2]
    return [("words that SWAP swaps are apart", f"{middle} (median), at most {apart[-1]}")]


def _graph_rows(treebank: "Treebank") -> list[tuple[str, str]]:
    graphs = treebank.graphs
    if graphs is None:
        return []
    return [
        ("sentences with enhanced graphs", str(graphs.sentences)),
        ("words with several heads", f"{_percent(graphs.several_heads)} %"),
        ("pairs of words that are each other's heads", str(graphs.two_cycles)),
        ("graphs with cycles", f"{_percent(graphs.cyclic)} %"),
        ("crossing arcs of graphs", f"{_percent(graphs.crossing)} %"),
        ("graphs without crossing arcs", f"{_percent(graphs.non_crossing)} %"),
        ("graphs without crossing arcs and cycles", f"{_percent(graphs.derivable)} %"),
    ]


def _coverage_table(coverages: Mapping[str, "Coverage"]) -> str:
    header = (
        "System", "derives", "sentences %", "non-proj. %", "arcs %", "transitions", "SWAPs",
    )
    rows = [
        (
            name,
            CATALOGUE[name].trees,
            _percent(item.sentences),
            _percent(item.non_projective),
            _percent(item.arcs),
            _number(item.transitions),
            _number(item.swaps),
        )
        for name, item in coverages.items()
    ]
    note = (
        "Shares of all sentences, of the non-projective ones, and of the non-projective arcs\n"
        "in sentences that a system derives; transitions and SWAPs a word.\n"
    )
    aligns = ("l", "l", "r", "r", "r", "r", "r")
    return printer.table(rows, header=header, divider=True, aligns=aligns) + "\n" + note


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"

"""The command `inspect`: describe a treebank, and suggest systems for it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ..evaluation.shares import percent
from ..systems.catalogue import TREE_SYSTEMS
from .languages import guess_language
from .messages import counted, fail, printer, report_error
from .outputs import show
from .pipeline import CodeOption, import_code
from .systems import (
    ConfigOption,
    SetOption,
    SwapOrder,
    SwapOrderOption,
    SystemOption,
    choose_system,
    make_oracle,
    refuse_two_systems,
)

if TYPE_CHECKING:
    from ..corpus.conllu import ConlluSentence
    from ..evaluation.advice import Advice
    from ..evaluation.coverage import Coverage
    from ..evaluation.treebank import Treebank
    from ..systems.parameters import SystemParameters

SHOWN = 5  # how many faults and rare labels are shown
FOR_XX = "Give your language in the place of xx, which stands for any."
FOR_TEXT = "With --pipeline full, it learns the tags and lemmas that the treebank has, too."
WIDTH = 80  # the width of the lines of advice, in characters


def inspect(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="TREEBANK", help="CoNLL-U files, folders or patterns, or .spacy files."
        ),
    ],
    output_format: Annotated[
        Literal["table", "json"],
        typer.Option("--format", "-f", help="table for people, or json with all details."),
    ] = "table",
    system: SystemOption = None,
    config: ConfigOption = None,
    settings: SetOption = [],
    swap_order: SwapOrderOption = None,
    code: CodeOption = [],
) -> None:
    """Describe a treebank, and suggest which system to start with.

    The description has the size, the labels, the non-projective arcs, and how many trees each
    system of the catalogue can derive. To add a system of your own, use --config, or --set with
    --system. Sentences that cannot be used, for example because of cycles, are reported and left
    out.

    Exit codes: 0 done, 1 an input or a sentence failed, 2 wrong usage.

    Example: arceager inspect tests/data/de_crossing.conllu
    """
    import_code(code)
    systems = {name: entry.parameters() for name, entry in TREE_SYSTEMS.items()}
    refuse_two_systems(config, system)
    name, parameters, _ = choose_system(system or "arc_eager", config, settings)
    if parameters.graph:
        raise typer.BadParameter(f"'{name}' builds graphs, not trees")
    if config is not None or settings:
        systems[name] = parameters
    sentences, faults = _read(paths)
    treebank, coverages, advice = _examine(sentences, systems, swap_order)
    if output_format == "json":
        show(_to_json(treebank, coverages, advice, faults))
    else:
        show(_to_tables(treebank, coverages, advice, guess_language(paths)))
    if faults:
        more = ["..."] if len(faults) > SHOWN else []
        report_error(
            f"{counted(len(faults), 'sentence')} cannot be used, and a training would stop.",
            "\n".join([*faults[:SHOWN], *more]),
        )
        raise typer.Exit(1)


def _read(paths: Iterable[Path]) -> tuple[list["ConlluSentence"], list[str]]:
    """The sentences, and the errors of sentences that cannot be used."""
    from ..corpus.errors import ConlluError, InputError
    from ..corpus.spacy_files import read_treebank

    sentences, faults = [], []
    for path in paths:
        try:
            for item in read_treebank(path):
                if isinstance(item, ConlluError):
                    faults.append(str(item))
                else:
                    sentences.append(item)
        except (InputError, OSError) as error:
            fail("Cannot read the treebank.", str(error))
    if not sentences:
        places = "\n".join(faults[:SHOWN] or [f"{path}: no sentence" for path in paths])
        fail("There is no sentence that can be used.", places)
    words = (word for sentence in sentences for word in sentence.words)
    if not any(word.head is not None or word.deps != "_" for word in words):
        fail(
            "No word has a head: there are no trees to describe, or to train on.",
            "\n".join(map(str, paths)),
        )
    return sentences, faults


def _examine(
    sentences: Sequence["ConlluSentence"],
    systems: Mapping[str, "SystemParameters"],
    swap_order: SwapOrder | None,
) -> tuple["Treebank", dict[str, "Coverage"], list["Advice"]]:
    from ..evaluation.advice import advise
    from ..evaluation.coverage import coverage
    from ..evaluation.treebank import complete_trees, describe, to_gold

    treebank = describe(sentences)
    trees = [tree.heads for tree in complete_trees(map(to_gold, sentences))]
    oracle = make_oracle("static", swap_order)
    coverages = {
        name: coverage(parameters, trees, oracle) for name, parameters in systems.items()
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
    treebank: "Treebank",
    coverages: Mapping[str, "Coverage"],
    advice: Iterable["Advice"],
    lang: str,
) -> str:
    rows = [*_size_rows(treebank), *_label_rows(treebank), *_non_projective_rows(treebank)]
    rows += [*_swap_rows(coverages), *_graph_rows(treebank)]
    hints = [FOR_XX, FOR_TEXT] if lang == "xx" else [FOR_TEXT]
    return "\n".join([
        printer.table(rows, max_col=80), "Where to start",
        *(_describe(item, lang) for item in advice), "", *hints, _coverage_table(coverages),
    ])


def _describe(advice: "Advice", lang: str) -> str:
    """The command that follows the advice, if the advice names a system, and the reason."""
    command = f"arceager init-config config.cfg --lang {lang} --system {advice.system}"
    indent = "  " * bool(advice.system)
    reason = fill(advice.reason, WIDTH, initial_indent=indent, subsequent_indent=indent)
    return "\n" + f"{command}\n" * bool(advice.system) + reason


def _size_rows(treebank: "Treebank") -> list[tuple[str, str]]:
    size = treebank.size
    return [
        ("sentences", str(size.sentences)),
        ("words", str(size.words)),
        ("words a sentence", f"{size.mean_length:.1f}, at most {size.longest}"),
        ("sentences that lack heads", str(size.incomplete)),
    ]


def _label_rows(treebank: "Treebank") -> list[tuple[str, str]]:
    from ..evaluation.treebank import RARE

    labels = treebank.labels
    rare = sorted(labels.rare, key=lambda label: (labels.rare[label], label))
    shown = ", ".join(rare[:SHOWN]) + (", ..." if len(rare) > SHOWN else "")
    lifted = f"{labels.lifted}, {labels.rare_lifted} of them fewer than {RARE} times"
    return [
        ("labels", str(labels.number)),
        (f"labels that occur fewer than {RARE} times", f"{len(rare)}: {shown}" if rare else "0"),
        ("labels that lifted arcs add", lifted),
        ("labels on non-projective arcs only", ", ".join(labels.only_lifted) or "0"),
    ]


def _non_projective_rows(treebank: "Treebank") -> list[tuple[str, str]]:
    counts = treebank.non_projectivity
    degrees = enumerate(counts.gap_degrees[1:], start=1)
    return [
        (
            "non-projective sentences",
            f"{counts.sentences} ({percent(counts.sentence_share)} %)",
        ),
        ("non-projective arcs", f"{counts.arcs} ({percent(counts.arc_share)} %)"),
        ("arcs that cross another", str(counts.crossing_arcs)),
        (
            "sentences by gap degree",
            ", ".join(f"{degree}: {n}" for degree, n in degrees) or "all 0",
        ),
        ("ill-nested sentences", str(counts.ill_nested)),
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
        ("words with several heads", f"{percent(graphs.several_heads)} %"),
        ("pairs of words that are each other's heads", str(graphs.two_cycles)),
        ("graphs with cycles", f"{percent(graphs.cyclic)} %"),
        ("crossing arcs of graphs", f"{percent(graphs.crossing)} %"),
        ("graphs without crossing arcs", f"{percent(graphs.non_crossing)} %"),
        ("graphs without crossing arcs and cycles", f"{percent(graphs.derivable)} %"),
    ]


def _coverage_table(coverages: Mapping[str, "Coverage"]) -> str:
    header = (
        "System", "derives", "sentences %", "non-proj. %", "arcs %", "transitions", "SWAPs",
    )
    rows = [
        (
            name,
            TREE_SYSTEMS[name].trees if name in TREE_SYSTEMS else "",
            percent(item.sentences),
            percent(item.non_projective),
            percent(item.arcs),
            _number(item.transitions),
            _number(item.swaps),
        )
        for name, item in coverages.items()
    ]
    note = (
        "The shares of all sentences, of non-projective sentences and of non-projective arcs\n"
        "that a system can derive, and the number of transitions and of SWAPs for each word."
    )
    aligns = ("l", "l", "r", "r", "r", "r", "r")
    return printer.table(rows, header=header, divider=True, aligns=aligns) + "\n" + note


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"

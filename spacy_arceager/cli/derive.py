"""The command `derive`: show step by step how a system builds a tree."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..formats.registry import DERIVATIONS
from ..formats.rows import DerivationFormat, DrawingOptions
from ..systems.catalogue import CATALOGUE, display_name
from .messages import counted, fail, progress, report, report_error
from .outputs import Output, OutputOption, StepOption, refuse_step, refuse_treebank
from .pipeline import CodeOption, explain, import_code, load_pipeline
from .systems import (
    ConfigOption,
    SetOption,
    SwapOrder,
    SwapOrderOption,
    choose_system,
    make_oracle,
    refuse_two_systems,
    resolve_oracle,
)
from .values import format_option

if TYPE_CHECKING:
    from spacy import Language

    from ..annotation.graphs import Graph
    from ..corpus.conllu import ConlluSentence
    from ..oracles.oracle import Oracle
    from ..pipe.component import ArcEagerParser
    from ..pipe.derived import Derived, Gold
    from ..systems.parameters import SystemParameters


def derive(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="TREEBANK", help="CoNLL-U file, folder or pattern, or a .spacy file."
        ),
    ],
    systems: Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            "-s",
            metavar="NAME",
            help="Transition system, which can be given several times: " + ", ".join(CATALOGUE)
            + ". By default arc_eager, but no system with --model.",
        ),
    ] = None,
    config: ConfigOption = None,
    settings: SetOption = [],
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            "--oracle",
            metavar="KIND",
            help="Oracle to follow, which can be given several times. `arceager info` lists them; "
            "one of your own has the name under which a file of --code registers it. By default "
            "that of --config, if it names one; else static and, where the system cannot derive a "
            "tree, one that comes closer.",
        ),
    ] = None,
    swap_order: SwapOrderOption = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", metavar="NAME_OR_PATH",
            help="Pipeline whose parser also derives the sentences, with its scores.",
        ),
    ] = None,
    sentence: Annotated[
        int | None,
        typer.Option(min=1, help="Derive only this sentence of the treebank, counted from 1."),
    ] = None,
    output_format: Annotated[
        DerivationFormat, format_option("--format", "-f", rows=DERIVATIONS)
    ] = DERIVATIONS["text"],
    step: StepOption = None,
    output_path: OutputOption = None,
    ascii_only: Annotated[
        bool, typer.Option("--ascii", help="Draw with ASCII characters.")
    ] = False,
    code: CodeOption = [],
) -> None:
    """Show how transition systems, or a trained parser, derive the trees of a treebank.

    A system that builds graphs derives the enhanced graph of a sentence, or its tree if it has no
    graph. If a system cannot derive a tree, the output names the wrong heads.

    Exit codes: 0 done, 1 an input failed, 2 wrong usage.

    Example: arceager derive tests/data/en_small-dev.conllu --sentence 1
    """
    import_code(code)
    names = systems or ([] if model and config is None else ["arc_eager"])
    refuse_two_systems(config, systems)
    if not names and (settings or kinds or swap_order):
        raise typer.BadParameter(
            "--set, --oracle and --swap-order are about a --system, and only a --model is given."
        )
    chosen = [choose_system(name, config, settings) for name in names]
    tasks = [
        (f"{name}, {kind}" if len(kinds or []) > 1 else name, parameters,
         _choose_oracle(kind, swap_order, named, parameters))
        for name, parameters, named in chosen for kind in kinds or (None,)
    ]
    refuse_step(step, output_format)
    refuse_treebank(path, output_path, "The input and --output are the same file.")
    nlp = load_pipeline(model) if model else None
    items: Iterable[tuple[int, ConlluSentence]] = _read(path, sentence)
    if output_path:
        all_items = list(items)
        items = progress(all_items, len(all_items), "sentences")
    n_sentences = n_words = 0
    failed = False

    def derive_all() -> "Iterator[tuple[int, list[Derived]]]":
        nonlocal failed, n_sentences, n_words
        for number, item in items:
            try:
                derivations = [_derive(item, *task, closest=not kinds) for task in tasks]
                derivations += _derive_by_model(item, model, nlp) if model and nlp else []
            except ValueError as error:
                report_error("Cannot derive a sentence.", f"{path}, sentence {number}: {error}")
                failed = True
            else:
                n_sentences += 1
                n_words += len(item.words)
                yield number, derivations

    with Output(output_path) as output:
        output.write_derivations(output_format, derive_all(), DrawingOptions(ascii_only, step))
    if output_path:
        report(
            f"Derived {counted(n_sentences, 'sentence')} with {counted(n_words, 'word')} to "
            f"{output_path}.",
            output_format.next_step.format(path=quote(str(output_path))),
        )
    if failed:
        raise typer.Exit(1)


def _derive(
    item: "ConlluSentence", name: str, parameters: "SystemParameters", oracle: "Oracle",
    closest: bool,
) -> "Derived":
    from ..pipe.derived import derive_closest, derive_gold

    words = [word.form for word in item.words]
    make = derive_closest if closest else derive_gold
    derived = make(name, parameters, oracle, words, _find_gold(item, parameters))
    texts = [line.removeprefix("# text = ") for line in item.comments if line[:9] == "# text = "]
    return derived._replace(text="".join(texts[:1]))


def _derive_by_model(item: "ConlluSentence", name: str, nlp: "Language") -> list["Derived"]:
    from ..formats.document import Document, make_doc
    from ..pipe.component import find_parser
    from ..pipe.derived import describe

    parser, unused = find_parser(nlp)
    gold = _find_gold(item, parser.parameters)
    if not gold.is_graph:
        gold = _as_trained(gold, parser)
    with nlp.select_pipes(disable=unused):
        doc = nlp(make_doc(nlp, Document(item, {})))
    title = f"{name} ({display_name(parser.parameters)})"
    (derivations,) = parser.derivations([doc])
    return describe(parser.system, doc, derivations, title, gold)


def _as_trained(gold: "Gold", parser: "ArcEagerParser") -> "Gold":
    """The gold tree as the parser learns it, which may have its crossing arcs lifted."""
    import numpy

    from ..gold.trees import GoldSentence, apply_policy

    n = len(gold.heads)
    labels = [label or "" for label in gold.labels]
    tree = GoldSentence(
        numpy.arange(n), numpy.asarray(gold.heads, "i"), labels, numpy.arange(n) == 0
    )
    learnt = apply_policy(tree, parser.non_projective, parser.system) or tree
    return gold._replace(heads=learnt.heads.tolist(), labels=learnt.labels)


def _choose_oracle(
    kind: str | None, swap_order: SwapOrder | None, named: dict[str, Any] | None,
    parameters: "SystemParameters",
) -> "Oracle":
    """The oracle that the options ask for, else the one that a config names, else the static."""
    try:
        if named and not kind and not swap_order:
            oracle = resolve_oracle(named)
        else:
            oracle = make_oracle(kind or "static", swap_order)
        oracle.check(parameters)
    except (ValueError, TypeError) as error:
        raise typer.BadParameter(explain(str(error))) from None
    return oracle


def _read(path: Path, only: int | None) -> Iterator[tuple[int, "ConlluSentence"]]:
    """The sentences with their numbers. A file that cannot be read ends the command."""
    from ..corpus.errors import InputError
    from ..corpus.spacy_files import read_strictly

    number = 0
    try:
        for number, item in enumerate(read_strictly(path), 1):
            if only in (None, number):
                yield number, item
            if number == only:
                return
    except (InputError, OSError) as error:
        fail("Cannot read the treebank.", str(error))
    if only is not None:
        fail("There is no such sentence.", f"{path} has fewer than {only} sentences.")
    if number == 0:
        fail("Cannot read the treebank.", f"{path} has no sentence. Check that it is complete.")


def _find_gold(sentence: "ConlluSentence", parameters: "SystemParameters") -> "Gold":
    from ..corpus.conllu.deps import sentence_graph

    deps = [word.deps for word in sentence.words]
    if parameters.graph and any(column != "_" for column in deps):
        return _to_graph(sentence_graph(deps, sentence.empty_nodes))
    tree = _find_tree(sentence)
    if parameters.graph:
        return _to_graph([[list(arc)] for arc in zip(tree.heads, tree.labels)])
    return tree


def _to_graph(graph: "Graph") -> "Gold":
    from ..pipe.derived import Gold

    # Roots have no arc here. Of several arcs between two words the first counts, as in training.
    arcs = [
        {head: label for head, label in reversed(arcs) if head != word}
        for word, arcs in enumerate(graph)
    ]
    heads = [sorted(labels) for labels in arcs]
    labels = [[labels[head] for head in sorted(labels)] for labels in arcs]
    return Gold(heads, labels, True)


def _find_tree(sentence: "ConlluSentence") -> "Gold":
    from ..evaluation.treebank import to_gold
    from ..pipe.derived import Gold
    from ..trees.algorithms import is_tree

    tree = to_gold(sentence)
    if not is_tree(tree.heads):
        missing = [i for i, head in enumerate(tree.heads.tolist(), start=1) if head < 0]
        raise ValueError(f"word {missing[0]} has no head, but only complete trees can be derived")
    return Gold(tree.heads.tolist(), [label or None for label in tree.labels], False)

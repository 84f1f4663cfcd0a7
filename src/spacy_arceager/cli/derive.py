"""The command `derive`: how a system builds a tree, step by step."""

import json
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from .messages import fail, report_error
from .systems import (
    ConfigOption,
    SetOption,
    SwapOrder,
    SwapOrderOption,
    SystemOption,
    choose_system,
    make_oracle,
)

if TYPE_CHECKING:
    from ..corpus.conllu import ConlluSentence
    from ..corpus.graphs import Graph
    from ..oracles.oracle import Oracle
    from ..systems.parameters import SystemParameters
    from ..visual.derivation import Derivation


class DerivationFormat(str, Enum):
    """How derivations are written.

    text: a line a step. json: a JSON object a sentence and line; words count from 0. The
    heads of a graph are a list a word.
    """

    text = "text"
    json = "json"


class Gold(NamedTuple):
    """Heads and labels of a tree, or of a graph, as oracles take them."""

    heads: list[Any]
    labels: list[Any]
    is_graph: bool


def derive(
    path: Annotated[Path, typer.Argument(metavar="CONLLU", help="CoNLL-U file.")],
    system: SystemOption = "arc_eager",
    config: ConfigOption = None,
    settings: SetOption = [],
    kind: Annotated[
        str,
        typer.Option("--oracle", metavar="KIND", help="Oracle to follow; `info` lists the kinds."),
    ] = "static",
    swap_order: SwapOrderOption = None,
    sentence: Annotated[
        int | None, typer.Option(min=1, help="Only this sentence of the file, from 1.")
    ] = None,
    output_format: Annotated[
        DerivationFormat,
        typer.Option("--format", "-f", help="text, or json: an object a line."),
    ] = DerivationFormat.text,
    ascii_only: Annotated[
        bool, typer.Option("--ascii", help="Draw with ASCII characters.")
    ] = False,
) -> None:
    """Show how a transition system derives the trees of a CoNLL-U file.

    With a system that builds graphs, the enhanced graphs; where a sentence has none, its
    tree. What the system cannot derive is followed as far as it goes, and a note says so.
    Exit codes: 0 done, 1 an input failed, 2 wrong usage.
    """
    name, parameters = choose_system(system, config, settings)
    oracle = _check_oracle(kind, swap_order, parameters)
    failed = False
    for number, item in _read(path, sentence):
        try:
            gold = _find_gold(item, parameters)
        except ValueError as error:
            report_error("Cannot derive a sentence.", f"{path}, sentence {number}: {error}")
            failed = True
            continue
        derivation = _derive(parameters, oracle, gold)
        words = [word.form for word in item.words]
        if output_format is DerivationFormat.json:
            typer.echo(_to_json(number, name, words, gold, derivation))
        else:
            typer.echo(_to_text(number, name, words, gold, derivation, ascii_only))
    if failed:
        raise typer.Exit(1)


def _check_oracle(
    kind: str, swap_order: SwapOrder | None, parameters: "SystemParameters"
) -> "Oracle":
    try:
        oracle = make_oracle(kind, swap_order)
        oracle.check(parameters)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return oracle


def _read(path: Path, only: int | None) -> Iterator[tuple[int, "ConlluSentence"]]:
    """The sentences with their numbers. What cannot be read ends the command."""
    from ..corpus.conllu import read_file
    from ..corpus.errors import InputError

    found = False
    try:
        sentences = enumerate(read_file(path), start=1)
        for number, item in islice(sentences, only and only - 1, only):
            found = True
            yield number, item
    except (InputError, OSError) as error:
        fail("Cannot read the treebank.", str(error))
    if not found:
        fail("There is no such sentence.", f"{path} has fewer than {only} sentences.")


def _find_gold(sentence: "ConlluSentence", parameters: "SystemParameters") -> Gold:
    from ..corpus.graphs import sentence_graph

    deps = [word.deps for word in sentence.words]
    if parameters.graph and any(column != "_" for column in deps):
        return _to_graph(sentence_graph(deps, sentence.empty_nodes))
    tree = _find_tree(sentence)
    if parameters.graph:
        return _to_graph([[list(arc)] for arc in zip(tree.heads, tree.labels)])
    return tree


def _to_graph(graph: "Graph") -> Gold:
    # Roots have no arc here. Of arcs between the same words, the first, as in training.
    arcs = [
        {head: label for head, label in reversed(arcs) if head != word}
        for word, arcs in enumerate(graph)
    ]
    heads = [sorted(labels) for labels in arcs]
    labels = [[labels[head] for head in sorted(labels)] for labels in arcs]
    return Gold(heads, labels, True)


def _find_tree(sentence: "ConlluSentence") -> Gold:
    from ..evaluation.treebank import to_gold
    from ..machine.trees import is_tree

    tree = to_gold(sentence)
    if not is_tree(tree.heads):
        missing = [i for i, head in enumerate(tree.heads.tolist(), start=1) if head < 0]
        raise ValueError(f"word {missing[0]} has no head. Only complete trees are derived.")
    return Gold(tree.heads.tolist(), [label or None for label in tree.labels], False)


def _derive(parameters: "SystemParameters", oracle: "Oracle", gold: Gold) -> "Derivation":
    from ..machine.system import TransitionSystem
    from ..visual import trace

    labels = chain.from_iterable(gold.labels) if gold.is_graph else gold.labels
    system = TransitionSystem(parameters, sorted({label for label in labels if label}))
    transitions = oracle.derivation(system, gold.heads, gold.labels)
    return trace(system, len(gold.heads), transitions)


def _built_heads(gold: Gold, derivation: "Derivation") -> list[Any]:
    """What was built, to compare it with the gold heads."""
    if not gold.is_graph:
        return derivation.heads
    heads: list[list[int]] = [[] for _ in gold.heads]
    for arc in sorted(arc[:2] for step in derivation.steps for arc in step.arcs):
        heads[arc[1]].append(arc[0])
    return heads


def _to_text(
    number: int,
    system: str,
    words: Sequence[str],
    gold: Gold,
    derivation: "Derivation",
    ascii_only: bool,
) -> str:
    from ..visual import render_derivation
    from ..visual.derivation import name_words

    names = name_words(words)
    drawing = render_derivation(derivation, words, ascii=ascii_only)
    wrong = [
        names[i]
        for i, heads in enumerate(zip(_built_heads(gold, derivation), gold.heads))
        if heads[0] != heads[1]
    ]
    steps = len(derivation.steps) - 1
    title = f"# sentence {number}, {system}: {len(words)} words, {steps} transitions"
    kind = "graph" if gold.is_graph else "tree"
    lost = f"\n{system} cannot derive this {kind}; wrong heads: {', '.join(wrong)}"
    return f"{title}\n{drawing}{lost if wrong else ''}\n"


def _to_json(
    number: int,
    system: str,
    words: Sequence[str],
    gold: Gold,
    derivation: "Derivation",
) -> str:
    heads = _built_heads(gold, derivation)
    record: dict[str, Any] = {
        "sentence": number,
        "system": system,
        "words": words,
        "derived": heads == gold.heads,
        "heads": heads,
        "steps": [
            {**step._asdict(), "arcs": [arc._asdict() for arc in step.arcs]}
            for step in derivation.steps
        ],
    }
    return json.dumps(record, ensure_ascii=False)

"""The command `evaluate`: parse a treebank and score the trees."""

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .messages import escape, fail, printer, progress, report, report_error
from .outputs import Output, make_folder, refuse_same_file
from .pipeline import HINT, load_pipeline
from .treebank import SentencesPerDocOption, TreebankDocuments

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc
    from spacy.training import Example

PAGE = "parses.html"  # the name that spaCy gives to such a page


class Breakdown(str, Enum):
    """How words are grouped for separate scores, see `evaluation.breakdown`."""

    length = "length"
    distance = "distance"
    label = "label"


def evaluate(
    model: Annotated[
        str, typer.Argument(metavar="NAME_OR_PATH", help="Pipeline to evaluate. " + HINT)
    ],
    path: Annotated[
        Path,
        typer.Argument(
            metavar="TREEBANK", help="CoNLL-U file, folder or pattern, or a .spacy file."
        ),
    ],
    output_path: Annotated[
        Path | None, typer.Option("--output", "-o", help="JSON file for all scores.")
    ] = None,
    sentences_per_doc: SentencesPerDocOption = 1,
    gold_sentences: Annotated[
        bool,
        typer.Option(
            "--gold-sentences",
            help="Give the pipeline the sentence boundaries of the treebank, which parsers keep.",
        ),
    ] = False,
    breakdowns: Annotated[
        list[Breakdown],
        typer.Option(
            "--by", help="Also print scores by length of sentence, length of arc, or label."
        ),
    ] = [],
    derivations: Annotated[
        bool,
        typer.Option(
            "--derivations",
            help="Also count words without a head at the end of the input, and repairs. This needs "
            "an arceager_parser with an arc-eager system.",
        ),
    ] = False,
    displacy_path: Annotated[
        Path | None,
        typer.Option(help=f"Folder for {PAGE}, a page with displaCy's drawings of parses."),
    ] = None,
    displacy_limit: Annotated[
        int, typer.Option(min=1, help="How many documents are drawn, at most.")
    ] = 25,
) -> None:
    """Parse a treebank with its own tokens and print the scores, in percent.

    All pipelines that parse are scored by the same measures, spaCy's own pipelines too.

    Exit codes: 0 done, 1 an input failed, 2 wrong usage.

    Example: arceager evaluate en tests/data/en_small-test.conllu
    """
    refuse_same_file(path, output_path, "The treebank and --output are the same file.")
    page_path = displacy_path and displacy_path / PAGE
    if displacy_path:
        make_folder(displacy_path)
    more = [breakdown.value for breakdown in breakdowns]
    documents = TreebankDocuments(path, sentences_per_doc, gold_sentences)
    if output_path is None:
        scores, docs = _score(model, documents, more, derivations)
    else:
        import srsly

        with Output(output_path) as output:
            scores, docs = _score(model, documents, more, derivations)
            output.write(srsly.json_dumps(scores, indent=2) + "\n")
    _print(scores, documents.files())
    _print_more(scores, more)
    if output_path:
        report(f"Saved all scores to {output_path}.")
    if page_path:
        with Output(page_path) as page:
            page.write(_draw(docs[:displacy_limit]))
        report(f"Saved the drawings to {page_path}.")


def _score(
    model: str, documents: TreebankDocuments, breakdowns: Sequence[str], derivations: bool
) -> tuple[dict[str, Any], list["Doc"]]:
    """The scores of a pipeline, and the Docs that it has parsed."""
    from spacy.training import Example

    from ..evaluation.scorer import PipelineScorer

    nlp = load_pipeline(model)
    examples = documents.read(nlp)
    scores = _count(nlp, examples) if derivations else {}
    start = perf_counter()
    docs = list(progress(
        nlp.pipe(example.predicted.copy() for example in examples), len(examples), "documents"
    ))
    scores["speed"] = sum(map(len, docs)) / (perf_counter() - start)
    parsed = [Example(doc, example.reference) for doc, example in zip(docs, examples, strict=True)]
    scores = {**PipelineScorer(nlp=nlp).score(parsed), **scores}
    scores["sentences"] = sum(map(_count_sentences, parsed))
    scores["words"] = sum(len(example.reference) for example in parsed)
    if breakdowns:
        scores["by"] = _break_down(examples, docs, breakdowns)
    return scores, docs


def _count_sentences(example: "Example") -> int:
    """The number of sentences of a gold Doc. A Doc without boundaries is one sentence."""
    gold = example.reference
    return len(list(gold.sents)) if gold.has_annotation("SENT_START") else 1


def _break_down(
    examples: Sequence["Example"], docs: Sequence["Doc"], names: Sequence[str]
) -> dict[str, Any]:
    from spacy.training import Example

    from ..evaluation import breakdown
    from ..evaluation.ud import align_parses

    parses = [
        align_parses(Example(doc, example.reference)) for doc, example in zip(docs, examples)
    ]
    group = {
        "length": breakdown.by_length, "distance": breakdown.by_distance,
        "label": breakdown.by_label,
    }
    return {name: [row._asdict() for row in group[name](parses)] for name in names}


def _count(nlp: "Language", examples: Sequence["Example"]) -> dict[str, Any]:
    """Count repairs and, if the system leaves any, words without a head, in derivations."""
    from dataclasses import asdict

    from ..evaluation.beside_gold import beside_gold
    from ..evaluation.fragments import count_fragments
    from ..evaluation.repairs import as_record, find_pops
    from ..pipe.derived import find_parser

    try:
        parser, unused = find_parser(nlp)
        with nlp.select_pipes(disable=unused):
            docs = [*nlp.pipe(example.predicted.copy() for example in examples)]
        sentences = [*beside_gold(examples, parser.derivations(docs))]
        pops = [pop for sentence in sentences for pop in find_pops(parser.system, sentence)]
        counts: dict[str, Any] = {"repairs": as_record(pops)}
        if parser.parameters.tree_constraint and not parser.parameters.segment:
            counts["fragments"] = asdict(count_fragments(parser.system, sentences))
    except ValueError as error:
        fail("There is nothing to count in derivations.", str(error))
    return counts


def _print(scores: dict[str, Any], files: Sequence[Path]) -> None:
    from ..evaluation.scores import SCORES
    from ..evaluation.shares import percent

    rows = [
        (score.meaning, percent(scores[score.name])) for score in SCORES
        if score.meaning and scores.get(score.name) is not None
    ]
    if not rows:
        report_error("There is nothing to score.", "The pipeline and the treebank share nothing.")
        raise typer.Exit(1)
    typer.echo(printer.table(rows, max_col=max(len(score.meaning) for score in SCORES)))
    named = ", ".join(escape(str(file)) for file in files)
    typer.echo(f"{scores['words']} words in {scores['sentences']} sentences of {named}")
    if "dep_multiple_roots" in scores:
        typer.echo(f"Predicted sentences with several roots: {scores['dep_multiple_roots']}")


def _print_more(scores: dict[str, Any], breakdowns: Sequence[str]) -> None:
    """The tables of --by, and the counts of --derivations."""
    from ..evaluation.shares import percent

    for name in breakdowns:
        header = (f"By {name}", "words", "UAS", "LAS, recall", "LAS, precision")
        rows = [
            (row["name"], str(row["gold"]),
             *(percent(row[key]) for key in ("uas", "recall", "precision")))
            for row in scores["by"][name]
        ]
        typer.echo(printer.table(rows, header=header, divider=True, aligns=("l", *"rrrr")))
    counts = {
        "Left over at the end of the input": scores.get("fragments"),
        **{
            f"Repairs by {name}": repairs
            for name, repairs in scores.get("repairs", {"counts": {}})["counts"].items()
        },
    }
    for title, numbers in counts.items():
        if numbers:
            named = ", ".join(f"{key.replace('_', ' ')} {n}" for key, n in numbers.items())
            typer.echo(f"{title}: {named}")


def _draw(docs: list["Doc"]) -> str:
    from spacy import displacy

    return displacy.render(docs, style="dep", page=True, options={"compact": True})

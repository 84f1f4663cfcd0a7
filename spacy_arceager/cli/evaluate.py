"""The command `evaluate`: parse a treebank and score the trees."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..processes.pipeline import Source
from .messages import counted, escape, fail, printer, progress, report
from .outputs import (
    JsonOption,
    Output,
    is_dash,
    make_folder,
    opened_for_json,
    refuse_treebank,
    show,
)
from .pipeline import HINT, CodeOption, ValidOption, import_code, load_pipeline
from .treebank import (
    SentencesPerDocOption,
    TreebankDocuments,
    parse_raw,
    written_sentences,
)
from .values import one_of

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc
    from spacy.training import Example

    from ..evaluation.scores import Score
    from ..evaluation.ud import AlignedParse

BREAKDOWNS = ("length", "distance", "label")     # see `evaluation.breakdown`
PAGE = "parses.html"  # the name that spaCy gives to such a page


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
    output_path: JsonOption = None,
    sentences_per_doc: SentencesPerDocOption = 1,
    gold_sentences: Annotated[
        bool,
        typer.Option(
            "--gold-sentences",
            help="Give the pipeline the sentence boundaries of the treebank, which parsers keep.",
        ),
    ] = False,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="Give the pipeline the raw text, one paragraph at a time, and score tokens, "
            "sentences, tags, lemmas and trees as the CoNLL 2018 shared task does.",
        ),
    ] = False,
    breakdowns: Annotated[
        list[str],
        typer.Option(
            "--by",
            parser=one_of(BREAKDOWNS),
            metavar="NAME",
            help="Also print scores by length (of the sentence), distance (between head and "
            "dependent) or label. Can be given several times.",
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
    valid: ValidOption = None,
    displacy_path: Annotated[
        Path | None,
        typer.Option(help=f"Folder for {PAGE}, a page with displaCy's drawings of parses."),
    ] = None,
    displacy_limit: Annotated[
        int, typer.Option(min=1, help="How many documents are drawn, at most.")
    ] = 25,
    code: CodeOption = [],
) -> None:
    """Parse a treebank with its own tokens, or with --raw its text, and print scores in percent.

    All pipelines that parse are scored by the same measures, spaCy's own pipelines too.

    Exit codes: 0 done, 1 an input failed, 2 wrong usage.

    Example: arceager evaluate en tests/data/en_small-test.conllu
    """
    refuse_treebank(path, output_path, "The treebank and --output are the same file.")
    if raw and (gold_sentences or derivations or sentences_per_doc != 1):
        raise typer.BadParameter(
            "--raw cannot go with --sentences-per-doc, --gold-sentences or --derivations, which "
            "need the treebank's own tokens"
        )
    import_code(code)
    page_path = displacy_path and displacy_path / PAGE
    if displacy_path:
        make_folder(displacy_path)
    documents = TreebankDocuments(path, sentences_per_doc, gold_sentences)
    with opened_for_json(output_path) as write:
        nlp = load_pipeline(Source(model, valid=valid))
        if raw:
            scores, docs = _score_raw(nlp, documents, breakdowns)
        else:
            scores, docs = _score(nlp, documents, breakdowns, derivations)
        write(scores)
    if not is_dash(output_path):
        (_print_raw if raw else _print)(scores, documents.files())
        _print_more(scores, breakdowns)
        if output_path:
            report(f"Saved all scores to {output_path}.")
    if page_path:
        with Output(page_path) as page:
            page.write(_draw(docs[:displacy_limit]))
        report(f"Saved the drawings to {page_path}.")


def _score(
    nlp: "Language", documents: TreebankDocuments, breakdowns: Sequence[str], derivations: bool
) -> tuple[dict[str, Any], list["Doc"]]:
    """The scores of a pipeline, and the Docs that it has parsed."""
    from spacy.training import Example

    from ..annotation.layout import sentences_of
    from ..evaluation.scorer import score_pipeline
    from ..evaluation.ud import align_parses

    examples = documents.read(nlp)
    scores = _count(nlp, examples) if derivations else {}
    start = perf_counter()
    docs = list(progress(
        nlp.pipe(example.predicted.copy() for example in examples), len(examples), "documents"
    ))
    scores["speed"] = sum(map(len, docs)) / (perf_counter() - start)
    parsed = [Example(doc, example.reference) for doc, example in zip(docs, examples, strict=True)]
    scores = {**score_pipeline(nlp, parsed), **scores}
    if not _shown(scores):
        fail("There is nothing to score.", "The pipeline and the treebank share nothing.")
    scores["sentences"] = sum(len([*sentences_of(example.reference)]) for example in parsed)
    scores["words"] = sum(
        not token.is_space for example in parsed for token in example.reference
    )
    scores["documents"] = len(docs)
    if breakdowns:
        scores["by"] = _break_down([*map(align_parses, parsed)], breakdowns)
    return scores, docs


def _shown(scores: dict[str, Any]) -> list["Score"]:
    """The scores that have a row in the table."""
    from ..evaluation.scores import SCORES

    return [
        score for score in SCORES if score.meaning and scores.get(score.name) is not None
    ]


def _score_raw(
    nlp: "Language", documents: TreebankDocuments, breakdowns: Sequence[str]
) -> tuple[dict[str, Any], list["Doc"]]:
    """The scores of a pipeline on raw text, and the Docs that it has parsed."""
    from ..evaluation.raw_scores import RawParse

    sentences = documents.read_sentences()
    start = perf_counter()
    docs = parse_raw(nlp, sentences)
    seconds = perf_counter() - start
    try:
        parse = RawParse(sentences, written_sentences(docs))
    except ValueError as error:
        fail("The parse cannot be compared with the treebank.", str(error))
    scores: dict[str, Any] = {
        "raw": {
            name: {
                "precision": f1.precision, "recall": f1.recall, "f1": f1.f1,
                "aligned_accuracy": f1.aligned_accuracy,
            }
            for name, f1 in parse.scores().items()
        },
        "speed": sum(map(len, docs)) / seconds,
        "sentences": len(sentences),
        "words": sum(len(sentence.words) for sentence in sentences),
        "paragraphs": len(docs),
    }
    if breakdowns:
        scores["by"] = _break_down([parse.arcs()], breakdowns)
    return scores, docs


def _break_down(parses: Sequence["AlignedParse"], names: Sequence[str]) -> dict[str, Any]:
    from ..evaluation import breakdown

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
    from ..pipe.component import find_parser

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
    from ..evaluation.shares import percent

    shown = _shown(scores)
    rows = [(score.meaning, percent(scores[score.name])) for score in shown]
    show(printer.table(rows, max_col=max(len(score.meaning) for score in shown)))
    named = ", ".join(escape(str(file)) for file in files)
    documents = counted(scores["documents"], "document")
    show(
        f"{scores['words']} words in {scores['sentences']} sentences of {named} ({documents})"
    )
    if "dep_multiple_roots" in scores:
        show(f"Predicted sentences with several roots: {scores['dep_multiple_roots']}")


def _print_raw(scores: dict[str, Any], files: Sequence[Path]) -> None:
    from ..evaluation.shares import percent

    header = ("Score", "precision", "recall", "F1", "accuracy of aligned words")
    rows = [
        (name, *(percent(row[key]) for key in ("precision", "recall", "f1", "aligned_accuracy")))
        for name, row in scores["raw"].items()
    ]
    show(printer.table(rows, header=header, divider=True, aligns=("l", *"rrrr")))
    named = ", ".join(escape(str(file)) for file in files)
    show(
        f"{counted(scores['words'], 'word')} in {counted(scores['sentences'], 'sentence')} and "
        f"{counted(scores['paragraphs'], 'paragraph')} of {named}"
    )


def _print_more(scores: dict[str, Any], breakdowns: Sequence[str]) -> None:
    """The tables of --by, and the counts of --derivations."""
    from ..evaluation.shares import percent

    for name in breakdowns:
        precision = "LAS, precision" + ", aligned words" * ("raw" in scores)
        header = (f"By {name}", "words", "UAS", "LAS, recall", precision)
        rows = [
            (row["name"], str(row["gold"]),
             *(percent(row[key]) for key in ("uas", "recall", "precision")))
            for row in scores["by"][name]
        ]
        show(printer.table(rows, header=header, divider=True, aligns=("l", *"rrrr")))
    if "fragments" in scores:
        show(_describe_fragments(scores["fragments"]))
    for name, numbers in scores.get("repairs", {"counts": {}})["counts"].items():
        show(_describe_repairs(name, numbers))


def _describe_fragments(numbers: dict[str, int]) -> str:
    """The fields of a `Fragments` as text."""
    text = (
        f"At the end of the input, {numbers['fragmented']} of "
        f"{counted(numbers['sentences'], 'sentence')} had several words without a head."
    )
    if numbers["stack_token"]:
        text += (
            f" The treebank has heads for {counted(numbers['stack_token'], 'word')} of these. "
            f"The parser went on and found {numbers['correct_new']} of the heads; if it had made "
            f"all of the words roots, {numbers['correct_old']} would be right."
        )
    return text


def _describe_repairs(name: str, numbers: dict[str, int]) -> str:
    """The fields of a `Repairs` as text. name: the transition that repairs."""
    made = numbers["true_positive"] + numbers["false_positive"]
    return (
        f"{name} made {counted(made, 'repair')}. Of these, {numbers['true_positive']} gave a word "
        f"its gold head, and {numbers['harmful']} lost a gold head that the word had or could "
        f"still get. Of the {numbers['true_negative'] + numbers['false_negative']} repairs that "
        f"{name} did not make, {numbers['false_negative']} would have given a word its gold head. "
        "Punctuation is not counted."
    )


def _draw(docs: list["Doc"]) -> str:
    from spacy import displacy

    return displacy.render(docs, style="dep", page=True, options={"compact": True})

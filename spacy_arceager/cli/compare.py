"""The command `compare`: test whether one parser is better than another on a treebank."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ..corpus.errors import quote
from .files import is_file, is_folder
from .messages import escape, fail, need_package, progress, report
from .outputs import JsonOption, is_dash, opened_for_json, refuse_treebank, show
from .pipeline import CodeOption, import_code, load_pipeline
from .treebank import (
    SentencesPerDocOption,
    TreebankDocuments,
    parse_raw,
    written_sentences,
)

if TYPE_CHECKING:
    from spacy.training import Example

    from ..corpus.conllu import ConlluSentence
    from ..evaluation.outcomes import Outcomes
    from ..evaluation.raw_scores import RawParse
    from ..evaluation.significance import Comparison

PARSES = (
    "Pipeline, or a CoNLL-U or .spacy file with its parses. Commas separate pipelines that differ "
    "in their seeds."
)


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help=PARSES)],
    second: Annotated[str, typer.Argument(metavar="B", help=PARSES)],
    path: Annotated[
        Path,
        typer.Argument(
            metavar="TREEBANK",
            help="Gold treebank: a CoNLL-U file, a folder, a pattern, or a .spacy file.",
        ),
    ],
    measure: Annotated[
        Literal["uas", "las", "las_full"],
        typer.Option(
            help="What must be right: uas the head, las also the label without its subtype, "
            "las_full also the subtype.",
        ),
    ] = "las",
    output_path: JsonOption = None,
    sentences_per_doc: SentencesPerDocOption = 1,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="Parse the raw text of the treebank. A gold word without a match is wrong. Files "
            "with parses may then have other tokens than the treebank.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the random resampling.")] = 0,
    code: CodeOption = [],
) -> None:
    """Compare two parsers, with an interval and tests of significance.

    If each parser was trained once, the tests are randomization by sentence and McNemar's test by
    word. If each was trained several times, they are a t test over seeds and sentences and
    randomization by sentence, which ignores that trainings vary. From six trainings on, there is
    also Wilcoxon's test over seeds.

    Exit codes: 0 done, 1 an input failed, 2 wrong usage.

    Example: arceager compare en tests/data/en_small-dev.conllu tests/data/en_small-dev.conllu
    """
    import spacy

    need_package("scipy", "significance", "A test of significance")
    from ..evaluation.outcomes import find_outcomes
    from ..evaluation.significance import compare as compare_outcomes

    if raw and sentences_per_doc != 1:
        raise typer.BadParameter("--raw parses whole paragraphs: leave out --sentences-per-doc")
    names = [split_names(sources) for sources in (first, second)]
    for file in (path, *map(Path, chain(*names))):
        refuse_treebank(file, output_path, f"--output would replace {file}, which is compared.")

    import_code(code)
    # The gold treebank is read once, as it may be a pipe.
    documents = TreebankDocuments(path, sentences_per_doc)
    sentences = documents.read_sentences() if raw else []
    examples = [] if raw else documents.read(spacy.blank("xx"))

    def outcomes(name: str) -> "Outcomes":
        if raw:
            return parsed_raw(name, sentences).outcomes(measure)
        return find_outcomes(parsed(name, examples, sentences_per_doc), measure)

    with opened_for_json(output_path) as write:
        try:
            of_first, of_second = (list(map(outcomes, side)) for side in names)
            result = compare_outcomes(of_first, of_second, seed=seed)
        except (ValueError, OSError) as error:
            fail("Cannot compare.", str(error))
        if not is_dash(output_path):
            print_comparison(result, measure, (first, second))
        write(asdict(result))
    if output_path and not is_dash(output_path):
        report(f"Saved the comparison to {output_path}.")


def split_names(names: str) -> list[str]:
    """The pipelines or files between commas. The name of one that is there may have commas."""
    return [names] if is_file(names) or is_folder(names) else names.split(",")


def is_treebank(name: str) -> bool:
    """Whether this names a file with parses, and no pipeline."""
    return name.endswith(".conllu") or is_file(name)


def parsed(
    name: str, gold: Sequence["Example"], sentences_per_doc: int
) -> Iterator["Example"]:
    """The gold treebank with the parses of a pipeline, or of a file.

    Raises:
        DifferentWordsError: If the file has other texts than the treebank.
    """
    import spacy
    from spacy.training import Example

    from ..corpus.conllu import without_annotation
    from ..evaluation.outcomes import DifferentWordsError

    if is_treebank(name):
        theirs = TreebankDocuments(Path(name), sentences_per_doc).read(spacy.blank("xx"))
        for example, other in zip_longest(gold, theirs):
            if example is None or other is None or not is_same(example, other):
                raise DifferentWordsError(
                    f"{name} and the treebank are different texts: "
                    f"{quote(example.text if example else '')} here, "
                    f"{quote(other.text if other else '')} there"
                )
            yield Example(other.reference, example.reference)
        return
    nlp = load_pipeline(name)
    docs = nlp.pipe(without_annotation(example.reference, nlp.vocab) for example in gold)
    bar = progress(docs, len(gold), "documents")
    for example, doc in zip(gold, bar, strict=True):
        yield Example(doc, example.reference)


def is_same(example: "Example", other: "Example") -> bool:
    """Whether two gold Docs have the same text or, with other spaces, the same words."""
    if example.text == other.text:
        return True
    words, of_other = ([token.text for token in one.reference] for one in (example, other))
    return words == of_other


def parsed_raw(name: str, gold: Sequence["ConlluSentence"]) -> "RawParse":
    """The gold treebank with a parse of its raw text by a pipeline, or in a file.

    Raises:
        DifferentWordsError: If the file has other texts than the treebank.
    """
    from ..evaluation.raw_scores import RawParse

    if is_treebank(name):
        return RawParse(gold, TreebankDocuments(Path(name)).read_sentences())
    return RawParse(gold, written_sentences(parse_raw(load_pipeline(name), gold)))


def print_comparison(result: "Comparison", measure: str, sources: tuple[str, str]) -> None:
    """Print the comparison of two sources of parses, with accuracies in percent."""
    for name, values, source in zip(
        "AB", (result.first, result.second), sources, strict=True
    ):
        mean = sum(values) / len(values)
        each = f" ({', '.join(f'{100 * value:.2f}' for value in values)})" if values[1:] else ""
        show(f"{measure} of {name}: {100 * mean:.2f}{each}  {escape(source)}")
    show(
        f"A - B: {100 * result.difference:+.2f}, 95 % between {100 * result.low:+.2f} and "
        f"{100 * result.high:+.2f}"
    )
    fixed = ", the trainings held fixed" if result.seeds_and_sentences is not None else ""
    tests = {
        "t test over seeds and sentences": result.seeds_and_sentences,
        f"randomization by sentence{fixed}": result.randomization,
        "McNemar's test by word": result.mcnemar,
        "Wilcoxon's test over seeds": result.wilcoxon,
    }
    for name, p in tests.items():
        if p is not None:
            show(f"{name}: p {'< 0.0001' if p < 0.0001 else f'= {p:.4f}'}")

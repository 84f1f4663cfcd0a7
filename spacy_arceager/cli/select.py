"""The command `select`: choose the sentences to annotate next, or those that need no check."""

import heapq
from collections.abc import Iterator
from shlex import quote
from typing import Annotated, Literal

import typer

from ..formats.candidates import Candidate, CandidateWriting, Statistic
from ..processes.job import Job
from ..processes.pipeline import Source
from .files import find_inputs
from .inputs import InputDocuments, InputFormatOption, InputOption
from .jobs import Successes, check_usage, fail_unless_all, parse_documents
from .messages import escape, report
from .outputs import Output, OutputOption, refuse_same_file
from .pipeline import BatchSizeOption, CodeOption, ModelOption, ProcessesOption

# `select FILE` is refused with a hint, and not as an argument that is unexpected.
OPTIONS = {"context_settings": {"allow_extra_args": True}}


def select(
    context: typer.Context,
    input_paths: InputOption = [],
    model: ModelOption = "en",
    input_format: InputFormatOption = None,
    output_path: OutputOption = None,
    number: Annotated[
        int, typer.Option("--number", "-n", min=1, help="How many sentences to select.")
    ] = 100,
    statistic: Annotated[
        Literal["mean", "minimum"],
        typer.Option(
            "--by",
            help="How the confidence of a sentence follows from those of its heads: mean or "
            "minimum.",
        ),
    ] = "mean",
    most: Annotated[
        bool, typer.Option("--most", help="Select the most confident sentences, not the least.")
    ] = False,
    min_words: Annotated[int, typer.Option(min=1, help="Leave out shorter sentences.")] = 1,
    max_words: Annotated[int | None, typer.Option(min=1, help="Leave out longer ones.")] = None,
    batch_size: BatchSizeOption = None,
    n_process: ProcessesOption = 1,
    code: CodeOption = [],
) -> None:
    """Select the sentences of which the parser is least sure, so that people can annotate them.

    They are written as CoNLL-U with their parses, the least confident first. HeadConfidence and
    LabelConfidence in MISC say how sure the parser is of each word. Sentences with the same words
    count once.

    Exit codes: 0 done, 1 an input or a document failed, 2 wrong usage.

    Example: arceager select --input tests/data/en_small-dev.conllu --number 5
    """
    if context.args:
        raise typer.BadParameter(f"Write --input before a file: --input {quote(context.args[0])}")
    check_usage(None, input_paths, input_format, n_process)
    if max_words is not None and max_words < min_words:
        raise typer.BadParameter("--max-words is below --min-words.")
    paths = [file for path in input_paths for file in find_inputs(path, input_format is not None)]
    for path in paths:
        refuse_same_file(path, output_path, "--input and --output are the same file.")
    documents = InputDocuments([*paths] or [None], input_format, as_one=True)
    writing = CandidateWriting(Statistic(statistic), min_words, max_words)
    job = Job(Source(model, tuple(map(str, code))), writing)
    with (
        Output(output_path) as output,
        parse_documents(job, documents, n_process, batch_size) as successes,
    ):
        choice = Choice(successes)
        for candidate, source in choice.best(number, most):
            output.write(f"{source}# confidence = {candidate.confidence:.4f}\n{candidate.conllu}")
        if documents.unreadable:
            output.cancel()     # the best sentences may be among those that were not read
    report(
        f"Selected {min(number, choice.n_different)} of {choice.n_different} different sentences "
        f"from {successes}.",
    )
    if output_path and not documents.unreadable:
        corrected = "" if most else ", once their trees are corrected"
        report(
            f"Saved them to {output_path}. To train on them and on a treebank{corrected}:",
            f"cat train.conllu {quote(str(output_path))} > more.conllu && spacy train config.cfg "
            "--paths.train more.conllu --paths.dev dev.conllu -o training",
        )
    fail_unless_all(successes, documents.count, documents)


class Choice:
    """Chooses among the candidates of parsed documents.

    Attributes:
        n_different: how many candidates there are, those with the same words counted once.
    """

    def __init__(self, successes: Successes[list[Candidate]]) -> None:
        self.successes = successes
        self.n_different = 0

    def best(self, number: int, most: bool) -> list[tuple[Candidate, str]]:
        """The least or the most confident candidates, best first, each with a source comment."""
        sign = -1 if most else 1
        return heapq.nsmallest(
            number, self._different(), key=lambda pair: sign * pair[0].confidence
        )

    def _different(self) -> Iterator[tuple[Candidate, str]]:
        seen: set[int] = set()      # hashes, which need less memory than the words
        for document, candidates in self.successes:
            place = escape(document.place).replace("\n", r"\n")
            source = f"# source = {place}\n" if place else ""
            for candidate in candidates:
                key = hash(candidate.words)
                if key not in seen:
                    seen.add(key)
                    yield candidate, source
        self.n_different = len(seen)

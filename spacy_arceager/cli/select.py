"""The command `select`: the sentences to annotate next, or those to learn from unseen."""

import heapq
from collections.abc import Iterator
from typing import Annotated

import typer

from ..formats.candidates import Candidate, CandidateWriting, Statistic
from ..processes.job import Job
from ..processes.pipeline import Source
from .files import find_inputs
from .inputs import InputDocuments, InputFormatOption, InputOption
from .jobs import Successes, check_usage, parse_documents, show_progress
from .messages import escape, fail
from .outputs import Output, OutputOption, refuse_same_file
from .pipeline import BatchSizeOption, CodeOption, ModelOption, ProcessesOption


def select(
    input_paths: InputOption = [],
    model: ModelOption = "en",
    input_format: InputFormatOption = None,
    output_path: OutputOption = None,
    number: Annotated[
        int, typer.Option("--number", "-n", min=1, help="Sentences to select.")
    ] = 100,
    statistic: Annotated[
        Statistic, typer.Option("--by", help="Of the confidences of the heads of a sentence.")
    ] = Statistic.mean,
    most: Annotated[
        bool, typer.Option("--most", help="The most confident sentences, not the least.")
    ] = False,
    min_words: Annotated[int, typer.Option(min=1, help="Leave out shorter sentences.")] = 1,
    max_words: Annotated[int | None, typer.Option(min=1, help="Leave out longer ones.")] = None,
    batch_size: BatchSizeOption = None,
    n_process: ProcessesOption = 1,
    code: CodeOption = [],
) -> None:
    """Select the sentences of which the parser is least sure, to annotate them.

    Writes them as CoNLL-U with their parses, the least confident first; HeadConfidence and
    LabelConfidence in MISC say how sure it is of each word. Of sentences with the same words one is
    taken. Exit codes: 0 done, 1 an input or a document failed, 2 wrong usage.
    """
    check_usage(None, input_paths, input_format, n_process)
    if max_words is not None and max_words < min_words:
        raise typer.BadParameter("--max-words is below --min-words.")
    paths = [file for path in input_paths for file in find_inputs(path, input_format is not None)]
    for path in paths:
        refuse_same_file(path, output_path, "--input and --output are the same file.")
    documents = InputDocuments([*paths] or [None], input_format, as_one=True)
    job = Job(
        Source(model, tuple(map(str, code))), CandidateWriting(statistic, min_words, max_words)
    )
    with (
        Output(output_path) as output,
        parse_documents(job, documents, n_process, batch_size) as results,
    ):
        choice = Choice(Successes(show_progress(results, documents)))
        for candidate, source in choice.best(number, most):
            output.write(f"{source}# confidence = {candidate.confidence:.4f}\n{candidate.conllu}")
        if documents.unreadable:
            output.cancel()     # it would be a choice among a part of the sentences
    typer.echo(f"Selected {min(number, choice.n_different)} of {choice.n_different} "
               "different sentences.", err=True)
    failed = documents.count - choice.successes.count
    if failed:
        fail(f"{failed} of {documents.count} documents failed.")
    if documents.unreadable:
        fail(f"{len(documents.unreadable)} of {len(documents.paths)} inputs failed.")


class Choice:
    """Chooses among the candidates of parsed documents.

    Attributes:
        n_different: candidates with different words.
    """

    def __init__(self, successes: Successes[list[Candidate]]) -> None:
        self.successes = successes
        self.n_different = 0

    def best(self, number: int, most: bool) -> list[tuple[Candidate, str]]:
        """The least confident candidates, or the most, best first; each with its source."""
        sign = -1 if most else 1
        return heapq.nsmallest(number, self._different(), key=lambda one: sign * one[0].confidence)

    def _different(self) -> Iterator[tuple[Candidate, str]]:
        seen: set[int] = set()      # hashes: a corpus may be large
        for document, candidates in self.successes:
            source = f"# source = {escape(document.place)}\n" if document.place else ""
            for candidate in candidates:
                key = hash(candidate.words)
                if key not in seen:
                    seen.add(key)
                    yield candidate, source
        self.n_different = len(seen)

"""The command `parse`: parse text from anywhere and write the trees."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer
from tqdm import tqdm

from ..processes import count_processes
from ..processes.batches import parse_stream
from ..processes.documents import Document, Parsed
from ..processes.job import Job
from ..processes.pipeline import Source
from ..processes.workers import WorkerError, Workers
from ..processes.writers import OutputFormat, TextFormat
from .files import plan_files
from .inputs import Documents, InputFormat, InputFormatOption, InputOption, detect_format
from .messages import fail, report_error
from .outputs import Output, StepOption, make_folder, refuse_step
from .pipeline import (
    HINT,
    BatchSizeOption,
    CodeOption,
    ModelOption,
    ProcessesOption,
    load_pipeline,
)

# Text, or of each sentence its derivation.
Results = Iterable[tuple[Document, Parsed[Any]]]


def parse(
    text: Annotated[
        str | None,
        typer.Argument(help="The text to parse. Without it, --input or stdin is read."),
    ] = None,
    model: ModelOption = "en",
    input_paths: InputOption = [],
    input_format: InputFormatOption = None,
    output_path: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write, not stdout, compressed as its ending says; a folder, if there "
            "are several inputs, for a file each.",
        ),
    ] = None,
    output_format: Annotated[
        OutputFormat,
        typer.Option(
            "--format",
            "-f",
            help="conllu: CoNLL-U. tree: drawings. json: a spaCy JSON object a line. derivation: "
            "the transitions of the parser; html: as a page; svg: a drawing of one step. What else "
            "JSON lines hold comes out again in json, and in conllu as comments.",
        ),
    ] = OutputFormat.conllu,
    step: StepOption = None,
    ascii_only: Annotated[
        bool, typer.Option("--ascii", help="Draw with ASCII characters.")
    ] = False,
    confidence: Annotated[
        bool,
        typer.Option(
            "--confidence", help="In conllu and json, how likely each head and label is right."
        ),
    ] = False,
    k_best: Annotated[
        int | None,
        typer.Option(
            min=1, help="In conllu and json, so many trees of each sentence, the best first, with "
            "their log probabilities. They are searched with a beam."
        ),
    ] = None,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial", help="Keep HEAD and DEPREL of CoNLL-U where they are given and find those "
            "that are `_`."
        ),
    ] = False,
    batch_size: BatchSizeOption = None,
    n_process: ProcessesOption = 1,
    resume: Annotated[
        bool, typer.Option(help="Leave out inputs whose files are in the output folder.")
    ] = False,
    code: CodeOption = [],
) -> None:
    """Parse text and write its dependency trees.

    A document that cannot be read, parsed or written is reported and left out of the output.
    An output file takes its place when all of it is written. Exit codes: 0 all is parsed, 1 an
    input or a document failed, 2 wrong usage.
    """
    check_usage(text, input_paths, input_format, n_process)
    refuse_step(step, output_format is OutputFormat.svg)
    _check_k_best(k_best, output_format, confidence)
    files = plan_files(input_paths, output_path, output_format, resume)
    _check_partial(partial, files.inputs, input_format)
    documents = Documents(files.inputs, input_format, partial)
    form = TextFormat(output_format, ascii_only, confidence, k_best, partial)
    job = Job(Source(model, tuple(map(str, code))), form)
    given = documents if text is None else [Document(text, {})]
    if not files.outputs:
        return      # --resume, and all is there
    if files.folder:
        make_folder(files.folder)
    with parse_documents(job, given, 1 if text is not None else n_process, batch_size) as results:
        # tqdm reads disable=None as: no progress bar unless stderr is a terminal.
        shown = tqdm(results, unit=" documents", disable=None if input_paths else True)
        written = _write_files(shown, documents, files.outputs, form, step)
    n_documents = documents.count if text is None else 1
    if written < n_documents:
        fail(f"{n_documents - written} of {n_documents} documents failed.")
    if documents.unreadable:
        fail(f"{len(documents.unreadable)} of {len(files.inputs)} inputs failed.")


def check_usage(
    text: str | None,
    input_paths: Sequence[Path],
    input_format: InputFormat | None,
    n_process: int,
) -> None:
    """Raise typer.BadParameter for inputs that contradict each other or are missing."""
    if text is not None and (input_paths or input_format):
        raise typer.BadParameter("--input and --input-format do not go with a TEXT.")
    if text is None and not input_paths and sys.stdin.isatty():
        raise typer.BadParameter("Give a TEXT, --input FILE, or text on stdin.")
    if input_format is InputFormat.spacy and not input_paths:
        raise typer.BadParameter("--input-format spacy needs an --input.")
    try:
        count_processes(n_process)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _check_k_best(k_best: int | None, output_format: OutputFormat, confidence: bool) -> None:
    if k_best is None:
        return
    if output_format not in (OutputFormat.conllu, OutputFormat.json):
        raise typer.BadParameter("--k-best goes with --format conllu or json.")
    if confidence:
        raise typer.BadParameter("--confidence is of one parse and does not go with --k-best.")


def _check_partial(
    partial: bool, inputs: Sequence[Path | None], input_format: InputFormat | None
) -> None:
    formats = {input_format or detect_format(path) for path in inputs}
    if partial and formats - {InputFormat.conllu}:
        raise typer.BadParameter("--partial goes with CoNLL-U.")


@contextmanager
def parse_documents(
    job: Job, documents: Iterable[Document], n_process: int, batch_size: int | None
) -> Iterator[Results]:
    """The results of a job in the order of the documents; end the command where it cannot run.

    Args:
        n_process: 1 is this process, -1 one a core.
    """
    n_process = count_processes(n_process)
    if n_process == 1:
        nlp = load_pipeline(job.source)
        try:
            write = job.writer(nlp)
        except ValueError as error:
            fail("The pipeline cannot do this.", str(error))
        yield parse_stream(nlp, documents, write, batch_size)
        return
    with Workers(job, n_process, batch_size) as workers:
        try:
            yield workers.parse(documents)
        except WorkerError as error:
            fail("Cannot load the pipeline.", f"{job.source.model}: {error}\n{HINT}")


def _write_files(
    results: Results,
    documents: Documents,
    paths: Sequence[Path | None],
    form: TextFormat,
    step: int | None,
) -> int:
    """Write results to one file, or to one for each input; return how many documents."""
    if len(paths) == 1:
        with Output(paths[0]) as output:
            written = _write(results, output, form, step)
            if documents.unreadable and len(documents.paths) == 1:
                output.cancel()
        return written
    written = 0
    left = set(range(len(paths)))
    for file, own in groupby(results, lambda result: result[0].file):
        with Output(paths[file]) as output:
            written += _write(own, output, form, step)
            # Documents are read ahead: by now the input has been read to its end.
            if file in documents.unreadable:
                output.cancel()
        left.discard(file)
    for file in sorted(left - documents.unreadable):
        with Output(paths[file]):
            pass    # an input without documents
    return written


def _write(results: Results, output: Output, form: TextFormat, step: int | None) -> int:
    """Write what can be written, report the rest, and return how many documents it was."""
    if form.output_format.has_derivations:
        return _write_derivations(results, output, form, step)
    written = 0
    for value in _values(results):
        output.write(value)
        written += 1
    return written


def _write_derivations(results: Results, output: Output, form: TextFormat, step: int | None) -> int:
    from .derivations import DerivationOutput

    derivations = DerivationOutput(
        output, form.output_format.value, ascii_only=form.ascii_only, step=step
    )
    written = 0
    for sentences in _values(results):
        for derived in sentences:
            derivations.write([derived])
        written += 1
    derivations.finish()
    return written


def _values(results: Results) -> Iterator[Any]:
    for _, parsed in results:
        if parsed.failure or parsed.value is None:
            report_error(*(parsed.failure or ("Cannot write a document.",)))
        else:
            yield parsed.value

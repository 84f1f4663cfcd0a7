"""The command `parse`: parse text from anywhere and write the trees."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from ..formats.document import Document
from ..formats.registry import DEFAULT_PARSE, PARSES
from ..formats.rows import DerivationFormat, DrawingOptions, InputFormat, OutputFormat, TreeFormat
from ..formats.writing import DerivationWriting, TreeWriting
from ..processes.job import Job
from ..processes.pipeline import Source
from .choices import choice
from .files import plan_files
from .inputs import InputDocuments, InputFormatOption, InputOption, detect_format
from .jobs import Successes, check_usage, parse_documents, show_progress
from .messages import fail
from .outputs import Output, StepOption, make_folder, refuse_step
from .pipeline import BatchSizeOption, CodeOption, ModelOption, ProcessesOption

K_BEST = [name for name, form in PARSES.items() if getattr(form, "write_k_best", None)]


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
        OutputFormat, choice("--format", "-f", rows=PARSES)
    ] = DEFAULT_PARSE,
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
            min=1, help=f"In {', '.join(K_BEST)}: so many trees of each sentence, the best first, "
            "with their log probabilities. They are searched with a beam."
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
    An output file takes its place when all of its input has been read and all of it is written.
    Exit codes: 0 all is parsed, 1 an
    input or a document failed, 2 wrong usage.
    """
    check_usage(text, input_paths, input_format, n_process)
    refuse_step(step, output_format)
    _check_k_best(k_best, output_format, confidence)
    files = plan_files(input_paths, output_path, output_format, resume, input_format is not None)
    _check_partial(partial, files.inputs, input_format)
    documents = InputDocuments(files.inputs, input_format, partial)
    writing: Any = DerivationWriting()
    if isinstance(output_format, TreeFormat):
        writing = TreeWriting(output_format, ascii_only, confidence, k_best, partial)
    job: Job[Any] = Job(Source(model, tuple(map(str, code))), writing)
    given = documents if text is None else [Document(text, {})]
    if not files.outputs:
        return      # --resume, and all is there
    if files.folder:
        make_folder(files.folder)
    with parse_documents(job, given, 1 if text is not None else n_process, batch_size) as results:
        successes = Successes(show_progress(results, documents))
        options = DrawingOptions(ascii_only, step)
        _write_files(successes, documents, files.outputs, output_format, options)
    n_documents = documents.count if text is None else 1
    if successes.count < n_documents:
        fail(f"{n_documents - successes.count} of {n_documents} documents failed.")
    if documents.unreadable:
        fail(f"{len(documents.unreadable)} of {len(files.inputs)} inputs failed.")


def _check_k_best(k_best: int | None, output_format: OutputFormat, confidence: bool) -> None:
    if k_best is None:
        return
    if output_format.name not in K_BEST:
        raise typer.BadParameter(f"--k-best goes with --format {' or '.join(K_BEST)}.")
    if confidence:
        raise typer.BadParameter("--confidence is of one parse and does not go with --k-best.")


def _check_partial(
    partial: bool, inputs: Sequence[Path | None], input_format: InputFormat | None
) -> None:
    forms = {input_format or detect_format(path) for path in inputs}
    if partial and not all(form.read_partial for form in forms):
        raise typer.BadParameter("--partial goes with CoNLL-U.")


def _write_files(
    successes: Iterable[tuple[Document, Any]],
    documents: InputDocuments,
    paths: Sequence[Path | None],
    output_format: OutputFormat,
    options: DrawingOptions,
) -> None:
    """Write what is made of documents to one file, or to one for each input."""
    if len(paths) == 1:
        with Output(paths[0]) as output:
            _write(successes, output, output_format, options)
            if documents.unreadable:
                output.cancel()
        return
    left = set(range(len(paths)))
    n_failed = 0
    for file, successes_of_file in groupby(successes, lambda success: success[0].file):
        left.discard(file)
        try:
            with Output(paths[file]) as output:
                _write(successes_of_file, output, output_format, options)
                # Documents are read ahead: by now the input has been read to its end.
                if file in documents.unreadable:
                    output.cancel()
        except typer.Exit:      # the reason has been told; the other outputs are written
            n_failed += 1
    for file in sorted(left - documents.unreadable):
        try:
            with Output(paths[file]):
                pass    # an input of which nothing is written
        except typer.Exit:
            n_failed += 1
    if n_failed:
        fail(f"{n_failed} of {len(paths)} outputs could not be written.")


def _write(
    successes: Iterable[tuple[Document, Any]],
    output: Output,
    output_format: OutputFormat,
    options: DrawingOptions,
) -> None:
    if isinstance(output_format, DerivationFormat):
        sentences = ([derived] for _, document in successes for derived in document)
        output.write_derivations(output_format, enumerate(sentences, 1), options)
    else:
        for _, text in successes:
            output.write(text)

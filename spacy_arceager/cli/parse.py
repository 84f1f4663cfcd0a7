"""The command `parse`: parse text and write the trees."""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from ..formats.document import Document
from ..formats.registry import PARSES, find_parse_format
from ..formats.rows import DerivationFormat, DrawingOptions, InputFormat, OutputFormat, TreeFormat
from ..formats.writing import TreeWriting, derivation_writer
from ..processes.job import Job
from ..processes.pipeline import Source
from .files import Files, plan_files
from .inputs import STDIN, InputDocuments, InputFormatOption, InputOption, detect_format
from .jobs import Successes, check_usage, fail_unless_all, parse_documents
from .messages import counted, fail, report, warn
from .outputs import Output, StepOption, make_folder, refuse_step, stdout_by_dash
from .pipeline import BatchSizeOption, CodeOption, ModelOption, ProcessesOption, ValidOption
from .values import format_option

TREES = [name for name, form in PARSES.items() if isinstance(form, TreeFormat)]


def decode(text: str | None) -> str | None:
    """A TEXT in UTF-8, as inputs are, even if the locale has another encoding."""
    with suppress(UnicodeError):
        return text and os.fsencode(text).decode()
    return text


def parse(
    text: Annotated[
        str | None,
        typer.Argument(
            help="Text to parse; - is stdin. Without it, --input or stdin is read.", callback=decode
        ),
    ] = None,
    model: ModelOption = "en",
    input_paths: InputOption = [],
    input_format: InputFormatOption = None,
    output_path: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write instead of stdout, compressed if its ending says so. With several "
            "inputs, a folder that gets a file for each.",
            callback=stdout_by_dash,
        ),
    ] = None,
    given_format: Annotated[
        OutputFormat | None,
        format_option(
            "--format", "-f", rows=PARSES,
            note="By default that of the ending of --output, else conllu.",
        ),
    ] = None,
    step: StepOption = None,
    ascii_only: Annotated[
        bool, typer.Option("--ascii", help="Draw with ASCII characters.")
    ] = False,
    confidence: Annotated[
        bool,
        typer.Option(
            "--confidence",
            help="Write how likely each head is right, and in conllu and json each label.",
        ),
    ] = False,
    k_best: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Write this many trees of each sentence, the best first, with their log "
            f"probabilities, in {', '.join(TREES)}. A beam search finds them.",
        ),
    ] = None,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial",
            help="Keep the HEAD and DEPREL that the CoNLL-U file has, and find those that are `_`.",
        ),
    ] = False,
    valid: ValidOption = None,
    batch_size: BatchSizeOption = None,
    n_process: ProcessesOption = 1,
    resume: Annotated[
        bool, typer.Option(help="Leave out inputs whose outputs exist already.")
    ] = False,
    code: CodeOption = [],
) -> None:
    """Parse text and write its dependency trees.

    A document that cannot be read, parsed or written is reported and left out of the output. An
    output file replaces an older one only when it is complete.

    Exit codes: 0 everything is parsed, 1 an input or a document failed, 2 wrong usage.

    Example: arceager parse "Nobody read them." --format tree
    """
    if text == STDIN and not input_paths:
        text = None
    check_usage(text, input_paths, input_format, n_process)
    output_format = given_format or find_parse_format(output_path)
    refuse_step(step, output_format)
    if confidence and output_format.name not in TREES:
        raise typer.BadParameter(f"--confidence goes with --format {' or '.join(TREES)}.")
    _check_k_best(k_best, output_format, confidence)
    files = plan_files(input_paths, output_path, output_format, resume, input_format is not None)
    _check_partial(partial, files.inputs, input_format)
    if not files.outputs:
        report(f"Nothing is left to parse: {files.folder} has the outputs of all inputs.")
        return
    # Sentences of one output need different ids.
    as_one = len(files.outputs) == 1
    inputs = InputDocuments(files.inputs, input_format, partial, as_one)
    documents = inputs if text is None else [Document(text, {})]
    writing: Any = derivation_writer
    if isinstance(output_format, TreeFormat):
        writing = TreeWriting(output_format, ascii_only, confidence, k_best, partial)
    job: Job[Any] = Job(Source(model, tuple(map(str, code)), valid), writing)
    if files.folder:
        make_folder(files.folder)
    if text is not None:
        n_process = 1
    with parse_documents(job, documents, n_process, batch_size) as successes:
        options = DrawingOptions(ascii_only, step)
        n_written = _write_files(successes, inputs, files.outputs, output_format, options)
    if output_path and n_written:
        _report(successes, n_written, files, output_path, output_format)
    if n_written < len(files.outputs) - len(inputs.unreadable):
        n_failed = len(files.outputs) - len(inputs.unreadable) - n_written
        fail(f"{n_failed} of {len(files.outputs)} outputs could not be written.")
    fail_unless_all(successes, inputs.count if text is None else 1, inputs)


def _report(
    successes: Successes[Any], n_written: int, files: Files, path: Path, form: OutputFormat
) -> None:
    """Tell what was written, and what can be done with it."""
    place = f"{counted(n_written, 'file')} in {path}" if files.folder else f"{path}"
    next_step = ""
    if files.folder is None and form.next_step:
        next_step = form.next_step.format(path=quote(str(path)))
    report(f"Parsed {successes} to {place}.", next_step)


def _check_k_best(k_best: int | None, output_format: OutputFormat, confidence: bool) -> None:
    if k_best is None:
        return
    if output_format.name not in TREES:
        raise typer.BadParameter(f"--k-best goes with --format {' or '.join(TREES)}.")
    if confidence:
        raise typer.BadParameter("--confidence is about one parse and does not go with --k-best.")


def _check_partial(
    partial: bool, inputs: Sequence[Path | None], input_format: InputFormat | None
) -> None:
    forms = {input_format or detect_format(path) for path in inputs}
    if partial and not all(form.read_partial for form in forms):
        raise typer.BadParameter("--partial needs input in CoNLL-U.")


def _write_files(
    successes: Successes[Any],
    inputs: InputDocuments,
    paths: Sequence[Path | None],
    output_format: OutputFormat,
    options: DrawingOptions,
) -> int:
    """Write one file for all inputs, or one for each. Returns how many files are complete."""
    if len(paths) == 1:
        with Output(paths[0]) as output:
            _write(successes, output, output_format, options)
            if inputs.unreadable:
                output.cancel()
        return 0 if inputs.unreadable else 1
    n_written = 0
    without_documents = set(range(len(paths)))
    try:
        for file, successes_of_file in groupby(successes, lambda success: success[0].file):
            without_documents.discard(file)
            with suppress(typer.Exit):  # the error has been shown, and the other files are written
                with Output(paths[file]) as output:
                    _write(successes_of_file, output, output_format, options)
                    # Documents are read ahead, so the input has been read to its end by now.
                    if file in inputs.unreadable:
                        output.cancel()
                n_written += file not in inputs.unreadable
    except KeyboardInterrupt:
        warn(
            f"Interrupted: {n_written} of {counted(len(paths), 'file')} are written.",
            "To go on, give the same command with --resume.",
        )
        raise
    for file in without_documents - inputs.unreadable:
        with suppress(typer.Exit):
            with Output(paths[file]):
                pass    # the output of an input without documents is empty
            n_written += 1
    return n_written


def _write(
    successes: Iterable[tuple[Document, Any]],
    output: Output,
    output_format: OutputFormat,
    options: DrawingOptions,
) -> None:
    """Write what was made of documents to one output."""
    if isinstance(output_format, DerivationFormat):
        sentences = ([derived] for _, document in successes for derived in document)
        output.write_derivations(output_format, enumerate(sentences, 1), options)
    else:
        for _, text in successes:
            output.write(text)

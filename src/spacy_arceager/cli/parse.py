"""The command `parse`: parse text from anywhere and write the trees."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from tqdm import tqdm

from ..corpus.errors import quote
from .inputs import Document, Documents, InputFormat, detect_format
from .messages import fail, report_error
from .outputs import (
    Output,
    OutputFormat,
    Record,
    choose_writer,
    refuse_same_file,
    write_documents,
)
from .pipeline import ModelOption, load_pipeline

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc


def parse(
    text: Annotated[
        str | None,
        typer.Argument(help="The text to parse. Without it, --input or stdin is read."),
    ] = None,
    model: ModelOption = "en",
    input_path: Annotated[
        Path | None, typer.Option("--input", "-i", help="File to parse, in UTF-8.")
    ] = None,
    input_format: Annotated[
        InputFormat | None,
        typer.Option(
            help="text: a document a line, blank lines skipped. jsonl: a JSON object "
            'a line, the document under the key "text". conllu: a document a sentence, '
            "with the tokens of the file and new annotation. spacy: a file of spaCy's Docs, "
            "likewise. By default, the ending of the input file decides.",
        ),
    ] = None,
    output_path: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write, not stdout.")
    ] = None,
    output_format: Annotated[
        OutputFormat,
        typer.Option(
            "--format",
            "-f",
            help="conllu: CoNLL-U. tree: drawings. json: a spaCy JSON object a line. What "
            "else JSON lines hold comes out again, as comments in CoNLL-U.",
        ),
    ] = OutputFormat.conllu,
    ascii_only: Annotated[
        bool, typer.Option("--ascii", help="Draw trees with ASCII characters.")
    ] = False,
    batch_size: Annotated[
        int | None, typer.Option(min=1, help="Documents to parse at once.")
    ] = None,
    n_process: Annotated[
        int, typer.Option(min=-1, help="Processes to parse with; -1: one a CPU core.")
    ] = 1,
) -> None:
    """Parse text and write its dependency trees.

    A document that cannot be read, parsed or written is reported and left out of the output.
    The output file takes its place when all is written. Exit codes: 0 all is parsed, 1 an
    input or a document failed, 2 wrong usage.
    """
    _check_usage(text, input_path, input_format, output_path)
    with Output(output_path) as output:
        nlp = load_pipeline(model)
        documents: Documents | None = None
        items: Iterable[Document] = [Document(text or "", {})]
        if text is None:
            chosen = input_format or detect_format(input_path)
            items = documents = Documents(input_path, chosen, nlp.vocab)
        docs = _parse_documents(nlp, items, batch_size, n_process)
        # tqdm reads disable=None as: no progress bar unless stderr is a terminal.
        docs = tqdm(docs, unit=" documents", disable=None if input_path else True)
        written = write_documents(docs, choose_writer(output_format, ascii_only), output)
    n_documents = documents.count if documents else 1
    if written < n_documents:
        fail(f"{n_documents - written} of {n_documents} documents failed.")


def _check_usage(
    text: str | None,
    input_path: Path | None,
    input_format: InputFormat | None,
    output_path: Path | None,
) -> None:
    if text is not None and (input_path or input_format):
        raise typer.BadParameter("--input and --input-format do not go with a TEXT.")
    if text is None and input_path is None and sys.stdin.isatty():
        raise typer.BadParameter("Give a TEXT, --input FILE, or text on stdin.")
    if input_format is InputFormat.spacy and input_path is None:
        raise typer.BadParameter("--input-format spacy needs an --input.")
    refuse_same_file(input_path, output_path, "--input and --output are the same file.")


def _parse_documents(
    nlp: "Language",
    documents: Iterable[Document],
    batch_size: int | None,
    n_process: int,
) -> Iterator[tuple["Doc", Record]]:
    """Parse documents; report those that fail and go on with the others."""
    # spaCy's annotation allows only handlers that raise; its documentation, all. Its own
    # parser can take none.
    with suppress(AttributeError):
        nlp.set_error_handler(_report_failure)  # type: ignore[arg-type]
    docs = _tokenize(nlp, documents)
    return nlp.pipe(docs, as_tuples=True, batch_size=batch_size, n_process=n_process)


def _tokenize(
    nlp: "Language", documents: Iterable[Document]
) -> Iterator[tuple["Doc", Record]]:
    # nlp.pipe would tokenize too, but not report a text that is too long and go on.
    for text, record in documents:
        if not isinstance(text, str):
            yield text, record
            continue
        try:
            doc = nlp.make_doc(text)
        except Exception as error:  # noqa: BLE001 - as spaCy does with components
            report_error("Cannot tokenize a document.", f"{quote(text)}: {error}")
        else:
            yield doc, record


def _report_failure(
    name: str | None, component: object, docs: Sequence["Doc"] | None, error: Exception
) -> None:
    """An error handler for spaCy, which calls it with one document or a batch.

    An error outside of a component, in a process of its own, comes without a
    component and documents.
    """
    title = f"Component '{name}' failed." if name else "A process failed."
    texts = ", ".join(quote(doc.text) for doc in docs or ())
    report_error(title, f"{texts or 'A batch'}: {type(error).__name__}: {error}")

"""Parse batches of documents, in which a faulty document does not harm the others."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ..formats.document import Document, Value, Writer, make_doc
from .job import Failure, Parsed

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc

BATCH = 256         # documents of a batch, at most
CHARACTERS = 2**16  # characters of a batch, at most, unless it is one document


def cut_into_batches(
    documents: Iterable[Document], batch_size: int | None
) -> Iterator[list[Document]]:
    """Batches of at most `batch_size` documents (None: BATCH) and CHARACTERS characters."""
    batch: list[Document] = []
    size = 0
    for document in documents:
        if batch and (len(batch) == (batch_size or BATCH) or size + document.size > CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += document.size
    if batch:
        yield batch


def parse_batch(
    nlp: "Language", documents: Sequence[Document], write: Writer[Value]
) -> list[Parsed[Value]]:
    """Parse documents and write each of them.

    If a component fails with several documents at once, it gets each of them alone. The strings
    that Docs add to the vocabulary are removed afterwards, so that memory does not grow with the
    corpus. Therefore the value that `write` returns must not refer to the Doc.

    Returns:
        For each document what is written of it, or why that failed.
    """
    results = _parse_together(nlp, documents, write)
    if len(documents) > 1:
        for i, result in enumerate(results):
            if result.failure:
                results[i] = _parse_together(nlp, [documents[i]], write)[0]
    return results


def _parse_together(
    nlp: "Language", documents: Sequence[Document], write: Writer[Value]
) -> list[Parsed[Value]]:
    results: list[Parsed[Value]] = [
        Parsed(None, Failure("The pipeline lost a document.", document.start))
        for document in documents
    ]

    def fail(i: int, title: str, reason: str) -> None:
        results[i] = Parsed(None, Failure(title, f"{documents[i].start}: {reason}"))

    def remember(name: str | None, _: object, docs: "Sequence[Doc]", error: Exception) -> None:
        # spaCy keeps the context of `as_tuples`, here the index, in `doc._context`.
        for doc in docs:
            fail(doc._context, f"Component '{name}' failed.", f"{type(error).__name__}: {error}")

    def make_docs() -> "Iterator[tuple[Doc, int]]":
        for i, document in enumerate(documents):
            try:
                doc = make_doc(nlp, document)
            except Exception as error:  # noqa: BLE001 (as spaCy does with components)
                fail(i, "Cannot tokenize a document.", f"{error}")
            else:
                yield doc, i

    # spaCy's annotation allows only handlers that raise, but its documentation allows all. spaCy's
    # own parser has no error handler to set.
    with suppress(AttributeError):
        nlp.set_error_handler(remember)  # type: ignore[arg-type]
    with nlp.memory_zone():
        for doc, i in nlp.pipe(make_docs(), as_tuples=True):
            try:
                results[i] = Parsed(write(doc, documents[i].record), n_words=count_words(doc))
            except Exception as error:  # noqa: BLE001 (a document that cannot be written)
                fail(i, "Cannot write a document.", f"{error}")
            del doc
    return results


def count_words(doc: "Doc") -> int:
    """How many tokens are no white space."""
    from spacy.attrs import IS_SPACE

    return len(doc) - doc.count_by(IS_SPACE).get(1, 0)


def parse_stream(
    nlp: "Language",
    documents: Iterable[Document],
    write: Writer[Value],
    batch_size: int | None = None,
) -> Iterator[tuple[Document, Parsed[Value]]]:
    """Parse batch by batch, and yield each document with what is written of it, in order."""
    for batch in cut_into_batches(documents, batch_size):
        yield from zip(batch, parse_batch(nlp, batch, write), strict=True)

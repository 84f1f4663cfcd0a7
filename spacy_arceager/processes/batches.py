"""A batch of documents through a pipeline, from which a faulty one takes nothing away."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ..formats.document import Document, Value, Writer, make_doc
from .parsed import Failure, Parsed

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc

BATCH = 256         # documents
CHARACTERS = 2**16  # of a batch of several documents


def cut_into_batches(
    documents: Iterable[Document], batch_size: int | None
) -> Iterator[list[Document]]:
    """Batches of so many documents, BATCH unless said otherwise, or CHARACTERS characters."""
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
    """Parse documents and write each: what is written of it, or why that failed.

    A component that fails with several documents at once gets each of them alone. What a Doc
    needs in the vocabulary is given up afterwards, so that memory does not grow with the corpus;
    what `write` returns must not refer to the Doc.
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
        # spaCy keeps the context of `as_tuples` there.
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

    # Its annotation allows only handlers that raise; its documentation, all. spaCy's own parser
    # can take none.
    with suppress(AttributeError):
        nlp.set_error_handler(remember)  # type: ignore[arg-type]
    with nlp.memory_zone():
        for doc, i in nlp.pipe(make_docs(), as_tuples=True):
            try:
                results[i] = Parsed(write(doc, documents[i].record))
            except Exception as error:  # noqa: BLE001 (a document that cannot be written)
                fail(i, "Cannot write a document.", f"{error}")
            del doc
    return results


def parse_stream(
    nlp: "Language",
    documents: Iterable[Document],
    write: Writer[Value],
    batch_size: int | None = None,
) -> Iterator[tuple[Document, Parsed[Value]]]:
    """Each document and what is written of it, in their order, batch by batch."""
    for batch in cut_into_batches(documents, batch_size):
        yield from zip(batch, parse_batch(nlp, batch, write), strict=True)

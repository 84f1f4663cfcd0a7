"""Docs through a component, batch by batch, none held up by another that fails."""

from collections.abc import Iterable, Iterator, Sequence

from spacy.pipeline.trainable_pipe import TrainablePipe
from spacy.tokens import Doc
from spacy.util import minibatch


def annotate_stream(
    pipe: TrainablePipe, stream: Iterable[Doc], batch_size: int
) -> Iterator[Doc]:
    """Annotate Docs. Of a batch that fails each Doc is tried again alone.

    Those that fail go to the error handler of the component, and are left out.
    """
    for docs in minibatch(stream, size=batch_size):
        try:
            annotate(pipe, docs)
        except Exception:  # noqa: BLE001 (each Doc is tried again alone)
            for doc in docs:
                yield from annotate_alone(pipe, doc)
        else:
            yield from docs


def annotate(pipe: TrainablePipe, docs: Sequence[Doc]) -> None:
    """Predict and set annotations."""
    pipe.set_annotations(docs, pipe.predict(docs))


def annotate_alone(pipe: TrainablePipe, doc: Doc) -> Iterator[Doc]:
    """The Doc, annotated; nothing where that fails."""
    try:
        annotate(pipe, [doc])
    except Exception as error:  # noqa: BLE001 (the error handler gets it)
        pipe.get_error_handler()(pipe.name, pipe, [doc], error)
    else:
        yield doc

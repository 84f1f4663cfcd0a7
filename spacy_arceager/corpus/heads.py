"""A treebank without heads is refused where a parser is to learn from it or be scored on it."""

from collections.abc import Iterable, Iterator

from spacy.language import Language
from spacy.tokens import Doc

from ..annotation.graphs import get_graph
from .errors import InputError


def require_heads(docs: Iterable[Doc], nlp: Language, source: object) -> Iterator[Doc]:
    """Yield gold Docs; after the last one, refuse them if a parser needs heads and no word has one.

    Without heads the parser has no score, and no state of a training would be better than another.

    Args:
        nlp: the pipeline that learns from the Docs or is scored on them. Its other components, and
            a frozen parser, need no heads.
        source: where the Docs come from, for the message.

    Raises:
        InputError: If there are Docs, no Doc has a head or a graph, and a parser needs one.
    """
    is_needed = needs_heads(nlp)
    n_docs = 0
    for doc in docs:
        n_docs += 1
        is_needed = is_needed and not has_heads(doc)
        yield doc
    if is_needed and n_docs:
        raise InputError(
            f"{source}: no word has a head, so there are no gold trees for the parser of the "
            "pipeline. Give a treebank whose column HEAD is filled in."
        )


def needs_heads(nlp: Language) -> bool:
    """Whether a component learns heads and is not frozen in the config of a training."""
    frozen = nlp.config.interpolate()["training"]["frozen_components"]
    return any(
        "token.head" in nlp.get_pipe_meta(name).assigns
        and getattr(nlp.get_pipe(name), "is_trainable", False)
        for name in nlp.pipe_names if name not in frozen
    )


def has_heads(doc: Doc) -> bool:
    """Whether some word of a Doc has a head, or a place in a graph."""
    if not len(doc):    # to spaCy, an empty Doc has every annotation
        return False
    # `Token.head` hides the head of a word without a label, but the array has it.
    has_any = doc.has_annotation("DEP") or bool(doc.to_array("HEAD").any())
    return has_any or get_graph(doc) is not None

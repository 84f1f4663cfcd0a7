"""The warning that the token vectors, which another component should have set, are missing."""

import warnings
from collections.abc import Sequence

from spacy.pipeline.tok2vec import Tok2VecListener
from spacy.tokens import Doc
from thinc.api import Model


class VectorsWarning:
    """Warns once. Without it spaCy's listener gives every word the same vector, and says nothing.

    Args:
        name: the name of the parser, for the message.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_done = False

    def check(self, model: Model, docs: Sequence[Doc]) -> None:
        """Warn if a layer of the model reads vectors that one of the Docs does not have."""
        if self.is_done or all(doc.tensor.size or not len(doc) for doc in docs):
            return
        # A model without a listener needs no vectors, and is asked once.
        self.is_done = True
        if not any(isinstance(layer, Tok2VecListener) for layer in model.walk()):
            return
        warnings.warn(
            f"'{self.name}' reads the token vectors of a 'tok2vec' component, and a Doc has none, "
            "so its tree is worth nothing. Put that component before the parser; or, to take the "
            "parser out of another pipeline, call that pipeline's replace_listeners first.",
            stacklevel=3,
        )

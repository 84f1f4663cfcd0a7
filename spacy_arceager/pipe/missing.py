"""Warnings that something is missing that another component, or the config, should have set."""

import warnings
from collections.abc import Sequence

from spacy.language import Language
from spacy.pipeline.tok2vec import Tok2VecListener
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Model

from ..annotation.tokens import has_boundaries
from ..corpus.conllu import USER_DATA_KEY
from ..evaluation.scores import graph_scores, tree_scores
from ..gold.trees import gold_sentences


class SentenceWarning:
    """Warns once that a Doc without sentence boundaries is parsed as one sentence.

    Args:
        segment: whether the parser finds boundaries itself. Then there is no warning.
    """

    def __init__(self, name: str, segment: bool) -> None:
        self.name = name
        self.is_done = segment

    def check(self, docs: Sequence[Doc]) -> None:
        """Warn if one of the Docs may have several sentences, unless there was a warning before."""
        if self.is_done or all(map(sentences_are_known, docs)):
            return
        self.is_done = True
        warnings.warn(
            f"'{self.name}' parses each Doc without sentence boundaries as one sentence. "
            "That is right where each Doc is one sentence; otherwise add 'senter' or "
            "'sentencizer' before it, or set segment = true in its system.",
            stacklevel=3,
        )

    def learn(self, examples: Sequence[Example]) -> None:
        """Never warn if each Doc of the training is one sentence, because Docs then should be."""
        if all(len(list(gold_sentences(example))) <= 1 for example in examples):
            self.is_done = True


def sentences_are_known(doc: Doc) -> bool:
    """Whether a Doc has boundaries, or a reader of CoNLL-U has made it of one sentence."""
    return len(doc) <= 1 or has_boundaries(doc) or len(doc.user_data.get(USER_DATA_KEY, ())) == 1


class VectorsWarning:
    """Warns once that the token vectors of another component are missing.

    Without it spaCy's listener gives every word the same vector, and says nothing.
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


def warn_without_graph_scores(name: str, nlp: Language) -> None:
    """Warn if the config gives no score of graphs a weight, by which the best graphs are chosen.

    The default weights are those of trees, because spaCy has one set of them for all systems.
    """
    weights = nlp.config.interpolate()["training"]["score_weights"]
    if not any(map(weights.get, graph_scores())):
        warnings.warn(
            f"'{name}' builds graphs, whose scores have no weight in [training.score_weights], so "
            "that `spacy train` cannot tell which of its models is the best. Write dep_elas = 1.0 "
            f"there and, unless another parser builds trees, null for {', '.join(tree_scores())}.",
            stacklevel=3,
        )

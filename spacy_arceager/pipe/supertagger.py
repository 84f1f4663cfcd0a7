"""The component `arceager_supertagger`, which improves the token vectors of a parser.

From the vector of a word, it learns to predict the word's label and where its head is. It shares
the token vectors with the parser (`spacy.Tok2VecListener.v1`), so that the parser benefits from
what it learns. In parsing it does nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from spacy.language import Language
from spacy.pipeline import Tagger
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Model
from thinc.types import Floats2d

from ..gold.supertags import supertags
from .settings import check_labels


class Supertagger(Tagger):
    """Learns the supertags of gold trees (see `gold.supertags`), and annotates nothing."""

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: Sequence[str] | None = None,
    ) -> None:
        """Collect the supertags of the gold trees, or take `labels`, and set up the model.

        Raises:
            ValueError: If there are no supertags, or if `labels` has something else in it.
        """
        if labels is None:
            tags = chain.from_iterable(supertags(example) for example in get_examples())
            labels = sorted({tag for tag in tags if tag is not None})
        if not labels:
            raise ValueError(
                f"'{self.name}' has no tree to learn from. Remove it from nlp.pipeline, or make a "
                "config without it by `arceager init-config --no-supertags`"
            )
        labels = check_labels(labels, self.name, graph=True)
        if labels != list(self.labels):
            self._forget_labels()
        # spaCy's tagger sees the first Examples, which should not all be empty.
        super().initialize(
            lambda: (example for example in get_examples() if len(example.predicted)),
            nlp=nlp, labels=labels,
        )

    def _forget_labels(self) -> None:
        """Give up the labels and the output layer of an earlier `initialize`, for other labels.

        The new output layer is a new node, for which an optimizer starts anew.
        """
        self.cfg["labels"] = []
        output = self.model.get_ref("softmax")
        # A copy of the layer would have its gradients, which are of the old shapes.
        renewed: Model = Model(
            output.name, output._func, init=output.init, ops=output.ops, attrs={**output.attrs},
            dims=dict.fromkeys(output.dim_names), params=dict.fromkeys(output.param_names),
        )
        self.model.replace_node(output, renewed)
        for layer in self.model.walk():
            if renewed in layer.walk():
                layer.set_dim("nO", None, force=True)

    def get_loss(
        self, examples: Sequence[Example], scores: list[Floats2d]
    ) -> tuple[float, list[Floats2d]]:
        """The sum of squared errors, and the gradient of the cross-entropy.

        Both are 0 for words without a tree.
        """
        numbers = {tag: number for number, tag in enumerate(self.labels)}
        d_scores = []
        total = 0.0
        for example, predicted in zip(examples, scores, strict=True):
            gold = self.model.ops.asarray1i([numbers.get(tag, -1) for tag in supertags(example)])
            known = gold >= 0
            gradient = predicted * known[:, None]
            gradient[known.nonzero()[0], gold[known]] -= 1
            total += float((gradient**2).sum())
            d_scores.append(gradient)
        return total, d_scores

    def predict(self, docs: Iterable[Doc]) -> None:
        """Do nothing, because the component annotates nothing."""

    def set_annotations(self, docs: Iterable[Doc], batch_tag_ids: Any) -> None:
        """Do nothing, because the component annotates nothing."""

"""The component `arceager_supertagger`: makes token vectors better for a parser beside it.

From the vector of a word alone it learns to tell the word's label and where its head is. What it
learns is in the token vectors that it shares with the parser (`spacy.Tok2VecListener.v1`); in
parsing it does nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from spacy.language import Language
from spacy.pipeline import Tagger
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import SequenceCategoricalCrossentropy
from thinc.types import Floats2d

from ..gold.supertags import supertags


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
            ValueError: Where there are none.
        """
        if labels is None:
            tags = chain.from_iterable(supertags(example) for example in get_examples())
            labels = sorted({tag for tag in tags if tag is not None})
        if not labels:
            raise ValueError(
                f"'{self.name}' has no tree to learn from. Leave it out of nlp.pipeline; "
                "`arceager init-config --no-supertags` does"
            )
        super().initialize(get_examples, nlp=nlp, labels=labels)

    def get_loss(
        self, examples: Sequence[Example], scores: list[Floats2d]
    ) -> tuple[float, list[Floats2d]]:
        """Cross-entropy, in sum, and its gradient; nothing where the tree is missing."""
        known = set(self.labels)
        truths = [
            [tag if tag in known else None for tag in supertags(example)] for example in examples
        ]
        loss = SequenceCategoricalCrossentropy(names=list(self.labels), normalize=False)
        # It takes None, though its types do not say so.
        d_scores, total = loss(scores, truths)  # type: ignore[arg-type]
        return float(total), d_scores

    def predict(self, docs: Iterable[Doc]) -> None:
        """Nothing: what it learnt is in the token vectors."""

    def set_annotations(self, docs: Iterable[Doc], batch_tag_ids: Any) -> None:
        """Nothing."""

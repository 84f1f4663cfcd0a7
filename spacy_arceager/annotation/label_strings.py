"""The strings of labels, where the Docs that get them look strings up."""

from collections.abc import Sequence

from spacy.strings import get_string_id
from spacy.vocab import Vocab

ROOT_LABEL = "ROOT"     # of the root of a tree, as spaCy's own parser has it
SPACE_LABEL = "dep"     # of white space, likewise
ROOT, SPACE = get_string_id(ROOT_LABEL), get_string_id(SPACE_LABEL)


class LabelStrings:
    """Adds labels to the Vocab of Docs, which can be another one than the parser's.

    It is another one where a component is sourced, or parses Docs of another pipeline. Most Docs
    share one Vocab; labels are not added again to the one that was the last to get them.
    """

    def __init__(self, labels: Sequence[str]):
        self.labels = labels
        self._last: Vocab | None = None

    def __reduce__(self) -> tuple:
        return LabelStrings, (self.labels,)

    def add_to(self, vocab: Vocab) -> None:
        """Add the labels to the strings of a Vocab."""
        if vocab is not self._last:
            for label in self.labels:
                vocab.strings.add(label, allow_transient=False)  # type: ignore[call-arg]
            self._last = vocab

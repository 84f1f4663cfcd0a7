"""The strings of labels, where the Docs that get them look strings up."""

from collections.abc import Sequence

from spacy.vocab import Vocab


class LabelStrings:
    """Adds labels to the Vocab of Docs; it may be another than the parser's.

    That is so where a component is sourced, or parses Docs of another pipeline. A Vocab that
    was seen last is not looked through again.
    """

    def __init__(self, labels: Sequence[str]):
        self.labels = labels
        self._known: Vocab | None = None

    def __reduce__(self) -> tuple:
        return LabelStrings, (self.labels,)

    def add_to(self, vocab: Vocab) -> None:
        """Add the labels to the strings of a Vocab."""
        if vocab is not self._known:
            for label in self.labels:
                vocab.strings.add(label, allow_transient=False)  # type: ignore[call-arg]
            self._known = vocab

"""Labels as strings, which a Vocab must know before its Docs can be given them."""

from collections.abc import Sequence

from spacy.strings import get_string_id
from spacy.vocab import Vocab

ROOT_LABEL = "ROOT"     # the label of the root of a tree, as in spaCy's own parser
ROOT_NAMES = (ROOT_LABEL, "root")    # in Docs and in CoNLL-U
SPACE_LABEL = "dep"     # the label of white space, as in spaCy's own parser
ROOT_HASH, SPACE_HASH = get_string_id(ROOT_LABEL), get_string_id(SPACE_LABEL)


class LabelStrings:
    """Adds the labels of a parser to the Vocabs of the Docs that it parses.

    The Vocab of a Doc is not the parser's own where the component was sourced, or parses Docs of
    another pipeline. Most Docs share one Vocab, so nothing is done for the Vocab that was last.

    In a memory zone of spaCy, a label that is also a token of a text goes with the text at the end
    of the zone. So a Vocab counts as the last one only where it got the labels outside of a zone.
    """

    def __init__(self, labels: Sequence[str]):
        self.labels = labels
        self._last: Vocab | None = None

    def __reduce__(self) -> tuple:
        return LabelStrings, (self.labels,)

    def add_to(self, vocab: Vocab) -> None:
        """Add the labels to the strings of a Vocab."""
        if vocab is self._last:
            return
        for label in self.labels:
            vocab.strings.add(label, allow_transient=False)  # type: ignore[call-arg]
        self._last = None if vocab.in_memory_zone else vocab  # type: ignore[attr-defined]

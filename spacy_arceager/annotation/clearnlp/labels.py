"""The table of labels: Universal Dependencies on the left, ClearNLP on the right.

Labels with the same meaning in both schemes are not in the table. Labels that neither the table nor
ClearNLP knows become `dep`. The rules for heads run first, and some of them set labels of ClearNLP
such as `prep`, `pobj`, `attr` and `dative`, which therefore never stand on the left.
"""

from typing import NamedTuple

from .tree import Tree

NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "DET", "SYM"})
NEGATIONS = frozenset({"not", "n't", "n’t", "never"})
ANY: frozenset[str] = frozenset()

# Labels that no tree of Universal Dependencies has; then all labels of ClearNLP.
CLEARNLP_ONLY = frozenset({
    "acomp", "agent", "attr", "auxpass", "csubjpass", "dative", "dobj", "intj", "meta", "neg",
    "npadvmod", "nsubjpass", "oprd", "pcomp", "pobj", "poss", "preconj", "predet", "prep", "prt",
    "quantmod", "relcl",
})
CLEARNLP = CLEARNLP_ONLY | {
    "ROOT", "acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "compound",
    "conj", "csubj", "dep", "det", "expl", "mark", "nmod", "nsubj", "nummod", "parataxis",
    "punct", "xcomp",
}


class Row(NamedTuple):
    """A label of each scheme, and the words for which one replaces the other.

    An empty set of words, tags or parts of speech stands for all.

    Attributes:
        ud: the label of UD. Without a subtype, it stands for all subtypes without rows, too.
        clearnlp: the label that replaces it.
        example: an example with the word in asterisks.
        words: the word must be one of these lower-case forms.
        pos: the word must have one of these universal parts of speech.
        tags: the word must have one of these English tags.
        head_pos: the head of the word must have one of these universal parts of speech.
    """

    ud: str
    clearnlp: str
    example: str
    words: frozenset[str] = ANY
    pos: frozenset[str] = ANY
    tags: frozenset[str] = ANY
    head_pos: frozenset[str] = ANY

    def fits(self, tree: Tree, word: int) -> bool:
        """Whether the row is for this word, whose label has been looked at already."""
        form, pos, tag, _ = tree.words[word]
        head_pos = tree.words[tree.heads[word]].pos
        return all(
            not wanted or value in wanted
            for wanted, value in (
                (self.words, form), (self.pos, pos), (self.tags, tag), (self.head_pos, head_pos),
            )
        )


# If several rows have the same label, the first one that fits the word counts.
ROWS = (
    # Arguments of verbs.
    Row("nsubj:pass", "nsubjpass", "the *bridge* was built"),
    Row("csubj:pass", "csubjpass", "that he *lied* was known"),
    Row("obj", "xcomp", "he stopped *smoking*", tags=frozenset({"VBG"})),
    Row("obj", "dobj", "she wrote *letters*"),
    Row("iobj", "dative", "he gave *her* a book"),
    Row("xcomp", "acomp", "she looks *happy*", pos=frozenset({"ADJ"})),
    Row("xcomp", "attr", "he became a *doctor*", pos=NOMINAL),
    # Modifiers.
    Row("obl", "npadvmod", "he came *yesterday*"),
    Row("nmod:poss", "poss", "*Tom*'s bike"),
    Row("nmod:desc", "compound", "*Mr.* Porter"),
    Row("nmod:unmarked", "npadvmod", "two *weeks* after the war"),
    Row("acl:relcl", "relcl", "the man who *repaired* it"),
    Row("advcl:relcl", "relcl", "she left, which *surprised* us"),
    Row("acl", "relcl", "nothing to *say*", tags=frozenset({"VB"}), head_pos=frozenset({"PRON"})),
    Row("advmod", "neg", "I do *not* know", words=NEGATIONS),
    Row("advmod", "quantmod", "*about* 300 people", head_pos=frozenset({"NUM"})),
    # Function words.
    Row("aux:pass", "auxpass", "it *was* built"),
    Row("mark", "aux", "I want *to* go", words=frozenset({"to"})),
    Row("det:predet", "predet", "*all* the boys"),
    Row("cc:preconj", "preconj", "*both* cats and dogs"),
    Row("compound:prt", "prt", "turn *off* the lights"),
    Row("flat", "nummod", "article *4.6*", pos=frozenset({"NUM"})),
    Row("flat", "compound", "*Alan* Porter"),
    # Loose parts.
    Row("discourse", "intj", "*yes*, please"),
    Row("vocative", "npadvmod", "*Tom*, come here"),
    Row("list", "appos", "phone: *555*"),
    Row("fixed", "advmod", "as *well* as"),
)

_ROWS_OF: dict[str, list[Row]] = {}
for _row in ROWS:
    _ROWS_OF.setdefault(_row.ud, []).append(_row)


def clearnlp_label(tree: Tree, word: int) -> str:
    """The label of ClearNLP for a word whose label is still one of UD."""
    if tree.is_root(word):
        return "ROOT"
    relation = tree.relation(word)
    for label in (tree.labels[word], relation):
        for row in _ROWS_OF.get(label, ()):
            if row.fits(tree, word):
                return row.clearnlp
    return relation if relation in CLEARNLP else "dep"

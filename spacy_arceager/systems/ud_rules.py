"""The rules of Universal Dependencies about dependents, as data.

They are what level 3 of the validator of Universal Dependencies (the package udtools) calls errors
of syntax, as far as a tree can break them. `machine.rules` compiles them for the labels of a
parser. Relations here are universal ones; a subtype such as `aux:pass` counts as its relation.
"""

from typing import NamedTuple

RULES = ("ud",)     # the sets of rules that there are: what the setting `valid` can be

UPOS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN",
    "PUNCT", "SCONJ", "SYM", "VERB", "X",
)


class Relation(NamedTuple):
    """What the rules say of a relation.

    Attributes:
        name: the relation.
        upos: the tags that a word with this relation may have; "" stands for all.
        not_upos: the tags that it may not have.
        dependents: the relations of the dependents that it may have; None stands for all.
        possessive_dependents: others that it may have as well if it has Poss=Yes.
        rightward: whether its head must stand before it.
    """

    name: str
    upos: str = ""
    not_upos: str = ""
    dependents: str | None = None
    possessive_dependents: str = ""
    rightward: bool = False


# What a word of most closed classes may have below it.
FEW = "goeswith fixed reparandum conj cc punct"
NO_LINK = "NOUN PROPN ADJ PRON DET NUM AUX"

RELATIONS = [
    Relation("appos", rightward=True),
    Relation("conj", rightward=True),
    Relation("flat", rightward=True),
    Relation("goeswith", dependents="", rightward=True),
    Relation("fixed", not_upos="PROPN", dependents="goeswith reparandum conj punct",
             rightward=True),
    Relation("punct", upos="PUNCT", dependents="punct"),
    Relation("aux", upos="AUX", dependents=FEW),
    Relation("cop", upos="AUX PRON DET SYM", dependents=FEW),
    Relation("case", not_upos="PROPN ADJ PRON DET NUM AUX", dependents=f"advmod obl {FEW}"),
    Relation("mark", not_upos=f"{NO_LINK} INTJ", dependents=f"advmod obl {FEW}"),
    Relation("cc", not_upos=f"{NO_LINK} VERB INTJ",
             dependents="goeswith fixed reparandum conj punct"),
    Relation("clf", dependents=f"advmod obl {FEW}"),
    Relation("det", upos="DET PRON", possessive_dependents="appos acl nmod",
             dependents=f"det case advmod obl clf flat compound discourse parataxis {FEW}"),
    Relation("nummod", upos="NUM NOUN SYM"),
    Relation("advmod", upos="ADV ADJ CCONJ DET PART SYM"),
    Relation("expl", upos="PRON DET PART"),
]

# A word with one of these tags may have one of these relations only, if it is no root.
ONLY = {"PUNCT": "punct"}

# No relation of a word that has a head.
ROOTS = ("root", "ROOT")

# A head has at most one dependent of each of these kinds, but for the labels in OUTER.
SUBJECTS = ("nsubj", "csubj")
OBJECTS = ("obj",)
OUTER = ("nsubj:outer", "csubj:outer")

# A dependent that negates, an `advmod` with one of these tags and Polarity=Neg, may have any head
# but one whose relation is here.
NEGATION_TAGS = ("ADV", "PART")
NEVER_NEGATED = ("punct",)

# A nominal, a word with one of these tags and one of these relations, has an `obl` only if it is
# a predicate as well, which one of the other relations below it shows.
NOMINAL_TAGS = ("NOUN", "PROPN", "PRON")
NOMINALS = ("nsubj", "obj", "iobj", "obl", "vocative", "dislocated", "expl", "nmod")
OF_PREDICATES = ("cop", "nsubj", "csubj")

# Proper nouns have no `fixed` below them. The parts of a word that `goeswith` joins stand side by
# side with white space between them. Nothing crosses the arc of a `punct` on its own side, and all
# words under that arc lie below its head.
NEVER_HEADS_OF_FIXED = ("PROPN",)


def universal(label: str) -> str:
    """The relation without its subtype: `nsubj` of `nsubj:pass`."""
    return label.partition(":")[0]

"""The copula is the head of its predicate."""

from .labels import NOMINAL
from .tree import Tree

# A copula that becomes the head takes over the children of its predicate with these labels.
OF_THE_CLAUSE = (
    "nsubj", "csubj", "aux", "mark", "expl", "punct", "advcl", "discourse", "vocative",
    "parataxis", "dislocated",
)
# These adverbs go with the copula: they say when or whether something is so, and not how much.
OF_THE_COPULA = frozenset({
    "not", "n't", "n’t", "never", "always", "often", "usually", "sometimes", "rarely", "seldom",
    "already", "still", "now", "then", "just", "also", "again", "soon", "once", "ever", "only",
    "probably", "certainly", "perhaps", "maybe", "actually", "really", "here", "there", "today",
    "however", "therefore", "when", "where", "why", "currently", "generally", "clearly",
})
# Phrases with these prepositions belong to an adjective; others say when or where it is so.
OF_AN_ADJECTIVE = frozenset({
    "about", "as", "at", "by", "for", "from", "in", "like", "of", "than", "to", "with",
})


def raise_copula(tree: Tree, copula: int) -> None:
    """She *is* a teacher: the copula is the head of the predicate, and of the clause."""
    if tree.labels[copula] != "cop" or tree.is_root(copula):
        return
    predicate = tree.heads[copula]
    has_clause = any(tree.labels[child] == "nsubj:outer" for child in tree.children(predicate))
    label = "ccomp" if has_clause else _predicate_label(tree, predicate)
    inside = set(tree.children(predicate))
    tree.take_place(copula, label)
    if has_clause:
        _divide_clauses(tree, copula, predicate)
        return
    for child in sorted(inside - {copula}):
        if _is_of_the_clause(tree, child, copula, predicate):
            tree.move(child, copula)


def _predicate_label(tree: Tree, predicate: int) -> str:
    pos = tree.words[predicate].pos
    if pos in NOMINAL:
        return "attr"
    if pos == "ADP":
        return "prep"
    return "advmod" if pos == "ADV" else "acomp"


def _divide_clauses(tree: Tree, copula: int, predicate: int) -> None:
    """The problem *is* that we have no time: what comes before the copula belongs to it."""
    for child in tree.children(predicate):
        if tree.labels[child] == "nsubj:outer" or child < copula:
            tree.move(child, copula)
    if any(tree.words[child].lower == "to" for child in tree.children(predicate, "mark")):
        tree.labels[predicate] = "xcomp"


def _is_of_the_clause(tree: Tree, child: int, copula: int, predicate: int) -> bool:
    relation, word = tree.relation(child), tree.words[child]
    if relation in ("conj", "cc"):
        return _is_clausal_conjunct(tree, child, copula)
    if relation in OF_THE_CLAUSE:
        return not (relation in ("csubj", "advcl") and _is_infinitive_of_adjective(
            tree, child, predicate
        ))
    if relation == "advmod":
        beside = child < min(copula, predicate) and tree.words[predicate].pos in NOMINAL
        return beside or word.lower in OF_THE_COPULA or child > predicate
    if relation == "obl":
        cases = {tree.words[case].lower for case in tree.children(child, "case")}
        adjective = tree.words[predicate].pos == "ADJ"
        return not (adjective and child > predicate and cases & OF_AN_ADJECTIVE)
    return False


def _is_infinitive_of_adjective(tree: Tree, clause: int, predicate: int) -> bool:
    """It is hard *to say*."""
    marks = {tree.words[mark].lower for mark in tree.children(clause, "mark")}
    return (
        clause > predicate and marks == {"to"} and tree.words[predicate].pos == "ADJ"
        and tree.words[clause].tag == "VB"
    )


def _is_clausal_conjunct(tree: Tree, child: int, copula: int) -> bool:
    """Whether a conjunct has a verb, or a conjunction stands before a conjunct that has one."""
    if tree.relation(child) == "cc":
        siblings = tree.children(tree.heads[child], "conj")
        following = [sibling for sibling in siblings if sibling > child]
        return not following or _is_clausal_conjunct(tree, following[0], copula)
    has_verb = tree.words[child].pos in ("VERB", "AUX")
    return has_verb or bool(tree.children(child, "cop", "nsubj", "aux"))


def name_infinitives_of_adjectives(tree: Tree, clause: int) -> None:
    """The soup is too hot *to eat*: an infinitive behind an adjective complements it."""
    if tree.labels[clause] in ("advcl", "csubj") and not tree.is_root(clause):
        head = tree.heads[clause]
        if tree.labels[head] == "acomp" and _is_infinitive_of_adjective(tree, clause, head):
            tree.labels[clause] = "xcomp"

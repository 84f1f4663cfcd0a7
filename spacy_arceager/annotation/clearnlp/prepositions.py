"""A preposition is the head of its noun or clause."""

from .tree import Tree

# The recipient of these verbs can follow with "to".
GIVING = frozenset({
    "give", "hand", "lend", "offer", "pay", "sell", "send", "show", "teach", "tell", "throw",
    "bring", "grant", "award", "mail", "owe", "pass", "promise",
})
# These conjunctions can stand before a participle, and are no prepositions there.
SUBORDINATORS = frozenset({
    "while", "if", "although", "though", "whether", "that", "unless", "until", "once", "when",
    "to", "because", "so",
})


def raise_preposition(tree: Tree, noun: int) -> None:
    """*In* the garden: the preposition is the head of the noun."""
    prepositions = [
        child for child in tree.children(noun, "case") if tree.words[child].pos != "PART"
    ]
    if not prepositions:
        return
    if prepositions[0] > noun and tree.words[noun].pos in ("VERB", "AUX"):
        _strand(tree, noun, prepositions)
        return
    for preposition in prepositions:
        _raise_one_preposition(tree, noun, preposition)


def _strand(tree: Tree, verb: int, prepositions: list[int]) -> None:
    """What are you looking *at*? The object before the verb is that of the preposition."""
    for preposition in prepositions:
        tree.labels[preposition] = "prep"
    objects = tree.children(verb, "obj")
    if len(objects) != 1:
        return
    [noun] = objects
    if noun < verb:
        tree.move(noun, prepositions[0])
        tree.labels[noun] = "pobj"


def _raise_one_preposition(tree: Tree, noun: int, preposition: int) -> None:
    label = _preposition_label(tree, noun, preposition)
    before = [
        child for child in tree.children(noun)
        if child < preposition and tree.relation(child) != "case"
    ]
    conjuncts = tree.children(noun, "conj")
    is_clause = tree.words[noun].pos in ("VERB", "AUX")
    tree.take_place(preposition, "pcomp" if is_clause else "pobj")
    if not tree.is_root(preposition):
        tree.labels[preposition] = label
    for child in before:
        tree.move(child, preposition)
    for conjunct in conjuncts:
        if tree.children(conjunct, "case"):
            tree.move(conjunct, preposition)
            for conjunction in tree.children(noun, "cc"):
                if preposition < conjunction < conjunct:
                    tree.move(conjunction, preposition)
    _raise_compound_preposition(tree, noun, preposition)


def _preposition_label(tree: Tree, noun: int, preposition: int) -> str:
    label, word = tree.labels[noun], tree.words[preposition].lower
    if label == "obl:agent" and word == "by":
        return "agent"
    if tree.relation(noun) in ("conj", "ccomp", "advcl"):
        return tree.relation(noun)
    verb = tree.words[tree.heads[noun]].lemma
    return "dative" if word == "to" and label == "obl" and verb in GIVING else "prep"


def _raise_compound_preposition(tree: Tree, noun: int, first: int) -> None:
    """*According to* the police, *because of* the snow, *instead of* tea, *such as* apples."""
    for second in tree.children(first, "fixed"):
        start = tree.words[first].lower
        if start in ("because", "due"):
            tree.labels[second] = "pcomp"
        elif start in ("instead", "such"):
            tree.take_place(second, "advmod" if start == "instead" else "amod")
            tree.move(noun, second)
        else:
            tree.labels[second] = "prep"
            tree.move(noun, second)


def expand_in_order(tree: Tree, word: int) -> None:
    """*In order* to learn: a preposition, its noun and a clause of the noun."""
    if tree.words[word].lower != "in" or tree.labels[word] != "mark" or tree.is_root(word):
        return
    nouns = tree.children(word, "fixed")
    if nouns and tree.words[nouns[0]].lower == "order":
        clause = tree.heads[word]
        tree.take_place(word, "acl")
        tree.labels[word], tree.labels[nouns[0]] = "prep", "pobj"
        tree.move(clause, nouns[0])


def raise_preposition_of_clause(tree: Tree, verb: int) -> None:
    """*Without* saying a word: the preposition is the head of a gerund or a question."""
    marks = tree.children(verb, "mark")
    instead = next((
        child for child in tree.children(verb, "advmod", "mark")
        if tree.words[child].lower == "instead" and tree.children(child, "fixed")
    ), None)
    if instead is not None and tree.words[verb].tag == "VBG":
        tree.take_place(instead, "pcomp")
        tree.labels[instead] = "prep"
        _raise_compound_preposition(tree, verb, instead)
        return
    if not marks or not _is_prepositional(tree, verb, marks):
        return
    preposition = marks[0]
    before = [child for child in tree.children(verb) if child < preposition]
    tree.take_place(preposition, "pcomp")
    if tree.relation(preposition) in ("advcl", "acl", "ccomp", "xcomp"):
        tree.labels[preposition] = "prep"
    for child in before:
        tree.move(child, preposition)


def _is_prepositional(tree: Tree, verb: int, marks: list[int]) -> bool:
    first = tree.words[marks[0]]
    if first.lower in SUBORDINATORS or tree.children(marks[0], "fixed"):
        return False
    if len(marks) > 1:      # depends *on* whether he comes
        return tree.words[marks[1]].lower in ("whether", "if", "how")
    has_subject = tree.children(verb, "nsubj", "csubj", "aux")
    return tree.words[verb].tag == "VBG" and not has_subject


def raise_second_of_fixed(tree: Tree, first: int) -> None:
    """At *least*, of *course*: the second word is the head; *in* order to keeps its nouns."""
    if tree.relation(first) != "advmod" or tree.is_root(first):
        return
    seconds = tree.children(first, "fixed")
    if len(seconds) != 1:
        return
    [second] = seconds
    if tree.words[first].lower in ("at", "of"):
        tree.take_place(second, "advmod")
    elif tree.words[second].lower == "than":
        tree.labels[first], tree.labels[second] = "amod", "quantmod"
        tree.move(second, tree.heads[first])

"""Constructions whose heads differ in the two schemes, one function each.

`convert` runs them in the order in which they stand here. The heads change by `Tree.take_place` and
`Tree.move` alone, so that the arcs remain a tree whatever a parser has made of the sentence.
"""

from collections.abc import Callable

from .labels import NOMINAL, clearnlp_label
from .tree import Tree

# A copula takes these children of its predicate.
OF_THE_CLAUSE = (
    "nsubj", "csubj", "aux", "mark", "expl", "punct", "advcl", "discourse", "vocative",
    "parataxis", "dislocated",
)
# Adverbs that say when or whether something is so, not how much.
OF_THE_COPULA = frozenset({
    "not", "n't", "n’t", "never", "always", "often", "usually", "sometimes", "rarely", "seldom",
    "already", "still", "now", "then", "just", "also", "again", "soon", "once", "ever", "only",
    "probably", "certainly", "perhaps", "maybe", "actually", "really", "here", "there", "today",
    "however", "therefore", "when", "where", "why", "currently", "generally", "clearly",
})
# Phrases with these prepositions say more of an adjective; others, when and where it is so.
OF_AN_ADJECTIVE = frozenset({
    "about", "as", "at", "by", "for", "from", "in", "like", "of", "than", "to", "with",
})
# Verbs whose recipient can follow with "to".
GIVING = frozenset({
    "give", "hand", "lend", "offer", "pay", "sell", "send", "show", "teach", "tell", "throw",
    "bring", "grant", "award", "mail", "owe", "pass", "promise",
})
# Verbs whose object does what the infinitive says, and is the object of the verb as well.
OBJECT_CONTROL = frozenset({
    "ask", "tell", "force", "persuade", "convince", "order", "urge", "encourage", "advise",
    "invite", "teach", "remind", "warn", "beg", "instruct", "command", "request", "challenge",
    "pay", "train", "hire", "send", "use", "take", "trust", "compel", "motivate", "lead",
})
# Conjunctions that stand before participles as they do before other clauses.
SUBORDINATORS = frozenset({
    "while", "if", "although", "though", "whether", "that", "unless", "until", "once", "when",
    "to", "because", "so",
})
# Verbs whose content clause may come first: "He left, I think."
SAYING = frozenset({
    "say", "think", "believe", "guess", "suppose", "hope", "know", "add", "explain", "tell",
    "ask", "reply", "answer", "shout", "write", "note", "claim", "announce", "suggest",
})

# What a clause is called in the place of a noun.
CLAUSE_FOR_NOUN = {"nsubj": "csubj", "nsubj:pass": "csubj:pass", "obj": "ccomp", "attr": "ccomp"}


def put_speech_verbs_on_top(tree: Tree, word: int) -> None:
    """He left, I *think*: the verb of saying behind the clause is the head."""
    if tree.labels[word] != "parataxis" or not tree.children(word, "nsubj"):
        return
    clause = tree.heads[word]
    if tree.words[word].lemma in SAYING and word == max(tree.children(clause, "parataxis")):
        after = [child for child in tree.children(clause) if child > word]
        if clause < word and all(tree.relation(child) == "punct" for child in after):
            tree.take_place(word, "ccomp")
            for child in after:
                tree.move(child, word)


def chain_conjuncts(tree: Tree, word: int) -> None:
    """Apples, pears and *plums*: a conjunct hangs on the one before it, with the conjunction."""
    previous = word
    for conjunct in tree.children(word, "conj"):
        if conjunct < word:
            continue
        tree.move(conjunct, previous)
        for conjunction in tree.children(conjunct, "cc"):
            if conjunction < conjunct and tree.labels[conjunction] == "cc":
                tree.move(conjunction, previous)
        previous = conjunct


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
    """Whether a conjunct has a verb, or this is the conjunction before one that has."""
    if tree.relation(child) == "cc":
        siblings = tree.children(tree.heads[child], "conj")
        following = [sibling for sibling in siblings if sibling > child]
        return not following or _is_clausal_conjunct(tree, following[0], copula)
    has_verb = tree.words[child].pos in ("VERB", "AUX")
    return has_verb or bool(tree.children(child, "cop", "nsubj", "aux"))


def raise_free_relative(tree: Tree, what: int) -> None:
    """What he *said* surprised me: the verb of a relative clause without a noun is its head."""
    if tree.words[what].lower not in ("what", "whatever", "whoever", "whomever"):
        return
    clauses = [child for child in tree.children(what) if tree.labels[child] == "acl:relcl"]
    if not clauses:
        return
    (clause, *_), others = clauses, tree.children(what)
    has_subject = tree.children(clause, "nsubj")
    tree.take_place(clause, "obj" if has_subject else "nsubj")
    tree.labels[clause] = CLAUSE_FOR_NOUN.get(tree.labels[clause], tree.labels[clause])
    for child in others:
        if child != clause:
            tree.move(child, clause)


def raise_last_name(tree: Tree, word: int) -> None:
    """Alan *Porter*: the last name is the head."""
    names = [child for child in tree.children(word, "flat") if child > word]
    if not names:
        return
    last = names[-1]
    others = [child for child in tree.children(word) if child != last]
    tree.take_place(last, "compound")
    for child in others:
        tree.move(child, last)


def raise_number(tree: Tree, symbol: int) -> None:
    """$ *15*: the number is the head of the sign of a currency before it."""
    if tree.words[symbol].pos != "SYM" and tree.words[symbol].tag != "$":
        return
    numbers = [child for child in tree.children(symbol, "nummod") if child > symbol]
    if not numbers:
        return
    number = numbers[0]
    others = [child for child in tree.children(symbol) if child != number]
    tree.take_place(number, "quantmod" if tree.children(number, "compound") else "nmod")
    for child in others:
        tree.move(child, number)


def raise_month(tree: Tree, day: int) -> None:
    """*June* 5: the month is the head of the day behind it."""
    if tree.words[day].pos != "NUM":
        return
    for month in tree.children(day, "nmod"):
        if month < day and tree.words[month].pos == "PROPN":
            others = [child for child in tree.children(day) if child != month]
            tree.take_place(month, "nummod")
            for child in others:
                tree.move(child, month)
                if tree.words[child].pos == "NUM":
                    tree.labels[child] = "nummod"
            return


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
    objects = [child for child in tree.children(verb, "obj") if child < verb]
    if objects and len(tree.children(verb, "obj")) == 1:
        tree.move(objects[0], prepositions[0])
        tree.labels[objects[0]] = "pobj"


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


def raise_preposition_of_clause(tree: Tree, verb: int) -> None:
    """*Without* saying a word: the preposition is the head of a gerund or a question."""
    marks = tree.children(verb, "mark")
    instead = [
        child for child in tree.children(verb, "advmod", "mark")
        if tree.words[child].lower == "instead" and tree.children(child, "fixed")
    ]
    if instead and tree.words[verb].tag == "VBG":
        tree.take_place(instead[0], "pcomp")
        tree.labels[instead[0]] = "prep"
        _raise_compound_preposition(tree, verb, instead[0])
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


def name_expletives(tree: Tree, it: int) -> None:
    """*It* is clear that he left: "it" is the subject, the clause a complement. *There* are two."""
    if tree.labels[it] != "expl" or tree.is_root(it):
        return
    verb = tree.heads[it]
    if tree.words[it].lower == "there":
        for subject in tree.children(verb, "nsubj"):
            if subject > verb:
                tree.labels[subject] = "attr"
        return
    tree.labels[it] = "nsubj"
    for complement in tree.children(verb, "acomp", "attr"):
        for clause in tree.children(complement, "csubj"):
            _name_clause(tree, clause)
    for clause in tree.children(verb, "csubj"):
        _name_clause(tree, clause)


def _name_clause(tree: Tree, clause: int) -> None:
    marks = {tree.words[mark].lower for mark in tree.children(clause, "mark")}
    tree.labels[clause] = "xcomp" if "to" in marks else "ccomp"


def name_infinitives_of_adjectives(tree: Tree, clause: int) -> None:
    """The soup is too hot *to eat*: an infinitive behind an adjective complements it."""
    if tree.labels[clause] in ("advcl", "csubj") and not tree.is_root(clause):
        head = tree.heads[clause]
        if tree.labels[head] == "acomp" and _is_infinitive_of_adjective(tree, clause, head):
            tree.labels[clause] = "xcomp"


def make_small_clauses(tree: Tree, clause: int) -> None:
    """We saw the *boys* climb: the object of most verbs is the subject of the clause behind it."""
    if tree.labels[clause] not in ("xcomp", "ccomp") or tree.is_root(clause):
        return
    verb = tree.heads[clause]
    objects = [child for child in tree.children(verb, "obj", "iobj") if child < clause]
    if len(objects) != 1 or tree.relation(clause) == "ccomp" or (
        tree.words[verb].lemma in OBJECT_CONTROL
    ):
        for child in objects[:1] if len(objects) == 1 else ():
            tree.labels[child] = "obj"
        return
    if verb < objects[0] and tree.words[clause].pos in ("VERB", "ADJ", "NOUN", "PROPN", "AUX"):
        tree.move(objects[0], clause)
        tree.labels[objects[0]] = "nsubj"
        tree.labels[clause] = "ccomp"


def name_both(tree: Tree, word: int) -> None:
    """*Both* the guests and the waiters."""
    if tree.words[word].lower in ("both", "either", "neither") and not tree.is_root(word) and (
        tree.relation(word) in ("det", "advmod", "cc")
    ):
        head = tree.heads[word]
        if word < head and tree.children(head, "conj"):
            tree.labels[word] = "cc:preconj"


def raise_second_of_fixed(tree: Tree, first: int) -> None:
    """At *least*, of *course*: the second word is the head; *in* order to keeps its nouns."""
    if tree.relation(first) != "advmod" or tree.is_root(first):
        return
    seconds = tree.children(first, "fixed")
    if len(seconds) == 1 and tree.words[first].lower in ("at", "of"):
        tree.take_place(seconds[0], "advmod")
    elif len(seconds) == 1 and tree.words[seconds[0]].lower == "than":
        tree.labels[first], tree.labels[seconds[0]] = "amod", "quantmod"
        tree.move(seconds[0], tree.heads[first])


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


def move_punctuation_up(tree: Tree, mark: int) -> None:
    """Punctuation at the edge of a phrase hangs on the head of the phrase.

    The second of two commas around an apposition or a relative clause stays: my uncle, a pilot*,*
    slept.
    """
    while tree.relation(mark) == "punct" and not tree.is_root(mark):
        phrase = tree.heads[mark]
        if tree.is_root(phrase):
            return
        children = tree.children(phrase)
        words = [phrase, *(child for child in children if tree.relation(child) != "punct")]
        is_second = any(phrase < child < mark for child in children if child not in words)
        if min(words) < mark < max(words) or (max(words) < mark and is_second):
            return
        tree.move(mark, tree.heads[phrase])


RULES: tuple[Callable[[Tree, int], None], ...] = (
    put_speech_verbs_on_top, chain_conjuncts, name_both, raise_copula, raise_free_relative,
    raise_last_name, raise_number, raise_month, raise_preposition, expand_in_order, raise_preposition_of_clause,
    name_expletives, name_infinitives_of_adjectives, make_small_clauses, raise_second_of_fixed,
    move_punctuation_up,
)


def convert(tree: Tree) -> None:
    """Rewrite heads and labels of a UD tree in place."""
    for rule in RULES:
        for word in range(len(tree.words)):
            rule(tree, word)
    tree.labels = [clearnlp_label(tree, word) for word in range(len(tree.words))]

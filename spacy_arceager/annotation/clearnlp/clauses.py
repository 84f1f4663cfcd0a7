"""Subjects, objects and the clauses that go with them."""

from .tree import Tree

# The object of these verbs remains their object, although it does what the infinitive says.
OBJECT_CONTROL = frozenset({
    "ask", "tell", "force", "persuade", "convince", "order", "urge", "encourage", "advise",
    "invite", "teach", "remind", "warn", "beg", "instruct", "command", "request", "challenge",
    "pay", "train", "hire", "send", "use", "take", "trust", "compel", "motivate", "lead",
})
# Verbs whose content clause may come first: "He left, I think."
SAYING = frozenset({
    "say", "think", "believe", "guess", "suppose", "hope", "know", "add", "explain", "tell",
    "ask", "reply", "answer", "shout", "write", "note", "claim", "announce", "suggest",
})
# The labels of clauses that stand in the place of a noun, by the label of the noun.
CLAUSE_FOR_NOUN = {"nsubj": "csubj", "nsubj:pass": "csubj:pass", "obj": "ccomp", "attr": "ccomp"}


def put_speech_verbs_on_top(tree: Tree, word: int) -> None:
    """He left, I *think*: the verb of saying behind the clause is the head."""
    if tree.labels[word] != "parataxis" or tree.is_root(word) or not tree.children(word, "nsubj"):
        return
    clause = tree.heads[word]
    if tree.words[word].lemma in SAYING and word == max(tree.children(clause, "parataxis")):
        after = [child for child in tree.children(clause) if child > word]
        if clause < word and all(tree.relation(child) == "punct" for child in after):
            tree.take_place(word, "ccomp")
            for child in after:
                tree.move(child, word)


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


def name_only_objects(tree: Tree, word: int) -> None:
    """He told *me* that she left: an object is indirect only beside a direct one."""
    if tree.labels[word] == "iobj" and not tree.is_root(word) and (
        not tree.children(tree.heads[word], "obj")
    ):
        tree.labels[word] = "obj"


def make_small_clauses(tree: Tree, clause: int) -> None:
    """We saw the *boys* climb: the object of most verbs is the subject of the clause behind it."""
    if tree.labels[clause] != "xcomp" or tree.is_root(clause):
        return
    verb = tree.heads[clause]
    objects = [child for child in tree.children(verb, "obj") if verb < child < clause]
    if len(objects) != 1 or tree.words[verb].lemma in OBJECT_CONTROL:
        return
    [subject] = objects
    tree.move(subject, clause)
    tree.labels[subject], tree.labels[clause] = "nsubj", "ccomp"

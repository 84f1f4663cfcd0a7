"""Names, numbers, dates, and coordinations."""

from .tree import Tree


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


def name_both(tree: Tree, word: int) -> None:
    """*Both* the guests and the waiters."""
    if tree.words[word].lower in ("both", "either", "neither") and not tree.is_root(word) and (
        tree.relation(word) in ("det", "advmod", "cc")
    ):
        head = tree.heads[word]
        if word < head and tree.children(head, "conj"):
            tree.labels[word] = "cc:preconj"


def raise_last_name(tree: Tree, word: int) -> None:
    """Alan *Porter*: the last name is the head."""
    names = [
        child for child in tree.children(word, "flat")
        if child > word and tree.words[child].pos != "NUM"
    ]
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

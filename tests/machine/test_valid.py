"""The rules about dependents: by exhaustion in each system, and against UD's own validator."""

import random
from collections import Counter
from itertools import product
from pathlib import Path

import numpy
import pytest
from udtools.argparser import parse_args_validator
from udtools.incident import IncidentType
from udtools.validator import Validator

from spacy_arceager.machine.rules import TreeRules, WordRules, kind_of
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.machine.valid import FinishedTree, restrict, valid_classes
from spacy_arceager.systems import SystemParameters
from spacy_arceager.systems.catalogue import find_system
from spacy_arceager.systems.ud_rules import UPOS
from tests.brute_force import projective_trees, random_tree
from tests.machine.valid_search import ADP, LABELS, NOUN, PUNCT, ValidSearch, describe, systems

EVERY = pytest.mark.parametrize("parameters", [*systems()], ids=describe)
# Of all configurations of four words, how many may leave nothing: those of systems with crossing
# arcs, in which a mark can get stuck beside words that stand in another order.
STUCK = 0.003
MORE_LABELS = ("dep", "punct", "nsubj", "obl", "cop", "goeswith", "fixed", "obj")
ALL_LABELS = [
    "dep", "punct", "nsubj", "nsubj:outer", "nsubj:pass", "csubj", "obj", "iobj", "obl",
    "obl:agent", "nmod", "cop", "aux", "case", "mark", "det", "det:poss", "cc", "clf", "fixed",
    "flat", "goeswith", "conj", "appos", "nummod", "advmod", "expl", "vocative", "dislocated",
    "acl", "parataxis", "discourse", "compound", "reparandum", "orphan", "root",
]
FEATURES = ("", "", "", "Polarity=Neg", "Poss=Yes", "ExtPos=ADV", "ExtPos=PROPN")


def check(parameters: SystemParameters, kinds: list[int], labels=LABELS) -> tuple[int, int]:
    """Explore a sentence; the number of configurations and of those that leave nothing."""
    search = ValidSearch(parameters, kinds, labels)
    for tree in search.trees.values():
        assert not search.broken(tree), tree
    return len(search.configurations), len(search.dead_ends)


@EVERY
def test_there_is_always_a_valid_way_on_and_it_ends_in_a_valid_tree(
    parameters: SystemParameters,
) -> None:
    counts = [check(parameters, kinds) for kinds in product((NOUN, PUNCT, ADP), repeat=3)]
    assert not sum(n_stuck for _, n_stuck in counts)


@pytest.mark.slow
@EVERY
def test_the_same_with_more_words_and_with_more_labels(parameters: SystemParameters) -> None:
    sentences = [(kinds, LABELS) for kinds in product((NOUN, PUNCT), repeat=4)]
    sentences += [(kinds, MORE_LABELS) for kinds in product((NOUN, PUNCT), repeat=3)]
    counts = [check(parameters, *sentence) for sentence in sentences]
    n_configurations, n_stuck = map(sum, zip(*counts))
    assert n_stuck <= (0 if parameters.is_projective else STUCK * n_configurations)


@pytest.mark.parametrize("name", ["arc_eager", "arc_eager_nm", "arc_standard", "easy_first"])
@pytest.mark.parametrize("kinds", list(product((NOUN, PUNCT, ADP), repeat=3)))
def test_every_valid_tree_can_be_built(name: str, kinds: tuple[int, ...]) -> None:
    # All but those whose root is a mark that has other words than marks below it, which the rules
    # allow, but which are built only where a single word is left.
    search = ValidSearch(find_system(name), [*kinds])
    built = set(search.trees.values())
    for heads in projective_trees(3):
        root = root_of(heads)
        for labels in product(LABELS, repeat=2):
            given = iter(labels)
            tree = heads, tuple(None if word == root else next(given) for word in range(3))
            if not search.broken(tree) and kinds[root] != PUNCT:
                assert tree in built


@pytest.mark.parametrize("name", ["arc_standard_swap", "arc_hybrid_swap"])
@pytest.mark.parametrize("n_words", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_no_valid_tree_needs_a_mark_without_head_that_is_swapped(name: str, n_words: int) -> None:
    # The other system has no SWAP, and builds every tree of so few words.
    for kinds in map(list, product((NOUN, PUNCT), repeat=n_words)):
        built = set(ValidSearch(find_system(name), kinds, LABELS[:2]).trees.values())
        trees = set(ValidSearch(find_system("easy_first_d3"), kinds, LABELS[:2]).trees.values())
        assert trees - built == {
            (heads, labels) for heads, labels in trees - built if kinds[root_of(heads)] == PUNCT
        }
        assert len(built) > 0.5 * len(trees)


def root_of(heads: tuple[int, ...]) -> int:
    return next(word for word, head in enumerate(heads) if head == word)


def test_without_rules_all_legal_classes_are_valid() -> None:
    system = TransitionSystem(find_system("arc_eager"), LABELS)
    configuration = system.initial(3)
    assert len(valid_classes(configuration)) == 1       # SHIFT
    configuration.apply("SHIFT")
    assert len(valid_classes(configuration)) == 1 + 2 * len(LABELS)


def test_rules_are_for_the_labels_and_the_words_of_a_sentence() -> None:
    parameters = find_system("arc_eager")
    configuration = TransitionSystem(parameters, LABELS).initial(3)
    with pytest.raises(ValueError, match="3 labels, not 4"):
        restrict(configuration, WordRules(TreeRules(parameters, LABELS[:3]), numpy.zeros(3)))
    with pytest.raises(ValueError, match="2 kinds of words for 3 words"):
        restrict(configuration, WordRules(TreeRules(parameters, LABELS), numpy.zeros(2)))


# Against the validator

def random_sentence(generator: random.Random) -> tuple:
    """Heads, labels, tags, features, and whether white space follows each word."""
    n = generator.randint(2, 6)
    frequent = ("NOUN", "PUNCT", "ADV", "PART", "DET", "ADP", "PRON")
    tags = [generator.choice(generator.choice((UPOS, frequent))) for _ in range(n)]
    few = generator.sample(ALL_LABELS, 3)
    labels = ["punct" if tag == "PUNCT" else generator.choice(few) for tag in tags]
    features = [generator.choice(FEATURES) for _ in range(n)]
    # The validator lets a word with a `goeswith` be `advmod` whatever its tag; our rules do not.
    if "goeswith" in labels:
        labels = ["obl" if label == "advmod" else label for label in labels]
    spaces = [generator.random() < 0.8 for _ in range(n)]
    return random_tree(n, generator), labels, tags, features, spaces


def to_conllu(number: int, sentence: tuple) -> str:
    lines = [
        f"# sent_id = {number}",
        "# text = " + "".join("w " if space else "w" for space in sentence[4]).strip(),
    ]
    for word, (head, label, tag, feats, space) in enumerate(zip(*sentence)):
        arc = (0, "root") if head == word else (head + 1, label)
        misc = "_" if space or word == len(sentence[0]) - 1 else "SpaceAfter=No"
        lines.append("\t".join(
            map(str, (word + 1, "w", "w", tag, "_", feats or "_", *arc, "_", misc))))
    return "\n".join(lines) + "\n\n"


def validate(path: Path) -> Counter:
    """How many errors of syntax the validator finds in each sentence, by sent_id."""
    args = parse_args_validator(["--lang", "ud", "--level", "3", "--max-err", "1", str(path)])
    state = Validator(lang="ud", level=3, max_store=0, args=args).validate_files([str(path)])
    return Counter(
        incident.sentid for incident in state.error_tracker
        if incident.get_type() == IncidentType.ERROR and incident.testclass.name == "SYNTAX"
    )


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_tree_breaks_a_rule_if_and_only_if_the_validator_says_so(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    generator = random.Random(seed)
    sentences = [random_sentence(generator) for _ in range(2000)]
    path = tmp_path / "random.conllu"
    path.write_text("".join(map(to_conllu, range(len(sentences)), sentences)))
    errors = validate(path)
    parameters = find_system("arc_standard_swap")
    system, rules = TransitionSystem(parameters, ALL_LABELS), TreeRules(parameters, ALL_LABELS)
    n_valid = 0
    for number, (heads, labels, tags, features, spaces) in enumerate(sentences):
        kinds = [kind_of(*word) for word in zip(tags, features, (not space for space in spaces))]
        broken = FinishedTree(
            system, WordRules(rules, numpy.asarray(kinds)), numpy.asarray(heads),
            numpy.asarray([*map(ALL_LABELS.index, labels)]),
        ).broken()
        n_valid += not broken
        assert bool(broken) == bool(errors[str(number)]), (number, sentences[number])
    assert 400 < n_valid < 1600


@pytest.mark.parametrize(("heads", "labels", "message"), [
    ([0, 7], [0, 0], "Heads are numbers of 2 words"), ([0, -1], [0, 0], "Heads are numbers"),
    ([0, 0], [0], "1 labels for 2 words"), ([0, 0], [0, 99], "Labels are numbers"),
    ([0, 0, 0], [0, 0, 0], "2 kinds of words for 3 words"),
    ([1, 0], [0, 0], "The heads have a cycle"),
])
def test_what_is_no_tree_is_refused(heads: list[int], labels: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_tree(heads, labels)


def test_arcs_of_no_word_are_refused() -> None:
    tree = make_tree([0, 0], [-1, 0])
    assert tree.allows(1, 0)
    for word, head in ((1, 2), (1, -1), (2, 0), (-1, 0)):
        for method in (tree.allows, tree.move):
            with pytest.raises(ValueError, match=f"from {head} to {word}, of 2 words"):
                method(word, head)
    for method in (tree.allows, tree.move):
        with pytest.raises(ValueError, match="Word 0 is a root"):
            method(0, 1)
    chain = make_tree([0, 0, 1], [-1, 0, 0], n_words=3)
    for method in (chain.allows, chain.move):
        for head in (1, 2):
            with pytest.raises(ValueError, match=f"Word {head} is word 1 or lies below it"):
                method(1, head)


def make_tree(heads: list[int], labels: list[int], n_words: int = 2) -> FinishedTree:
    """A tree of a few words without rules that bind them much."""
    parameters = find_system("arc_eager")
    rules = WordRules(TreeRules(parameters, LABELS), numpy.asarray([NOUN] * n_words))
    return FinishedTree(
        TransitionSystem(parameters, LABELS), rules, numpy.asarray(heads), numpy.asarray(labels)
    )

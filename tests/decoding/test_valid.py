"""Trees keep the rules about dependents in every search, and the rest stays as it is."""

from dataclasses import replace
from typing import Any

import numpy
import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.annotation.layout import find_layout, find_units
from spacy_arceager.annotation.word_kinds import word_kinds
from spacy_arceager.decoding import decoder as decoder_module
from spacy_arceager.decoding.constrained import search_plan
from spacy_arceager.decoding.decoder import Decoder
from spacy_arceager.decoding.encoding import Encoded
from spacy_arceager.decoding.plan import (
    SearchPlan,
    find_boundaries,
    plan_without_constraints,
)
from spacy_arceager.machine.rules import TreeRules, WordRules
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.machine.valid import FinishedTree
from spacy_arceager.search.beam import search
from spacy_arceager.search.greedy import derive_by_rules, parse_by_rules
from spacy_arceager.search.replay import replay
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import SystemParameters
from tests.conftest import assert_one_tree, random_scoring, random_vectors
from tests.machine.valid_search import describe, systems

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")
PROJECTIVE = [parameters for parameters in systems() if parameters.is_projective]
CROSSING = [
    parameters for parameters in systems()
    if not parameters.is_projective and not parameters.segment and "plain" not in parameters.name
]
SINGLE_ROOTED = [parameters for parameters in PROJECTIVE if "plain" not in parameters.name]
BOTH = {"arc_eager", "arc_eager_nm", "arc_hybrid", "easy_first"}
SOME = [p for p in PROJECTIVE if p.name in BOTH and p.root == "none"]
EVERY = pytest.mark.parametrize("parameters", SINGLE_ROOTED, ids=describe)
FEW = pytest.mark.parametrize("parameters", SOME, ids=describe)

LABELS = ("dep", "punct", "nsubj", "case", "obj", "det", "conj", "nsubj:outer")
TAGS = ("NOUN", "PUNCT", "ADP", "DET", "VERB")
VOCAB = spacy.blank("xx").vocab
BEAMS: list[BeamSettings | None] = [None, BeamSettings(width=1), BeamSettings(width=5)]


def make_docs(seed: int, n_docs: int = 4) -> list[Doc]:
    generator = numpy.random.default_rng(seed)
    return [
        Doc(VOCAB, words=["w"] * n, pos=[str(tag) for tag in generator.choice(TAGS, n)])
        for n in generator.integers(1, 12, n_docs)
    ]


def encode(system: TransitionSystem, docs: list[Doc], seed: int, valid: bool = True) -> Encoded:
    layouts = [find_units(doc, system.parameters.segment) for doc in docs]
    vectors = random_vectors(sum(map(len, docs)), 8, seed)
    rules = WordRules(TreeRules(system.parameters, system.labels), word_kinds(docs, layouts))
    return Encoded(docs, layouts, vectors, rules if valid else None)


def make_decoder(
    parameters: SystemParameters, seed: int, beam: BeamSettings | None = None, **settings: Any
) -> Decoder:
    system = TransitionSystem(parameters, LABELS)
    return Decoder(system, random_scoring(system, seed).predict(None), beam, **settings)


def broken(system: TransitionSystem, encoded: Encoded, parse: tuple) -> list[int]:
    """The words of all units whose arcs break a rule. Labels may be those of constrained words."""
    heads, labels, _ = parse
    found, start = [], 0
    assert encoded.rules is not None
    for layout in encoded.layouts:
        for length in layout.lengths.tolist():
            span = slice(start, start + length)
            tree = FinishedTree(
                system, encoded.rules.of_words(span), heads[span], labels[span] % len(LABELS)
            )
            found += [start + word for word in tree.broken()]
            start += length
    return found


@pytest.mark.parametrize("beam", BEAMS)
@EVERY
def test_trees_break_no_rule(parameters: SystemParameters, beam: BeamSettings | None) -> None:
    n_broken = 0
    for seed in range(6):
        decoder = make_decoder(parameters, seed, beam)
        docs = make_docs(seed)
        encoded = encode(decoder.system, docs, seed)
        assert not broken(decoder.system, encoded, decoder.decode(encoded))
        free = decoder.decode(encode(decoder.system, docs, seed, valid=False))
        n_broken += len(broken(decoder.system, encoded, free))
    assert n_broken     # without rules there would be broken ones


@FEW
def test_sentences_that_break_no_rule_keep_their_greedy_trees(
    parameters: SystemParameters,
) -> None:
    n_kept = 0
    for seed in range(60):
        decoder = make_decoder(parameters, seed)
        docs = make_docs(seed, 1)
        free = decoder.decode(encode(decoder.system, docs, seed, valid=False))
        encoded = encode(decoder.system, docs, seed)
        if not broken(decoder.system, encoded, free) and not parameters.non_monotonic:
            kept = [values.tolist() for values in decoder.decode(encoded)]
            n_kept += kept == [values.tolist() for values in free]
    # A search can also be refused something that a later step would have put right.
    assert n_kept or parameters.non_monotonic


@FEW
def test_neither_threads_nor_neighbours_change_a_parse(parameters: SystemParameters) -> None:
    for seed in range(5):
        docs = make_docs(seed, 40)
        decoder = make_decoder(parameters, seed)
        encoded = encode(decoder.system, docs, seed)
        parse = [values.tolist() for values in decoder.decode(encoded)]
        threaded = make_decoder(parameters, seed, threads=3).decode(encoded)
        assert parse == [values.tolist() for values in threaded]
        docs[7]._.arceager_forbidden_arcs = [(0, 0)] if len(docs[7]) > 1 else []
        beside = [values.tolist() for values in decoder.decode(encoded)]
        begin = sum(map(len, docs[:7]))
        end = begin + len(docs[7])
        for values, expected in zip(beside, parse):
            assert values[:begin] == expected[:begin] and values[end:] == expected[end:]


@pytest.mark.parametrize("beam", BEAMS)
@FEW
def test_derivations_lead_to_the_parse(
    parameters: SystemParameters, beam: BeamSettings | None
) -> None:
    for seed in range(8):
        decoder = make_decoder(parameters, seed, beam)
        encoded = encode(decoder.system, make_docs(seed), seed)
        heads, labels, _ = decoder.decode(encoded)
        start = 0
        for (derivation,) in decoder.derive(encoded):
            configuration = decoder.system.initial(len(derivation.words))
            for step in derivation.steps:
                configuration.apply(step.transition, step.label)
            span = slice(start, start + len(derivation.words))
            assert configuration.tree() == heads[span].tolist()
            names = [
                None if label < 0 else LABELS[label] for label in labels[span].tolist()
            ]
            tree = enumerate(zip(configuration.tree(), configuration.labels))
            assert names == [None if head == word else label for word, (head, label) in tree]
            start = span.stop


@FEW
def test_all_trees_of_a_beam_are_valid(parameters: SystemParameters) -> None:
    decoder = make_decoder(parameters, 3, BeamSettings(width=6))
    for seed in range(5):
        (doc,) = make_docs(seed, 1)
        encoded = encode(decoder.system, [doc], seed)
        (trees,) = decoder.search(encoded)
        for tree in trees:
            assert not broken(decoder.system, encoded, tree[1:4])


@FEW
def test_what_a_person_fixes_comes_before_the_rules(parameters: SystemParameters) -> None:
    for seed in range(10):
        decoder = make_decoder(parameters, seed)
        tags = ["NOUN", "PUNCT", "NOUN", "DET"]
        doc = Doc(VOCAB, words=["w"] * 4, pos=tags)
        doc._.arceager_fixed_arcs = [(0, 1, "nsubj"), (2, 1, "nsubj")]
        heads, labels, _ = decoder.decode(encode(decoder.system, [doc], seed))
        assert heads[[0, 2]].tolist() == [1, 1]
        assert (labels[[0, 2]] % len(LABELS)).tolist() == [LABELS.index("nsubj")] * 2


@pytest.mark.parametrize("parameters", [p for p in SOME if not p.segment], ids=describe)
def test_rules_that_leave_nothing_yield(parameters: SystemParameters) -> None:
    system = TransitionSystem(parameters, ("det", "case", "root"))
    decoder = Decoder(system, random_scoring(system, 1).predict(None))
    doc = Doc(VOCAB, words=["w"] * 6, pos=["NOUN"] * 6)
    layouts = [find_layout(doc)]
    rules = WordRules(TreeRules(parameters, system.labels), word_kinds([doc], layouts))
    heads, *_ = decoder.decode(Encoded([doc], layouts, random_vectors(6, 8, 1), rules))
    assert_one_tree(heads.tolist())


@pytest.mark.parametrize("beam", BEAMS)
@pytest.mark.parametrize("parameters", CROSSING, ids=describe)
def test_rules_yield_where_a_mark_is_stuck(
    parameters: SystemParameters, beam: BeamSettings | None
) -> None:
    generator = numpy.random.default_rng(1)
    for seed in range(10):
        decoder = make_decoder(parameters, seed, beam)
        tags = [str(tag) for tag in generator.choice(("NOUN", "PUNCT"), 12)]
        doc = Doc(VOCAB, words=["w"] * len(tags), pos=tags)
        heads, *_ = decoder.decode(encode(decoder.system, [doc], seed))
        assert_one_tree(heads.tolist())


def test_a_search_that_begins_behind_choices_ends_as_the_whole_one() -> None:
    (parameters,) = (p for p in SOME if p.name == "arc_eager_nm" and not p.segment)
    for seed in range(20):
        decoder = make_decoder(parameters, seed)
        encoded = encode(decoder.system, make_docs(seed, 1), seed)
        lengths = [len(encoded.docs[0])]
        *_, refused = parse_by_rules(
            decoder.system, decoder.scorer, encoded.vectors, lengths, rules=encoded.rules
        )
        for choices in refused.values():
            arguments = decoder.system, decoder.scorer, encoded.vectors, lengths
            whole, part = (
                search(
                    *arguments, BeamSettings(width=1), rules=encoded.rules, begun=begun,
                    with_choices=True,
                )
                for begun in (None, [choices])
            )
            # Both take the same valid choices up to the refused one, and the best ones from there.
            assert part[0][0].choices.tolist() == whole[0][0].choices.tolist()


@pytest.mark.parametrize(
    "choices", [[[10**6, -2, -1]], [[-1, -2, -1]], [[0, 5, -1]], [[0, -2, 10**6]], [[0, -2]]]
)
def test_choices_that_cannot_be_taken_are_refused(choices: list) -> None:
    (parameters,) = (p for p in SOME if p.name == "arc_eager_nm" and not p.segment)
    decoder = make_decoder(parameters, 0)
    encoded = encode(decoder.system, make_docs(0, 1), 0)
    arguments = decoder.system, decoder.scorer, encoded.vectors, [len(encoded.docs[0])]
    for begun in ([numpy.asarray(choices, "i")], []):
        with pytest.raises(ValueError, match=r"[Cc]hoice|not legal"):
            search(*arguments, BeamSettings(width=1), begun=begun)


def test_the_beam_of_refused_sentences_is_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    (parameters,) = (p for p in SOME if p.name == "arc_eager" and not p.segment)

    def parses() -> list[list]:
        decoders = [make_decoder(parameters, seed) for seed in range(12)]
        return [
            decoder.decode(encode(decoder.system, make_docs(seed), seed))[0].tolist()
            for seed, decoder in enumerate(decoders)
        ]

    wide = parses()
    monkeypatch.setattr(decoder_module, "RULED_BEAM", BeamSettings(width=1))
    assert wide != parses()


@EVERY
def test_a_unit_without_rules_is_searched_as_if_there_were_none(
    parameters: SystemParameters,
) -> None:
    n_differ = 0
    for seed in range(6):
        decoder = make_decoder(parameters, seed)
        encoded = encode(decoder.system, make_docs(seed), seed)
        boundaries = find_boundaries(encoded, parameters.segment)
        plan = plan_without_constraints(encoded, boundaries, 1, BeamSettings(width=4))
        unbound = unbind(encoded, plan.spans[1])

        def found(plan: SearchPlan) -> list[list[tuple]]:
            trees = search_plan(decoder.system, decoder.scorer, encoded.vectors, plan)  # noqa: B023
            return [[(tree[0], *map(tuple, tree[1:3])) for tree in of_unit] for of_unit in trees]

        with_rules, without = found(plan), found(replace(plan, rules=None))
        expected = [*with_rules[:1], *without[1:2], *with_rules[2:]]
        n_differ += with_rules != expected
        assert found(replace(plan, rules=unbound)) == expected
    assert n_differ


@EVERY
def test_a_unit_without_rules_is_derived_as_if_there_were_none(
    parameters: SystemParameters,
) -> None:
    for seed in range(6):
        decoder = make_decoder(parameters, seed)
        encoded = encode(decoder.system, make_docs(seed), seed)
        boundaries = find_boundaries(encoded, parameters.segment)
        plan = plan_without_constraints(encoded, boundaries, 1)
        span = plan.spans[1]
        unbound = unbind(encoded, span)

        def steps(rules: WordRules | None) -> list:
            choices, _ = derive_by_rules(
                decoder.system, decoder.scorer, encoded.vectors, plan.lengths,    # noqa: B023
                boundaries, 1, rules,    # noqa: B023
            )
            return replay(
                decoder.system, decoder.scorer, encoded.vectors[span], choices[1],    # noqa: B023
                boundaries[span], 1, rules and rules.of_words(span),    # noqa: B023
            )

        assert steps(unbound) == steps(None)
        words = numpy.arange(plan.lengths.sum())
        with pytest.raises(ValueError, match="do not bind all words"):
            FinishedTree(decoder.system, unbound, words, 0 * words)


def unbind(encoded: Encoded, unit: slice) -> WordRules:
    assert encoded.rules is not None
    return encoded.rules.without(unit)

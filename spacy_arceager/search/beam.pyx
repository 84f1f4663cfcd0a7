"""Beam search: the best derivations of a sentence, step by step; see successors.pxd."""

import numpy

from libc.math cimport INFINITY, log

from ..machine.rules import WordRules
from ..machine.system cimport TransitionSystem
from ..network.lower_layer cimport LowerC, LowerLayer
from ..network.scorer cimport Scorer, ScorerC
from ..oracles.gold cimport GoldC, GoldTrees
from ..oracles.compiled cimport CompiledOracle
from ..oracles.oracle cimport Oracle
from .blocks import Batch
from .forbidden cimport Forbidden
from ..kernels.interrupt cimport WatchC, check_signals
from .lockstep cimport check_classes, check_gold
from .settings import BeamSettings
from .successors cimport BeamSearch, SearchOptionsC
from .beam_tree import BeamTree


def search(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer], settings: BeamSettings,
    boundaries: NDArray[numpy.int32] | None = None, fixed: tuple[NDArray, NDArray] | None = None,
    Oracle oracle=None, int threads=1, forbidden: Sequence[Forbidden | None] | None = None,
    rules: WordRules | None = None, begun: Sequence[NDArray[numpy.int32]] | None = None,
    most: int | None = None, bint with_choices=False,
) -> list[list[BeamTree]]:
    """Parse sentences with beam search.

    Args:
        vectors: as for greedy.parse.
        lengths: as for greedy.parse.
        boundaries: as for greedy.parse.
        threads: as for greedy.parse.
        settings: BeamSettings.
        fixed: heads and labels that are fixed in advance, two (n_words,) int32 arrays, with -1
            where the parser decides.
        oracle: says which transitions lose a fixed arc; they are not taken.
        forbidden: for each sentence a Forbidden or None. No transition makes a forbidden arc, but a
            tree may still have a forbidden root or break a subtree, which `Forbidden.allows` finds.
        rules: as for greedy.parse. What is fixed or forbidden comes before them.
        begun: for each sentence the choices of a greedy search that this one begins behind, as
            `greedy.parse_by_rules` returns them; None to begin at the first words.
        most: how many trees of a sentence are returned at most; None for all in its beam.
        with_choices: whether the trees have their choices.

    Returns:
        For each sentence a list of trees, the best first. A tree with several derivations is listed
        once. The list is empty if no derivation has all fixed arcs. A sentence without words has
        one empty tree.

    Raises:
        ValueError: For arguments that do not belong together.
        TypeError: For arguments that do not belong together.
    """
    check_classes(system, scorer)
    if not isinstance(settings, BeamSettings):
        raise TypeError(f"Settings of a beam are BeamSettings, not {type(settings).__name__}")
    if fixed is not None:
        fixed = _check_fixed(fixed, len(vectors), oracle)
    _check_forbidden(forbidden, system.n_labels, lengths)
    if begun is not None and len(begun) != len(lengths):
        raise ValueError(f"Choices of {len(begun)} sentences, not of {len(lengths)}")
    batch = Batch(scorer, vectors, lengths, boundaries, rules)
    nothing = numpy.zeros((0,), dtype="i")
    no_choices = nothing.reshape(0, 2) if with_choices else None
    results = [[BeamTree(0.0, nothing, nothing, nothing.astype(bool), no_choices)] for _ in lengths]
    for sentences, parses in batch.parse(
            lambda blocks: _search_blocks(
                system, scorer, blocks, settings, fixed, oracle, forbidden, begun,
                settings.width if most is None else most, with_choices),
            threads):
        for i, trees in zip(sentences, parses):
            results[i] = trees
    return results


def _search_blocks(TransitionSystem system, Scorer scorer, blocks, settings, fixed, Oracle oracle,
                   forbidden, begun, int most, bint with_choices):
    for block in blocks:
        arcs = None if fixed is None else [values[block.words] for values in fixed]
        bans = None if forbidden is None else [forbidden[i] for i in block.sentences]
        choices = () if begun is None else [begun[i] for i in block.sentences]
        yield block.sentences, _search_block(
            system, scorer, block, settings, arcs, oracle, bans, choices, most, with_choices)


def _check_fixed(fixed, n_words, oracle):
    # Fixed heads and labels as two (n_words,) int32 arrays. Raises ValueError or TypeError.
    if oracle is None:
        raise TypeError("Fixed arcs need an oracle that says what loses them")
    heads, labels = (numpy.asarray(values) for values in fixed)
    for values in (heads, labels):
        if values.shape != (n_words,) or (n_words and values.dtype.kind not in "iu"):
            raise ValueError(f"Fixed heads and labels must be whole numbers, one for each of "
                             f"{n_words} words")
    return heads.astype("i"), labels.astype("i")


def _check_forbidden(forbidden, int n_labels, lengths):
    # Raises ValueError or TypeError unless each sentence has None or a Forbidden that fits.
    cdef Forbidden checked
    if forbidden is None:
        return
    if len(forbidden) != len(lengths):
        raise ValueError(f"{len(forbidden)} Forbidden for {len(lengths)} sentences")
    for of_sentence, n_words in zip(forbidden, lengths):
        if of_sentence is not None:
            checked = of_sentence
            if (checked.c.n_words, checked.c.n_labels) != (n_words, n_labels):
                raise ValueError(f"A Forbidden of {checked.c.n_words} words and "
                                 f"{checked.c.n_labels} labels for {n_words} words and "
                                 f"{n_labels} labels")


def _search_block(TransitionSystem system, Scorer scorer, block, settings, fixed, Oracle oracle,
                  forbidden, begun, int most, bint with_choices):
    lengths = block.lengths
    cdef BeamSearch beams = BeamSearch(system, lengths, scorer, settings.width,
                                       block.boundaries)
    if forbidden is not None:
        beams.forbid(forbidden)
    beams.restrict(block.rules)
    for i, choices in enumerate(begun):
        beams.begin(i, choices)
    cdef LowerLayer lower = LowerLayer(scorer, len(block.vectors))
    lower.start(block.vectors)
    cdef SearchOptionsC options
    cdef CompiledOracle ready
    cdef GoldTrees trees
    cdef const GoldC* gold = NULL
    options.normalised = settings.is_normalised
    options.learning = False
    options.threshold = log(settings.density) if settings.density > 0 else -INFINITY
    options.constrained = fixed is not None
    options.dropout = 0
    options.random = 1
    if options.constrained:
        trees = GoldTrees(lengths, *fixed, system.parameters.root != "none")
        check_gold(system, trees, trees.n_words)
        gold = trees.c
        ready = oracle.compile(system, trees.longest)
        ready.c.constrained = True
        options.oracle = &ready.c
    with nogil:
        search_all(beams, &scorer.c, &lower.c, &options, gold)
    if options.constrained:
        ready.check()
    if fixed is None:
        return [beams._results(i, most, with_choices) for i in range(beams.n_sentences)]
    ends = numpy.cumsum(lengths)[: beams.n_sentences - 1]
    return [beams._results(i, most, with_choices, *arcs)
            for i, arcs in enumerate(zip(*(numpy.split(values, ends) for values in fixed)))]


cdef int search_all(BeamSearch beams, const ScorerC* scorer, LowerC* lower, SearchOptionsC* options,
                    const GoldC* gold) except -1 nogil:
    # Takes all steps of a block. gold: the fixed arcs of each sentence, or NULL.
    cdef WatchC watch = WatchC(0, 0)
    cdef int i, n_active = 1
    while n_active:
        n_active = 0
        beams.score_new(scorer, lower, options)
        for i in range(beams.n_sentences):
            if beams.beams[i].done:
                continue
            check_signals(&watch)
            beams.expand(&beams.beams[i], options, &gold[i] if gold else NULL)
            beams.step(&beams.beams[i])
            n_active += not beams.beams[i].done
    return 0

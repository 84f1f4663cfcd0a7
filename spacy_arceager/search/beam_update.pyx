"""Training with a beam: global normalisation over whole derivations.

The loss of a sentence is minus the logarithm of the correct derivations' share of the probability
in the beam (Andor et al. 2016). It is taken at one step. With early update this is the step at
which the last correct derivation falls out of the beam (Collins and Roark 2004). With maximum
violation it is the step at which the best correct derivation is furthest behind the best one
(Huang, Fayong and Guo 2012).
"""

from cymem.cymem cimport Pool
from libc.math cimport INFINITY, exp, log
from libc.stdint cimport uint64_t

from ..machine.configuration cimport NONE
from ..machine.rules import WordRules
from ..machine.system cimport TransitionSystem
from ..network.lower_layer cimport LowerC, LowerLayer
from ..network.lower_layer import check_vectors
from ..network.scorer cimport Scorer, ScorerC
from ..oracles.gold cimport GoldC, GoldTrees
from ..oracles.compiled cimport CompiledOracle
from ..oracles.oracle cimport Oracle
from .successors cimport BeamSearch, SearchOptionsC
from .beam_state cimport BeamC
from .blocks import check_boundaries
from ..kernels.interrupt cimport WatchC, check_signals
from .lockstep cimport check_gold
from .record cimport Record
from .rollout import RollOut, check_training
from .settings import BeamSettings

# The derivations in the loss of a sentence: those in the beam at one step, and the best correct one
# if it is not in the beam.
cdef struct ViolationC:
    double size          # how far the best correct derivation is behind the best one
    int n
    int* last_step       # (width + 1,)
    double* score
    int* correct


cdef struct BeamLearningC:
    SearchOptionsC options
    bint max_violation
    ViolationC* violations    # of each sentence


def roll_out_beam(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    GoldTrees gold not None, Oracle oracle not None, settings: BeamSettings, float dropout,
    uint64_t seed, rules: WordRules | None = None,
) -> RollOut:
    """Search a batch in training and find the gradient of the scores.

    Args:
        vectors: as for rollout.roll_out.
        gold: as for rollout.roll_out.
        oracle: as for rollout.roll_out.
        dropout: as for rollout.roll_out.
        seed: as for rollout.roll_out.
        rules: as for rollout.roll_out.
        settings: BeamSettings, whose update is "early" (as soon as no correct derivation is left in
            the beam) or "max_violation" (where the violation is greatest).

    Returns:
        A RollOut. Its n_states counts transitions of correct derivations; its n_wrong counts
        sentences whose best derivation was not correct at the step that the loss is taken at.

    Raises:
        ValueError: For arguments that do not belong together.
        TypeError: For arguments that do not belong together.
    """
    check_training(system, scorer, dropout, seed)
    if not isinstance(settings, BeamSettings) or settings.is_normalised:
        raise ValueError(f"A beam does not learn with {settings}; use BeamSettings with "
                         "update='early' or update='max_violation'")
    vectors = check_vectors(scorer, vectors)
    check_gold(system, gold, len(vectors))
    cdef BeamSearch beams = BeamSearch(system, gold.lengths, scorer, settings.width,
                                       check_boundaries(None, len(vectors)))
    beams.restrict(rules)
    cdef LowerLayer lower = LowerLayer(scorer, len(vectors))
    lower.start(vectors)
    cdef CompiledOracle ready = oracle.compile(system, gold.longest)
    cdef Pool memory = Pool()
    cdef BeamLearningC learning
    cdef size_t n = settings.width + 1
    learning.max_violation = settings.update == "max_violation"
    learning.options.normalised = learning.options.constrained = False
    learning.options.learning = True
    learning.options.threshold = log(settings.density) if settings.density > 0 else -INFINITY
    learning.options.oracle = &ready.c
    learning.options.dropout = dropout
    learning.options.random = seed
    learning.violations = <ViolationC*>memory.alloc(gold.n_trees + 1, sizeof(ViolationC))
    cdef int i
    for i in range(gold.n_trees):
        learning.violations[i].size = -INFINITY
        learning.violations[i].last_step = <int*>memory.alloc(n, sizeof(int))
        learning.violations[i].correct = <int*>memory.alloc(n, sizeof(int))
        learning.violations[i].score = <double*>memory.alloc(n, sizeof(double))
    with nogil:
        search_all(beams, &scorer.c, &lower.c, gold, &learning)
    ready.check()
    keep_rows(beams, &scorer.c, &learning)
    beams.record.start_gradient(&scorer.c)
    for i in range(gold.n_trees):
        add_gradient(beams, beams.record, &learning.violations[i])
    return RollOut(**beams.record.arrays(scorer), loss=beams.record.loss,
                   n_states=beams.record.n_states, n_wrong=beams.record.n_wrong)


cdef int search_all(BeamSearch beams, const ScorerC* scorer, LowerC* lower, GoldTrees gold,
                    BeamLearningC* learning) except -1 nogil:
    # Takes all steps of a batch.
    cdef WatchC watch = WatchC(0, 0)
    cdef int i, n_active = 1
    while n_active:
        n_active = 0
        beams.score_new(scorer, lower, &learning.options)
        for i in range(beams.n_sentences):
            if beams.beams[i].done:
                continue
            check_signals(&watch)
            learn_and_step(beams, &beams.beams[i], &gold.c[i], &learning.violations[i],
                           learning)
            n_active += not beams.beams[i].done
    return 0


cdef int learn_and_step(BeamSearch beams, BeamC* beam, const GoldC* gold,
                        ViolationC* violation, const BeamLearningC* learning) except -1 nogil:
    cdef bint fallen
    beams.expand(beam, &learning.options, gold)
    fallen = not holds_correct(beam)
    if fallen:
        # The best correct derivation goes on behind the others, in a place of its own.
        beam.successors[beam.n_successors] = beam.best_correct
        beam.n_successors += 1
    beams.step(beam)
    beam.now[beam.n - 1].outside = fallen
    note_violation(beam, violation, learning.max_violation)
    if fallen and not learning.max_violation:
        beam.done = True
    return 0


cdef bint holds_correct(const BeamC* beam) noexcept nogil:
    cdef int i
    for i in range(beam.n_successors):
        if beam.successors[i].correct:
            return True
    return False


cdef void note_violation(const BeamC* beam, ViolationC* violation,
                         bint max_violation) noexcept nogil:
    # Remembers the hypotheses of this step if it is, so far, the step to learn from.
    cdef double best_correct = -INFINITY
    cdef double best = -INFINITY
    cdef int i
    for i in range(beam.n):
        best = max(best, beam.now[i].score)
        if beam.now[i].correct:
            best_correct = max(best_correct, beam.now[i].score)
    if max_violation and best - best_correct < violation.size:
        return
    violation.size = best - best_correct
    violation.n = beam.n
    for i in range(beam.n):
        violation.last_step[i] = beam.now[i].last_step
        violation.score[i] = beam.now[i].score
        violation.correct[i] = beam.now[i].correct


cdef int keep_rows(BeamSearch beams, const ScorerC* scorer,
                   const BeamLearningC* learning) except -1:
    # Gives up the rows of derivations that are not in the loss.
    cdef int i, k, step
    beams.new_row.assign(beams.record.rows, NONE)
    for i in range(beams.n_sentences):
        for k in range(learning.violations[i].n):
            step = learning.violations[i].last_step[k]
            while step != NONE:
                beams.new_row[beams.steps[step].row] = 0
                step = beams.steps[step].before
    beams.keep_marked(scorer)
    return 0


cdef void add_gradient(BeamSearch beams, Record r, const ViolationC* violation) noexcept:
    # The correct ones may be thousands behind, so they are scaled by their own best score.
    cdef double highest = -INFINITY, highest_correct = -INFINITY, total = 0, total_correct = 0
    cdef double gradient
    cdef int i, step
    cdef size_t row
    for i in range(violation.n):
        highest = max(highest, violation.score[i])
        if violation.correct[i]:
            highest_correct = max(highest_correct, violation.score[i])
    if highest_correct == -INFINITY:
        return      # there was nothing to decide in the sentence
    for i in range(violation.n):
        total += exp(violation.score[i] - highest)
        if violation.correct[i]:
            total_correct += exp(violation.score[i] - highest_correct)
    r.loss += highest - highest_correct + log(total) - log(total_correct)
    r.n_wrong += violation.size > 0
    for i in range(violation.n):
        gradient = exp(violation.score[i] - highest) / total
        if violation.correct[i]:
            gradient -= exp(violation.score[i] - highest_correct) / total_correct
        step = violation.last_step[i]
        while step != NONE:
            row = beams.new_row[beams.steps[step].row]
            r.d_scores[row * beams.state.width + beams.steps[step].index] += gradient
            r.n_states += violation.correct[i]
            step = beams.steps[step].before

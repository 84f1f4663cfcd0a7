"""Training with a beam: global normalisation over whole derivations.

The loss is minus the log of the share of the correct derivations among those in the beam
(Andor et al. 2016), where the search goes wrong: at the step at which the last correct one
falls out of the beam (early update, Collins and Roark 2004), or at the one at which the best
correct one is furthest behind (maximum violation, Huang, Fayong and Guo 2012).
"""

import numpy

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from ..machine.configuration cimport NONE
from ..machine.system cimport TransitionSystem
from ..oracles.gold cimport GoldC, GoldTrees
from ..oracles.oracle cimport Oracle, OracleC, scratch_size
from .beam cimport BeamC, BeamSearch, SearchC
from .lockstep cimport check_classes, check_gold
from .lower_layer cimport LowerC, LowerLayer
from .record cimport RecordC, record_arrays
from .rollout import RollOut
from .scorer cimport Scorer, ScorerC

# The derivations that the loss of a sentence is about: those of one step's beam, and the best
# correct one should it not be among them.
cdef struct ViolationC:
    double size          # how far the best correct one is behind
    int n
    int* last_step       # (width + 1,)
    double* score
    int* correct


def roll_out_beam(TransitionSystem system not None, Scorer scorer not None, vectors,
                  GoldTrees gold not None, Oracle oracle not None, int width,
                  double density, bint max_violation, float dropout, uint64_t seed):
    """Search a batch in training and find the gradient of the scores.

    vectors, gold, oracle, dropout, seed: as for rollout.roll_out. width, density: of the
    beam, see beam.search. max_violation: update where the violation is greatest, instead of
    as soon as no correct derivation is left in the beam.
    Returns a RollOut; n_states counts transitions of correct derivations, n_wrong the
    sentences whose best derivation was not correct.
    """
    check_classes(system, scorer)
    check_gold(system, gold, vectors.shape[0])
    cdef int[::1] nowhere = numpy.zeros((gold.n_words,), dtype="i")
    cdef BeamSearch beams = BeamSearch(system, gold.lengths, scorer, width, nowhere)
    cdef LowerLayer lower = LowerLayer(scorer, vectors.shape[0])
    lower.start(vectors)
    cdef int[::1] scratch = numpy.empty((scratch_size(&system.c, gold.longest) + 1,), dtype="i")
    cdef OracleC compiled = oracle.compiled_for(system)
    cdef SearchC how
    how.normalised = how.constrained = False
    how.learning = True
    how.threshold = log(density) if density > 0 else -INFINITY
    how.oracle = &compiled
    cdef ViolationC* violations = <ViolationC*>calloc(gold.n_trees + 1, sizeof(ViolationC))
    cdef int[:, ::1] steps = numpy.zeros((gold.n_trees + 1, 2 * (width + 1)), dtype="i")
    cdef double[:, ::1] scores = numpy.zeros((gold.n_trees + 1, width + 1), dtype="d")
    cdef int i
    cdef bint done
    if violations == NULL:
        raise MemoryError()
    for i in range(gold.n_trees):
        violations[i].size = -INFINITY
        violations[i].last_step = &steps[i, 0]
        violations[i].correct = &steps[i, width + 1]
        violations[i].score = &scores[i, 0]
    try:
        with nogil:
            done = run(beams, &scorer.c, &lower.c, &how, gold, violations, max_violation,
                       dropout, seed, &scratch[0])
        if not done:
            raise MemoryError()
        for i in range(gold.n_trees):
            add_gradient(&beams.beams[i], &violations[i], &beams.record, scorer.c.width)
        return RollOut(**record_arrays(&beams.record, scorer), loss=beams.record.loss,
                       n_states=beams.record.n_states, n_wrong=beams.record.n_wrong)
    finally:
        free(violations)


cdef bint run(BeamSearch beams, const ScorerC* scorer, LowerC* lower, const SearchC* how,
              GoldTrees gold, ViolationC* violations, bint max_violation,
              float dropout, uint64_t random, int* scratch) noexcept nogil:
    cdef int i, n_active = 1
    cdef BeamC* beam
    while n_active:
        n_active = 0
        if not beams.score_new(scorer, lower, dropout, &random):
            return False
        for i in range(beams.n_sentences):
            beam = &beams.beams[i]
            if beam.done:
                continue
            if not learn_and_step(beams, beam, how, &gold.c[i], &violations[i], max_violation,
                                  scratch):
                return False
            n_active += not beam.done
    return True


cdef bint learn_and_step(BeamSearch beams, BeamC* beam, const SearchC* how, const GoldC* gold,
                         ViolationC* violation, bint max_violation,
                         int* scratch) noexcept nogil:
    cdef bint fallen
    beams.expand(beam, how, gold, scratch)
    fallen = not holds_correct(beam)
    if fallen:
        # It goes on behind the others, without taking the place of one.
        beam.successors[beam.n_successors] = beam.best_correct
        beam.n_successors += 1
    if not beams.step(beam):
        return False
    beam.now[beam.n - 1].outside = fallen
    note_violation(beam, violation, max_violation)
    if fallen and not max_violation:
        beam.done = True
    return True


cdef bint holds_correct(const BeamC* beam) noexcept nogil:
    cdef int i
    for i in range(beam.n_successors):
        if beam.successors[i].correct:
            return True
    return False


cdef void note_violation(const BeamC* beam, ViolationC* violation,
                         bint max_violation) noexcept nogil:
    # Remembers the hypotheses of this step, if it is the one to learn from so far.
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


cdef void add_gradient(const BeamC* beam, const ViolationC* violation, RecordC* r,
                       int width) noexcept nogil:
    cdef double highest = -INFINITY, total = 0, total_correct = 0
    cdef double p, gradient
    cdef int i, step
    for i in range(violation.n):
        highest = max(highest, violation.score[i])
    for i in range(violation.n):
        p = exp(violation.score[i] - highest)
        total += p
        if violation.correct[i]:
            total_correct += p
    if total == 0:
        return      # a sentence of one word
    total_correct = max(total_correct, 1e-300)
    r.loss += log(total / total_correct)
    r.n_wrong += violation.size > 0
    for i in range(violation.n):
        p = exp(violation.score[i] - highest)
        gradient = p / total - (p / total_correct if violation.correct[i] else 0)
        step = violation.last_step[i]
        while step != NONE:
            r.d_scores[<size_t>beam.steps[step].row * width
                       + beam.steps[step].index] += gradient
            r.n_states += violation.correct[i]
            step = beam.steps[step].before

"""Costs in a document, from a view of the present gold sentence; see segmentation.pxd.

The view is a configuration in which the document ends with the present gold sentence. No gold arc
leaves a gold sentence, so the costs in the view are also the costs in the document. A BREAK at a
gold boundary costs nothing. There, every transition that uses the word after the boundary, and is
therefore not legal in the view, costs one.
"""

from ..machine.configuration cimport (
    NONE, ConfigurationC, block_size, copy_configuration, lay_out, push_back, unprocessed,
)
from ..machine.transitions.break_ cimport can_break
from ..machine.transitions.declarations cimport MAX_TRANSITIONS, SystemC
from ..machine.transitions.dispatch cimport is_terminal
from .costs cimport ILLEGAL, QuestionC, ask, cost_function
from .gold cimport ROOT_HEAD, GoldC


cdef inline bint starts_sentence(const GoldC* gold, int word) noexcept nogil:
    return word > 0 and gold.sentence_end[word - 1] == word


cdef void hide_from(ConfigurationC* view, int word) noexcept nogil:
    # Hides the words of U from `word` on, unless one of them has left U or is hidden already.
    cdef int n = view.n_words - word
    if view.furthest < word < view.limit and n <= view.n_unprocessed:
        view.n_waiting += n
        view.n_unprocessed -= n
        view.limit = word


cdef int latest_end(const SystemC* system, const ConfigurationC* c,
                    const GoldC* gold) noexcept nogil:
    # The last place where the present sentence can end, if gold boundaries are not known. It is at
    # the next word where a sentence must start. If a sentence may have a single root only, it is
    # also so early that the sentence does not get two of the gold roots.
    cdef int word, end = c.n_words, n_roots = 0
    for word in range(c.start, c.n_words):
        if word > c.start and c.is_start[word] == 2:
            return word
        if word > c.start and c.is_start[word] >= 0:
            end = word
        n_roots += gold.head[word] == ROOT_HEAD
        if n_roots == 2 and not system.stops_at_end:
            return end
    return c.n_words


cdef int ending_loss(const SystemC* system, const ConfigurationC* c,
                     const GoldC* gold) noexcept nogil:
    # How many gold heads are lost if the sentence ends here. When it ends, each word of the stack
    # gets the word below it as its head. After SWAPs the words stand in another order, so that this
    # may be the wrong head.
    cdef int word, loss = 0
    if system.i_swap == NONE or not system.shape.front:
        return 0
    word = c.below[c.top]
    while word != NONE:
        if gold.head[word] == ROOT_HEAD:
            loss += c.below[word] != NONE
        elif gold.head[word] != NONE:
            loss += c.below[word] != gold.head[word]
        word = c.below[word]
    return loss


# Fills `view` with the configuration as it would be if the document ended with the present gold
# sentence. Returns whether a BREAK is due: a gold sentence starts at the front of the buffer. Then
# the view is at the end of its input. `block` is memory of `block_size` ints.
cdef bint sentence_view(ConfigurationC* view, const SystemC* system, const ConfigurationC* c,
                        const GoldC* gold, bint constrained, int* block) noexcept nogil:
    cdef bint front = system.shape.front
    cdef int word = c.top if front else unprocessed(c, 1)
    cdef int end
    cdef bint due
    view[0] = c[0]
    view.more = False
    if c.ended or word < 0:
        return False
    end = latest_end(system, c, gold) if constrained else gold.sentence_end[word]
    due = word == end if constrained else starts_sentence(gold, word)
    if not (due and (can_break(system, c) if front else c.is_start[word] >= 0)):
        hide_from(view, end)
        return False
    if c.n_operative == 0:
        return False
    if front:
        lay_out(view, &system.shape, block, c.n_words)
        copy_configuration(view, c, &system.shape)
        push_back(view, word)
        view.end_on_top = view.ended = True
    view.n_waiting += view.n_unprocessed
    view.n_unprocessed = 0
    view.limit = word
    view.more = False
    return True


cdef void costs_with_break(cost_function function, const QuestionC* q, int* costs) noexcept nogil:
    cdef int within[MAX_TRANSITIONS]
    cdef ConfigurationC view
    cdef SystemC rest = q.system[0]     # the system without BREAK, which is the last transition
    cdef QuestionC asked = q[0]
    cdef int last = q.system.i_break
    cdef int cheapest = ILLEGAL
    cdef int i
    cdef bint due = sentence_view(&view, q.system, q.c, q.gold, q.oracle.constrained, q.scratch)
    rest.n_transitions = last
    asked.system, asked.c = &rest, &view
    asked.scratch += block_size(&q.system.shape, q.c.n_words)
    ask(function, &asked, within)
    # If the oracle is not exact, even the cheapest transition may cost something.
    for i in range(last):
        cheapest = min(cheapest, within[i])
    if cheapest == ILLEGAL:     # at the end of the view, or at this anchor alone
        cheapest = 0 if is_terminal(&rest, &view) else q.c.n_words - 1
    if q.oracle.constrained and costs[last] != ILLEGAL:
        within[last] = cheapest + ending_loss(q.system, q.c, q.gold)
    else:
        within[last] = cheapest if due else ILLEGAL
    for i in range(q.system.n_transitions):
        if costs[i] != ILLEGAL:
            costs[i] = within[i] if within[i] != ILLEGAL else cheapest + 1

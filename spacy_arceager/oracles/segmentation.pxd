"""Costs where a document is parsed with BREAK: each sentence is seen alone."""

from ..machine.configuration cimport ConfigurationC
from ..machine.transitions cimport SystemC
from .gold cimport GoldC

# Fills `view` with the configuration as it would be if the document ended with the present
# gold sentence. Where a gold sentence starts at the front of the buffer, the end of the
# input has been seen in the view, and the result is True: a BREAK is due. breaks_freely: no
# gold boundaries are known, only that a sentence has one root. `block` has `block_size` ints.
cdef bint sentence_view(ConfigurationC* view, const SystemC* system, const ConfigurationC* c,
                        const GoldC* gold, bint breaks_freely, int* block) noexcept nogil

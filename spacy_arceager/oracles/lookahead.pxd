from ..machine.configuration cimport ConfigurationC
from ..machine.transitions cimport SystemC
from .gold cimport GoldC

# Costs are counted from a perfect parse: compare them, also between anchors.
cdef void lookahead_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                          int anchor, int position, int* scratch, int* costs) noexcept nogil

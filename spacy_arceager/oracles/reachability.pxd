"""What of a gold tree can still be built, arc by arc, under any control parameters."""

from ..machine.configuration cimport ConfigurationC
from ..machine.transitions cimport SystemC
from .gold cimport GoldC

cdef void reachability_costs(const SystemC* system, const ConfigurationC* c,
                             const GoldC* gold, int anchor, int position, int* scratch,
                             int* costs) noexcept nogil

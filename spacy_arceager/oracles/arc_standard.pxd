from ..machine.configuration cimport ConfigurationC
from ..machine.transitions cimport SystemC
from .gold cimport GoldC

cdef void tabular_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                        int anchor, int position, int* scratch, int* costs) noexcept nogil

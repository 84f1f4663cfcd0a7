"""What the oracle's costs become where rules about dependents hold; see machine/rules.pxd."""

from ..machine.configuration cimport ConfigurationC
from ..machine.transitions.declarations cimport TransitionC
from ..oracles.gold cimport GoldC

# How many gold arcs an arc with a label keeps from being made with their own labels: those of the
# dependents that are still to come and that the label of `dependent` excludes, or that would be a
# second subject or object of `head`. Arcs that the transition loses anyway do not count.
cdef int arcs_excluded(const ConfigurationC* c, const GoldC* gold, const TransitionC* t, int head,
                       int dependent, int label) noexcept nogil

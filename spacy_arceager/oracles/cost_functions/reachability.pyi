"""Dynamic oracle for any control parameters: a sum over arcs."""

from ...systems.parameters import SystemParameters
from ..rows import Row

REACHABILITY: Row
DYNAMIC: Row
EXACT: Row

def needs_arcs_alone(parameters: SystemParameters) -> str | None:
    """What of its systems a system lacks, in words; None where the oracle suits it."""

def reduces_at_once(parameters: SystemParameters) -> bool:
    """Every dependent leaves O with its arc, and nothing else happens."""

def sums_are_exact(parameters: SystemParameters) -> bool:
    """The sum over arcs is exact, for projective gold trees."""

def needs_exact_sums(parameters: SystemParameters) -> str | None:
    """What of its systems a system lacks, in words; None where the oracle suits it."""

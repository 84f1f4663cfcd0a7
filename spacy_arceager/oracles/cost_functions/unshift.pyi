"""Exact oracle for arc-eager with UNSHIFT before the end: a sum over arcs."""

from ...systems.parameters import SystemParameters
from ..rows import Row

DYNAMIC: Row
EXACT: Row

def needs(parameters: SystemParameters) -> str | None:
    """What of its systems a system lacks, in words; None where the oracle suits it."""

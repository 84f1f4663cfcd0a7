"""Exact oracle for arc-standard: a table over stack and buffer."""

from ...systems.parameters import SystemParameters
from ..rows import Row

EXACT: Row

def needs(parameters: SystemParameters) -> str | None:
    """What of its systems a system lacks, in words; None where the oracle suits it."""

"""Dynamic oracle that parses on: what is really reached after each transition."""

from ...systems.parameters import SystemParameters
from ..rows import Row

LOOKAHEAD: Row
DYNAMIC: Row

def needs_inexact_sums(parameters: SystemParameters) -> str | None:
    """What of its systems a system lacks, in words; None where the oracle suits it."""

"""Dynamic oracles for arc-hybrid with SWAP: sums over arcs."""

from ...systems.parameters import SystemParameters
from ..rows import Option, Row

PROJECTIVE_TIES: Option
STATIC_DYNAMIC: Row
DYNAMIC: Row

def needs(parameters: SystemParameters) -> str | None:
    """What of its systems a system lacks, in words; None where the oracle suits it."""

"""Static oracle: a canonical derivation for every gold tree that the system can derive."""

from ...systems.parameters import SystemParameters
from ..rows import Row

STATIC: Row

def needs(parameters: SystemParameters) -> str | None:
    """What of its systems a system lacks, in words; None where the oracle suits it."""

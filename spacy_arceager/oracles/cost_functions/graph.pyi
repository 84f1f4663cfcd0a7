"""Oracles for systems that build graphs (Sagae and Tsujii 2008; Bohnet et al. 2016, 4.5)."""

from ...systems.parameters import SystemParameters
from ..rows import Row

DYNAMIC: Row
STATIC: Row

def needs(parameters: SystemParameters) -> str | None:
    """What of its systems a system lacks, in words; None where the oracle suits it."""

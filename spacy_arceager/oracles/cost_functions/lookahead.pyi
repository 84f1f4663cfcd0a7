from ...systems.parameters import SystemParameters
from ..rows import Row

LOOKAHEAD: Row
DYNAMIC: Row

def needs_inexact_sums(parameters: SystemParameters) -> str | None: ...

from ...systems.parameters import SystemParameters
from ..rows import Row

REACHABILITY: Row
DYNAMIC: Row
EXACT: Row

def needs_arcs_alone(parameters: SystemParameters) -> str | None: ...

def reduces_at_once(parameters: SystemParameters) -> bool: ...

def sums_are_exact(parameters: SystemParameters) -> bool: ...

def needs_exact_sums(parameters: SystemParameters) -> str | None: ...

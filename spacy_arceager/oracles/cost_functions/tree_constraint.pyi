from ...systems.parameters import SystemParameters
from ..rows import Row

EXACT: Row

def needs(parameters: SystemParameters) -> str | None: ...

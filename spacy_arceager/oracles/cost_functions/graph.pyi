from ...systems.parameters import SystemParameters
from ..rows import Row

DYNAMIC: Row
STATIC: Row

def needs(parameters: SystemParameters) -> str | None: ...

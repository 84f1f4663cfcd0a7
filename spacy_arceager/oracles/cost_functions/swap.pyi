from ...systems.parameters import SystemParameters
from ..rows import OracleOption, Row

PROJECTIVE_TIES: OracleOption
STATIC_DYNAMIC: Row
DYNAMIC: Row

def needs(parameters: SystemParameters) -> str | None: ...

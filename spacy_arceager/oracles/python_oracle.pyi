"""Oracles in plain Python: an object with `costs(configuration, heads)`."""

from ..machine.system import TransitionSystem
from ..systems.parameters import SystemParameters
from .oracle import Oracle
from .rows import HasCosts

class PythonOracle(Oracle):
    """An oracle that asks a Python object for the cost of each transition."""

    def __init__(self, own: HasCosts) -> None: ...
    def check(self, parameters: SystemParameters) -> None:
        """It says itself, in `costs`, which systems it is not made for."""

    def suits(self, parameters: SystemParameters) -> bool:
        """As far as anybody knows, it is made for every system."""

    @property
    def own(self) -> HasCosts: ...

class PythonCosts:
    """Answers the questions of one roll-out."""

    def __init__(self, own: HasCosts, system: TransitionSystem) -> None: ...
    def check(self) -> None:
        """Raise what went wrong."""

def as_oracle(thing: object) -> Oracle:
    """An Oracle as it is; of any other object with `costs` one that asks it."""

"""An oracle made ready for one system: what training and the search ask."""

from ..machine.system import TransitionSystem

class CompiledOracle:
    """An oracle made ready for one system; only Cython modules can ask it."""

    @property
    def system(self) -> TransitionSystem: ...

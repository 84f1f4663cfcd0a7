from ..machine.system import TransitionSystem

class CompiledOracle:
    @property
    def system(self) -> TransitionSystem: ...

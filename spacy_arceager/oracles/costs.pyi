"""What an oracle's cost function is asked, and what it answers."""

class CostFunction:
    """A cost function in C, see costs.pxd; only Cython modules can make one."""

"""Shares, and how they are written."""


def share(part: float, whole: float) -> float | None:
    """Part / whole; None of nothing."""
    return float(part) / float(whole) if whole else None


def percent(value: float | None, digits: int = 2) -> str:
    """A share in percent, without the sign; "-" for None."""
    return "-" if value is None else f"{100 * value:.{digits}f}"

"""Shares of a whole, and how messages and tables write them."""


def share(part: float, whole: float) -> float | None:
    """The part divided by the whole; None where the whole is 0."""
    return float(part) / float(whole) if whole else None


def percent(value: float | None, digits: int = 2) -> str:
    """A share in percent, without the sign; "-" for None."""
    return "-" if value is None else f"{100 * value:.{digits}f}"

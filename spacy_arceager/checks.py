"""Checks of numbers that a config gives."""


def check_least(least: int, **settings: object) -> None:
    """Raise ValueError for a setting that is no whole number, or below the least one."""
    for name, value in settings.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValueError(f"{name}={value!r}; use a whole number, {least} or more")


def check_shares(**settings: object) -> None:
    """Raise ValueError for a setting that is no number from 0 to 1."""
    for name, value in settings.items():
        if not isinstance(value, (int, float)) or not 0 <= value <= 1:      # also refuses NaN
            raise ValueError(f"{name}={value!r}; use a number from 0 to 1")

"""Transition systems as data: control parameters, and the systems that have a name."""

from .named import (
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    custom_system,
    dag,
    easy_first,
)
from .parameters import ArcParameters, ParameterError, SystemParameters, Transition

__all__ = [
    "ArcParameters",
    "ParameterError",
    "SystemParameters",
    "Transition",
    "arc_eager",
    "arc_hybrid",
    "arc_standard",
    "attardi",
    "custom_system",
    "dag",
    "easy_first",
]

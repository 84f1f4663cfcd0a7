"""Drawings of parses for people to read."""

from .trace import render_derivation, trace
from .tree import render_tree

__all__ = ["render_derivation", "render_tree", "trace"]

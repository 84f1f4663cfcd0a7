"""Drawings of parses for people to read."""

from .tree import render_tree

__all__ = ["render_tree"]

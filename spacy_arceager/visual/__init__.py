"""Trees and derivations as text, as a page for a browser, and as SVG drawings."""

from .trace import render_derivation, trace
from .tree import render_tree

__all__ = ["render_derivation", "render_tree", "trace"]

"""Algorithms over trees and graphs of heads, which know no transitions."""

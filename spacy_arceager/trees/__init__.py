"""Algorithms on dependency trees and graphs that are arrays; they know nothing of transitions."""

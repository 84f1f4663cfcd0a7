"""Gold trees and graphs of Examples, and what is done with those a system cannot derive."""

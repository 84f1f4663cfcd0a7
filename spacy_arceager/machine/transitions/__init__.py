"""The transitions. Each has a file with its precondition and its action.

O and U are explained in machine/configuration.pxd.
"""

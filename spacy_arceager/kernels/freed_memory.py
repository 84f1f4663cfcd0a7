"""Memory that is freed stays in the process, for the next arrays."""

import numpy

# glibc takes no larger block as a measure of what to keep (mallopt(3), M_MMAP_THRESHOLD).
LARGEST = 32 << 20
HEADER = 8192      # of glibc's own, at most


def keep_freed_memory() -> None:
    """Let glibc keep up to 64 MB that are freed. Elsewhere this does nothing.

    By default it gives large arrays back to the system, which clears each page when the next update
    asks for it again: a tenth of the time of an update. glibc keeps blocks that are no larger than
    the largest one that was ever freed, so it is enough to free one that nobody has written to.
    """
    numpy.empty(LARGEST - HEADER, dtype="i1")

"""Keeps what an encoder has computed in a training, so that it computes each Doc once."""

import tempfile
from threading import Lock

import numpy
from numpy.typing import NDArray

Halves = NDArray[numpy.float16]
LARGEST = float(numpy.finfo("f2").max)


def halve(array: NDArray[numpy.float32]) -> Halves:
    """The nearest half floats; numbers beyond their range become the largest of them."""
    return numpy.clip(array, -LARGEST, LARGEST).astype("f2")


class OutputStore:
    """Arrays of half floats in a file without a name, which is gone when the store is.

    Args:
        limit: the most bytes that the file may have. An array that has no room is not kept.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.n_bytes = 0
        self._places: dict[bytes, tuple[int, tuple[int, ...]]] = {}
        self._lock = Lock()
        self._file = tempfile.TemporaryFile(prefix="arceager_", buffering=0)  # noqa: SIM115 (kept)

    def __len__(self) -> int:
        return len(self._places)

    def get(self, key: bytes) -> Halves | None:
        """The array of a key, or None if it was not kept."""
        place = self._places.get(key)
        if place is None:
            return None
        start, shape = place
        with self._lock:
            self._file.seek(start)
            data = self._file.read(2 * int(numpy.prod(shape)))
        return numpy.frombuffer(data, dtype="f2").reshape(shape)

    def add(self, key: bytes, array: Halves) -> None:
        """Keep an array, if there is room for it."""
        data = array.tobytes()
        with self._lock:
            if key in self._places or self.n_bytes + len(data) > self.limit:
                return
            if not self._write(data):
                self.limit = self.n_bytes
                return
            self._places[key] = self.n_bytes, array.shape
            self.n_bytes += len(data)

    def _write(self, data: bytes) -> bool:
        """Write at the end of what is kept; return whether the disk had room."""
        try:
            self._file.seek(self.n_bytes)
            return self._file.write(data) == len(data)
        except OSError:
            return False

"""What is kept comes back, and there is never more of it than allowed."""

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy
import pytest

from spacy_arceager.pretrained.output_store import OutputStore, halve

RNG = numpy.random.default_rng(0)


def draw(*shape: int) -> numpy.ndarray:
    return halve(RNG.normal(size=shape).astype("f"))


def test_arrays_come_back() -> None:
    store = OutputStore(10**6)
    arrays = {bytes([n]): draw(n, 3, 4) if n % 2 else draw(n, 5) for n in range(30)}
    for key, array in arrays.items():
        assert store.get(key) is None
        store.add(key, array)
    for key, array in arrays.items():
        kept = store.get(key)
        assert kept is not None and kept.shape == array.shape
        assert kept.tobytes() == array.tobytes()
    assert len(store) == 30
    assert store.n_bytes == sum(array.nbytes for array in arrays.values())


def test_windows_has_neither_pread_nor_pwrite(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pread", "pwrite"):
        monkeypatch.delattr(os, name, raising=False)
    store, array = OutputStore(1000), draw(3)
    store.add(b"a", array)
    kept = store.get(b"a")
    assert kept is not None and kept.tobytes() == array.tobytes()


def test_what_has_no_room_is_not_kept() -> None:
    store = OutputStore(100)
    store.add(b"a", draw(30))
    store.add(b"b", draw(30))
    store.add(b"c", draw(20))
    assert store.n_bytes == 100 == os.fstat(store._file.fileno()).st_size
    assert store.get(b"a") is not None and store.get(b"c") is not None
    assert store.get(b"b") is None


def test_the_first_array_of_a_key_stays() -> None:
    store, first = OutputStore(1000), draw(3)
    store.add(b"a", first)
    store.add(b"a", draw(3))
    assert store.n_bytes == first.nbytes
    kept = store.get(b"a")
    assert kept is not None and kept.tobytes() == first.tobytes()


@pytest.mark.parametrize("kind", ["error", "short"])
def test_a_full_disk(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store, first = OutputStore(1000), draw(3)
    store.add(b"a", first)

    def write(data: bytes) -> int:
        if kind == "error":
            raise OSError(28, "No space left on device")
        return len(data) - 1

    with monkeypatch.context() as patch:
        patch.setattr(store, "_file", SimpleNamespace(seek=lambda start: start, write=write))
        store.add(b"b", draw(3))
    store.add(b"c", draw(3))
    assert store.get(b"b") is None and store.get(b"c") is None
    kept = store.get(b"a")
    assert kept is not None and kept.tobytes() == first.tobytes()


def test_the_file_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    store = OutputStore(1000)
    store.add(b"a", draw(3))
    assert store.get(b"a") is not None
    assert list(tmp_path.iterdir()) == []


def test_several_threads() -> None:
    store = OutputStore(10**6)
    arrays = {n.to_bytes(2, "big"): draw(n % 7, 4) for n in range(400)}

    def keep_and_read(key: bytes) -> bool:
        store.add(key, arrays[key])
        kept = store.get(key)
        return kept is not None and kept.tobytes() == arrays[key].tobytes()

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(keep_and_read, [*arrays, *arrays]))
    assert store.n_bytes == sum(array.nbytes for array in arrays.values())


def test_numbers_beyond_the_range_of_halves() -> None:
    halves = halve(numpy.array([1e6, -1e6, 1.0, 65519.0], dtype="f"))
    assert halves.tolist() == [65504.0, -65504.0, 1.0, 65504.0]

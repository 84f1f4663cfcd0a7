"""Progress is counted in bytes of the files, so that there is a total."""

import gzip
from pathlib import Path

from spacy_arceager.cli.inputs import InputDocuments


def test_the_bytes_that_are_read_add_up_to_the_total(tmp_path: Path) -> None:
    paths = [tmp_path / "a.txt", tmp_path / "missing.txt", tmp_path / "b.txt.gz"]
    paths[0].write_text("Some words\n" * 100_000)
    paths[2].write_bytes(gzip.compress(b"Some words\n" * 1000))
    documents = InputDocuments(paths, None)
    read = [documents.n_bytes_read for _ in documents]
    assert documents.n_bytes == paths[0].stat().st_size + paths[2].stat().st_size
    assert read == sorted(read) and 0 < read[0] < read[50_000] < read[-1]
    assert documents.n_bytes_read == documents.n_bytes


def test_stdin_has_no_total() -> None:
    assert InputDocuments([None], None).n_bytes == 0

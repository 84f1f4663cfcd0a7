"""Files that are compressed, damaged or of another kind, and folders of them."""

import bz2
import gzip
import lzma
import sys
from collections import deque
from pathlib import Path

import pytest
from spacy.tokens import DocBin

from spacy_arceager.cli.files import find_inputs
from spacy_arceager.corpus import files
from spacy_arceager.corpus.conllu import (
    read_file,
)
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.corpus.errors import InputError
from spacy_arceager.corpus.files import Line, find_files, import_zstd
from tests.corpus.sentences import NLP, PLAIN

zstd = import_zstd()


@pytest.mark.parametrize("module", [gzip, bz2, lzma, zstd])
@pytest.mark.parametrize("name", ["a.conllu.gz", "a.conllu"])
def test_compressed_files_are_read(module, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(module.compress(b"\xef\xbb\xbf" + PLAIN.encode()))
    (example,) = ConlluCorpus(tmp_path)(NLP)
    assert len(example.reference) == 4
    (sentence,) = read_file(path)
    assert len(sentence.words) == 4


@pytest.mark.parametrize("module", [gzip, bz2, lzma, zstd])
def test_compressed_files_that_are_damaged_are_named(module, tmp_path: Path) -> None:
    path = tmp_path / "a.conllu.gz"
    data = module.compress((PLAIN * 1000).encode())
    for damaged in [data[:-20], data[: len(data) // 2], data[:40] + b"\0" * 9 + data[49:]]:
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="a.conllu.gz, line [0-9]+: .*damaged"):
            list(read_file(path))


@pytest.mark.parametrize(
    "data, name",
    [
        (DocBin(docs=[NLP("a")]).to_bytes(), r"spacy\.Corpus\.v1"),
        (b"PK\x03\x04\0\0\0", "zip archive"),
    ],
)
def test_binary_files_are_refused_by_their_name(data, name, tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(data)
    with pytest.raises(InputError, match=name):
        list(ConlluCorpus(path)(NLP))


def test_zstandard_is_asked_for_where_it_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.conllu.zst"
    path.write_bytes(zstd.compress(PLAIN.encode()))
    monkeypatch.setitem(sys.modules, zstd.__name__, None)
    with pytest.raises(InputError, match=r"a.conllu.zst: Zstandard .*pip install"):
        list(read_file(path))


def test_a_line_that_is_too_long_loses_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 100)
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 100 + b"\ntwo\n" + b"y" * 1000 + b"\nfour\n" + b"z" * 350)
    lines = list(files.read_file_lines(path))
    assert [line.number for line in lines] == [1, 2, 3, 4, 5]
    assert [line.text for line in lines[1::2]] == ["two", "four"]
    lines[0].check()
    assert lines[0].text == "x" * 100
    for line in lines[2::2]:
        assert len(line.text) <= 100
        with pytest.raises(InputError, match=r"a.txt, line [35]: the line is longer than 64 MiB"):
            line.check()


def test_a_folder_with_the_name_of_a_file_is_searched(tmp_path: Path) -> None:
    inner = tmp_path / "x.conllu"
    inner.mkdir()
    (inner / "a.conllu").write_text(PLAIN)
    assert find_files(tmp_path) == [inner / "a.conllu"]
    with pytest.raises(FileNotFoundError):
        find_files(tmp_path / "*.conllu")


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2", ".xz", ".zst"])
def test_a_folder_is_searched_for_all_that_is_read(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "inner" / f"a.conllu{ending}"
    path.parent.mkdir()
    path.touch()
    (tmp_path / f"a.txt{ending}").touch()
    assert find_files(tmp_path) == [path]


def test_damage_is_in_the_line_after_those_that_were_read(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu.gz"
    path.write_bytes(gzip.compress((PLAIN * 1000).encode())[:-20])
    lines: deque[Line] = deque(maxlen=1)
    with pytest.raises(InputError) as error:
        lines.extend(files.read_file_lines(path))
    assert str(error.value).startswith(f"{path}, line {lines[0].number + 1}: ")


def test_damage_before_the_first_line_is_in_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu.gz"
    path.write_bytes(gzip.compress(PLAIN.encode())[:12])
    with pytest.raises(InputError, match="a.conllu.gz, line 1: .*damaged"):
        list(files.read_file_lines(path))


def test_hidden_files_and_doubles_of_a_folder_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / ".checkpoints").mkdir()
    kept = ["a.conllu", "b.conllu.gz", "inner/a.conllu"]
    others = ["a.conllu.gz", "._a.conllu", ".checkpoints/a.conllu"]
    for name in (*kept, *others):
        (tmp_path / name).touch()
    assert find_files(tmp_path) == [tmp_path / name for name in kept]


def test_two_stars_stand_for_any_folders(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b.txt"
    folder.mkdir(parents=True)
    paths = [tmp_path / "1.txt", tmp_path / "a" / "2.txt", folder / "3.txt"]
    for path in paths:
        path.write_text("")
    assert find_files(tmp_path / "**" / "*.txt") == paths
    assert find_inputs(tmp_path / "**" / "*.txt") == paths
    assert find_inputs(tmp_path / "a" / "*") == paths[1:2]

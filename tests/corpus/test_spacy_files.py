"""Files of spaCy's Docs are read, and refused where they would fill the memory."""

import random
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import srsly
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab
from srsly.msgpack import ExtType, packb

from spacy_arceager.corpus import spacy_files
from spacy_arceager.corpus.conllu.sentence import ConlluSentence
from spacy_arceager.corpus.conllu.write import doc_to_conllu
from spacy_arceager.corpus.errors import ConlluError, InputError
from spacy_arceager.corpus.spacy_files import _has_more_values, read_docs, read_treebank

N_LISTS = 32 * 10**6
LISTS = b"\xdd" + N_LISTS.to_bytes(4, "big") + b"\x90" * N_LISTS


def random_value(rng: random.Random, depth: int = 0) -> object:
    kinds = ["small", "int", "float", "str", "bytes", "none", "list", "dict"]
    kind = rng.choice(kinds if depth < 4 else kinds[:6])
    size = rng.choice([0, 1, 15, 16, 31, 32, 300, 70_000]) if depth < 1 else rng.choice([0, 3, 40])
    if kind == "list":
        return [random_value(rng, depth + 1) for _ in range(min(size, 300))]
    if kind == "dict":
        return {str(i): random_value(rng, depth + 1) for i in range(min(size, 300))}
    return {
        "small": rng.randint(-32, 127), "int": rng.randint(-2**63, 2**63), "float": rng.random(),
        "str": "x" * size, "bytes": b"x" * size, "none": rng.choice([None, True, False]),
    }[kind]


def count(value: object) -> int:
    if isinstance(value, list):
        return 1 + sum(map(count, value))
    if isinstance(value, dict):
        return 1 + sum(1 + count(inner) for inner in value.values())
    return 1


def test_values_are_counted_as_they_are_built() -> None:
    rng = random.Random(5)
    for _ in range(300):
        value = random_value(rng)
        data = srsly.msgpack_dumps(value)
        assert not _has_more_values(data, count(value))
        assert _has_more_values(data, count(value) - 1)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 8, 15, 16, 31, 32, 255, 256, 65_535, 65_536])
@pytest.mark.parametrize("make", [
    lambda size: ExtType(5, b"x" * size), lambda size: b"x" * size, lambda size: "x" * size,
    lambda size: [0] * size, lambda size: dict.fromkeys(range(size), 0),
])
def test_the_value_behind_one_of_any_kind_and_size_is_found(
    make: Callable[[int], object], size: int
) -> None:
    value = make(size)
    data = packb([value, [1, 1]], use_bin_type=True)
    n_values = count(value) + 4
    assert not _has_more_values(data, n_values)
    assert _has_more_values(data, n_values - 1)


@pytest.mark.parametrize("value", [
    0, 127, 200, 60_000, 2**31, 2**63, -1, -32, -100, -20_000, -30_000, -2**31, -2**63,
    0.5, None, True, False,
])
@pytest.mark.parametrize("use_single_float", [True, False])
def test_the_value_behind_a_number_of_any_size_is_found(
    value: float | None, use_single_float: bool
) -> None:
    data = packb([value, [1, 0.5]], use_single_float=use_single_float)
    assert not _has_more_values(data, 5) and _has_more_values(data, 4)


def test_the_byte_that_msgpack_never_uses_counts_as_one_value() -> None:
    assert _has_more_values(b"\xc1" * 3, 2) and not _has_more_values(b"\xc1" * 3, 3)


@pytest.mark.parametrize("key", ["cats", "strings", "user_data"])
def test_a_bomb_is_refused_in_little_memory(tmp_path: Path, key: str) -> None:
    docs = DocBin(docs=[Doc(Vocab(), words=["a"])], store_user_data=True)
    content = srsly.msgpack_loads(zlib.decompress(docs.to_bytes()))
    content[key] = [LISTS] if key == "user_data" else None
    data = srsly.msgpack_dumps(content)
    if key != "user_data":
        name = srsly.msgpack_dumps(key)
        data = data.replace(name + b"\xc0", name + LISTS)
    path = tmp_path / "bomb.spacy"
    path.write_bytes(zlib.compress(data))
    assert path.stat().st_size < 50_000
    code = (
        "import sys, resource, pathlib, spacy.vocab\n"
        "from spacy_arceager.corpus.spacy_files import read_docs\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: list(read_docs(pathlib.Path(sys.argv[1]), spacy.vocab.Vocab()))\n"
        "except ValueError as error: print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    )
    message, grown = done.stdout.strip().split("\n")
    assert "values" in message or "much more than its size" in message
    assert int(grown) < 400_000     # kB


@pytest.mark.parametrize("data", [
    b"\xc6" + (2**26 - 5).to_bytes(4, "big") + bytes(2**26 - 5),
    b"\xdd" + (10**6 - 1).to_bytes(4, "big") + b"\xc0" * (10**6 - 1),
], ids=["bytes", "values"])
def test_a_small_file_may_unpack_to_64_mib_and_a_million_values(
    tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "docs.spacy"
    path.write_bytes(zlib.compress(data, 1))
    with pytest.raises(InputError, match="this is no file of spaCy's Docs"):
        list(read_docs(path, Vocab()))
    path.write_bytes(zlib.compress(data + b"\0", 1))
    with pytest.raises(InputError, match="much more than its size"):
        list(read_docs(path, Vocab()))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "docs.spacy"
    DocBin(docs=[Doc(Vocab(), words=["a"])]).to_disk(path)
    data = path.read_bytes()
    for damaged in (b"", b"text", data[:-9], data[:5] + b"\0" * 9 + data[14:]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="docs.spacy: this is no file .*, or it is damaged"):
            list(read_docs(path, Vocab()))


def test_files_of_corpora_are_read(tmp_path: Path) -> None:
    vocab = Vocab()
    docs = [Doc(vocab, words=[f"word{i % 97}", "and", "."]) for i in range(5000)]
    for doc in docs:
        doc.user_data["key"] = {"a": [1, 2, 3]}
    path = tmp_path / "docs.spacy"
    DocBin(docs=docs, store_user_data=True).to_disk(path)
    found = list(read_docs(path, Vocab()))
    assert [doc.text for doc in found] == [doc.text for doc in docs]
    assert found[7].user_data["key"] == {"a": (1, 2, 3)}


def test_what_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "docs.spacy"
    DocBin(docs=[Doc(Vocab(), words=["a"] * 1000)] * 100).to_disk(path)
    monkeypatch.setattr(spacy_files, "ALWAYS_UNPACKED", 1000)
    with pytest.raises(InputError, match="much more than its size"):
        list(read_docs(path, Vocab()))


@pytest.mark.parametrize("name", ["ALWAYS_UNPACKED", "MAX_GROWTH"])
def test_the_size_that_is_unpacked_is_the_larger_of_two_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / "docs.spacy"
    DocBin(docs=[Doc(Vocab(), words=["a"] * 1000)] * 100).to_disk(path)
    packed = path.stat().st_size
    unpacked = len(zlib.decompress(path.read_bytes()))
    exact = {"ALWAYS_UNPACKED": unpacked, "MAX_GROWTH": -(-unpacked // packed)}
    monkeypatch.setattr(spacy_files, "ALWAYS_UNPACKED", 0)
    monkeypatch.setattr(spacy_files, "MAX_GROWTH", 0)
    monkeypatch.setattr(spacy_files, name, exact[name])
    assert len([*read_docs(path, Vocab())]) == 100
    monkeypatch.setattr(spacy_files, name, exact[name] - 1)
    with pytest.raises(InputError, match="much more than its size"):
        list(read_docs(path, Vocab()))


def test_docs_that_would_fill_the_memory_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spacy_files, "ALWAYS_UNPACKED", 2**20)
    path = tmp_path / "a.spacy"
    path.write_bytes(zlib.compress(bytes(2**23)))
    with pytest.raises(InputError, match="a.spacy: the file unpacks to much more than its size"):
        list(read_docs(path, Vocab()))
    doc = Doc(Vocab(), words=["some", "words"])
    DocBin(docs=[doc] * 100).to_disk(path)
    assert [doc.text for doc in read_docs(path, Vocab())] == [doc.text] * 100


@pytest.mark.parametrize("place", ["document", "file"])
def test_values_are_limited_in_the_file_and_in_each_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    doc = Doc(Vocab(), words=["a"])
    doc.user_data["key"] = [0] * 1000
    docs = [doc] if place == "document" else [Doc(Vocab(), words=["a"])] * 1000
    path = tmp_path / "a.spacy"
    DocBin(docs=docs, store_user_data=True).to_disk(path)
    assert len([*read_docs(path, Vocab())]) == len(docs)
    monkeypatch.setattr(spacy_files, "ALWAYS_BUILT", 900)
    with pytest.raises(InputError, match="too many values|much more than its size"):
        list(read_docs(path, Vocab()))


def test_a_treebank_is_read_from_both_kinds_of_files(tmp_path: Path) -> None:
    doc = Doc(Vocab(), words=["she", "left"], heads=[1, 1], deps=["nsubj", "ROOT"])
    path = tmp_path / "a.spacy"
    faulty = Doc(Vocab(), words=["she"])
    faulty._.arceager_graph = "no graph"
    DocBin(docs=[doc, faulty, doc], store_user_data=True).to_disk(path)
    first, wrong, last = read_treebank(path)
    assert first == last and isinstance(first, ConlluSentence)
    assert [word.head for word in first.words] == [2, 0]
    assert isinstance(wrong, ConlluError) and f"{path}, document 2" in str(wrong)
    assert first.comments[0] == "# newdoc"      # as each Doc is one
    conllu = tmp_path / "a.conllu"
    conllu.write_text(f"# newdoc\n{doc_to_conllu(doc)}", encoding="utf8")
    assert [*read_treebank(conllu)] == [first]


def test_white_space_of_a_treebank_is_no_word(tmp_path: Path) -> None:
    path = tmp_path / "a.spacy"
    doc = Doc(Vocab(), words=["Go", "\n\n", "Stop"], spaces=[False] * 3,
              sent_starts=[True, False, True], heads=[0, 0, 2], deps=["ROOT", "dep", "ROOT"])
    DocBin(docs=[doc], store_user_data=True).to_disk(path)
    sentences = [one for one in read_treebank(path) if isinstance(one, ConlluSentence)]
    assert [[word.form for word in one.words] for one in sentences] == [["Go"], ["Stop"]]

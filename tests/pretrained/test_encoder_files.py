"""The folder of an encoder, and its bytes inside a pipeline."""

import json
from pathlib import Path

import pytest

from spacy_arceager.pretrained.encoder_files import GRAPH, META, TOKENIZER, EncoderFiles


@pytest.fixture
def folder(encoder: EncoderFiles, tmp_path: Path) -> Path:
    encoder.save(tmp_path / "encoder")
    return tmp_path / "encoder"


def test_folder_and_bytes_give_the_same_encoder(encoder: EncoderFiles, folder: Path) -> None:
    assert EncoderFiles.load(folder) == encoder == EncoderFiles.load(str(folder))
    assert EncoderFiles.from_bytes(encoder.to_bytes()) == encoder
    assert {file.name for file in folder.iterdir()} == {GRAPH, TOKENIZER, META}


@pytest.mark.parametrize("name", [GRAPH, TOKENIZER, META])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ValueError, match=f"{name} cannot be read: No such file"):
        EncoderFiles.load(folder)


@pytest.mark.parametrize("name", [GRAPH, TOKENIZER, META])
@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff\xfe"])
def test_a_damaged_file_is_named(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(ValueError, match=name):
        EncoderFiles.load(folder)


@pytest.mark.parametrize(
    "change, message",
    [({"width": None}, "lacks width"), ({"n_layers": "3"}, "wrong type for n_layers"),
     ({"languages": 5}, "wrong type for languages"), ({"languages": "en"}, "for languages"),
     ({"languages": [1]}, "for languages"),
     ({"sha256": "0"}, "SHA-256 differs")],
)
def test_wrong_values_are_named(folder: Path, change: dict, message: str) -> None:
    values = json.loads((folder / META).read_text()) | change
    values = {name: value for name, value in values.items() if value is not None}
    (folder / META).write_text(json.dumps(values))
    with pytest.raises(ValueError, match=message):
        EncoderFiles.load(folder)


def test_other_bytes_are_refused(encoder: EncoderFiles) -> None:
    for data in (b"", b"none", encoder.to_bytes()[:-10], b"\x80"):
        with pytest.raises(ValueError, match="damaged"):
            EncoderFiles.from_bytes(data)

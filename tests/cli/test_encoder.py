"""`encoder`."""

from pathlib import Path

import pytest

for package in ("onnx", "onnxruntime", "tokenizers", "safetensors"):
    pytest.importorskip(package)

from spacy_arceager.pretrained.encoder_files import EncoderFiles
from spacy_arceager.pretrained.runner import Runner
from tests.cli.conftest import command
from tests.conftest import DATA
from tests.pretrained.hugging_face_folder import N_LAYERS, write_folder
from tests.pretrained.tiny_tokenizers import TOKENIZERS

TEXTS = DATA / "en_small-dev.conllu"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    write_folder(tmp_path / "source", "roberta")
    return tmp_path / "source"


@pytest.mark.parametrize("precision", ["int8", "float32"])
def test_it_makes_a_folder_that_runs(source: Path, tmp_path: Path, precision: str) -> None:
    out = tmp_path / "out"
    result = command("encoder", source, out, "-t", TEXTS, "--layers", 1, "--precision", precision)
    assert result.exit_code == 0, result.output
    assert "1 layer," in " ".join(result.output.split()) and f"--pretrained {out}" in result.output
    files = EncoderFiles.load(out)
    assert (files.meta.precision, files.meta.n_layers) == (precision, 1)
    assert ("cosine with float32 1.0000" in result.output) == (precision == "float32")
    (vectors,) = Runner(files).encode([[files.meta.bos, files.meta.eos]], [0, 1])
    assert vectors.shape == (2, 2, 32)


def test_pieces_of_the_texts_are_kept_or_all(source: Path, tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text("the cat\n")
    all_pieces = TOKENIZERS["roberta"]().get_vocab_size()
    sizes = {}
    for name, options in (("few", []), ("all", ["--all-pieces"])):
        result = command(
            "encoder", source, tmp_path / name, "--texts", tmp_path / "few.txt", *options
        )
        assert result.exit_code == 0, result.output
        sizes[name] = EncoderFiles.load(tmp_path / name).meta.n_pieces
    assert sizes["few"] < all_pieces <= sizes["all"]


def test_what_goes_wrong_is_said_in_plain_words(source: Path, tmp_path: Path) -> None:
    def failure(*arguments: object) -> str:
        result = command("encoder", *arguments)
        assert result.exit_code == 1 and "Traceback" not in result.output
        assert not (tmp_path / "out").exists()
        return " ".join(result.output.split())

    out = tmp_path / "out"
    (tmp_path / "empty.txt").write_text("\n")
    assert "The texts have no words" in failure(source, out, "-t", tmp_path / "empty.txt")
    assert "cannot be read" in failure(source, out, "-t", tmp_path / "none.conllu")
    assert "neither a folder" in failure(TEXTS, out, "-t", TEXTS)
    assert "9 layers are wanted, but it has" in failure(source, out, "-t", TEXTS, "--layers", 9)
    (source / "model.safetensors").unlink()
    assert "model.safetensors does not exist" in failure(source, out, "-t", TEXTS)
    assert N_LAYERS < 9


def test_the_encoder_is_not_replaced(source: Path) -> None:
    before = {path.name: path.read_bytes() for path in source.iterdir()}
    result = command("encoder", source, source, "-t", TEXTS)
    assert result.exit_code == 2 and "would replace" in result.output
    assert {path.name: path.read_bytes() for path in source.iterdir()} == before


def test_a_missing_package_is_named(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spacy_arceager.cli.messages.find_spec", lambda _: None)
    result = command("encoder", source, tmp_path / "out", "-t", TEXTS)
    assert result.exit_code == 1 and 'pip install "spacy-arceager[encoder]"' in result.output

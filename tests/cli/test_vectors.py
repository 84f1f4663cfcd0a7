"""`vectors`."""

from pathlib import Path

import pytest
import spacy
from spacy.training.initialize import init_nlp
from spacy.util import load_config_from_str

for package in ("onnx", "onnxruntime", "tokenizers", "safetensors", "scipy"):
    pytest.importorskip(package)

from tests.cli.conftest import command
from tests.conftest import DATA
from tests.pretrained.tiny import make_encoder

TEXTS = DATA / "en_small-train.conllu"


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    make_encoder().save(tmp_path / "encoder")
    return tmp_path / "encoder"


def test_it_makes_vectors_that_a_training_takes(encoder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = command(
        "vectors", encoder, out, "--lang", "en", "-t", TEXTS, "--width", 16, "--rows", 40
    )
    assert result.exit_code == 0, result.output
    assert "40 rows of 16 numbers" in " ".join(result.output.split())
    vocab = spacy.load(out).vocab
    assert vocab.vectors.shape == (40, 16)
    assert "river" in TEXTS.read_text(encoding="utf8") and "river" not in vocab.strings
    text = command("init-config", "--lang", "en", "--vectors", out).stdout
    overrides = {"paths.train": str(TEXTS), "paths.dev": str(TEXTS), "corpora.train.limit": 3}
    nlp = init_nlp(load_config_from_str(text, overrides))
    assert nlp.vocab.vectors.shape == (40, 16) and nlp.vocab["unheardof"].vector.any()
    embed = nlp.get_pipe("tok2vec").model.layers[0]
    (static,) = (node for node in embed.walk() if node.name == "static_vectors")
    assert static.get_param("W").shape[1] == 16


def test_what_goes_wrong_is_said_in_plain_words(encoder: Path, tmp_path: Path) -> None:
    def failure(*arguments: object) -> str:
        result = command("vectors", *arguments)
        assert result.exit_code == 1 and "Traceback" not in result.output
        assert not (tmp_path / "out").exists()
        return " ".join(result.output.split())

    out = tmp_path / "out"
    (tmp_path / "one.txt").write_text("one one\n")
    assert "Cannot read the encoder" in failure(tmp_path / "none", out, "-t", TEXTS)
    assert "fewer than two words" in failure(encoder, out, "-t", tmp_path / "one.txt")
    assert "Some texts cannot be read" in failure(encoder, out, "-t", tmp_path / "none.txt")


def test_the_encoder_is_not_replaced(encoder: Path) -> None:
    before = {path.name: path.read_bytes() for path in encoder.iterdir()}
    result = command("vectors", encoder, encoder, "-t", TEXTS)
    assert result.exit_code == 2 and "would replace" in result.output
    assert {path.name: path.read_bytes() for path in encoder.iterdir()} == before

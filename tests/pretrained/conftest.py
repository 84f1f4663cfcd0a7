"""Tests of pretrained encoders need what the extra `encoder` installs."""

import pytest

for package in ("onnx", "onnxruntime", "tokenizers", "safetensors"):
    pytest.importorskip(package)

from spacy_arceager.pretrained.encoder_files import EncoderFiles

from .tiny import make_encoder


@pytest.fixture(scope="session")
def encoder() -> EncoderFiles:
    """A tiny encoder: three layers, width 32, random weights."""
    return make_encoder()

"""The layer: what it computes and learns, what training keeps, how the encoder is saved."""

import copy
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
import spacy
from spacy.tokens import Doc
from thinc.api import Adam, Model, NumpyOps

from spacy_arceager.pretrained import frozen_encoder
from spacy_arceager.pretrained.doc_encoder import DocEncoder
from spacy_arceager.pretrained.encoder_files import EncoderFiles
from spacy_arceager.pretrained.frozen_encoder import build_frozen_encoder, find_shim
from spacy_arceager.pretrained.output_store import halve
from spacy_arceager.pretrained.reading import Reading

from ..learning import learn, loss, slope
from .tiny import make_encoder

NLP = spacy.blank("xx")
TEXTS = ["the undone ants' nest, in theories", "", "a", "  ", "one on one. In the end"]
DOCS = [NLP(text) for text in TEXTS]
WIDTH, N_LAYERS = 32, 2


@pytest.fixture(scope="module")
def folder(encoder: EncoderFiles, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("encoder")
    encoder.save(path)
    return path


def build(folder: Path | None, **settings: Any) -> Model:
    model = build_frozen_encoder(folder, **settings)
    model.initialize(DOCS)
    return model


def learned(folder: Path, **settings: Any) -> Model:
    model = build(folder, mixture="learned", **settings)
    model.set_param("mixture", numpy.array([0.5, -0.7], dtype="f"))
    model.set_param("scale", numpy.array([1.3], dtype="f"))
    return model


def test_means_of_layers(folder: Path, encoder: EncoderFiles) -> None:
    model = build(folder)
    expected = DocEncoder(encoder, Reading()).encode(DOCS)
    for vectors, of_doc in zip(model.predict(DOCS), expected, strict=True):
        assert vectors.tobytes() == of_doc.tobytes()
    assert model.get_dim("nO") == WIDTH


def test_means_have_no_parameters(folder: Path) -> None:
    model = build(folder)
    assert model.param_names == ()
    sgd = Adam()
    _, backprop = model(DOCS, is_train=True)
    assert backprop([numpy.ones((len(doc), WIDTH), dtype="f") for doc in DOCS]) == []
    model.finish_update(sgd)
    assert not sgd.mom1 and not sgd.averages


def test_a_learned_mixture(folder: Path, encoder: EncoderFiles) -> None:
    layers = DocEncoder(encoder, Reading(mixture="learned")).encode(DOCS)
    shares = numpy.exp([0.5, -0.7]) / numpy.exp([0.5, -0.7]).sum()
    for vectors, of_doc in zip(learned(folder).predict(DOCS), layers, strict=True):
        assert vectors.shape == (len(of_doc), WIDTH)
        expected = 1.3 * numpy.einsum("l,wlh->wh", shares, of_doc)
        numpy.testing.assert_allclose(vectors, expected, atol=1e-5)


def test_a_mixture_begins_as_the_mean(folder: Path) -> None:
    pairs = zip(build(folder, mixture="learned").predict(DOCS), build(folder).predict(DOCS))
    for vectors, means in pairs:
        numpy.testing.assert_allclose(vectors, means, atol=1e-5)


@pytest.mark.parametrize("dropout", [0.0, 0.4])
def test_gradients_of_a_mixture_are_finite_differences(folder: Path, dropout: float) -> None:
    model = learned(folder, dropout=dropout)
    rng = numpy.random.default_rng(0)
    dY = [rng.normal(size=(len(doc), WIDTH)).astype("f") for doc in DOCS]

    numpy.random.seed(1)
    model(DOCS, is_train=True)[1](dY)
    for name in ("mixture", "scale"):
        gradient, values = model.get_grad(name), model.get_param(name)
        for place in range(values.size):
            expected = slope(lambda: loss(model, DOCS, dY), values, place, 1e-2)
            assert gradient[place] == pytest.approx(expected, rel=1e-2, abs=1e-3)


def test_a_mixture_learns(folder: Path) -> None:
    model = build(folder, mixture="learned")
    losses = learn(model, DOCS, learned(folder).predict(DOCS), rate=0.05, updates=60)
    assert losses[-1] < 0.05 * losses[0]


@pytest.mark.parametrize("mixture", ["mean", "learned"])
def test_training_sees_half_floats(folder: Path, mixture: str) -> None:
    model = build(folder, mixture=mixture)
    for vectors, exact in zip(model(DOCS, is_train=True)[0], model.predict(DOCS), strict=True):
        numpy.testing.assert_allclose(vectors, exact, rtol=2e-3, atol=2e-3)
        if mixture == "mean":
            assert vectors.tobytes() == halve(exact).astype("f").tobytes()


def test_dropout_in_training_only(folder: Path) -> None:
    model = build(folder, dropout=0.3)
    assert all(vectors.all() for vectors in model.predict([DOCS[0]]))
    words = NLP("the ants " * 100)
    (vectors,), _ = model([words], is_train=True)
    assert 0.25 < numpy.equal(vectors, 0).mean() < 0.35
    (without,) = build(folder)([words], is_train=True)[0]
    kept = vectors != 0
    numpy.testing.assert_allclose(vectors[kept], without[kept] / 0.7, rtol=1e-5)


def test_training_encodes_a_doc_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = build(folder)
    encoded: list[Doc] = []
    encoder = find_shim(model).encoder
    encode = encoder.encode

    def note(docs: list[Doc]) -> list[numpy.ndarray]:
        encoded.extend(docs)
        return encode(docs)

    monkeypatch.setattr(encoder, "encode", note)
    first = model(DOCS, is_train=True)[0]
    assert len(encoded) == len(DOCS)
    second = model(DOCS, is_train=True)[0]
    assert len(encoded) == len(DOCS)
    assert all(map(numpy.array_equal, first, second))
    model.predict(DOCS)
    assert len(encoded) == 2 * len(DOCS)
    small = build(folder, keep_mb=0)
    assert all(map(numpy.array_equal, first, small(DOCS, is_train=True)[0]))
    assert all(map(numpy.array_equal, first, small(DOCS, is_train=True)[0]))


def test_prediction_writes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**kwargs: object) -> None:
        raise AssertionError("a file was made")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    build(folder).predict(DOCS)
    with pytest.raises(AssertionError, match="a file was made"):
        build(folder)(DOCS, is_train=True)


@pytest.mark.parametrize("is_train", [True, False])
def test_no_docs(folder: Path, is_train: bool) -> None:
    for model in (build(folder), learned(folder)):
        assert model([], is_train=is_train)[0] == []
        (vectors,), _ = model([NLP("")], is_train=is_train)
        assert vectors.shape == (0, WIDTH)


def test_prediction_has_no_backward_pass(folder: Path) -> None:
    with pytest.raises(ValueError, match="nothing was recorded"):
        build(folder)(DOCS, is_train=False)[1]([])


def through_bytes(model: Model) -> Model:
    mixture = "learned" if model.param_names else "mean"
    return build_frozen_encoder(mixture=mixture).from_bytes(model.to_bytes())


COPIES: dict[str, Callable[[Model], Model]] = {
    "bytes": through_bytes,
    "copy": lambda model: model.copy(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
}


@pytest.mark.parametrize("kind", COPIES)
@pytest.mark.parametrize("make", [build, learned])
def test_copies_compute_the_same(
    encoder: EncoderFiles, make: Callable[[Path], Model], kind: str, tmp_path: Path
) -> None:
    encoder.save(tmp_path)
    model = make(tmp_path)
    for file in tmp_path.iterdir():
        file.unlink()
    expected = model.predict(DOCS)
    model(DOCS, is_train=True)
    copied = COPIES[kind](model)
    assert all(map(numpy.array_equal, copied.predict(DOCS), expected))
    assert all(map(numpy.array_equal, copied(DOCS, True)[0], model(DOCS, True)[0]))
    assert copied.get_dim("nO") == WIDTH
    assert copied.to_bytes() == model.to_bytes()


def test_only_the_encoder_is_saved(folder: Path) -> None:
    model = build(folder)
    before = model.to_bytes()
    model(DOCS, is_train=True)
    assert model.to_bytes() == before
    assert len(before) < 1.1 * sum(file.stat().st_size for file in folder.iterdir())


def test_a_copy_can_have_another_encoder(folder: Path, tmp_path: Path) -> None:
    model = build(folder)
    expected = model.predict(DOCS)
    copied = model.copy()
    make_encoder(seed=1).save(tmp_path)
    copied.from_bytes(build(tmp_path).to_bytes())
    assert (copied.predict(DOCS)[0] != expected[0]).any()
    assert all(map(numpy.array_equal, model.predict(DOCS), expected))


def test_a_new_encoder_is_encoded_anew(folder: Path, tmp_path: Path) -> None:
    make_encoder(seed=1).save(tmp_path)
    model = build(folder)
    before = model(DOCS, is_train=True)[0]
    expected = build(tmp_path)
    model.from_bytes(expected.to_bytes())
    after = model(DOCS, is_train=True)[0]
    assert (before[0] != after[0]).any()
    assert all(map(numpy.array_equal, after, expected(DOCS, is_train=True)[0]))


def test_null_as_path(folder: Path) -> None:
    with pytest.raises(ValueError, match=r"path of the frozen encoder is null.*--paths.encoder"):
        build(None)
    loaded = build_frozen_encoder().from_bytes(build(folder).to_bytes())
    expected = loaded.predict(DOCS)
    loaded.initialize(DOCS)     # the encoder that is there stays
    assert all(map(numpy.array_equal, loaded.predict(DOCS), expected))


def test_before_there_is_an_encoder() -> None:
    model = build_frozen_encoder()
    with pytest.raises(ValueError, match="initialize the pipeline, or load a saved one"):
        model.predict(DOCS)
    loaded = build_frozen_encoder().from_bytes(model.to_bytes())
    assert find_shim(loaded).files is None


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nowhere"):
        build(tmp_path / "nowhere")


def test_a_missing_package_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = build(folder).to_bytes()
    monkeypatch.setattr(
        frozen_encoder, "find_spec", lambda name: None if name == "onnxruntime" else name
    )
    model = build_frozen_encoder(folder)
    expected = r'needs onnxruntime\. Run: pip install "spacy-arceager\[encoder\]"'
    with pytest.raises(ImportError, match=expected):
        model.initialize()
    with pytest.raises(ImportError, match=expected):
        model.from_bytes(data)


def test_damaged_data_is_refused(folder: Path) -> None:
    shim = find_shim(build(folder))
    data = shim.to_bytes()
    with pytest.raises(ValueError, match="damaged"):
        find_shim(build_frozen_encoder()).from_bytes(data[:-1000])
    with pytest.raises(ValueError, match="damaged"):
        find_shim(build_frozen_encoder()).from_bytes(data.replace(b"layer_1", b"layer_9"))


@pytest.mark.parametrize(("settings", "message"), [
    ({"mixture": "sum"}, "mixture='sum'; use one of mean, learned"),
    ({"pooling": "max"}, "pooling='max'; use one of mean, first, last"),
    ({"layers": []}, r"layers=\[\]; use null"),
    ({"layers": [1, -1]}, r"layers=\[1, -1\]; use null"),
    ({"layers": ["a"]}, r"layers=\['a'\]; use null"),
    ({"window": 10, "stride": 9}, "window=10, stride=9; use a stride of 1 to window - 2"),
    ({"stride": 0}, "stride=0; use a stride of 1"),
    ({"dropout": 1.0}, "dropout=1.0; use 0 or more, and less than 1"),
    ({"dropout": -0.1}, "dropout=-0.1; use 0 or more"),
    ({"keep_mb": -1}, "keep_mb=-1; use 0 or more"),
])
def test_wrong_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build_frozen_encoder(**settings)


def test_arrays_are_those_of_the_models_ops(folder: Path) -> None:
    class OtherArray(numpy.ndarray):
        """Stands for an array on a GPU."""

    class OtherOps(NumpyOps):
        """Stands for the Ops of a GPU."""

        def asarray2f(self, data: Any, *, dtype: Any = "float32") -> Any:
            return super().asarray2f(data, dtype=dtype).view(OtherArray)

    model = build(folder)
    model.ops = OtherOps()
    for is_train in (True, False):
        assert all(isinstance(y, OtherArray) for y in model(DOCS, is_train)[0])


def test_a_layer_is_built_without_the_packages_of_the_extra() -> None:
    program = """
import sys
for name in ("onnxruntime", "tokenizers", "onnx", "safetensors"):
    sys.modules[name] = None    # importing it fails
from importlib.metadata import distribution
from spacy import registry
from spacy_arceager.pretrained.frozen_encoder import find_shim
entries = distribution("spacy_arceager").entry_points
assert "arceager.FrozenEncoder.v1" in entries.select(group="spacy_architectures").names
for entry in entries:
    entry.load()
model = registry.architectures.get("arceager.FrozenEncoder.v1")(None)
assert find_shim(model).files is None
"""
    subprocess.run([sys.executable, "-c", program], check=True)

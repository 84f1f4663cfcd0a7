"""A trained pipeline holds its encoder wherever it goes, and a Doc has one parse in any batch."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy
import pytest
import spacy
from spacy.cli import package
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.util import fix_random_seed, load_config_from_str, load_model_from_path
from thinc.api import Model

from spacy_arceager.cli.configs import make_config
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.pretrained.encoder_files import EncoderFiles
from tests import round_trips
from tests.conftest import DATA, Annotation, annotation, get_parser

TRAIN, DEV = (str(DATA / f"en_small-{part}.conllu") for part in ("train", "dev"))
EMBED = "components.tok2vec.model.embed"
SMALL = {
    "paths.train": TRAIN, "paths.dev": DEV, f"{EMBED}.width": 24, f"{EMBED}.word.width": 16,
    f"{EMBED}.context.window": 40, f"{EMBED}.context.stride": 25,
    "components.tok2vec.model.encode.depth": 1, "components.arceager_parser.model.projection": 16,
    "components.arceager_parser.model.hidden_width": 32,
}
TRAVELS: dict[str, Callable[[Language, Path], Language]] = {
    "bytes": round_trips.through_bytes, "disk": round_trips.through_disk,
    "pickle": round_trips.through_pickle, "deepcopy": round_trips.through_deepcopy,
}


def train_pipeline(
    encoder: EncoderFiles, folder: Path, mixture: str = "mean", updates: int = 4
) -> tuple[Language, list[dict[str, float]]]:
    """A trained pipeline, and the losses of each update; the folder of its encoder is gone."""
    encoder.save(folder)
    overrides: dict[str, Any] = {**SMALL, f"{EMBED}.context.mixture": mixture}
    text = make_config(optimize="encoder", segment=True, pretrained=str(folder))
    nlp = init_nlp(load_config_from_str(text, overrides=overrides))
    shutil.rmtree(folder)
    fix_random_seed(0)
    sgd = nlp.create_optimizer()
    examples = read_examples(nlp)
    losses = [nlp.update(examples, sgd=sgd, losses={}) for _ in range(updates)]
    return nlp, losses


def read_examples(nlp: Language) -> list[Example]:
    return list(ConlluCorpus(TRAIN, sentences_per_doc=3, limit=12)(nlp))


@pytest.fixture(scope="module", params=["mean", "learned"])
def nlp(
    request: pytest.FixtureRequest, encoder: EncoderFiles, tmp_path_factory: pytest.TempPathFactory
) -> Language:
    folder = tmp_path_factory.mktemp("encoder")
    trained, _ = train_pipeline(encoder, folder / "tiny", request.param)
    # Loaded anew, since spaCy's listeners cannot be pickled after an update.
    return round_trips.through_bytes(trained, folder)


@pytest.fixture(scope="module")
def texts(nlp: Language) -> list[str]:
    return ["", " ", *(example.text for example in read_examples(nlp)), "She reads."]


def parse(nlp: Language, texts: list[str], **settings: Any) -> list[Annotation]:
    return [annotation(doc) for doc in nlp.pipe(texts, **settings)]


def frozen(nlp: Language) -> Model:
    """The layer with the encoder."""
    model = nlp.get_pipe("tok2vec").model
    (layer,) = [node for node in model.walk() if node.name == "frozen_encoder"]
    return layer


def vectors(nlp: Language, docs: list[Doc]) -> list[bytes]:
    return [of_doc.tobytes() for of_doc in nlp.get_pipe("tok2vec").model.predict(docs)]


@pytest.mark.parametrize("travel", TRAVELS)
def test_a_pipeline_travels_without_the_folder(
    nlp: Language, texts: list[str], travel: str, tmp_path: Path
) -> None:
    there = TRAVELS[travel](nlp, tmp_path / "pipeline")
    assert parse(there, texts) == parse(nlp, texts)
    docs = [there.make_doc(text) for text in texts]
    assert vectors(there, docs) == vectors(nlp, docs)
    there.update(read_examples(there), sgd=there.create_optimizer())    # it can be trained on


def test_the_encoder_is_saved_once_and_nothing_of_what_training_kept(
    nlp: Language, encoder: EncoderFiles, tmp_path: Path
) -> None:
    nlp.to_disk(tmp_path)
    files = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert sum(content.count(encoder.graph) for content in files) == 1
    assert sum(content.count(encoder.tokenizer.encode()) for content in files) == 1
    read = list(make_docs(nlp))
    kept = frozen(nlp).shims[0].encoder.encode_once(read)[0].astype("f2").tobytes()
    assert len(kept) > 100 and not any(kept in content for content in files)


def make_docs(nlp: Language) -> list[Doc]:
    return [example.predicted for example in read_examples(nlp)]


def test_the_optimizer_sees_no_weight_of_the_encoder(nlp: Language, tmp_path: Path) -> None:
    nlp = round_trips.through_bytes(nlp, tmp_path)
    before = frozen(nlp).shims[0].to_bytes()
    sgd = nlp.create_optimizer()
    for _ in range(2):      # after loading, the first update does not reach spaCy's tok2vec
        nlp.update(read_examples(nlp), sgd=sgd)
    models = [pipe.model for _, pipe in nlp.pipeline if hasattr(pipe, "model")]
    expected = {(node.id, name) for model in models for node in model.walk()
                for name in node.param_names}
    assert sgd.mom1.keys() == sgd.averages.keys() == expected
    of_layer = {name for node, name in sgd.mom1 if node == frozen(nlp).id}
    assert of_layer in (set(), {"mixture", "scale"})
    assert frozen(nlp).shims[0].to_bytes() == before


def test_alone_in_batches_and_shuffled(nlp: Language, texts: list[str]) -> None:
    alone = [annotation(nlp(text)) for text in texts]
    for batch_size in (1, 3, 100):
        assert parse(nlp, texts, batch_size=batch_size) == alone
    order = numpy.random.default_rng(0).permutation(len(texts))
    shuffled = parse(nlp, [texts[n] for n in order], batch_size=5)
    assert shuffled == [alone[n] for n in order]
    docs = [nlp.make_doc(text) for text in texts]
    expected = [vectors(nlp, [doc])[0] for doc in docs]
    assert vectors(nlp, docs) == expected
    assert vectors(nlp, [docs[n] for n in order]) == [expected[n] for n in order]


def test_worker_processes(nlp: Language, texts: list[str]) -> None:
    expected = parse(nlp, texts)
    assert parse(nlp, texts, n_process=2, batch_size=3) == expected


def test_threads(nlp: Language, texts: list[str]) -> None:
    expected = parse(nlp, texts)
    parser = get_parser(nlp)
    parser.threads = 2
    try:
        with ThreadPoolExecutor(4) as threads:
            parses = list(threads.map(lambda _: parse(nlp, texts), range(8)))
    finally:
        parser.threads = 1
    assert all(each == expected for each in parses)


def test_a_package(nlp: Language, texts: list[str], tmp_path: Path) -> None:
    nlp.to_disk(tmp_path / "pipeline")
    (tmp_path / "package").mkdir()
    package(tmp_path / "pipeline", tmp_path / "package", create_sdist=False, create_wheel=False,
            silent=True)
    (meta,) = (tmp_path / "package").glob("*/*/*/meta.json")
    assert parse(load_model_from_path(meta.parent), texts) == parse(nlp, texts)


def test_a_parser_with_token_vectors_of_its_own(
    nlp: Language, texts: list[str], tmp_path: Path
) -> None:
    there = round_trips.through_bytes(nlp, tmp_path)
    there.replace_listeners("tok2vec", "arceager_parser", ["model.tok2vec"])
    expected = parse(nlp, texts)
    assert parse(there, texts) == expected
    there.to_disk(tmp_path)
    assert parse(spacy.load(tmp_path, exclude=["tok2vec"]), texts) == expected


def test_a_config_without_a_path(nlp: Language, texts: list[str]) -> None:
    config = nlp.config.copy()
    config["components"]["tok2vec"]["model"]["embed"]["context"]["path"] = None
    config["paths"]["encoder"] = None
    empty = spacy.util.load_model_from_config(config)
    with pytest.raises(ValueError, match="path of the frozen encoder is null"):
        empty.initialize(lambda: read_examples(empty))
    loaded = spacy.util.load_model_from_config(config).from_bytes(nlp.to_bytes())
    assert parse(loaded, texts) == parse(nlp, texts)


def test_every_component_learns(encoder: EncoderFiles, tmp_path: Path) -> None:
    _, losses = train_pipeline(encoder, tmp_path / "tiny", updates=16)
    for name in ("morphologizer", "supertagger", "arceager_parser"):
        assert losses[-1][name] < losses[0][name]

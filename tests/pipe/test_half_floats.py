"""A pipeline that is saved with half floats parses as it did before, and learns on."""

from pathlib import Path

import numpy
import pytest
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.util import load_model_from_config
from thinc.api import Config, Model

from spacy_arceager.cli.configs import make_config
from spacy_arceager.kernels.parameters import set_array
from spacy_arceager.pipe.half_floats import own_layers, round_weights
from tests.conftest import get_parser, read_corpus

TEXT = "The letters that she wrote arrived yesterday. Nobody read them."


@pytest.fixture
def nlp() -> Language:
    config = Config().from_str(make_config(lang="en", pipeline="full"), interpolate=False)
    config["components"]["tok2vec"]["model"]["embed"].update(rows=[100] * 5, ngram_rows=100)
    nlp = load_model_from_config(config, auto_fill=True)
    nlp.initialize(lambda: read_corpus(nlp, "en_small-dev.conllu"))
    return nlp


def parse(nlp: Language) -> list[NDArray]:
    doc = nlp(TEXT)
    return [doc.tensor, doc.to_array(["HEAD", "DEP", "TAG", "SENT_START"])]


def parameters(model: Model) -> dict[tuple[int, str], NDArray]:
    return {
        (i, name): node.get_param(name) for i, node in enumerate(model.walk())
        for name in node.param_names if node.has_param(name)
    }


def test_parses_are_the_same_bits_before_and_after_saving(nlp: Language, tmp_path: Path) -> None:
    nlp.to_disk(tmp_path / "whole")
    round_weights(nlp)
    nlp.to_disk(tmp_path / "half")
    rounded, loaded = parse(nlp), parse(spacy.load(tmp_path / "half"))
    assert all((a == b).all() for a, b in zip(rounded, loaded, strict=True))
    for name in ("tok2vec", "arceager_parser"):
        sizes = [(tmp_path / kind / name / "model").stat().st_size for kind in ("half", "whole")]
        assert sizes[0] < 0.55 * sizes[1]


def test_weights_are_whole_floats_once_they_are_used(nlp: Language, tmp_path: Path) -> None:
    round_weights(nlp)
    nlp.to_disk(tmp_path / "half")
    loaded = spacy.load(tmp_path / "half")
    tok2vec = loaded.get_pipe("tok2vec").model
    assert {value.dtype.name for value in parameters(tok2vec).values()} == {"float16"}
    parse(loaded)
    for model in (tok2vec, get_parser(loaded).model):
        assert {value.dtype.name for value in parameters(model).values()} == {"float32"}


def test_a_pipeline_with_half_floats_learns_on(nlp: Language, tmp_path: Path) -> None:
    round_weights(nlp)
    nlp.to_disk(tmp_path / "half")
    loaded = spacy.load(tmp_path / "half")
    examples = read_corpus(loaded, "en_small-dev.conllu")
    tok2vec = loaded.get_pipe("tok2vec").model
    before = {key: value.astype("f") for key, value in parameters(tok2vec).items()}
    optimizer = loaded.resume_training()
    losses = [loaded.update(examples, sgd=optimizer)["arceager_parser"] for _ in range(4)]
    assert losses[-1] < losses[0]
    after = parameters(tok2vec)
    assert all(value.dtype == numpy.float32 for value in after.values())
    assert sum(not (after[key] == before[key]).all() for key in before) > len(before) / 2


def test_only_what_our_layers_read_is_rounded() -> None:
    parts = {"attrs": ["NORM"], "rows": [50], "include_static_vectors": False, "width": 8}
    spacys = {"@architectures": "spacy.MultiHashEmbed.v2", **parts}
    ours = {"@architectures": "arceager.SubwordEmbed.v1", **parts}
    nlp = spacy.blank("xx")
    nlp.add_pipe("tok2vec", config={"model": {
        "@architectures": "arceager.MixedEmbed.v1", "word": spacys, "context": ours, "width": 8,
    }})
    nlp.initialize(lambda: read_corpus(nlp, "en_small-dev.conllu"))
    round_weights(nlp)
    word, context, *mix = nlp.get_pipe("tok2vec").model.layers
    for layer, kind in ((word, "float32"), *((layer, "float16") for layer in (context, *mix))):
        assert {value.dtype.name for value in parameters(layer).values()} <= {kind}
    assert nlp(TEXT).tensor.shape[1] == 8


def test_a_weight_that_no_half_float_holds_is_refused(nlp: Language) -> None:
    node = next(node for node in own_layers(nlp.get_pipe("tok2vec").model) if node.has_param("E"))
    set_array(node, "E", numpy.full_like(node.get_param("E"), 7e4))
    with pytest.raises(ValueError, match="'tok2vec' has a weight of 70000"):
        round_weights(nlp)

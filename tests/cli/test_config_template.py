"""The configs that `init-config` makes are complete, and what they describe learns."""

import re
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from spacy.cli.debug_config import debug_config
from spacy.language import Language
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.util import load_config_from_str
from thinc.api import Config

from spacy_arceager.cli.configs import make_config
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.oracles.configured import default_oracle
from spacy_arceager.pipe.exploration import Exploration
from spacy_arceager.pretrained.frozen_encoder import build_frozen_encoder
from spacy_arceager.systems.catalogue import CATALOGUE
from spacy_arceager.systems.features import features_of
from tests.conftest import DATA, get_parser

ROOT = Path(__file__).parents[2]
TRAIN = DATA / "en_small-train.conllu"
PATHS = {"paths.train": str(TRAIN), "paths.dev": str(DATA / "en_small-dev.conllu")}
CONFIGS = {
    "parser": make_config(),
    "words": make_config(token_vectors="words"),
    "windows": make_config(encoder="windows"),
    "speed": make_config(optimize="speed"),
    "accuracy": make_config(optimize="accuracy"),
    "encoder": make_config(optimize="encoder"),
    "segment": make_config(segment=True),
    "gpu": make_config(gpu=True),
    "full": make_config(pipeline="full"),
    "full, speed": make_config(pipeline="full", optimize="speed", lang="en"),
    "full, segment": make_config(pipeline="full", segment=True),
    "full, graph": make_config("dag", pipeline="full"),
    "peer": (ROOT / "benchmarks/peer.cfg").read_text(encoding="utf8"),
}


def with_tags() -> str:
    """A config with the lines of docs/configuring.md that let the parser see predicted tags."""
    page = (ROOT / "docs" / "configuring.md").read_text(encoding="utf8")
    (lines,) = re.findall(r"```ini\n(\[nlp\].*?)```", page, re.DOTALL)
    own = Config().from_str(make_config(token_vectors="words"), interpolate=False)
    return own.merge(Config().from_str(lines, interpolate=False)).to_str()


CONFIGS["predicted tags"] = with_tags()
# tests/pretrained trains with an encoder.
LEARN = [name for name in CONFIGS if name not in ("gpu", "full, graph", "encoder")]


def test_an_encoder_is_read_as_its_layer_does_by_default() -> None:
    config = Config().from_str(CONFIGS["encoder"], interpolate=False)
    written = config["components"]["tok2vec"]["model"]["embed"]["context"]
    settings = signature(build_frozen_encoder).parameters.values()
    own = {key: written[key] for key in ("@architectures", "path")}
    assert written == {**{one.name: one.default for one in settings}, **own}


def initialized(config: str, **paths: Any) -> Language:
    return init_nlp(load_config_from_str(config, overrides={**PATHS, **paths}))


@pytest.mark.parametrize("name", [name for name in CONFIGS if name != "peer"])
def test_one_component_finds_sentences_and_its_vectors_see_spaces(name: str) -> None:
    config = Config().from_str(CONFIGS[name], interpolate=False)
    pipeline, components = config["nlp"]["pipeline"], config["components"]
    finds = [components["arceager_parser"]["system"]["segment"], "senter" in pipeline]
    assert sum(finds) < 2
    embed = components["tok2vec"]["model"]["embed"]
    sees_spaces = "SPACY" in embed.get("word", embed)["attrs"]
    assert ("paragraphs" in pipeline) == sees_spaces == any(finds)


@pytest.mark.parametrize("name", CONFIGS)
def test_spacy_finds_nothing_missing(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.cfg"
    path.write_text(CONFIGS[name], encoding="utf8")
    debug_config(path, overrides=PATHS)
    assert "Config is valid" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARN)
def test_every_component_learns(name: str) -> None:
    nlp = initialized(CONFIGS[name])
    sgd = nlp.create_optimizer()
    examples = list(ConlluCorpus(TRAIN, sentences_per_doc=4, limit=8)(nlp))
    losses = [nlp.update(examples, sgd=sgd, losses={}) for _ in range(12)]
    assert {"paragraphs", *losses[0]} >= {*nlp.pipe_names}
    for pipe in losses[0].keys() - {"tok2vec"}:
        assert losses[-1][pipe] < losses[0][pipe], pipe


def test_a_tag_may_begin_with_an_exclamation_mark(tmp_path: Path) -> None:
    path = tmp_path / "train.conllu"
    text = TRAIN.read_text(encoding="utf8")
    path.write_text(re.sub(r"\tPUNCT\t[^\t]*\t", r"\tPUNCT\t!\t", text), encoding="utf8")
    nlp = initialized(CONFIGS["full"], **{"paths.train": str(path)})
    assert "!" in nlp.get_pipe("tagger").labels
    examples = list(ConlluCorpus(path, limit=8)(nlp))
    assert nlp.update(examples, sgd=nlp.create_optimizer())["tagger"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUE)
def test_the_config_of_a_system_is_that_system_and_learns(name: str) -> None:
    entry = CATALOGUE[name]
    is_graph = entry.parameters().graph
    train = DATA / ("de_enhanced.conllu" if is_graph else "de_crossing.conllu")
    nlp = initialized(make_config(name), **{"paths.train": str(train), "paths.dev": str(train)})
    parser = get_parser(nlp)
    assert parser.parameters == entry.parameters()
    assert parser.oracle.name == default_oracle(entry.parameters()).name == entry.oracle
    attrs = parser.model.get_ref("scoring").attrs
    features = features_of(entry.parameters())
    assert (tuple(attrs["words"]), tuple(attrs["attributes"])) == features
    # With exploration the states, and so the loss, would be others each time.
    parser.exploration = Exploration(0.0)
    sgd = nlp.create_optimizer()
    examples = list(ConlluCorpus(train, limit=8)(nlp))
    losses = [nlp.update(examples, sgd=sgd, losses={}) for _ in range(6)]
    assert losses[-1]["arceager_parser"] < losses[0]["arceager_parser"]


def test_configs_of_two_systems_differ_in_the_name_and_what_scores_them() -> None:
    def config(system: str) -> Config:
        return Config().from_str(make_config(system), interpolate=False)

    first, second = config("arc_eager_nm"), config("attardi3")
    first["components"]["arceager_parser"]["system"]["name"] = "attardi3"
    assert first == second
    graphs = config("dag")
    assert graphs["components"]["arceager_parser"]["scorer"] == {
        "@scorers": "arceager.graph_scorer.v1"
    }
    assert graphs["training"]["score_weights"]["dep_elas"] == 1.0


def test_what_is_optimized_changes_the_sizes() -> None:
    sizes = [
        Config().from_str(make_config(optimize=optimize), interpolate=False)["components"]
        for optimize in ("speed", "balanced", "accuracy")
    ]
    hidden = [part["arceager_parser"]["model"]["hidden_width"] for part in sizes]
    depth = [part["tok2vec"]["model"]["encode"]["depth"] for part in sizes]
    width = [part["tok2vec"]["model"]["embed"]["width"] for part in sizes]
    assert hidden[0] < hidden[1] < hidden[2]
    assert depth[0] < depth[1] == depth[2]
    assert width[0] == width[1] < width[2]


@pytest.mark.parametrize("pipeline", ["parser", "full"])
@pytest.mark.parametrize("token_vectors", ["words", "subwords"])
def test_a_supertagger_can_be_left_out(pipeline: str, token_vectors: str) -> None:
    def names(supertags: bool | None) -> list[str]:
        text = make_config(pipeline=pipeline, token_vectors=token_vectors, supertags=supertags)
        assert supertags is not False or "supertagger" not in text
        return Config().from_str(text, interpolate=False)["nlp"]["pipeline"]

    assert names(None) == names(True)
    assert [name for name in names(True) if name != "supertagger"] == names(False)
    assert len(names(True)) == len(names(False)) + 1


def test_a_system_that_finds_no_boundaries_is_refused() -> None:
    with pytest.raises(ValueError, match="contradict"):
        make_config("easy_first", segment=True)


@pytest.mark.parametrize("pipeline", ["parser", "full"])
def test_the_language_and_the_command_stand_in_the_config(pipeline: str) -> None:
    text = make_config("dag", "eu", pipeline)
    assert Config().from_str(text, interpolate=False)["nlp"]["lang"] == "eu"
    assert f"arceager init-config --system dag --lang eu --pipeline {pipeline}" in text


def test_token_vectors_see_the_tags_that_are_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    nlp = initialized(CONFIGS["predicted tags"])
    doc = nlp.make_doc("She reads books.")
    tok2vec = nlp.get_pipe("tok2vec")
    vectors = []
    for tag in ("NOUN", "VERB"):
        for token in doc:
            token.pos_ = tag
        vectors.append(tok2vec.model.predict([doc])[0])
    assert abs(vectors[0] - vectors[1]).max() > 0
    # In training too.
    seen: list[int] = []
    update = tok2vec.update

    def note(examples: list[Example], **kwargs: Any) -> Any:
        seen.extend(token.pos for example in examples for token in example.predicted)
        return update(examples, **kwargs)

    monkeypatch.setattr(tok2vec, "update", note)
    examples = list(ConlluCorpus(TRAIN, limit=8)(nlp))
    nlp.update(examples, sgd=nlp.create_optimizer(), annotates=["morphologizer"])
    assert seen and all(seen)

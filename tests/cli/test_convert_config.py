"""A spaCy config with our parser in the place of spaCy's; all else as it was."""

import copy
from functools import partial
from pathlib import Path

import pytest
import spacy
from spacy.cli.init_config import init_config
from spacy.tokens import DocBin
from spacy.training.initialize import init_nlp
from thinc.api import Config
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.cli.convert_config import replace_parsers
from spacy_arceager.systems.catalogue import find_system
from tests.cli.conftest import command
from tests.conftest import read_corpus

PIPELINE = ["tagger", "parser", "ner"]


def spacy_config(pipeline: list[str] = PIPELINE, gpu: bool = False) -> Config:
    made = init_config(lang="en", pipeline=pipeline, optimize="efficiency", gpu=gpu)
    return Config().from_str(made.to_str(interpolate=False), interpolate=False)


def without_parser(config: Config, name: str = "parser") -> dict:
    rest = copy.deepcopy(dict(config))
    del rest["components"][name]
    return rest


convert = partial(command, "convert-config")


def test_only_the_parser_changes() -> None:
    before = spacy_config()
    after = copy.deepcopy(before)
    assert replace_parsers(after, "arc_hybrid") == (["parser"], [])
    assert without_parser(after) == without_parser(before)
    old, new = before["components"]["parser"], after["components"]["parser"]
    assert new["factory"] == "arceager_parser"
    assert new["system"] == {
        "@misc": "arceager.named_system.v1", "name": "arc_hybrid", "segment": True
    }
    for kept in ("tok2vec", "hidden_width", "maxout_pieces"):
        assert new["model"][kept] == old["model"][kept]
    assert new["model"]["projection"] is None


def test_the_name_of_the_component_stays() -> None:
    config = spacy_config()
    config["nlp"]["pipeline"][config["nlp"]["pipeline"].index("parser")] = "syntax"
    config["components"]["syntax"] = config["components"].pop("parser")
    config["training"]["annotating_components"] = ["syntax"]
    before = copy.deepcopy(config)
    replace_parsers(config, "attardi2")
    assert config["components"]["syntax"]["factory"] == "arceager_parser"
    assert without_parser(config, "syntax") == without_parser(before, "syntax")


def test_the_command_makes_a_config_that_trains(tmp_path: Path) -> None:
    nlp = spacy.blank("xx")
    docs = [eg.reference for eg in read_corpus(nlp, "en_small-dev.conllu", limit=20)]
    DocBin(docs=docs).to_disk(tmp_path / "train.spacy")
    source, target = tmp_path / "spacy.cfg", tmp_path / "ours.cfg"
    config = spacy_config(["tagger", "parser"])
    config["paths"] = {**config["paths"], "train": str(tmp_path / "train.spacy"),
                       "dev": str(tmp_path / "train.spacy")}
    config.to_disk(source, interpolate=False)
    result = convert(source, target, "--system", "arc_hybrid")
    assert result.exit_code == 0, result.output
    trained = init_nlp(Config().from_disk(target, interpolate=False))
    parser = trained.get_pipe("parser")
    assert parser.parameters == find_system("arc_hybrid", segment=True)
    examples = list(spacy.training.Corpus(tmp_path / "train.spacy")(trained))
    sgd = trained.create_optimizer()
    losses = [trained.update(examples, sgd=sgd, losses={}) for _ in range(6)]
    assert losses[-1]["parser"] < losses[0]["parser"]
    assert convert(source, "--system", "arc_hybrid").stdout == target.read_text()
    assert convert(source, target).exit_code == 1      # it is there


@pytest.mark.parametrize("architecture", [
    "spacy-transformers.TransformerListener.v1",
    "spacy-curated-transformers.LastTransformerLayerListener.v1",
])
def test_a_transformer_gets_a_projection_and_a_word_on_rates(architecture: str) -> None:
    listener = {"@architectures": architecture, "grad_factor": 1.0}
    config = spacy_config()
    config["components"]["parser"]["model"]["tok2vec"] = listener
    _, (rates,) = replace_parsers(config, "arc_eager")
    assert "pytorch_rate = 0.05" in rates
    assert config["components"]["parser"]["model"]["tok2vec"] == listener
    assert config["components"]["parser"]["model"]["projection"] == 128


def test_boundaries_are_left_to_a_component_before_it() -> None:
    config = spacy_config(["senter", "parser"])
    disabled = copy.deepcopy(config)
    disabled["nlp"]["disabled"] = ["senter"]
    for block, segment in ((config, False), (disabled, True)):
        replace_parsers(block, "arc_eager")
        assert block["components"]["parser"]["system"]["segment"] is segment


def test_what_changes_elsewhere_is_told() -> None:
    config = spacy_config()
    config["initialize"]["components"] = {
        "parser": {"labels": {"@readers": "spacy.read_labels.v1", "path": "parser.json"}},
        "ner": {"labels": {"@readers": "spacy.read_labels.v1", "path": "ner.json"}},
    }
    config["training"]["frozen_components"] = ["parser"]
    _, (boundaries, labels, frozen) = replace_parsers(config, "easy_first")
    assert "init labels" in labels and "frozen" in frozen and "'senter'" in boundaries
    assert set(config["initialize"]["components"]) == {"ner"}
    assert config["training"]["frozen_components"] == ["parser"]


@pytest.mark.parametrize("system", ["dag", "arc_lazy"])
def test_systems_that_are_no_parsers_are_refused(system: str) -> None:
    refusal = f"'{system}' cannot replace a parser; use one of arc_eager"
    with pytest.raises(ValueError, match=refusal):
        replace_parsers(spacy_config(), system)


def test_a_config_without_a_parser_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ner.cfg"
    spacy_config(["ner"]).to_disk(path, interpolate=False)
    result = convert(path)
    assert result.exit_code == 2 and "parser" in result.output


@pytest.mark.parametrize("text", [None, "no config", "[nlp\n"])
def test_a_file_that_is_no_config(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "config.cfg"
    if text is not None:
        path.write_text(text)
    result = convert(path)
    assert result.exit_code == 1 and "Cannot read the config" in result.output


def test_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.stdout.startswith("spacy_arceager 0.")


def test_a_model_without_token_vectors_of_its_own_gets_those_of_the_factory() -> None:
    text = """
[nlp]
lang = "en"
pipeline = ["parser"]

[components]

[components.parser]
factory = "parser"
"""
    config = Config().from_str(text, interpolate=False)
    assert replace_parsers(config, "arc_eager_nm") == (["parser"], [])
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    model = nlp.config["components"]["parser"]["model"]
    assert model["tok2vec"]["@architectures"] == "spacy.HashEmbedCNN.v2"
    assert model["hidden_width"] == 128

"""`init-config` writes configs, and never over a file that is there."""

import shlex
from functools import partial
from pathlib import Path

import pytest
from thinc.api import Config

from spacy_arceager.cli.configs import make_config
from tests.cli.conftest import command

init_config = partial(command, "init-config")


def test_to_stdout() -> None:
    arguments = ["--system", "attardi2", "-l", "eu", "-p", "full", "-o", "speed", "--segment"]
    result = init_config(*arguments)
    assert result.exit_code == 0
    assert result.stdout == make_config("attardi2", "eu", "full", "speed", segment=True)
    assert init_config("-").stdout == init_config().stdout == make_config(segment=True)


def test_to_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "config.cfg"
    assert init_config(path, "--gpu").exit_code == 0
    assert path.read_text() == make_config(gpu=True, segment=True)
    refused = init_config(path)
    assert refused.exit_code == 1 and "--force" in refused.output
    assert path.read_text() == make_config(gpu=True, segment=True)
    assert init_config(path, "--force").exit_code == 0
    assert path.read_text() == make_config(segment=True)


@pytest.mark.parametrize(
    ("arguments", "segment"),
    [
        ([], True), (["--no-segment"], False), (["--pipeline", "full"], False),
        (["--system", "easy_first_k4"], True), (["--system", "easy_first"], False),
        (["--system", "dag"], False),
    ],
)
def test_boundaries_are_found_where_no_senter_finds_them(
    arguments: list[str], segment: bool
) -> None:
    text = init_config(*arguments).stdout
    assert f"segment = {str(segment).lower()}" in text
    assert text == init_config(*arguments, "--segment" if segment else "--no-segment").stdout


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    result = init_config(tmp_path / "none" / "config.cfg")
    assert result.exit_code == 1 and "There is no folder" in result.output


@pytest.mark.parametrize(
    "arguments", [["--system", "arc_lazy"], ["--pipeline", "ner"], ["--optimize", "size"],
                  ["--system", "dag", "--segment"], ["--gpu", "--token-vectors", "subwords"],
                  ["--gpu", "--supertags"], ["--gpu", "--encoder", "recurrent"],
                  ["--encoder", "transformer"], ["--gpu", "--optimize", "encoder"],
                  ["--pipeline", "transformer"],
                  ["--gpu", "--pretrained", "folder"], ["--vectors", "my $vectors"],
                  ["--vectors", "a\nb"],
                  ["--valid", "sud"], ["--valid", "ud", "--pipeline", "full", "--system", "dag"],
                  ["--valid", "ud", "--token-vectors", "words"]],
)
def test_wrong_usage(arguments: list[str]) -> None:
    assert init_config(*arguments).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "encoder"),
    [
        ([], "arceager.RecurrentEncoder.v1"), (["--gpu"], "spacy.MaxoutWindowEncoder.v2"),
        (["--encoder", "windows"], "arceager.WindowEncoder.v1"),
        (["--optimize", "speed"], "arceager.RecurrentEncoder.v1"),
    ],
)
def test_the_encoder(arguments: list[str], encoder: str) -> None:
    config = Config().from_str(init_config(*arguments).stdout, interpolate=False)
    assert config["components"]["tok2vec"]["model"]["encode"]["@architectures"] == encoder


@pytest.mark.parametrize("arguments", [["--pipeline", "full"], ["--token-vectors", "subwords"]])
def test_rules_for_trees(arguments: list[str]) -> None:
    text = init_config(*arguments, "--valid", "ud").stdout
    config = Config().from_str(text, interpolate=False)
    assert "--valid ud" in text and "morphologizer" in config["nlp"]["pipeline"]
    assert config["components"]["arceager_parser"].pop("valid") == "ud"
    assert config == Config().from_str(init_config(*arguments).stdout, interpolate=False)


@pytest.mark.parametrize("pretrained", [None, "my encoders/e5"])
def test_a_pretrained_encoder(pretrained: str | None, tmp_path: Path) -> None:
    path = tmp_path / "config.cfg"
    arguments = ["--optimize", "encoder", *(["--pretrained", pretrained] if pretrained else [])]
    result = init_config(path, *arguments)
    assert result.exit_code == 0
    assert ("--paths.encoder FOLDER" in result.stderr) == (pretrained is None)
    text = path.read_text()
    assert ("--paths.encoder FOLDER" in text) == (pretrained is None)
    config = Config().from_str(text, interpolate=False)
    assert config["paths"]["encoder"] == pretrained
    embed = config["components"]["tok2vec"]["model"]["embed"]
    assert embed["@architectures"] == "arceager.MixedEmbed.v1"
    assert embed["context"]["@architectures"] == "arceager.FrozenEncoder.v1"
    assert embed["context"]["path"] == "${paths.encoder}"
    # Without the encoder it is the config of `accuracy`.
    without = Config().from_str(init_config("--optimize", "accuracy").stdout, interpolate=False)
    del config["paths"]["encoder"]
    config["components"]["tok2vec"]["model"]["embed"] = embed["word"]
    assert config == without
    (command,) = (line for line in text.splitlines() if line.startswith("# Made by: arceager "))
    again = init_config(*shlex.split(command.removeprefix("# Made by: arceager init-config ")))
    assert again.stdout == text


@pytest.mark.parametrize("pretrained", [None, "my encoders/bert"])
@pytest.mark.parametrize("pipeline", ["parser", "full"])
def test_a_transformer(pipeline: str, pretrained: str | None, tmp_path: Path) -> None:
    arguments = ["--pipeline", pipeline, "--optimize"]
    named = ["--pretrained", pretrained] if pretrained else []
    path = tmp_path / "config.cfg"
    result = init_config(path, *arguments, "transformer", *named)
    assert "--gpu-id 0" in result.stderr and "onnxruntime" not in result.stderr
    config = Config().from_disk(path, interpolate=False)
    name = config["components"].pop("transformer")["model"]["name"]
    assert name == (pretrained or "FacebookAI/xlm-roberta-base")
    assert config["nlp"]["pipeline"].pop(0) == "transformer"
    embed = config["components"]["tok2vec"]["model"]["embed"]
    assert embed["context"]["@architectures"] == "spacy-transformers.TransformerListener.v1"
    assert config["training"]["optimizer"]["pytorch_rate"] < 1
    # Without the transformer the components are those of `accuracy`.
    config["components"]["tok2vec"]["model"]["embed"] = embed["word"]
    without = Config().from_str(init_config(*arguments, "accuracy").stdout, interpolate=False)
    assert config["components"] == without["components"]
    assert config["nlp"]["pipeline"] == without["nlp"]["pipeline"]


def test_a_folder_for_onnx_is_no_transformer(tmp_path: Path) -> None:
    (tmp_path / "encoder.onnx").touch()
    result = init_config("--optimize", "transformer", "--pretrained", str(tmp_path))
    assert result.exit_code == 2 and "--optimize encoder" in result.output


@pytest.mark.parametrize("optimize", ["speed", "balanced", "accuracy"])
def test_token_vectors_that_learn_from_an_encoder(optimize: str) -> None:
    text = init_config("--optimize", optimize, "--pretrained", "my e5").stdout
    config = Config().from_str(text, interpolate=False)
    assert config["paths"].pop("encoder") == "my e5"
    predictor = config["components"].pop("vector_predictor")
    assert predictor["factory"] == "arceager_vector_predictor"
    assert predictor["encoder"]["path"] == "${paths.encoder}"
    config["nlp"]["pipeline"].remove("vector_predictor")
    without = init_config("--optimize", optimize).stdout
    assert config == Config().from_str(without, interpolate=False)


@pytest.mark.parametrize("options", [[], ["--pipeline", "full"], ["--token-vectors", "words"]])
def test_static_vectors(options: list[str]) -> None:
    text = init_config(*options, "--vectors", "my vectors").stdout
    config = Config().from_str(text, interpolate=False)
    assert config["initialize"]["vectors"] == "${paths.vectors}"
    assert config["paths"].pop("vectors") == "my vectors"
    assert config["components"]["tok2vec"]["model"]["embed"].pop("include_static_vectors") is True
    without = Config().from_str(init_config(*options).stdout, interpolate=False)
    assert without["paths"].pop("vectors") is None
    without["components"]["tok2vec"]["model"]["embed"].pop("include_static_vectors")
    assert config == without
    (command,) = (line for line in text.splitlines() if line.startswith("# Made by: arceager "))
    again = init_config(*shlex.split(command.removeprefix("# Made by: arceager init-config ")))
    assert again.stdout == text


@pytest.mark.parametrize("arguments", [["--optimize", "encoder"], ["--pretrained", "e5"]])
def test_a_missing_package_is_named(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "spacy_arceager.cli.init_config.find_spec"
    monkeypatch.setattr(name, lambda package: None)
    result = init_config(*arguments)
    assert result.exit_code == 0
    assert "onnxruntime" in result.stderr and "spacy-arceager[encoder]" in result.stderr
    assert "onnxruntime" not in init_config().stderr

"""The files of configs/ are what their own second lines make, and take any system by its name."""

import re
import shlex
from pathlib import Path

import pytest
import srsly
from spacy.util import load_config, load_model_from_config
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.systems.catalogue import CATALOGUE
from tests.conftest import get_parser

ROOT = Path(__file__).parents[2]
CONFIGS = sorted((ROOT / "configs").glob("*.cfg"))


def test_the_configs_are_these() -> None:
    names = {path.stem for path in CONFIGS}
    assert names == {"parser", "full", "speed", "accuracy", "encoder", "transformer", "graphs"}


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_the_second_line_makes_the_file(path: Path) -> None:
    content = path.read_bytes()
    command = content.decode().splitlines()[1].removeprefix("# Made by: ")
    name, *arguments = shlex.split(command)
    assert name == "arceager"
    made = CliRunner().invoke(app, arguments)
    assert made.exit_code == 0
    assert made.stdout_bytes == content, "python scripts/make_configs.py writes it anew"


@pytest.mark.parametrize("system", CATALOGUE)
def test_every_system_loads_from_the_config_of_the_parser(system: str) -> None:
    overrides = {
        "components.arceager_parser.system.name": system,
        "paths.train": "train.conllu", "paths.dev": "dev.conllu",
    }
    config = load_config(ROOT / "configs" / "parser.cfg", overrides=overrides)
    nlp = load_model_from_config(config, auto_fill=True)
    assert get_parser(nlp).parameters == CATALOGUE[system].parameters()


def test_the_project_trains_from_these_configs_or_from_those_it_makes() -> None:
    project = srsly.read_yaml(ROOT / "project.yml")
    scripts = [line for command in project["commands"] for line in command["script"]]
    trained = {name for line in scripts for name in re.findall(r"spacy train (\S+)", line)}
    made = {name for line in scripts for name in re.findall(r"init-config (\S+)", line)}
    assert all(name.startswith("training/") for name in made) and made <= trained
    trained -= made
    variable = "configs/${vars.config}.cfg"
    assert variable in trained
    default = variable.replace("${vars.config}", project["vars"]["config"])
    for name in (trained - {variable}) | {default}:
        assert ROOT / name in CONFIGS
    assert not any("python -m spacy" in line for line in scripts)

"""What README and the pages it sends to say is true: their code runs, their files exist."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import spacy
from spacy import registry
from thinc.api import Config
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.oracles.registry import NAMES as ORACLES
from spacy_arceager.systems.catalogue import find_system
from tests.repository.run_code import run_code

ROOT = Path(__file__).parents[2]
NAMES = (
    "README.md", "docs/training.md", "docs/configuring.md", "docs/machine.md", "docs/limits.md",
)
PAGES = {name: (ROOT / name).read_text(encoding="utf8") for name in NAMES}


def find_all(pattern: str) -> list[str]:
    return [found for page in PAGES.values() for found in re.findall(pattern, page, re.DOTALL)]


@pytest.mark.parametrize("code", find_all(r"```python\n(.*?)```"))
def test_python_code_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_code(code, "a page", capsys)


def test_comments_say_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGES["docs/machine.md"], re.DOTALL)
    exec(compile(code, "a page", "exec"), {})
    said = re.findall(r"# (.*)$", code, re.MULTILINE)
    printed = capsys.readouterr().out.splitlines()
    assert [line for line in said if "is its own head" not in line] == printed


def test_the_main_command_prints_the_tree_that_is_shown() -> None:
    (text,) = re.findall(r'arceager parse "(.*?)" --format tree', PAGES["README.md"])
    shown = re.findall(r"```\n(.*?)```", PAGES["README.md"], re.DOTALL)[0]
    printed = CliRunner().invoke(app, ["parse", text, "--format", "tree"]).stdout
    assert printed.strip("\n") == shown.strip("\n")


@pytest.mark.parametrize("block", find_all(r"```ini\n(\[components.*?)```"))
def test_config_blocks_make_a_component(block: str) -> None:
    whole = "[components]\n[components.arceager_parser]\n" + block
    config = Config().from_str(whole)["components"]["arceager_parser"]
    parser = spacy.blank("xx").add_pipe("arceager_parser", config=config)
    model = config.pop("model", {})
    settings = {"parameters" if name == "system" else name: value
                for name, value in registry.resolve(config).items()}
    assert settings or model
    for name, value in settings.items():
        setting = getattr(parser, name)
        assert type(setting) is type(value)
        assert setting.name == value.name if name == "oracle" else setting == value
    for name, value in model.items():
        assert [*parser.model.get_ref("scoring").attrs[name]] == value


def test_the_parameters_of_a_named_system_are_those_that_are_shown() -> None:
    pattern = r"The parameters of `(\w+)`[^\n]*\n\n```ini\n(.*?)```"
    ((name, block),) = re.findall(pattern, PAGES["docs/configuring.md"], re.DOTALL)
    config = Config().from_str("[components]\n[components.arceager_parser]\n" + block)
    system = registry.resolve(config["components"]["arceager_parser"])["system"]
    assert replace(system, name=name) == find_system(name)


@pytest.mark.parametrize("name", PAGES)
def test_linked_files_exist(name: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", PAGES[name]) if "://" not in link]
    folder = (ROOT / name).parent
    assert [link for link in links if not (folder / link.split("#")[0]).exists()] == []


def test_the_first_screen_is_short() -> None:
    assert len(PAGES["README.md"].splitlines()) < 80


def test_each_registered_name_is_registered() -> None:
    text = PAGES["docs/configuring.md"] + (ROOT / "docs" / "oracles.md").read_text(encoding="utf8")
    names = set(re.findall(r"arceager\.\w+_oracle\.v1|arceager\.(?:system|beam)\.v1", text))
    assert len(names) == len(ORACLES) + 2
    assert names <= set(registry.misc.get_all())


def test_the_derivation_is_what_the_command_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = PAGES["docs/configuring.md"]
    (command,) = re.findall(r"^arceager (derive .*)$", page, re.MULTILINE)
    result = CliRunner().invoke(app, command.split())
    assert f"```\n{result.stdout.strip()}\n```" in page

"""What the README says is true: its code runs, its commands and files exist."""

import re
from pathlib import Path

import pytest
import spacy
from thinc.api import Config
from typer.testing import CliRunner

from spacy_arceager.cli import app

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf8")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_python_code_runs(code: str) -> None:
    exec(compile(code, "README.md", "exec"), {})


def test_comments_say_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code = next(code for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL)
                if "TransitionSystem" in code)
    exec(compile(code, "README.md", "exec"), {})
    said = re.findall(r"# (.*)$", code, re.MULTILINE)
    printed = capsys.readouterr().out.splitlines()
    assert [line for line in said if "is its own head" not in line] == printed


@pytest.mark.parametrize(
    "block", re.findall(r"```ini\n(\[components.*?)```", README, re.DOTALL)
)
def test_config_blocks_make_a_component(block: str) -> None:
    whole = "[components]\n[components.arceager_parser]\n" + block
    config = Config().from_str(whole)["components"]["arceager_parser"]
    spacy.blank("en").add_pipe("arceager_parser", config=config)


def test_linked_files_exist() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert links
    assert all((ROOT / link).exists() for link in links)


def test_each_registered_name_is_registered() -> None:
    from spacy import registry

    text = README + (ROOT / "docs" / "oracles.md").read_text(encoding="utf8")
    names = set(re.findall(r"arceager\.\w+_oracle\.v1|arceager\.(?:system|beam)\.v1", text))
    assert len(names) == 8
    assert names <= set(registry.misc.get_all())


def test_the_derivation_is_what_the_command_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (command,) = re.findall(r"^arceager (derive .*)$", README, re.MULTILINE)
    result = CliRunner().invoke(app, command.split())
    assert f"```\n{result.stdout.strip()}\n```" in README

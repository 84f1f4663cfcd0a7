"""What the README says is true: its code runs, its commands and files exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf8")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_python_code_runs(code: str) -> None:
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 (our own README)


def test_comments_say_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code = next(code for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL)
                if "TransitionSystem" in code)
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 (our own README)
    said = re.findall(r"# (.*)$", code, re.MULTILINE)
    printed = capsys.readouterr().out.splitlines()
    assert [line for line in said if "is its own head" not in line] == printed


def test_linked_files_exist() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert links
    assert all((ROOT / link).exists() for link in links)


def test_each_registered_name_of_a_table_is_registered() -> None:
    from spacy import registry

    names = set(re.findall(r"`(arceager\.\w+_oracle\.v1|arceager\.arc_eager\.v1)`", README))
    assert len(names) == 4
    assert names <= set(registry.misc.get_all())

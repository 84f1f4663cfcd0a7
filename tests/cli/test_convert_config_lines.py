"""`convert-config` leaves all lines but those of the parser as they are, or says that it cannot."""

from functools import partial
from pathlib import Path

import pytest
from spacy.cli.init_config import init_config
from thinc.api import Config

from tests.cli.conftest import command

COMMENT = "# The batch of the laptop.\n"
LABELS = """
[initialize.components.parser]

[initialize.components.parser.labels]
@readers = "spacy.read_labels.v1"
path = "parser.json"
"""


convert = partial(command, "convert-config")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    made = init_config(lang="en", pipeline=["tagger", "parser", "ner"], optimize="efficiency")
    text = made.to_str(interpolate=False).replace("batch_size", COMMENT + "batch_size")
    path = tmp_path / "spacy.cfg"
    path.write_text(text + "\n" + LABELS, encoding="utf8")
    return path


def outside(text: str) -> list[str]:
    """The lines of a config that are not in a section of the parser."""
    lines, is_parser = [], False
    for line in text.splitlines():
        if line.startswith("["):
            is_parser = "components.parser" in line
        if not is_parser and line:
            lines.append(line)
    return lines


def test_order_and_comments_stay(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "ours.cfg"
    result = convert(source, target)
    assert result.exit_code == 0, result.output
    text = target.read_text()
    assert outside(text) == outside(source.read_text())
    assert COMMENT in text and "comments are" not in result.stderr
    assert "initialize.components.parser" not in text
    components = Config().from_str(text, interpolate=False)["components"]
    assert components["parser"]["factory"] == "arceager_parser"


def test_where_comments_cannot_stay_it_is_said(source: Path, tmp_path: Path) -> None:
    config = Config().from_str(source.read_text(), interpolate=False)
    del config["initialize"]["components"]
    # Settings in one line have no section that could be replaced.
    del config["components"]["parser"]
    text = config.to_str(interpolate=False) + "\n"
    line = 'parser = {"factory":"parser","model":{'
    line += '"@architectures":"spacy.TransitionBasedParser.v2","state_type":"parser",'
    line += '"extra_state_tokens":false,"hidden_width":64,'
    line += '"maxout_pieces":2,"use_upper":false,"nO":null}}\n'
    source.write_text(text.replace("[components]\n", "[components]\n" + COMMENT + line))
    result = convert(source)
    assert result.exit_code == 0, result.output
    assert "comments are gone" in " ".join(result.stderr.split())
    assert 'factory = "arceager_parser"' in result.stdout


def test_the_next_step_is_told(source: Path, tmp_path: Path) -> None:
    assert f"spacy train {tmp_path / 'ours.cfg'}" in convert(source, tmp_path / "ours.cfg").stderr


def test_a_comment_belongs_to_the_section_below_it(source: Path, tmp_path: Path) -> None:
    text = source.read_text()
    for section in ("components.ner", "components.parser", "components.parser.model"):
        text = text.replace(f"[{section}]\n", f"# Mine.\n# {section}, of a laptop.\n[{section}]\n")
    source.write_text(text)
    assert convert(source, tmp_path / "ours.cfg").exit_code == 0
    kept = (tmp_path / "ours.cfg").read_text()
    for section in ("components.ner", "components.parser"):
        assert f"# Mine.\n# {section}, of a laptop.\n[{section}]\n" in kept
    assert "components.parser.model, of a laptop" not in kept

"""The picture of LAS and speed: what is measured is kept, and every parser is drawn."""

from pathlib import Path
from xml.etree import ElementTree

import srsly
from typer.testing import CliRunner

import spacy_arceager
from benchmarks.accuracy_speed import app
from tests.conftest import DATA

DEV = DATA / "en_small-dev.conllu"
PIPELINE = Path(spacy_arceager.__file__).parent / "pipelines" / "en"


def test_what_is_measured_and_added_is_drawn(tmp_path: Path) -> None:
    file, drawn = tmp_path / "points.json", tmp_path / "points.svg"
    commands = [
        ["measure", str(DEV), str(file), "--pipeline", f"small={PIPELINE}", "--repetitions", "1"],
        ["add", str(file), "other", "12.5", "1000"],
        ["add", str(file), "other", "62.5", "2000"],
        ["draw", str(file), str(drawn)],
    ]
    for command in commands:
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
    first, second = srsly.read_json(file)
    assert (first["name"], first["group"]) == ("small", "spacy_arceager")
    assert 0.3 < first["las"] <= 1 and first["words_per_second"] > 0
    assert (second["name"], second["group"], second["las"]) == ("other", "others", 0.625)
    texts = {one.text for one in ElementTree.parse(drawn).iter("{http://www.w3.org/2000/svg}text")}
    assert {"small", "other", "UD LAS"} <= texts

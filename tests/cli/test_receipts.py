"""What commands say of what they have read and written, and how far they are."""

import io
import re
import shutil
import sys
from pathlib import Path

import pytest
import srsly
from click.testing import Result

from spacy_arceager.cli.messages import install_hint, progress, progress_in_bytes
from tests.cli.conftest import command
from tests.conftest import DATA

ROOT = Path(__file__).parents[2]
DEV = DATA / "en_small-dev.conllu"


def said(result: Result) -> str:
    return " ".join(result.stderr.split())


def test_evaluate_says_what_it_has_scored(saved: str, tmp_path: Path) -> None:
    one = command("evaluate", saved, DEV).stdout
    words, sentences = map(int, re.findall(r"(\d+) words in (\d+) sentences of", one)[0])
    text = DEV.read_text(encoding="utf8")
    assert words == len(re.findall(r"^\d+\t", text, re.MULTILINE))
    assert sentences == len(re.findall(r"^1\t", text, re.MULTILINE))
    for name in ("a.conllu", "b.conllu"):
        shutil.copy(DEV, tmp_path / name)
    both = command("evaluate", saved, tmp_path, "--sentences-per-doc", "3").stdout
    assert f"{2 * words} words in {2 * sentences} sentences of" in both
    assert f"({2 * -(-sentences // 3)} documents)" in both
    assert f"{tmp_path / 'a.conllu'}, {tmp_path / 'b.conllu'}" in both


def test_what_is_saved_is_told(saved: str, tmp_path: Path) -> None:
    scores = tmp_path / "s.json"
    result = command("evaluate", saved, DEV, "-o", scores, "--displacy-path", tmp_path)
    assert "Saved all scores to" in said(result) and "parses.html" in said(result)
    assert srsly.read_json(scores)["speed"] > 0
    assert "Nothing is saved" in said(command("calibrate", saved, DEV))
    result = command("calibrate", saved, DEV, "-o", tmp_path / "sure")
    assert f"arceager parse --model {tmp_path / 'sure'} --confidence" in result.stderr
    assert "Saved the comparison" in said(command("compare", DEV, DEV, DEV, "-o", tmp_path / "c"))


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_bar_has_a_total_and_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, is_shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        assert [*progress("abc", 3, "letters")] == ["a", "b", "c"]
        assert ("0/3" in stream.getvalue()) is is_shown
        assert [*progress_in_bytes("abc", 30, "letters", lambda: 30)] == ["a", "b", "c"]
        assert ("/30.0" in stream.getvalue()) is is_shown
        shown = stream.getvalue()
        assert [*progress_in_bytes("abc", 0, "letters", lambda: 0)] == ["a", "b", "c"]
        assert stream.getvalue() == shown


def test_hints_for_extras_have_one_spelling() -> None:
    pages = [*ROOT.glob("spacy_arceager/**/*.py"), *ROOT.glob("docs/*.md"), ROOT / "README.md",
             *ROOT.glob("configs/*.cfg")]
    hints = [
        hint for page in pages
        for hint in re.findall(r"pip install [^`\n]*?\[(?!\{|test|dev)[^`\n]*?\][\"']?",
                               page.read_text(encoding="utf8"))
    ]
    extras = [re.findall(r"\[(\w+)\]", hint)[0] for hint in hints]
    assert {"zstd", "transformers"} <= {*extras}
    assert hints == [install_hint(extra) for extra in extras]


def test_parse_says_what_it_has_written_and_what_is_left(saved: str, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "a.txt").write_text("One two .\nThree")
    (folder / "b.txt").write_text("Four five")
    one = command("parse", "-m", saved, "-i", folder / "a.txt", "-o", tmp_path / "a.conllu")
    assert f"Parsed 2 documents with 4 words to {tmp_path / 'a.conllu'}." in said(one)
    assert f"arceager compare {tmp_path / 'a.conllu'} other.conllu gold.conllu" in said(one)
    page = command("parse", "-m", saved, "Six", "-f", "html", "-o", tmp_path / "a.html")
    assert "Parsed 1 document with 1 word to" in said(page) and "in a browser" in said(page)
    assert command("parse", "-m", saved, "Six").stderr == ""
    both = command("parse", "-m", saved, "-i", folder, "-o", out, "--n-process", "2")
    assert f"Parsed 3 documents with 6 words to 2 files in {out}." in said(both)
    assert "Nothing is left to parse" in said(
        command("parse", "-m", saved, "-i", folder, "-o", out, "--resume")
    )


def test_select_and_derive_say_what_they_have_written(saved: str, tmp_path: Path) -> None:
    out = tmp_path / "chosen.conllu"
    result = command("select", "-m", saved, "-i", DEV, "-n", "2", "-o", out)
    sentences = DEV.read_text(encoding="utf8").count("# text = ")
    assert f"Selected 2 of {sentences} different sentences from {sentences} docu" in said(result)
    assert f"cat train.conllu {out} > more.conllu && spacy train config.cfg" in said(result)
    assert out.read_text(encoding="utf8").count("# text = ") == 2
    out = tmp_path / "derived.html"
    result = command("derive", DEV, "--sentence", "1", "-f", "html", "-o", out)
    words = DEV.read_text(encoding="utf8").split("\n\n")[0].count("\t") // 9
    assert f"Derived 1 sentence with {words} words to {out}. Open it in a browser" in said(result)

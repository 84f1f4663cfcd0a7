"""The words of texts from which a command learns."""

from pathlib import Path

import pytest
import typer

from spacy_arceager.cli.texts import read_words


def test_lines_files_and_folders_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One text.\n\nTwo\n", encoding="utf8")
    (tmp_path / "b.conllu").write_text(
        "1\tBirds\t_\t_\t_\t_\t0\troot\t_\t_\n2\tsing\t_\t_\t_\t_\t1\tdep\t_\t_\n\n",
        encoding="utf8",
    )
    expected = [["One", "text", "."], ["Two"], ["Birds", "sing"]]
    assert read_words([tmp_path / "a.txt", tmp_path / "b.conllu"], None) == expected
    assert read_words([tmp_path], None) == expected


@pytest.mark.parametrize(
    ("text", "message"), [("\n", "The texts have no words"), (None, "Some texts cannot be read")]
)
def test_nothing_to_read_ends_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / "a.txt").write_text(text, encoding="utf8")
    with pytest.raises(typer.Exit):
        read_words([tmp_path / "a.txt"], None)
    assert message in capsys.readouterr().err


def test_a_line_may_be_longer_than_a_pipeline_takes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" * 1_000_001, encoding="utf8")
    assert read_words([tmp_path / "a.txt"], None) == [["x" * 1_000_001]]

"""Many inputs, a folder of outputs, compression, going on after an interrupt, and full disks."""

import bz2
import gzip
import lzma
import resource
import signal
import subprocess
from pathlib import Path

import pytest

from spacy_arceager.corpus import files
from tests.cli.conftest import Run, read_columns, read_json_texts
from tests.cli.files import feed, folder, start

pytestmark = pytest.mark.slow

COMPRESSIONS = {".gz": gzip, ".bz2": bz2, ".xz": lzma, ".zst": files.import_zstd()}


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Ten small files in a folder, one of them empty and one compressed."""
    path = tmp_path / "inputs"
    path.mkdir()
    for i in range(8):
        (path / f"{i}.txt").write_text(f"One {i}\nTwo {i}\n")
    (path / "8.txt").write_text("")
    (path / "9.txt.gz").write_bytes(gzip.compress(b"Three\n"))
    (path / ".hidden").write_text("Hidden\n")
    return path


def words_in(path: Path) -> list[tuple[str, ...]]:
    return read_columns(path.read_text(), 1)


@pytest.mark.parametrize("n_process", [1, 2])
def test_each_input_has_an_output(
    run: Run, inputs: Path, tmp_path: Path, n_process: int
) -> None:
    out = tmp_path / "new" / "out"
    result = run("-i", inputs, "-o", out, "--n-process", n_process)
    assert result.exit_code == 0
    assert "Parsed 17 documents with 33 words to 10 files" in result.stderr
    names = [*(f"{i}.conllu" for i in range(9)), "9.conllu.gz"]
    assert sorted(path.name for path in out.iterdir()) == names
    for i in range(8):
        assert words_in(out / f"{i}.conllu") == [("One",), (str(i),), ("Two",), (str(i),)]
    assert (out / "8.conllu").read_text() == ""
    assert read_columns(gzip.decompress((out / "9.conllu.gz").read_bytes()).decode(), 1) == [
        ("Three",)
    ]


def test_a_pattern_stands_for_the_files_that_match(run: Run, inputs: Path) -> None:
    result = run("-i", inputs / "[1-2].txt", "-f", "json")
    assert read_json_texts(result.stdout) == ["One 1", "Two 1", "One 2", "Two 2"]
    (inputs / "[x].txt").write_text("Itself\n")     # a file of that very name comes first
    assert read_json_texts(run("-i", inputs / "[x].txt", "-f", "json").stdout) == ["Itself"]
    missing = run("-i", inputs / "*.none", "-f", "json")
    assert missing.exit_code == 1 and "*.none" in missing.stderr


def test_several_inputs_go_to_stdout_in_order(run: Run, inputs: Path) -> None:
    result = run("-i", inputs / "1.txt", "-i", inputs / "0.txt", "-f", "json")
    assert read_json_texts(result.stdout) == ["One 1", "Two 1", "One 0", "Two 0"]


def test_inputs_that_cannot_be_read_lose_only_themselves(
    run: Run, inputs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    missing = tmp_path / "missing.txt"
    (inputs / "1.txt").write_bytes(b"Good\ncaf\xe9\n")
    (inputs / "9.txt.gz").write_bytes(gzip.compress(b"Three\n" * 9)[:-9])
    arguments = ["-i", missing, "-i", inputs / "0.txt", "-i", inputs / "1.txt"]
    result = run(*arguments, "-i", inputs / "9.txt.gz", "-o", out)
    assert result.exit_code == 1
    assert str(missing) in result.stderr
    assert f"{inputs / '1.txt'}, line 2: the text is not UTF-8" in result.stderr
    assert f"{inputs / '9.txt.gz'}, line " in result.stderr and "damaged" in result.stderr
    assert sorted(path.name for path in out.iterdir()) == ["0.conllu", "1.conllu"]
    assert words_in(out / "1.conllu") == [("Good",)]


def test_resume_goes_on_after_the_files_that_are_there(
    run: Run, inputs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for i in range(7):
        (out / f"{i}.conllu").write_text("done")
    (out / ".0123456789abcdef.part").write_text("half of 7")     # of a command that was killed
    assert run("-i", inputs, "-o", out, "--resume").exit_code == 0
    assert (out / "0.conllu").read_text() == "done"
    assert words_in(out / "7.conllu") == [("One",), ("7",), ("Two",), ("7",)]
    (inputs / "0.txt").unlink()
    (inputs / "1.txt").write_text("FAIL")
    assert run("-i", inputs, "-o", out, "--resume").exit_code == 0
    assert run("-i", inputs, "-o", out).exit_code == 1
    assert (out / "1.conllu").read_text() == ""


def test_clashes_are_refused_before_anything_is_written(
    run: Run, inputs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    other = tmp_path / "0.txt.gz"
    other.write_bytes(gzip.compress(b"a"))
    (tmp_path / "0.txt").write_text("a")
    clashing = run("-i", inputs / "0.txt", "-i", tmp_path / "0.txt", "-o", out)
    assert clashing.exit_code == 2 and "same file" in clashing.stderr
    assert run("-i", tmp_path / "0.txt", "-i", other, "-o", out).exit_code == 0    # .gz stays
    itself = run("-i", out, "-o", out)
    assert itself.exit_code == 2 and "the same folder" in itself.stderr
    assert run("-i", inputs / "0.txt", "--resume").exit_code == 2
    assert run("-o", inputs, input="a").exit_code == 2
    assert run("-i", inputs, "-o", tmp_path / "0.txt").exit_code == 1
    assert (tmp_path / "0.txt").read_text() == "a"


@pytest.mark.parametrize("ending", COMPRESSIONS)
def test_outputs_are_compressed_as_their_endings_say(
    run: Run, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"out.jsonl{ending}"
    assert run("-o", path, "-f", "json", input="One\nTwo\n" * 500).exit_code == 0
    text = COMPRESSIONS[ending].decompress(path.read_bytes()).decode()
    assert read_json_texts(text) == ["One", "Two"] * 500
    result = run("-i", path, "-f", "json")
    assert read_json_texts(result.stdout) == ["One", "Two"] * 500


def test_a_line_without_end_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 2**20)
    path = tmp_path / "a.txt"
    path.write_bytes(b"One\n" + b"word " * 2**20 + b"\nTwo\n")
    result = run("-i", path, "-f", "json")
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["One", "Two"]
    assert f"{path}, line 2: the line is longer than" in result.stderr


def small_files() -> None:
    """No file of more than 100 kB can be written, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_disk_that_gets_full_leaves_what_was_there_and_no_draft(
    blank: Path, tmp_path: Path, ending: str
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / f"out.json{ending}").write_text("keep")
    path = tmp_path / "a.txt"
    path.write_text("".join(f"{i * i ** 5} words\n" for i in range(20_000)))
    process = start(
        blank, "-f", "json", "-i", path, "-o", work / f"out.json{ending}",
        stderr=subprocess.PIPE, text=True, limit=small_files,
    )
    _, err = process.communicate()
    assert process.returncode == 1
    assert "Cannot write the output" in err and "File too large" in err
    assert "Traceback" not in err and "Exception ignored" not in err
    assert folder(work) == {f"out.json{ending}": "keep"}


def test_an_interrupt_ends_the_workers_too(blank: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = start(
        blank, "-o", out, "-i", "/dev/stdin", "-i", "/dev/null", "--n-process", 2,
        "--batch-size", 10, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    feed(process)
    assert list(out.iterdir())
    workers = children(process.pid)
    assert len(workers) == 2
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode not in (0, -signal.SIGINT)
    assert b"Traceback" not in err and b"0 of 2 files" in err and b"--resume" in err
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    assert list(out.iterdir()) == []


def children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()]


def test_resume_deletes_what_a_killed_command_left(
    blank: Path, run: Run, inputs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    started = [
        start(blank, "-o", out, "-i", "/dev/stdin", "-i", "/dev/null", stdin=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in started:
        feed(process)
    assert len(list(out.glob(".*.part"))) == 2
    (out / ".notes.part").write_text("of somebody else")
    started[0].kill()
    started[0].wait()
    assert run("-i", inputs, "-o", out, "--resume").exit_code == 0
    # The other command is still writing its draft.
    assert len(list(out.glob(".*.part"))) == 2
    started[1].kill()
    started[1].wait()
    assert run("-i", inputs, "-o", out, "--resume").exit_code == 0
    assert [path.name for path in out.glob(".*.part")] == [".notes.part"]
    assert len(list(out.glob("[0-9].conllu*"))) == 10


def test_outputs_that_would_become_inputs_are_refused(run: Run, inputs: Path) -> None:
    result = run("-i", inputs, "-o", inputs / ".." / inputs.name)
    assert result.exit_code == 2 and "the same folder" in result.stderr
    assert not list(inputs.glob("*.conllu*"))
    for more in ([], ["--resume"]):
        assert run("-i", inputs / "*.txt", "-o", inputs, *more).exit_code == 0

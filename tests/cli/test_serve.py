"""`arceager serve`: it answers this machine, stops by Ctrl+C, and says what is wrong."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.cli.serve import is_loopback

for package in ("starlette", "uvicorn", "python_multipart"):
    pytest.importorskip(package)
pytestmark = pytest.mark.slow


@contextmanager
def served(*options: str) -> Iterator[tuple[str, "subprocess.Popen[str]", str]]:
    """The address of a running server, its process, and what it says at its start."""
    process = subprocess.Popen(
        [sys.executable, "-m", "spacy_arceager", "serve", "--port", "0", *options],
        stderr=subprocess.PIPE, text=True,
    )
    assert process.stderr
    try:
        said = ""
        while "Ctrl+C" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        (address,) = re.findall(r"http://\S+", said)
        yield address, process, said
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_it_answers_until_it_is_stopped() -> None:
    with served() as (address, process, said):
        assert address.startswith("http://127.0.0.1:") and said.startswith("✔ en is served at")
        with urllib.request.urlopen(address + "models") as reply:
            assert json.loads(reply.read())["default_model"] == "en"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr and process.stderr.read() == ""


def test_the_limits_are_those_of_the_options() -> None:
    options = ("--max-words", "7", "--max-kilobytes", "5", "--rate", "9")
    with served(*options) as (address, _, _), urllib.request.urlopen(address + "api/info") as reply:
        assert json.loads(reply.read())["limits"] == {
            "bytes": 5000, "words": 7, "words_of_process": 7, "requests_a_minute": 9
        }


@pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="reads /proc")  # noqa: PTH110
def test_by_default_no_other_machine_can_reach_it() -> None:
    with served() as (address, _, _):
        port = int(address.rstrip("/").rpartition(":")[2])
        tables = [path.read_text().splitlines()[1:] for path in Path("/proc/net").glob("tcp*")]
        sockets = [line.split() for table in tables for line in table]
        at = [place for _, place, _, state, *_ in sockets if state == "0A"]     # it listens
        loopback = int.from_bytes(socket.inet_aton("127.0.0.1"), sys.byteorder)
        expected = f"{loopback:08X}:{port:04X}"
        assert [place for place in at if place.endswith(expected[8:])] == [expected]


@pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="reads /proc")  # noqa: PTH110
def test_an_open_address_comes_with_a_warning() -> None:
    with served("--host", "0.0.0.0") as (_, process, _):
        assert process.stderr and "Other machines can reach" in process.stderr.readline()


def test_what_is_wrong_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(app, ["serve", "--port", port])
    assert result.exit_code == 1 and f"Cannot listen at 127.0.0.1, port {port}" in result.stderr
    result = CliRunner().invoke(app, ["serve", "--host", "no.such.host.invalid", "--port", "0"])
    assert result.exit_code == 1 and "Cannot listen at no.such.host.invalid" in result.stderr
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--model", "enn"])
    assert result.exit_code == 1 and "Do you mean 'en'?" in result.stderr


def test_a_pipeline_without_our_parser_is_refused(tmp_path: object) -> None:
    import spacy

    spacy.blank("xx").to_disk(str(tmp_path))
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--model", str(tmp_path)])
    assert result.exit_code == 1 and "has no arceager_parser" in result.stderr


def test_loopback_addresses() -> None:
    assert is_loopback("127.0.0.1") and is_loopback("::1") and not is_loopback("0.0.0.0")

"""Parsing in several processes: what is written is that of one, whatever happens to them."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any

import pytest

from spacy_arceager.formats.document import Document
from spacy_arceager.formats.registry import TREES
from spacy_arceager.formats.writing import TreeWriting
from spacy_arceager.processes import Parsed, WorkerError, parse
from spacy_arceager.processes.batches import CHARACTERS, cut_into_batches
from spacy_arceager.processes.job import Job
from spacy_arceager.processes.pipeline import Source
from spacy_arceager.processes.workers import BATCHES_AHEAD, Workers, name_of_signal
from tests.conftest import Trained, numbered_texts
from tests.processes.trapped import TRAP, save_trap

pytestmark = pytest.mark.slow

TEXTS = numbered_texts(300)


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_trap(tmp_path_factory.mktemp("trap"))


def run(model: Path, texts: list[str], **settings: Any) -> list[Parsed[str]]:
    settings = {"n_process": 2, "batch_size": 4, "output_format": "json", **settings}
    return list(parse(texts, model, code=[TRAP], **settings))


def texts_of(found: list[Parsed[str]]) -> list[str | None]:
    return [None if p.value is None else json.loads(p.value)["text"] for p in found]


@pytest.mark.filterwarnings("ignore:.*as one sentence")
@pytest.mark.parametrize("n_process", [1, 2])
def test_the_output_is_that_of_one_pipeline_in_order(
    english: Trained, tmp_path: Path, n_process: int
) -> None:
    english.nlp.to_disk(tmp_path)
    expected = [json.dumps({"i": doc.text, **doc.to_json()}) for doc in english.nlp.pipe(TEXTS)]
    given = [(text, {"i": text}) for text in TEXTS]
    found = list(
        parse(given, tmp_path, n_process=n_process, output_format="json", batch_size=7)
    )
    assert [json.loads(p.value or "") for p in found] == [json.loads(line) for line in expected]


REASONS = {
    "KILL": "SIGKILL", "EXIT": "exit code 3", "FAIL": "cannot be parsed", "EAT": "Memory"
}


def test_documents_that_fail_or_kill_are_named_and_lose_nothing_else(
    trap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRAP_LIMIT", "1")
    texts = TEXTS[:40]
    texts[3::10] = [f"{word} it" for word in REASONS]
    found = run(trap, texts, batch_size=8)
    assert texts_of(found) == [None if text.endswith(" it") else text for text in texts]
    failures = [str(p.failure) for p in found if p.failure]
    for failure, (word, reason) in zip(failures, REASONS.items(), strict=True):
        assert f"'{word} it'" in failure and reason in failure


def test_a_worker_that_is_killed_once_costs_no_document(trap: Path, tmp_path: Path) -> None:
    path = tmp_path / "there"
    path.touch()
    texts = [*TEXTS[:20], f"ONCE {path}", *TEXTS[20:30]]
    assert texts_of(run(trap, texts, batch_size=1)) == texts
    assert not path.exists()


def make_workers(trap: Path, n_process: int = 2, batch_size: int = 4) -> Workers:
    job = Job(Source(str(trap), [str(TRAP)]), TreeWriting(TREES["json"]))
    return Workers(job, n_process, batch_size)


def test_workers_killed_from_outside_are_replaced(trap: Path) -> None:
    with make_workers(trap) as workers:
        found = []
        for _, parsed in workers.parse(Document(text, {}) for text in TEXTS):
            if len(found) in (0, 150):
                os.kill(workers.pids[0], signal.SIGKILL)
            found.append(parsed)
        pids = workers.pids
    assert texts_of(found) == TEXTS
    assert not any(is_running(pid) for pid in pids)


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_texts_are_read_a_few_batches_ahead_and_no_more(trap: Path) -> None:
    read: list[int] = []

    def texts() -> Iterator[Document]:
        for i in range(1000):
            read.append(i)
            yield Document(str(i), {})

    ahead = 4 * (BATCHES_AHEAD * 2 + 1) + 1
    with make_workers(trap) as workers:
        for done, _ in enumerate(workers.parse(texts())):
            assert len(read) <= done + ahead
        pids = workers.pids
    assert len(read) == 1000
    assert not any(is_running(pid) for pid in pids)


def test_processes_end_with_the_iterator(trap: Path) -> None:
    found = parse(["PID", "PID"] * 50, trap, n_process=2, batch_size=1, code=[TRAP])
    pids = {int(str(next(found).failure).rpartition(" ")[2]) for _ in range(20)}
    found.close()   # type: ignore[attr-defined]
    assert pids and not any(is_running(pid) for pid in pids)


def test_each_worker_loads_once_and_has_one_thread(trap: Path, tmp_path: Path) -> None:
    texts = [f"MEET {tmp_path}"] * 2 + ["PID", "THREADS"] * 40
    failures = [str(p.failure) for p in run(trap, texts, batch_size=1)][2:]
    workers = {path.name for path in tmp_path.iterdir()}
    assert {failure.rpartition(" ")[2] for failure in failures[::2]} <= workers
    assert all("{1}" in failure for failure in failures[1::2])


def test_a_pipeline_that_cannot_be_loaded_is_an_error(trap: Path, tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="no_such_model"):
        list(parse(["a"], "no_such_model", n_process=2))
    with pytest.raises(WorkerError, match=r"exit code 3 before it had loaded"):
        list(parse(["a"], trap, n_process=2, code=[Path(__file__).with_name("dead.py")]))
    with pytest.raises(WorkerError, match="file of code 'missing.py' does not exist"):
        list(parse(["a"], trap, n_process=2, code=["missing.py"]))


def test_nothing_is_started_for_nothing() -> None:
    assert list(parse([], "no_such_model", n_process=2)) == []


def test_no_more_processes_are_started_than_there_are_batches(trap: Path) -> None:
    with make_workers(trap, 8, batch_size=1) as workers:
        for _ in workers.parse([Document("One", {}), Document("Two", {})]):
            assert len(workers.pids) <= 2


@pytest.mark.parametrize("n_process", [0, -2, 10**8])
def test_wrong_numbers_of_processes_are_refused(n_process: int) -> None:
    with pytest.raises(ValueError, match=f"n_process={n_process}"):
        list(parse(["a"], n_process=n_process))


def test_batches_are_cut_by_documents_and_characters() -> None:
    long = "x" * (CHARACTERS // 2)
    documents = [Document(text, {}) for text in ["a", "b", "c", long, long, long * 9, "d"]]
    sizes = [len(batch) for batch in cut_into_batches(documents, 2)]
    assert sizes == [2, 2, 1, 1, 1]
    assert [d for batch in cut_into_batches(documents, None) for d in batch] == documents


@pytest.mark.filterwarnings("ignore:.*as one sentence")
@pytest.mark.parametrize("n_process", [1, 2])
def test_what_is_no_text_fails_alone_and_in_its_place(saved: str, n_process: int) -> None:
    given: list[Any] = [None, "a b", 5, ("c", {"id": "x"}), ("d",), ("e", {}, 1), b"f", "g", None]
    found = [*parse(given, saved, n_process=n_process, batch_size=2)]
    assert [one.failure is None for one in found] == [i in (1, 3, 7) for i in range(len(given))]
    assert ["\tb\t" in (found[1].value or ""), "\tg\t" in (found[7].value or "")] == [True, True]
    assert found[2].failure == (
        "Cannot use a text.", "5 is neither a string nor a pair of a string and a dict"
    )
    endless = chain(["a"], repeat(None))
    first = [*islice(parse(endless, saved, n_process=n_process, batch_size=2), 3)]
    assert [one.failure is None for one in first] == [True, False, False]
    with pytest.raises(TypeError, match="texts is one string"):
        parse("a b", saved)


def test_a_module_of_the_current_folder_is_not_imported(
    trap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.version_info < (3, 11):
        pytest.skip("Python 3.10 cannot leave the folder out")
    (tmp_path / "random.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    assert texts_of(run(trap, TEXTS[:8])) == TEXTS[:8]


def test_signals_without_a_name_have_their_number() -> None:
    assert name_of_signal(signal.SIGKILL) == "SIGKILL"
    assert name_of_signal(signal.SIGRTMIN + 1) == f"signal {signal.SIGRTMIN + 1}"

"""The setting `threads`, and several Python threads on one pipeline."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from spacy_arceager.search import blocks
from spacy_arceager.search.settings import BeamSettings
from tests.conftest import PARSER, Trained, annotation, get_parser

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 64)
    monkeypatch.setattr(blocks, "MIN_BLOCK", 8)


def docs_of(english: Trained, nlp: Language) -> list[Doc]:
    return [example.predicted for example in english.read(nlp)]


def parses(english: Trained, nlp: Language) -> list:
    return [annotation(doc) for doc in nlp.pipe(docs_of(english, nlp), batch_size=16)]


@pytest.mark.parametrize("beam", [False, True])
def test_threads_can_be_set_at_any_time_and_change_no_parse(
    english: Trained, beam: bool
) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    if beam:
        parser.beam = BeamSettings(4)
    expected = parses(english, nlp)
    for threads in (2, 5, 1):
        parser.threads = threads
        assert parses(english, nlp) == expected


def test_eight_threads_share_a_pipeline_that_has_two(english: Trained) -> None:
    nlp = english.copy()
    expected = parses(english, nlp)
    get_parser(nlp).threads = 2
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: parses(english, nlp), range(24)))
    assert all(each == expected for each in found)


@pytest.mark.slow
def test_workers_of_spacy_parse_with_threads_of_their_own(english: Trained) -> None:
    nlp = english.copy()
    expected = parses(english, nlp)
    get_parser(nlp).threads = 2
    parses(english, nlp)        # a fork after threads were in use
    docs = nlp.pipe(docs_of(english, nlp), batch_size=16, n_process=2)
    assert [annotation(doc) for doc in docs] == expected


def test_threads_belong_to_the_config_and_not_to_the_weights(english: Trained, tmp_path) -> None:
    nlp = english.copy()
    saved = get_parser(nlp).to_bytes()
    get_parser(nlp).threads = 3
    assert get_parser(nlp).to_bytes() == saved
    assert get_parser(pickle.loads(pickle.dumps(nlp))).threads == 3
    nlp.to_disk(tmp_path)
    assert get_parser(spacy.load(tmp_path)).threads == 1
    config = {f"components.{PARSER}.threads": 2}
    assert get_parser(spacy.load(tmp_path, config=config)).threads == 2


@pytest.mark.slow
@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", None, 10**6])
def test_wrong_numbers_of_threads_are_refused(english: Trained, threads: object) -> None:
    parser = get_parser(english.copy())
    with pytest.raises(ValueError, match="whole number from 1"):
        parser.threads = threads
    assert parser.threads == 1

"""A pipeline and a server that the tests share. They are left out without the extra `serve`."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

import spacy_arceager

if TYPE_CHECKING:
    from spacy_arceager.serve import ServedPipeline
    from tests.serve.servers import Server

if not all(map(find_spec, ("starlette", "uvicorn", "python_multipart"))):
    collect_ignore_glob = ["test_*.py"]

MANY = 10**9        # requests a minute, for tests of something else


@pytest.fixture(scope="session")
def nlp() -> Any:
    return spacy_arceager.load("en")


@pytest.fixture(scope="session")
def pipeline(nlp: Any) -> "ServedPipeline":
    from spacy_arceager.serve.limits import Limits
    from spacy_arceager.serve.pipeline import ServedPipeline

    return ServedPipeline(nlp, "en", Limits(rate=MANY))


@pytest.fixture(scope="session")
def server(pipeline: "ServedPipeline") -> "Iterator[Server]":
    from tests.serve.servers import serving

    with serving(pipeline) as running:
        yield running

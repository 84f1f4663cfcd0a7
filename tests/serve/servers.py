"""Servers that answer on a free port of this machine, in a thread."""

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn

from spacy_arceager.serve.app import create_app
from spacy_arceager.serve.pipeline import ServedPipeline
from spacy_arceager.serve.traffic import RateLimit

HOSTILE = "<script>alert(1)</script> & \"quoted\" 'text' </textarea> <img src=x onerror=alert(1)>"


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def message(self) -> str:
        assert self.json["error"]["status"] == self.status
        return self.json["error"]["message"]


@dataclass(frozen=True)
class Server:
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> Reply:
        """Send a request; the names of headers have _ for -."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            reply = connection.getresponse()
            names = {name.lower(): value for name, value in reply.getheaders()}
            return Reply(reply.status, names, reply.read())
        finally:
            connection.close()

    def parse(self, text: str, **settings: Any) -> Reply:
        return self.post_json({"text": text, **settings})

    def post_json(self, value: Any) -> Reply:
        body = json.dumps(value).encode()
        return self.ask("POST", "/api/parse", body, Content_Type="application/json")


@contextmanager
def serving(
    pipeline: ServedPipeline, rate_limit: RateLimit | None = None
) -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        app = create_app(pipeline, rate_limit)
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Server(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()

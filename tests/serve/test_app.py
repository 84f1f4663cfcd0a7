"""The routes over HTTP: what they answer, and that nothing else is served, whatever is sent."""

import asyncio
import json
import socket
import threading
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_arceager.serve.app import HEADERS, create_app
from spacy_arceager.serve.errors import ServeError
from spacy_arceager.serve.limits import Limits
from spacy_arceager.serve.pipeline import ServedPipeline
from spacy_arceager.serve.traffic import RateLimit, Work
from tests.serve.servers import HOSTILE, Server, serving

FORM = "application/x-www-form-urlencoded"
ROUTES = {
    "/", "/page.css", "/page.js", "/api/info", "/api/schema", "/api/parse", "/derivation",
    "/models", "/process",
}


def derive(server: Server, request: Any) -> Any:
    body = urllib.parse.urlencode({"request": json.dumps(request)}).encode()
    return server.ask("POST", "/derivation", body, Content_Type=FORM)


@pytest.mark.parametrize(
    ("path", "kind", "start"),
    [
        ("/", "text/html; charset=utf-8", b"<!doctype html>"),
        ("/page.css", "text/css; charset=utf-8", b":root"),
        ("/page.js", "text/javascript; charset=utf-8", b'"use strict"'),
        ("/api/info", "application/json", b'{"model":"en"'),
        ("/api/schema", "application/json", b'{"$defs"'),
        ("/models", "application/json", b'{"models":{"en":'),
    ],
)
def test_what_is_there(server: Server, path: str, kind: str, start: bytes) -> None:
    reply = server.ask("GET", path)
    assert (reply.status, reply.headers["content-type"]) == (200, kind)
    assert reply.body.startswith(start)
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in reply.headers


def test_the_page_runs_only_what_this_server_gives(server: Server) -> None:
    page = server.ask("GET", "/")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy and "http" not in policy
    assert b"http" not in page.body
    derivation = derive(server, {"text": "She left."})
    assert derivation.headers["content-security-policy"].startswith("sandbox allow-scripts;")
    assert b"default-src 'none'" in derivation.body


def test_a_parse(server: Server) -> None:
    reply = server.parse("She left. He stayed.", k_best=1, draw="down")
    assert reply.status == 200 and reply.headers["cache-control"] == "no-store"
    one, other = reply.json["sentences"]
    assert [word["text"] for word in one["words"]] == ["She", "left", "."]
    assert other["words"][0]["index"] == 3
    assert len(one["trees"]) == 1 and one["drawing"]["arcs"] and one["trees"][0]["drawing"]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 400, "not JSON"),
        (b"{", 400, "not JSON"),
        (b"\xff\xfe", 400, "not JSON"),
        (b"[" * 100_000, 400, "not JSON"),
        (b'{"text":' * 50_000, 400, "not JSON"),
        (b'{"text": "\\ud800"}', 400, "not JSON"),
        (b"NaN", 422, "/api/schema"),
        (b"[]", 422, "/api/schema"),
        (b'{"text": 5}', 422, "text: "),
        (b'{"text": "a", "file": "/etc/passwd"}', 422, "file: "),
        (b'{"text": "a", "fixed": [{"word": 1e999}]}', 422, "fixed.0.word"),
        (b'{"text": "a", "fixed": [{"word": 123456789012345678901234567890}]}', 422, "fixed"),
        (b'{"text": "a", "fixed": [{"word": 0, "head": 5}]}', 422, "tokens from 0 to 0"),
    ],
)
def test_faulty_json_is_answered_with_what_is_wrong(
    server: Server, body: bytes, status: int, message: str
) -> None:
    reply = server.ask("POST", "/api/parse", body, Content_Type="application/json")
    assert reply.status == status and message in reply.message


def test_faulty_forms_are_answered_with_one_full_stop(server: Server) -> None:
    reply = server.ask("POST", "/process", b"x", Content_Type="multipart/form-data")
    assert reply.status == 400 and reply.message.endswith("multipart.")
    reply = server.ask("POST", "/derivation", b"text=She", Content_Type=FORM)
    assert (reply.status, reply.message) == (400, "The form has no field 'request'.")


def test_a_page_of_another_server_cannot_send_json(server: Server) -> None:
    for kind in ("text/plain", FORM, "multipart/form-data"):    # what a form may send
        reply = server.ask("POST", "/api/parse", b'{"text": "a"}', Content_Type=kind)
        assert reply.status == 415 and "application/json" in reply.message


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
        "/page.js/../../app.py", "/templates/page.html", "/app.py", "/page.html", "/.git/config",
        "/page.css%00.html", "/docs", "/openapi.json", "/api", "/api/parse/", "/\\..\\app.py",
        "/favicon.ico", "/process/../api/parse/x",
    ],
)
def test_nothing_else_is_served(server: Server, path: str) -> None:
    reply = server.ask("GET", path)
    assert reply.status == 404
    assert "There is nothing at this address" in reply.message


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(server: Server, method: str) -> None:
    for path in ROUTES:
        reply = server.ask(method, path)
        assert reply.status == 405 and reply.headers["allow"]


def test_what_a_text_holds_is_never_a_part_of_the_page(server: Server) -> None:
    reply = server.parse(HOSTILE, draw="across")
    assert reply.status == 200 and reply.headers["content-type"] == "application/json"
    page = derive(server, {"text": HOSTILE})
    assert page.status == 200
    assert b"<script>alert" not in page.body and b"<img" not in page.body


def test_a_body_that_is_too_long_is_refused_before_it_is_read(pipeline: ServedPipeline) -> None:
    small = ServedPipeline(pipeline.nlp, "en", Limits(bytes=200))
    with serving(small) as server:
        assert server.parse("She left.").status == 200
        reply = server.parse("She left. " * 30)
        assert reply.status == 413 and "at most 200 bytes" in reply.message
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(
                b"POST /api/parse HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n"
                + b"x" * 300
            )       # the rest never comes
            assert b" 413 " in connection.recv(1000)


def test_a_body_that_never_ends_is_given_up(pipeline: ServedPipeline) -> None:
    hurried = ServedPipeline(pipeline.nlp, "en", Limits(seconds=0.2))
    with (
        serving(hurried) as server,
        socket.create_connection(("127.0.0.1", server.port)) as connection,
    ):
        connection.sendall(b"POST /api/parse HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx")
        assert b" 408 " in connection.recv(1000)


def test_a_client_that_asks_too_often_has_to_wait(pipeline: ServedPipeline) -> None:
    now = 0.0
    with serving(pipeline, RateLimit(3, lambda: now)) as server:
        assert server.parse("She left.").status == 200
        assert derive(server, {"text": "She left."}).status == 200
        assert server.ask("GET", "/process?data=a&tokenizer=").status == 200
        for reply in (server.parse("She left."), derive(server, {"text": "She left."}),
                      server.ask("GET", "/process?data=a&tokenizer=")):
            assert reply.status == 429 and reply.headers["retry-after"] == "61"
        assert server.ask("GET", "/").status == 200
        now = 61.0
        assert server.parse("She left.").status == 200


def test_clients_that_ask_at_once_get_each_their_own_answer(server: Server) -> None:
    texts = [f"{name} saw {n} dogs." for n, name in enumerate(["Ann", "Bob", "She", "They"] * 2)]

    def ask(text: str) -> list[str]:
        return [server.parse(text).json["conllu"] for _ in range(5)]

    expected = [[server.parse(text).json["conllu"]] * 5 for text in texts]
    with ThreadPoolExecutor(8) as clients:
        assert list(clients.map(ask, texts)) == expected


def test_clients_that_find_it_busy_are_told_so(
    pipeline: ServedPipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, begun = threading.Event(), threading.Event()
    parse = ServedPipeline.parse

    def wait(self: ServedPipeline, request: Any) -> Any:
        begun.set()
        assert gate.wait(60)
        return parse(self, request)

    monkeypatch.setattr(ServedPipeline, "parse", wait)
    one = ServedPipeline(pipeline.nlp, "en", Limits(waiting=1))
    with serving(one) as server, ThreadPoolExecutor(1) as client:
        first = client.submit(server.parse, "She left.")
        assert begun.wait(60)
        reply = server.parse("He left.")
        assert (reply.status, reply.headers["retry-after"]) == (503, "1")
        assert server.ask("GET", "/api/info").status == 200     # the page is served meanwhile
        gate.set()
        assert first.result().status == 200


def test_a_client_that_goes_away_while_it_waits_is_not_parsed_for(
    pipeline: ServedPipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, begun, waits, gone = (threading.Event() for _ in range(4))
    parse, run = ServedPipeline.parse, Work.run
    texts: list[str] = []

    def wait(self: ServedPipeline, request: Any) -> Any:
        texts.append(request.text)
        begun.set()
        assert gate.wait(60)
        return parse(self, request)

    async def watch(self: Work, client: Any, function: Any, request: Any) -> Any:
        if request.text == "He left.":
            waits.set()
        try:
            return await run(self, client, function, request)
        except ServeError:
            gone.set()
            raise

    monkeypatch.setattr(ServedPipeline, "parse", wait)
    monkeypatch.setattr(Work, "run", watch)
    with serving(pipeline) as server, ThreadPoolExecutor(1) as client:
        first = client.submit(server.parse, "She left.")
        assert begun.wait(60)
        body = b'{"text": "He left."}'
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(
                b"POST /api/parse HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
            )
            assert waits.wait(60)
        assert gone.wait(60)
        gate.set()
        assert first.result().status == 200
        assert server.parse("They left.").status == 200
    assert texts == ["She left.", "They left."]


@pytest.mark.parametrize("path", ["parse", "process"])
def test_a_component_that_fails_is_no_fault_of_the_client(
    pipeline: ServedPipeline, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def crash(*_: Any) -> None:
        raise ValueError("secret")

    for method in ("predict", "pipe"):
        monkeypatch.setattr(pipeline.parser, method, crash)
    with serving(pipeline) as server:
        if path == "parse":
            reply = server.parse("She left.")
            assert "secret" not in reply.message
        else:
            fields = b"data=She+left.&tokenizer=&parser="
            reply = server.ask(
                "POST", "/process", fields, Content_Type="application/x-www-form-urlencoded"
            )
            assert b"secret" not in reply.body
    assert reply.status == 500


def test_an_error_that_nobody_foresaw_says_nothing_of_the_inside(
    pipeline: ServedPipeline, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def crash(*_: Any) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(pipeline, "parse", crash)
    with serving(pipeline) as server:
        reply = server.parse("She left.")
    assert (reply.status, reply.message) == (500, "The server failed. Its log says why.")
    assert HEADERS.items() <= {name.lower(): value for name, value in reply.headers.items()}.items()
    assert "RuntimeError: secret" in capfd.readouterr().err


FUZZ = settings(
    max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner,
                                                                max_size=4),
    max_leaves=12,
)
INDEX = st.integers(-2, 12)
ARC = st.fixed_dictionaries(
    {"word": INDEX},
    optional={
        "head": st.none() | INDEX, "label": st.none() | st.sampled_from(["obj", "root", "x"])
    },
)
NEARLY_RIGHT = st.fixed_dictionaries(
    {"text": st.sampled_from(["She saw him. They left.", "a", "\n", "don't\u2028 you"])
     | st.text(max_size=40)},
    optional={
        "fixed": st.lists(ARC, max_size=4), "forbidden": st.lists(ARC, max_size=4),
        "k_best": st.integers(0, 3), "draw": st.sampled_from(["across", "down", None]),
    },
)


def is_answered(reply: Any) -> None:
    """Answered as documented, whether with a parse or with an error, and never with a crash."""
    assert reply.status in (200, 400, 413, 422), reply.body
    if reply.status == 200:
        for sentence in reply.json["sentences"]:
            own = {word["index"] for word in sentence["words"]}
            assert own and all(word["head"] in own for word in sentence["words"])
    else:
        assert reply.message


@FUZZ
@given(value=ANYTHING | st.dictionaries(st.sampled_from(["text", "fixed", "draw"]), ANYTHING))
def test_any_json_is_answered(server: Server, value: Any) -> None:
    is_answered(server.post_json(value))


@FUZZ
@given(body=st.binary(max_size=80))
def test_any_bytes_are_answered(server: Server, body: bytes) -> None:
    is_answered(server.ask("POST", "/api/parse", body, Content_Type="application/json"))


@FUZZ
@given(request=NEARLY_RIGHT)
def test_any_constraints_of_any_text_are_answered(server: Server, request: Any) -> None:
    reply = server.post_json(request)
    is_answered(reply)
    if reply.status == 200:
        heads = {word["index"]: word["head"]
                 for one in reply.json["sentences"] for word in one["words"]}
        for arc in request.get("fixed", []):
            if arc.get("head") is not None and arc["word"] in heads:
                assert heads[arc["word"]] == arc["head"]
    assert derive(server, request).status in (200, 400, 413, 422)


@FUZZ
@given(parameters=st.dictionaries(
    st.sampled_from(["data", "model", "tokenizer", "input", "tagger", "parser", "output", "x"]),
    st.sampled_from(["", "conllu", "horizontal", "vertical", "presegmented", "ranges", "en"])
    | st.text(max_size=20),
))
def test_any_parameters_of_process_are_answered(
    server: Server, parameters: dict[str, str]
) -> None:
    body = urllib.parse.urlencode(parameters, errors="replace").encode()
    reply = server.ask("POST", "/process", body, Content_Type=FORM)
    assert reply.status in (200, 400, 413, 422), reply.body
    assert reply.json.keys() >= ({"model", "result"} if reply.status == 200 else {"error"})


@FUZZ
@given(body=st.binary(max_size=200), kind=st.sampled_from(
    [FORM, "multipart/form-data", "multipart/form-data; boundary=x", "text/plain", "", "a/b;c"]
))
def test_any_form_is_answered(server: Server, body: bytes, kind: str) -> None:
    if kind.endswith("x"):
        body = b"--x\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\n" + body + b"\r\n--x--"
    for path in ("/process", "/derivation"):
        assert server.ask("POST", path, body, Content_Type=kind).status in (200, 400, 413, 415, 422)


@pytest.mark.parametrize("quoted", [True, False])
def test_a_form_is_read_as_utf8_or_refused(server: Server, quoted: bool) -> None:
    text = urllib.parse.quote("Děti.") if quoted else "Děti."
    body = f"tokenizer=&data={text}&output=horizontal".encode()
    assert server.ask("POST", "/process", body, Content_Type=FORM).json["result"] == "Děti .\n"
    parts = b'--x\r\nContent-Disposition: form-data; name="data"\r\n\r\ncaf\xe9\r\n--x--'
    for other, kind in (
        (b"data=%FF", FORM), (b"data=\xe9", FORM), (parts, "multipart/form-data; boundary=x")
    ):
        reply = server.ask("POST", "/process", other, Content_Type=kind)
        assert reply.status == 400 and "not in UTF-8" in reply.message
    parts = b'--x\r\nContent-Disposition: form-data; name="data"\r\n\r\na\r\n--x--'
    for charset in ("punycode", "idna", '"utf-7"'):
        kind = f"multipart/form-data; Charset={charset}; boundary=x"
        reply = server.ask("POST", "/process", parts, Content_Type=kind)
        assert reply.status == 400 and "not in UTF-8" in reply.message
    kind = "multipart/form-data; charset=UTF-8; boundary=x"
    assert server.ask("POST", "/process?tokenizer=", parts, Content_Type=kind).status == 200
    query = f"/process?tokenizer=&output=horizontal&data={urllib.parse.quote('Děti.')}"
    assert server.ask("GET", query).json["result"] == "Děti .\n"
    reply = server.ask("GET", f"{query}%ff")
    assert reply.status == 400 and "not in UTF-8" in reply.message
    many = "&".join(f"x{i}=" for i in range(30)).encode()
    assert "more than 20 fields" in server.ask("POST", "/process", many, Content_Type=FORM).message
    assert "more than 20 fields" in server.ask("GET", f"/process?{many.decode()}").message


def test_a_request_that_is_cut_short_takes_no_work(pipeline: ServedPipeline) -> None:
    messages = iter([
        {"type": "http.request", "body": b"data=half", "more_body": True},
        {"type": "http.disconnect"},
    ])
    sent: list[Any] = []

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/process", "headers": [], "query_string": b"",
        "client": ("127.0.0.1", 1),
    }
    asyncio.run(create_app(pipeline)(scope, receive, send))
    assert sent == []

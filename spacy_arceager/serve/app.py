"""The routes of the server. Nothing else is served, and no request names a file."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache, partial
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl

from pydantic import ValidationError
from python_multipart.multipart import parse_options_header
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..visual import page as visual_page
from .errors import ServeError, as_sentence
from .limits import Limits
from .pipeline import ServedPipeline
from .schema import ErrorAnswer, Fault, ParseRequest, describe
from .traffic import RateLimit, Work
from .udpipe import service as udpipe

# The page takes style and script from this server only, and talks to no other.
PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# A derivation has its own policy inside. It may stand in a frame of the page.
DERIVATION_POLICY = "sandbox allow-scripts; frame-ancestors 'self'"
HEADERS = {
    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
MOST_FIELDS = 20        # of a form


def create_app(pipeline: ServedPipeline, rate_limit: RateLimit | None = None) -> Starlette:
    """The server as an ASGI application.

    Args:
        rate_limit: counts the requests of each client; by default by the limits of the pipeline.
    """
    answers = Answers(pipeline, rate_limit or RateLimit(pipeline.limits.rate))
    both = ["GET", "POST"]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        answers.work.close()

    app = Starlette(
        routes=[
            Route("/", partial(show, "page.html", "text/html")),
            Route("/page.css", partial(show, "page.css", "text/css")),
            Route("/page.js", partial(show, "page.js", "text/javascript")),
            Route("/api/info", answers.info),
            Route("/api/schema", answers.schema),
            Route("/api/parse", answers.parse, methods=["POST"]),
            Route("/derivation", answers.derive, methods=["POST"]),
            Route("/models", answers.models, methods=both),
            Route("/process", answers.process, methods=both),
        ],
        middleware=[Middleware(Guard, limits=pipeline.limits)],
        exception_handlers={
            ServeError: show_error, HTTPException: show_http_error, Exception: show_crash
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False     # it would send clients to the host that they name
    return app


class Answers:
    """Answers the requests for parses.

    Args:
        rate_limit: counts the requests of each client that take work.
    """

    def __init__(self, pipeline: ServedPipeline, rate_limit: RateLimit) -> None:
        self.pipeline = pipeline
        self.rate_limit = rate_limit
        self.work = Work(pipeline.limits)

    async def info(self, _: Request) -> Response:
        """What a client has to know of the pipeline."""
        return JSONResponse(self.pipeline.describe())

    async def schema(self, _: Request) -> Response:
        """The JSON Schema of requests and answers."""
        return JSONResponse(describe())

    async def parse(self, request: Request) -> Response:
        """A parse as JSON. The pages of other servers cannot send JSON from a browser."""
        self._count(request)
        if kind_of(request) != "application/json":
            raise ServeError(415, "Send JSON, with the header Content-Type: application/json.")
        wanted = read_request(await request.body())
        answer = await self.work.run(request.receive, self.pipeline.parse, wanted)
        return Response(answer.model_dump_json(), media_type="application/json")

    async def derive(self, request: Request) -> Response:
        """The page of a derivation. The field `request` of a form has the request as JSON."""
        self._count(request)
        form = await self._read_form(request)
        if "request" not in form:
            raise ServeError(400, "The form has no field 'request'.")
        wanted = read_request(form["request"].encode())
        page = await self.work.run(request.receive, self.pipeline.derive, wanted)
        headers = {"Content-Security-Policy": DERIVATION_POLICY}
        return Response(page, media_type="text/html", headers=headers)

    async def models(self, _: Request) -> Response:
        """The answer to `models` of UDPipe."""
        return JSONResponse(udpipe.models(self.pipeline))

    async def process(self, request: Request) -> Response:
        """The answer to `process` of UDPipe."""
        self._count(request)
        query = read_fields(request.scope["query_string"], "address")
        parameters = query | await self._read_form(request)
        answer = await self.work.run(request.receive, udpipe.process, self.pipeline, parameters)
        return JSONResponse(answer)

    def _count(self, request: Request) -> None:
        self.rate_limit.check(request.client.host if request.client else "")

    async def _read_form(self, request: Request) -> dict[str, str]:
        """The fields of a form, in a body of either kind. The content of a file is a field, too.

        Raises:
            ServeError: If the body is no form.
        """
        body = await request.body()
        if not body:
            return {}
        kind = kind_of(request)
        if kind not in ("multipart/form-data", "application/x-www-form-urlencoded"):
            raise ServeError(
                415, "Send a form: multipart/form-data, or application/x-www-form-urlencoded."
            )
        if kind == "application/x-www-form-urlencoded":
            return read_fields(body, "form")
        try:
            body.decode("utf8")     # starlette would take other bytes for Latin-1
        except UnicodeDecodeError:
            raise not_utf8("form") from None
        # With another one, starlette would decode by it, which may take very long.
        if charset_of(request) not in ("utf-8", "utf8"):
            raise not_utf8("form")
        async with request.form(
            max_files=MOST_FIELDS, max_fields=MOST_FIELDS,
            max_part_size=self.pipeline.limits.bytes,
        ) as form:
            return {
                name: value if isinstance(value, str) else (await value.read()).decode("utf8")
                for name, value in form.multi_items()
            }


def read_fields(data: bytes, what: str) -> dict[str, str]:
    """The fields of an urlencoded form or address. Raises ServeError if they cannot be read."""
    try:
        return dict(parse_qsl(
            data.decode("utf8"), keep_blank_values=True, errors="strict",
            max_num_fields=MOST_FIELDS,
        ))
    except UnicodeDecodeError:
        raise not_utf8(what) from None
    except ValueError:
        raise ServeError(400, f"The {what} has more than {MOST_FIELDS} fields.") from None


def not_utf8(what: str) -> ServeError:
    """The error of a form or an address with other bytes than UTF-8."""
    return ServeError(400, f"The {what} is not in UTF-8.")


def kind_of(request: Request) -> str:
    """The kind of a body, such as "application/json"."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def charset_of(request: Request) -> str:
    """The charset that the header of a form names, as starlette reads it."""
    _, options = parse_options_header(request.headers.get("content-type"))
    return options.get(b"charset", b"utf-8").decode("latin-1").lower()


async def show(name: str, media_type: str, _: Request) -> Response:
    """A file of the page."""
    return Response(
        read(name), media_type=media_type, headers={"Content-Security-Policy": PAGE_POLICY}
    )


@cache
def read(name: str) -> str:
    """A file of the page. Its style begins with that of derivations."""
    text = (files("spacy_arceager.serve") / "templates" / name).read_text(encoding="utf8")
    if name == "page.css":
        return visual_page.read("page.css") + visual_page.read("figure.css") + text
    return text


def read_request(body: bytes) -> ParseRequest:
    """The request in a body of JSON. Raises ServeError for a body that is none."""
    try:
        return ParseRequest.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            reason = as_sentence(first["msg"].removeprefix("Invalid JSON: "))
            raise ServeError(400, f"This is not JSON: {reason}") from None
        place = ".".join(map(str, first["loc"])) or "the request"
        raise ServeError(422, f"{place}: {first['msg']}. See /api/schema.") from None


def fault(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """An error as JSON."""
    answer = ErrorAnswer(error=Fault(status=status, message=message))
    return Response(answer.model_dump_json(), status, headers, "application/json")


async def show_error(_: Request, error: Exception) -> Response:
    """An error of this server."""
    assert isinstance(error, ServeError)
    after = error.retry_after
    return fault(
        error.status, error.message, None if after is None else {"Retry-After": str(after)}
    )


async def show_http_error(request: Request, error: Exception) -> Response:
    """An error of the framework, such as a path that is not there."""
    assert isinstance(error, HTTPException)
    message = as_sentence(error.detail)
    if error.status_code == 404:
        paths = [route.path for route in request.app.routes]
        message = f"There is nothing at this address; there are {', '.join(paths)}."
    return fault(error.status_code, message, error.headers)


async def show_crash(*_: Any) -> Response:
    """An error that nobody foresaw. Uvicorn logs it; the client is told no more than that."""
    return fault(500, "The server failed. Its log says why.", HEADERS)   # Guard does not see it


class Guard:
    """Reads the body of a request whole, if it is not too long, and adds headers to the answer."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        try:
            body = await asyncio.wait_for(self._read(receive), self.limits.seconds)
        except asyncio.TimeoutError:
            answer = fault(408, "The request took too long to arrive.")
            await answer(scope, receive, send_with_headers)
            return
        except ClientDisconnect:
            return
        if body is None:
            answer = fault(413, f"Send at most {self.limits.bytes:,} bytes at a time.")
            await answer(scope, receive, send_with_headers)
            return
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive_again() -> Message:
            return next(messages, None) or await receive()

        await self.app(scope, receive_again, send_with_headers)

    async def _read(self, receive: Receive) -> bytes | None:
        """The body of a request; None if it is too long. Raises ClientDisconnect if it is cut."""
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            part = message.get("body", b"")
            size += len(part)
            if size > self.limits.bytes:
                return None
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)

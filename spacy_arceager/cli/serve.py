"""The command `serve`: a page and a JSON API that parse."""

import socket
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..processes.pipeline import Source
from ..serve.limits import Limits
from .messages import fail, need_package, report, warn
from .pipeline import CodeOption, ModelOption, load_pipeline

if TYPE_CHECKING:
    from ..serve.pipeline import ServedPipeline

DEFAULTS = Limits()
MOST_CONNECTIONS = 100      # each may hold a request of the largest size
PACKAGES = ("starlette", "uvicorn", "python_multipart")


def serve(
    model: ModelOption = "en",
    host: Annotated[
        str, typer.Option(help="Address to listen at. By default this machine alone is answered.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen at; 0 takes any that is free.")
    ] = 8000,
    max_words: Annotated[
        int, typer.Option(min=1, help="How many words a request may have.")
    ] = DEFAULTS.words,
    max_kilobytes: Annotated[
        int, typer.Option(min=1, help="How many kilobytes a request may have.")
    ] = DEFAULTS.bytes // 1000,
    rate: Annotated[
        int, typer.Option(min=1, help="How many requests a client may send in a minute.")
    ] = DEFAULTS.rate,
    waiting: Annotated[
        int, typer.Option(min=1, help="How many requests may wait to be parsed, one by one.")
    ] = DEFAULTS.waiting,
    timeout: Annotated[
        int, typer.Option(min=1, help="How many seconds a request may take.")
    ] = int(DEFAULTS.seconds),
    code: CodeOption = [],
) -> None:
    """Serve a page on which one can try a pipeline, and a JSON API for programs.

    The page shows trees, the best ones, confidences and derivations, and parses again with arcs
    that are dragged or forbidden. Clients of UDPipe's REST service work with this server, too.

    Exit codes: 0 stopped by Ctrl+C, 1 the pipeline cannot be loaded or the port is taken, 2 wrong
    usage.

    Example: arceager serve --port 8080
    """
    for package in PACKAGES:
        need_package(package, "serve", "`arceager serve`")
    from ..serve.pipeline import ServedPipeline

    limits = Limits(1000 * max_kilobytes, max_words, rate, waiting, timeout)
    with listen(host, port) as listener:
        nlp = load_pipeline(Source(model, tuple(map(str, code))))
        try:
            # Clients need not know in which folder the pipeline is.
            pipeline = ServedPipeline(nlp, Path(model).name or Path(model).resolve().name, limits)
        except ValueError as error:
            fail("This pipeline cannot be served.", str(error))
        port = listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        report(f"{pipeline.name} is served at http://{shown}:{port}/", "Stop it with Ctrl+C.")
        if not is_loopback(listener.getsockname()[0]):
            warn("Other machines can reach this address. There is no password and no encryption.")
        run(pipeline, listener)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at an address. If that fails, the command ends."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        fail(
            f"Cannot listen at {host}, port {port}.",
            f"{error}\nGive another --port, or --host 127.0.0.1 for this machine alone.",
        )


def is_loopback(address: str) -> bool:
    """Whether an address is that of this machine, which no other machine can reach."""
    return ip_address(address.partition("%")[0]).is_loopback


def run(pipeline: "ServedPipeline", listener: socket.socket) -> None:
    """Answer requests until the process is told to stop."""
    import uvicorn

    from ..serve.app import create_app

    config = uvicorn.Config(
        create_app(pipeline), log_level="warning", server_header=False, ws="none",
        # The address of a client is that of its connection, which it cannot make up.
        proxy_headers=False, timeout_graceful_shutdown=1, limit_concurrency=MOST_CONNECTIONS,
    )
    with suppress(KeyboardInterrupt):   # uvicorn closes all connections, and passes it on
        uvicorn.Server(config).run(sockets=[listener])

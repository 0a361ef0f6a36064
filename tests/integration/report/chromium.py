"""Drives a headless Chromium through its DevTools protocol over two pipes: no package is needed for that."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.commands import SECONDS
from tests.wanted import wanted

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    # Nothing of its own on the network, which may not be there.
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"),
    # A container may have little of /dev/shm.
    *("--disable-dev-shm-usage", "--remote-debugging-pipe"),
)
# A child gets its files under the numbers they have here; this gives them the numbers that Chromium expects.
_PIPES = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
os.dup2(pipes[0], 3)
os.dup2(pipes[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_chromium() -> str:
    return os.environ.get("CHROMIUM") or wanted(*NAMES)


class Chromium:
    """One browser with one page at a time: requests go to its file 3, answers come from its file 4."""

    def __init__(self, program: str, profile: Path) -> None:
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        options = (*OPTIONS, f"--user-data-dir={profile}", "about:blank")
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PIPES, *map(str, (to_browser, from_browser)), program, *options],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._rest, self._number, self._session = b"", 0, ""
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError, RuntimeError):
            self._session = ""
            self._call("Browser.close")
        self._process.terminate()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def open(self, address: str, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Loads a page in a new tab; ``problems`` tells afterwards what it had to say."""
        self._session = ""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.events.clear()
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        self._call("Page.navigate", url=address)
        self._wait_for("Page.loadEventFired")

    def problems(self) -> list[str]:
        """Errors and warnings of the console, exceptions, and whatever was asked of the network."""
        self.run("0")  # so that what was sent before has arrived
        return [text for event in self.events for text in _problem(event)]

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"])[:2000])
        return found["result"].get("value")

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseMoved", to_x, to_y, button="left")
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)

    def key(self, key: str) -> None:
        self._call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "")
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def middle(self, selector: str) -> tuple[float, float]:
        """Where an element is, after scrolling to it."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); "
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        return x, y

    def screenshot(self, file: Path, *, whole: bool = True, clip: dict[str, float] | None = None) -> None:
        """A picture of the page, or of a part of it: ``clip`` has x, y, width and height."""
        part = {"clip": clip | {"scale": 1}} if clip else {}
        shot = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **part)
        file.write_bytes(base64.b64decode(shot["data"]))

    # ---- the protocol: messages of JSON, each ended by a zero byte -----------------------------------------

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        for answer in self._messages():
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])
            self.events.append(answer)
        raise AssertionError

    def _wait_for(self, event: str) -> None:
        if any(one.get("method") == event for one in self.events):
            return
        for message in self._messages():
            self.events.append(message)
            if message.get("method") == event:
                return

    def _messages(self) -> Iterator[dict[str, Any]]:
        until = time.monotonic() + SECONDS
        while True:
            while b"\0" not in self._rest:
                ready, _, _ = select.select([self._in], [], [], max(0.0, until - time.monotonic()))
                part = os.read(self._in, 1 << 20) if ready else b""
                if not part:
                    raise RuntimeError("Chromium does not answer")
                self._rest += part
            text, _, self._rest = self._rest.partition(b"\0")
            yield json.loads(text)


def _problem(event: dict[str, Any]) -> Iterator[str]:
    method, told = event.get("method"), event.get("params", {})
    if method == "Runtime.exceptionThrown":
        yield json.dumps(told["exceptionDetails"])[:1000]
    elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
        yield json.dumps(told["args"])[:1000]
    elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
        yield f"{told['entry']['text']} {told['entry'].get('url', '')}"
    elif method == "Network.requestWillBeSent" and not told["request"]["url"].startswith(("file:", "about:")):
        yield f"request of {told['request']['url'][:200]}"

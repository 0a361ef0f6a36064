"""An endpoint that speaks OpenAI's protocol: where it is, with which key, and what may go wrong.

The key comes from the environment or a file. It is in no message, no error and no journal: what a server
sends back is searched for it before anybody sees it.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rocm_perf_lab.contracts.changes.proposal_prompt import PromptMessage
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem
from rocm_perf_lab.optimizing.refused import Refused

KEY_VARIABLES = ("ROCM_PERF_LLM_KEY", "OPENAI_API_KEY")
BASE_URL_VARIABLES = ("ROCM_PERF_LLM_BASE_URL", "OPENAI_BASE_URL")
MODEL_VARIABLE = "ROCM_PERF_LLM_MODEL"
MOST_BYTES = 2 << 20  # of an answer; a kernel's body has some kilobytes
MOST_RETRIES = 2
_HIDDEN = "***"


class Key:
    """A secret that does not print."""

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def hide_in(self, text: str) -> str:
        return text.replace(self._value, _HIDDEN) if self._value else text

    def __repr__(self) -> str:
        return f"Key({_HIDDEN})"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a key is not written anywhere")


@dataclass(frozen=True)
class Endpoint:
    base_url: str
    model: str
    key: Key
    seconds: float = 120.0
    """For an answer, retries included."""
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)


def find_endpoint(
    base_url: str | None,
    model: str | None,
    key_file: Path | None,
    environment: Mapping[str, str] = os.environ,
    seconds: float = 120.0,
) -> Endpoint:
    """From options, then from the environment."""
    address = base_url or _first(environment, BASE_URL_VARIABLES)
    name = model or environment.get(MODEL_VARIABLE)
    if not address:
        raise UsageProblem("no endpoint is named", f"--base-url, or {' or '.join(BASE_URL_VARIABLES)}")
    if not address.startswith(("http://", "https://")):
        raise UsageProblem(f"{address} is no address of an endpoint", "http://… or https://…")
    if not name:
        raise UsageProblem("no model is named", f"--model, or {MODEL_VARIABLE}")
    return Endpoint(address, name, _key(key_file, environment), seconds)


def _key(file: Path | None, environment: Mapping[str, str]) -> Key:
    if file is not None:
        try:
            value = file.read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"the key in {file} cannot be read: {type(error).__name__}") from None
        if not value or any(character.isspace() for character in value):
            raise BadInput(f"{file} has no key: one word is expected")
        return Key(value)
    return Key(_first(environment, KEY_VARIABLES) or "")


def _first(environment: Mapping[str, str], names: Sequence[str]) -> str | None:
    return next((environment[name] for name in names if environment.get(name)), None)


def ask(endpoint: Endpoint, messages: Sequence[PromptMessage]) -> str:
    """One answer. Raises Refused with what went wrong; never with the key."""
    try:
        import openai
    except ModuleNotFoundError:
        raise EnvironmentProblem(
            "the client for language models is not installed", "pip install 'rocm-perf-lab[llm]'"
        ) from None
    deadline = time.monotonic() + endpoint.seconds
    for attempt in range(MOST_RETRIES):
        try:
            return _once(endpoint, messages, deadline)
        except openai.RateLimitError as error:  # noqa: PERF203
            pause = _retry_after(error, attempt)
            if time.monotonic() + pause > deadline:
                raise _refused(endpoint, "endpoint-rate-limited", error) from None
            endpoint.sleep(pause)
    try:
        return _once(endpoint, messages, deadline)
    except openai.RateLimitError as error:
        raise _refused(endpoint, "endpoint-rate-limited", error) from None


def _once(endpoint: Endpoint, messages: Sequence[PromptMessage], deadline: float) -> str:
    """One request. Raises Refused, or the client's RateLimitError."""
    import openai

    try:
        return _reply(_request(endpoint, messages, deadline), endpoint.key)
    except (Refused, openai.RateLimitError):
        raise
    except openai.APITimeoutError as error:
        raise _refused(endpoint, "endpoint-timed-out", error) from None
    except Exception as error:  # the client's own, and what a broken server makes it do
        if time.monotonic() >= deadline:
            raise _refused(endpoint, "endpoint-timed-out", error) from None
        server = isinstance(error, openai.InternalServerError) or not isinstance(error, openai.APIStatusError)
        raise _refused(endpoint, "endpoint-failed" if server else "endpoint-refused", error) from None


def _request(endpoint: Endpoint, messages: Sequence[PromptMessage], deadline: float) -> bytes:
    """The body of the answer, read piece by piece: an endless or dripping one is cut off."""
    import openai

    left = max(0.1, deadline - time.monotonic())
    client = openai.OpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.key.reveal() or "none",  # local servers want none, the client wants some
        timeout=left,
        max_retries=0,
    )
    # The client's time-out is for each read; a server that sends a byte now and then would never meet it.
    watch = threading.Timer(left, client.close)
    watch.daemon = True
    watch.start()
    content = b""
    try:
        with client.chat.completions.with_streaming_response.create(
            model=endpoint.model,
            messages=[{"role": each.role, "content": each.content} for each in messages],  # type: ignore[misc]
            temperature=0,
        ) as response:
            for piece in response.iter_bytes():
                content += piece
                if len(content) > MOST_BYTES:
                    raise Refused("reply-too-large", f"more than {MOST_BYTES} bytes")
                if time.monotonic() > deadline:
                    raise Refused("endpoint-timed-out", f"no whole answer in {endpoint.seconds:g} s")
    finally:
        watch.cancel()
        client.close()
    return content


def _reply(content: bytes, key: Key) -> str:
    """A server that knows the key could put it into its answer, and so into the source and the journal."""
    try:
        choice = json.loads(content)["choices"][0]
        text = choice["message"]["content"]
        reason = choice.get("finish_reason")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise Refused("endpoint-failed", "what it sends is no chat completion") from None
    if text is None or (isinstance(text, str) and not text.strip()):
        raise Refused("reply-empty", key.hide_in(f"finish reason {reason!r}")[:80])
    if not isinstance(text, str):
        raise Refused("endpoint-failed", "its message is no text")
    if reason == "length":
        raise Refused("reply-truncated", "the endpoint's limit of tokens was reached")
    return key.hide_in(text)


def _retry_after(error: Any, attempt: int) -> float:
    """Seconds that the server asks for, or some that double."""
    try:
        asked = float(error.response.headers.get("retry-after", ""))
    except (ValueError, AttributeError):
        asked = float("nan")
    return asked if 0 <= asked < float("inf") else float(2**attempt)


def _refused(endpoint: Endpoint, code: Any, error: Exception) -> Refused:
    message = endpoint.key.hide_in(" ".join(str(error).split()))
    return Refused(code, f"{type(error).__name__}: {message}"[:300])

"""Options that say where tasks run: here, on the GPUs of this machine, on a Dask cluster."""

from __future__ import annotations

from typing import Protocol

from rocm_perf_lab.requests.option import count, positive, text

EXECUTORS = ("inline", "local", "dask")


class ExecutorRequest(Protocol):
    """A request that has these options among others."""

    @property
    def executor(self) -> str: ...
    @property
    def workers(self) -> int | None: ...
    @property
    def scheduler(self) -> str | None: ...
    @property
    def deadline(self) -> float | None: ...


def workers_option() -> int | None:
    none: int | None = None
    return count(none, "Of --executor local [default: one for each GPU].", least=1)


def scheduler_option() -> str | None:
    none: str | None = None
    return text(none, "Of --executor dask: tcp://host:8786.", metavar="ADDRESS")


def deadline_option() -> float | None:
    none: float | None = None
    return positive(none, "Seconds after which dask tries elsewhere.")

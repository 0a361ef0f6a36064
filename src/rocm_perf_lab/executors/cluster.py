"""Tasks on a Dask cluster: workers may come, go, die, hang and answer late.

Each worker runs one task at a time. Before a machine gets tasks it runs the control, where there is one:
machines on which that takes another time are not mixed with the others. A task whose worker was lost, or that
does not come back within its deadline, is run once more elsewhere and in a folder of its own, since the first
attempt may still be writing; then it is given up. An answer that comes after that is not waited for.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic

from rocm_perf_lab.contracts.machine import Machine
from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.executors.children import end_work_for, working_for
from rocm_perf_lab.executors.task import AnyResult, AnyTask, GiveUp, Loss, Run
from rocm_perf_lab.profiling.folder.setting import STEERING
from vrocm.isolated import keep_places_of_modules

# A machine whose control takes so much more or less than that of the others is not used.
TOLERANCE = 0.05
ATTEMPTS = 2
POLL_SECONDS = 0.05
WORKER_SECONDS = 60.0
MACHINE = "ROCM_PERF_MACHINE"  # names a machine where host names do not tell machines apart


@dataclass
class _UnderWay(Generic[AnyTask]):
    task: AnyTask
    future: Any
    deadline: float | None
    attempt: int
    avoided: frozenset[str]
    same_place: bool


def run_there(
    run: Run[AnyTask, AnyResult], task: AnyTask, folder: str, variables: Mapping[str, str], owner: str
) -> AnyResult:
    """Runs on a worker: in the folder and with the variables of the one who asked."""
    keep_places_of_modules()
    os.chdir(folder)
    os.environ.update(variables)
    with working_for(owner):
        return replace(run(task), host=machine_name())


def attempt_folder(folder: Path, attempt: int) -> Path:
    return folder.with_name(f"{folder.name}-attempt-{attempt}")


def machine_name() -> str:
    return os.environ.get(MACHINE) or os.uname().nodename


class ClusterExecutor(Generic[AnyTask, AnyResult]):
    def __init__(
        self,
        run: Run[AnyTask, AnyResult],
        give_up: GiveUp[AnyTask, AnyResult],
        scheduler: str,
        *,
        deadline_s: float | None = None,
        tolerance: float = TOLERANCE,
        synchronous_slots: int | None = None,
    ) -> None:
        try:
            import distributed
        except ImportError:
            raise EnvironmentProblem(
                "dask.distributed is not installed", "pip install 'rocm-perf-lab[dask]'"
            ) from None
        try:
            # How long it is asked is a setting of Dask, distributed.comm.timeouts.connect: 30 s by default.
            self._client: Any = distributed.Client(  # type: ignore[no-untyped-call]
                scheduler, set_as_default=False
            )
        except (OSError, TimeoutError, ValueError) as problem:
            raise UsageProblem(
                f"no Dask scheduler answers at {scheduler}: {problem}", "start one: dask scheduler"
            ) from None
        self._run, self._give_up = run, give_up
        self._deadline_s, self._tolerance = deadline_s, tolerance
        self._under_way: dict[int, _UnderWay[AnyTask]] = {}
        self._machine_of: dict[str, str] = {}
        self._controls: dict[str, AnyResult | str] = {}  # or why there is none
        self._asked: dict[str, tuple[Any, float]] = {}
        self._control: AnyTask | None = None
        self._fixed = synchronous_slots
        self._home: str | None = None
        self._hung: set[str] = set()
        self._here: set[str] = set()
        variables = {name: value for name, value in os.environ.items() if name.startswith(STEERING)}
        variables.pop(MACHINE, None)
        self._owner = uuid.uuid4().hex
        self._there = (str(Path.cwd()), variables, self._owner)

    @property
    def slots(self) -> int:
        return self._fixed or len(self._usable())

    def prepare(self, control: AnyTask) -> None:
        """Waits for the first machine; later ones are looked at as they come."""
        self._control = control
        until = time.monotonic() + max(WORKER_SECONDS, self._deadline_s or 0)
        while not self._usable():
            self._look_for_workers()
            if not self._addresses() and time.monotonic() > until:
                raise EnvironmentProblem("the Dask cluster has no workers", "start some: dask worker ADDRESS")
            if self._asked or self._addresses():
                time.sleep(POLL_SECONDS)
            if self._machine_of and not self._asked and not self._usable():
                raise EnvironmentProblem(
                    "the control fails on all machines: "
                    + "; ".join(machine.reason for machine in self.machines())
                )
        while self._asked:  # those that are there from the beginning are compared with each other
            self._look_for_workers()
            time.sleep(POLL_SECONDS)

    def submit(self, task: AnyTask, *, same_place: bool = False) -> None:
        self._send(task, 1, frozenset(), same_place)

    def next(self, timeout_s: float | None) -> AnyResult | None:
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            self._look_for_workers()
            for number, one in sorted(self._under_way.items()):
                ended = self._ended(number, one)
                if ended is not None:
                    return ended
            if until is not None and time.monotonic() >= until:
                return None
            time.sleep(POLL_SECONDS)

    def machines(self) -> tuple[Machine, ...]:
        reference = self._reference()
        found = []
        for name, result in sorted(self._controls.items()):
            value = None if isinstance(result, str) else result.control_figure
            if value is None or reference is None:
                reason = result if isinstance(result, str) else result.problem
            elif self._agrees(value, reference):
                reason = "its control agrees"
            else:
                reason = f"its control differs: {value / reference:.3f} of that of the others"
            used = value is not None and reference is not None and self._agrees(value, reference)
            found.append(Machine(name=name, control=value, used=used, reason=reason))
        return tuple(found)

    def close(self) -> None:
        futures = [one.future for one in self._under_way.values()]
        futures += [future for future, _ in self._asked.values()]
        self._under_way.clear()
        self._asked.clear()
        if any(not future.done() for future in futures):
            for future in futures:
                future.cancel()
            with contextlib.suppress(Exception):  # of a cluster that is gone, too
                self._client.run(end_work_for, self._owner, on_error="ignore")
        self._client.close(timeout=10)

    def _addresses(self) -> set[str]:
        # Not scheduler_info: the client's own heartbeat may put one without workers in its place.
        with contextlib.suppress(OSError):
            self._here = set(self._client.nthreads())
        return self._here

    def _usable(self) -> list[str]:
        """Workers on machines whose control agrees, and that do not hang."""
        here = self._addresses()
        here = here - self._hung or here
        if self._control is None:
            return sorted(here)
        used = {machine.name for machine in self.machines() if machine.used}
        return sorted(address for address in here if self._machine_of.get(address) in used)

    def _reference(self) -> float | None:
        """The control of most machines: their median, so that one that differs does not move it."""
        results = (result for result in self._controls.values() if not isinstance(result, str))
        found = (result.control_figure for result in results)
        values = [figure for figure in found if figure is not None]
        return statistics.median_low(values) if values else None

    def _agrees(self, value: float, reference: float) -> bool:
        return abs(value / reference - 1.0) <= self._tolerance

    def _look_for_workers(self) -> None:
        """Asks new workers for their machine's control, and hears the answers."""
        if self._control is None:
            return
        for address in self._addresses() - set(self._machine_of) - set(self._asked):
            # Workers may share the file system: each writes in a folder of its own.
            own = self._control.folder / address.rpartition("/")[2].replace(":", "-")
            control = replace(self._control, folder=own)
            future = self._client.submit(
                run_there, self._run, control, *self._there, workers=[address], pure=False, retries=0
            )
            self._asked[address] = (future, time.monotonic())
        for address, (future, since) in list(self._asked.items()):
            late = self._deadline_s is not None and time.monotonic() - since > self._deadline_s
            if not future.done() and address in self._addresses() and not late:
                continue
            del self._asked[address]
            if future.status == "finished":
                result = future.result()
                self._machine_of[address] = result.host
                self._controls.setdefault(result.host, result)
                continue
            if address in self._addresses():  # it hangs, or cannot run a task: it is asked nothing more
                self._machine_of[address] = address
                self._controls[address] = self._why_none(future)
            future.cancel()

    @staticmethod
    def _why_none(future: Any) -> str:
        if future.status != "error":
            return "its control did not come back"
        problem = future.exception()
        return f"its control cannot run: {type(problem).__name__}: {problem}"

    def _send(self, task: AnyTask, attempt: int, avoided: frozenset[str], same_place: bool) -> None:
        places = [address for address in self._usable() if address not in avoided] or self._usable()
        if same_place:
            self._home = self._home if self._home in places else next(iter(places), None)
            places = [self._home] if self._home else []
        sent = task if attempt == 1 else replace(task, folder=attempt_folder(task.folder, attempt))
        future = self._client.submit(
            run_there, self._run, sent, *self._there, workers=places or None, pure=False, retries=0
        )
        deadline = None if self._deadline_s is None else time.monotonic() + self._deadline_s
        self._under_way[task.number] = _UnderWay(task, future, deadline, attempt, avoided, same_place)

    def _ended(self, number: int, one: _UnderWay[AnyTask]) -> AnyResult | None:
        """The result, if there is nothing more to wait for."""
        if one.future.done():
            if one.future.status == "finished":
                del self._under_way[number]
                result: AnyResult = one.future.result()
                return result
            problem = one.future.exception() if one.future.status == "error" else "its worker was lost"
            return self._again(number, one, "worker", f"{type(problem).__name__}: {problem}")
        if one.deadline is not None and time.monotonic() > one.deadline:
            return self._again(number, one, "timeout", f"no answer within {self._deadline_s:g} s")
        return None

    def _again(self, number: int, one: _UnderWay[AnyTask], loss: Loss, message: str) -> AnyResult | None:
        """Runs it once more elsewhere, or gives it up."""
        where = set(self._client.who_has([one.future]).get(one.future.key, ())) | self._runs_on(
            one.future.key
        )
        if loss == "timeout":
            self._hung |= where
        one.future.cancel(force=True)
        del self._under_way[number]
        if one.attempt < ATTEMPTS:
            self._send(one.task, one.attempt + 1, one.avoided | where, one.same_place)
            return None
        return self._give_up(one.task, loss, f"{message}, {one.attempt} times")

    def _runs_on(self, key: str) -> set[str]:
        running = self._client.processing()
        return {address for address, keys in running.items() if key in keys}

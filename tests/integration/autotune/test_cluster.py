"""Tuning on a Dask cluster of processes: equal to one in process, survives workers that die or hang."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.commands import SECONDS
from tests.dask_cluster import Cluster
from tests.integration.autotune.conftest import METRIC, Autotune

from rocm_perf_lab.autotuning.trial import TrialTask, TuningTrial, given_up
from rocm_perf_lab.errors import EnvironmentProblem

# Seconds, of which a trial of workers that know their modules takes a twentieth; two tests wait for it.
DEADLINE = 6


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.close()


def on(cluster: Cluster) -> tuple[str, ...]:
    return ("--executor", "dask", "--scheduler", cluster.address)


def wait_for_lines(journal: Path, count: int) -> None:
    until = time.monotonic() + SECONDS
    while not journal.exists() or len(journal.read_text().splitlines()) < count:
        assert time.monotonic() < until
        time.sleep(0.05)


def results(document: dict[str, Any]) -> list[Any]:
    return [(trial["configuration"], trial["value"], trial["failure"]) for trial in document["trials"]]


def test_equals_a_tuning_in_process(autotune: Autotune, cluster: Cluster) -> None:
    cluster.worker()
    cluster.worker()
    cluster.wait_for(2)
    here = autotune.document("--evals", 14, "--batch", 2)
    there = autotune.document("--evals", 14, "--batch", 2, *on(cluster))
    assert results(here) == results(there)
    assert here["best"]["configuration"] == there["best"]["configuration"]
    assert [machine["used"] for machine in there["machines"]] == [True]


def test_a_killed_worker_loses_nothing(autotune: Autotune, cluster: Cluster) -> None:
    first = cluster.worker()
    cluster.worker()
    cluster.wait_for(2)
    process = autotune.start(*METRIC, "--json", "--evals", 14, "--out", "t", *on(cluster), PAUSE="0.4")
    wait_for_lines(autotune.folder / "t/trials.jsonl", 4)
    first.send_signal(signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, stderr
    document = json.loads(stdout)
    assert (document["evaluated"], document["stopped"]) == (14, "evals"), stderr
    assert "worker" not in document["failed"]
    tried = [json.dumps(trial["configuration"]) for trial in document["trials"] if trial["phase"] != "final"]
    assert len(tried) == len(set(tried)) == 14


def test_interrupted_here_nothing_goes_on_there(autotune: Autotune, cluster: Cluster) -> None:
    cluster.worker()
    cluster.wait_for(1)
    process = autotune.start(*METRIC, "--json", "--out", "t", *on(cluster), PAUSE="600")

    def running() -> list[str]:
        """Programs of this tuning."""
        return [
            place.name
            for place in Path("/proc").glob("[0-9]*")
            if _words(place)[1:2] == ["program.py"] and _folder(place) == autotune.folder
        ]

    until = time.monotonic() + SECONDS
    while not running():
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, stderr
    assert json.loads(stdout)["error"]["kind"] == "interrupted"
    assert running() == []


def _words(process: Path) -> list[str]:
    try:
        return (process / "cmdline").read_bytes().decode().split("\0")
    except OSError:  # it has ended
        return []


def _folder(process: Path) -> Path | None:
    try:
        return (process / "cwd").readlink()
    except OSError:
        return None


def test_a_hanging_worker_is_given_up(autotune: Autotune, cluster: Cluster) -> None:
    """One run hangs; what it should have told is found out elsewhere."""
    program = autotune.folder / "program.py"
    hang = "import os, time\nif os.path.exists('hang'):\n    os.rename('hang', 'hung')\n    time.sleep(300)\n"
    program.write_text(hang + program.read_text())
    cluster.worker()
    cluster.worker()
    cluster.wait_for(2)
    cluster.warm_up()
    options = ("--evals", 8, "--deadline", DEADLINE, "--out", "t", *on(cluster))
    process = autotune.start(*METRIC, "--json", *options, PAUSE="0.3")
    wait_for_lines(autotune.folder / "t/trials.jsonl", 3)
    (autotune.folder / "hang").touch()
    stdout, stderr = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, stderr
    document = json.loads(stdout)
    assert (autotune.folder / "hung").exists()
    assert document["evaluated"] == 8
    assert set(document["failed"]) <= {"runtime"}
    # The first attempt may still write: the second has a folder of its own.
    again = [path.name for path in (autotune.folder / "t/trials").glob("*-attempt-2")]
    assert len(again) >= 1


@pytest.mark.survey
def test_machines_that_differ_are_not_mixed(autotune: Autotune, cluster: Cluster) -> None:
    for name, speed in (("one", "1"), ("two", "1.01"), ("slow", "1.5")):
        cluster.worker(ROCM_PERF_MACHINE=name, SPEED=speed)
    cluster.wait_for(3)
    document = autotune.document("--evals", 10, *on(cluster))
    machines = {machine["name"]: machine for machine in document["machines"]}
    assert {name: machine["used"] for name, machine in machines.items()} == {
        "one": True,
        "two": True,
        "slow": False,
    }
    assert "differs" in machines["slow"]["reason"]
    assert {trial["host"] for trial in document["trials"]} <= {"one", "two"}
    finals = {trial["host"] for trial in document["trials"] if trial["phase"] == "final"}
    assert len(finals) == 1


def _task(number: int) -> TrialTask:
    return TrialTask(
        number=number, phase="seed", configuration={"n": number}, command=("true",), folder=Path()
    )


def _in_pairs(folder: Path) -> Callable[[TrialTask], TuningTrial]:
    """1 ends when 2 has begun, and so on: one after the other they would not end."""

    def run(task: TrialTask) -> TuningTrial:
        (folder / str(task.number)).touch()
        until = time.monotonic() + SECONDS
        while task.number and not (folder / str((task.number - 1 ^ 1) + 1)).exists():
            assert time.monotonic() < until
            time.sleep(0.02)
        return TuningTrial(
            number=task.number, phase=task.phase, configuration=task.configuration, samples=(1.0,)
        )

    return run


def test_workers_are_used_at_the_same_time(cluster: Cluster, tmp_path: Path) -> None:
    from rocm_perf_lab.executors.cluster import ClusterExecutor

    count = 6
    cluster.worker()
    cluster.worker()
    cluster.wait_for(2)
    executor = ClusterExecutor(_in_pairs(tmp_path), given_up, cluster.address)
    executor.prepare(_task(0))
    assert executor.slots == 2
    for number in (1, 2):
        executor.submit(_task(number))
    ended: set[int] = set()
    while len(ended) < count:
        trial = executor.next(SECONDS)
        assert trial is not None
        assert trial.failure is None, trial.message
        ended.add(trial.number)
        if len(ended) + 2 <= count:
            executor.submit(_task(len(ended) + 2))
    executor.close()


def _needs(variable: str) -> Callable[[TrialTask], TuningTrial]:
    def run(task: TrialTask) -> TuningTrial:
        if variable not in os.environ:
            raise FileNotFoundError("the shared folder")
        return TuningTrial(
            number=task.number, phase=task.phase, configuration=task.configuration, samples=(1.0,)
        )

    return run


@pytest.mark.survey
def test_a_worker_that_cannot_run_tasks_is_not_used(cluster: Cluster) -> None:
    from rocm_perf_lab.executors.cluster import ClusterExecutor

    cluster.worker()
    cluster.wait_for(1)
    alone = ClusterExecutor(_needs("SHARED"), given_up, cluster.address)
    with pytest.raises(EnvironmentProblem, match="cannot run: FileNotFoundError: the shared folder"):
        alone.prepare(_task(0))
    alone.close()
    cluster.worker(SHARED="1", ROCM_PERF_MACHINE="good")
    cluster.wait_for(2)
    executor = ClusterExecutor(_needs("SHARED"), given_up, cluster.address)
    executor.prepare(_task(0))
    assert executor.slots == 1
    assert {machine.name for machine in executor.machines() if machine.used} == {"good"}
    assert [machine.reason for machine in executor.machines() if not machine.used] == [
        "its control cannot run: FileNotFoundError: the shared folder"
    ]
    executor.close()


def test_no_scheduler(autotune: Autotune) -> None:
    """It is asked for as long as Dask's own setting says."""
    asked = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"}
    done = autotune("--json", "--executor", "dask", "--scheduler", "tcp://127.0.0.1:9", **asked)
    assert done.returncode == 2
    assert "no Dask scheduler" in json.loads(done.stdout)["error"]["cause"]


@pytest.mark.survey
def test_a_machine_whose_control_hangs_is_not_used(autotune: Autotune, cluster: Cluster) -> None:
    program = autotune.folder / "program.py"
    hang = "import os, time\nif os.environ.get('HANGS'):\n    time.sleep(300)\n"
    program.write_text(hang + program.read_text())
    cluster.worker(ROCM_PERF_MACHINE="good")
    cluster.worker(ROCM_PERF_MACHINE="bad", HANGS="1")
    cluster.wait_for(2)
    cluster.warm_up()
    document = autotune.document("--evals", 5, "--deadline", DEADLINE, *on(cluster))
    assert document["evaluated"] == 5
    assert {trial["host"] for trial in document["trials"]} == {"good"}
    assert sum(not machine["used"] for machine in document["machines"]) == 1

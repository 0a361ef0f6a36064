"""Queues, threads and copies: memory is read at rest, and everybody goes on as if nothing had happened."""

from __future__ import annotations

from pathlib import Path

import pytest
from capture_runs import Build, Run
from captured import ints


@pytest.fixture
def packets(build: Build) -> Path:
    return build("packets.cpp")


# With virtual time queues are served in the order of submission, without it at the same time.
@pytest.mark.parametrize("timing", ["sampled", "off"])
def test_two_threads_launch_all_the_time(build: Build, same_output: Run, timing: str) -> None:
    program = build("busy_threads.hip")
    capture = same_output(program, kernel=r"^target\(", VROCM_TIMING=timing).capture
    # Both arrays of the other thread's kernel are equal before and after: it was not running meanwhile.
    size = 4 << 16
    pairs = [r for r in capture.regions("device") if r["size"] == size]
    assert len(pairs) == 4
    a, b = (capture.before(r) for r in pairs[:2])
    assert a == b
    assert len(set(ints(a, 1 << 16))) == 1  # every thread of it has ended
    assert pairs[0]["after"] is None
    assert pairs[1]["after"] is None
    process = capture.dispatch["process"]
    assert process["queue_count"] == process["drained_queues"] + process["held_queues"]
    assert process["queue_count"] >= 2


@pytest.mark.parametrize("index", range(5))
def test_several_packets_with_one_doorbell(
    packets: Path, kernels: Path, same_output: Run, index: int
) -> None:
    done = same_output(packets, kernels, "batch", kernel="add_one", index=index)
    assert done.output == "5 5\n"
    before, after = done.capture.buffer(0)
    assert ints(before, 64) == [index] * 64
    assert ints(after, 64) == [index + 1] * 64


def test_a_queue_with_a_single_producer(packets: Path, kernels: Path, same_output: Run) -> None:
    capture = same_output(packets, kernels, "single", kernel="set_word").capture
    counted = next(r for r in capture.regions("device") if r["size"] == 256)
    assert ints(capture.before(counted), 64) == [8] * 64  # all of the other queue's kernels have ended
    assert capture.dispatch["process"]["drained_queues"] == 2


@pytest.mark.parametrize("index", [0, 3, 7])
def test_a_dispatch_on_a_queue_with_a_single_producer(
    packets: Path, kernels: Path, same_output: Run, index: int
) -> None:
    capture = same_output(packets, kernels, "single", kernel="add_one", index=index).capture
    before, after = capture.buffer(0)
    assert (ints(before, 64), ints(after, 64)) == ([index] * 64, [index + 1] * 64)


def test_a_queue_that_waits_for_the_host_is_at_rest(packets: Path, kernels: Path, same_output: Run) -> None:
    done = same_output(packets, kernels, "held", kernel="set_word")
    assert done.output == "1 43 1\n"
    capture = done.capture
    assert capture.dispatch["process"]["held_queues"] == 1
    assert [(i["name"], i["outcome"]) for i in capture.verdict("queue")] == [
        ("completion signal", "rebound"),
        ("queue 1", "left out"),
    ]
    assert [i["name"] for i in capture.verdict("copy")] == ["1 asynchronous copies"]
    before, after = capture.buffer(0)
    assert (ints(before, 1), ints(after, 1)) == ([0], [42])


def test_a_dispatch_that_waits_for_its_own_thread(packets: Path, kernels: Path, same_output: Run) -> None:
    done = same_output(packets, kernels, "behind", kernel="add_one")
    assert done.output == "1\n"
    before, after = done.capture.buffer(0)
    assert (ints(before, 64), ints(after, 64)) == ([0] * 64, [1] * 64)


def test_no_rest_is_said_and_the_program_runs_on(packets: Path, kernels: Path, run: Run) -> None:
    done = run(packets, kernels, "restless", kernel="add_one", ISOLATE_TIMEOUT="8")
    assert (done.code, done.output) == (0, "1 1\n")
    assert done.report is not None
    assert done.report["state"] == "failed"
    assert "queue 1 did not come to rest in time" in done.report["reason"]
    assert f"rocm-perf capture: {done.report['reason']}\n" in done.errors
    assert not done.folder.exists()


@pytest.mark.parametrize("index", range(3))
def test_one_signal_for_everything(packets: Path, kernels: Path, same_output: Run, index: int) -> None:
    done = same_output(packets, kernels, "one_signal", kernel="add_one", index=index)
    assert done.output == "3 ordered\n"
    before, after = done.capture.buffer(0)
    assert (ints(before, 64), ints(after, 64)) == ([index] * 64, [index + 1] * 64)


def test_a_child_process_does_not_capture(packets: Path, kernels: Path, same_output: Run) -> None:
    done = same_output(packets, kernels, "forked", kernel="add_one")
    assert done.capture.dispatch["process"]["pid"] > 0


@pytest.mark.parametrize(("what", "added"), [("plain", 1), ("host_function", 1), ("event", 11), ("value", 1)])
def test_what_a_stream_waits_for_has_happened(build: Build, same_output: Run, what: str, added: int) -> None:
    done = same_output(build("dependencies.hip"), what, kernel="times")
    assert done.output == f"{3 * added} {3 * (63 + added)} timed\n"
    before, after = done.capture.buffer(0)
    assert ints(before, 64) == [i + added for i in range(64)]
    assert ints(after, 64) == [3 * (i + added) for i in range(64)]
    if what == "host_function":
        pinned = next(r for r in done.capture.regions("host") if r["size"] == 256)
        assert ints(done.capture.before(pinned), 2) == [100, 1]


def test_a_host_that_writes_all_the_time_is_mentioned(build: Build, same_output: Run) -> None:
    capture = same_output(build("host_writer.hip"), kernel="add").capture
    (item,) = capture.verdict("host memory")
    assert item["outcome"] == "captured"
    assert "the application wrote to 1 chunks" in item["reason"]
    written = capture.region_at(int(item["address"], 16))
    assert written["size"] == 8192
    assert capture.dispatch["verdict"]["complete"] is True


def test_arguments_in_memory_of_the_gpu_are_known_by_packets_and_watched(
    build: Build, kernels: Path, same_output: Run
) -> None:
    """Those of other threads' launches would count as what this kernel wrote, and nobody would say so."""
    done = same_output(build("device_arguments.cpp"), kernels, kernel="add_one", index=1)
    assert done.output == "2\n"
    (item,) = done.capture.verdict("host memory")
    assert "the application wrote to 1 chunks" in item["reason"]
    written = done.capture.region_at(int(item["address"], 16))
    assert (written["kind"], written["size"]) == ("device", 8192)
    assert done.capture.dispatch["verdict"]["complete"] is True


@pytest.mark.parametrize(
    ("what", "indices"),
    [
        ("tiny", (0, 3, 5)),
        ("no_signal", (0, 1, 2)),
        ("counted", (0,)),
        ("reloaded", (0, 2)),
        ("counted_copies", (0, 1)),
    ],
)
def test_queues_and_code_of_other_kinds(
    packets: Path, kernels: Path, same_output: Run, what: str, indices: tuple[int, ...]
) -> None:
    for index in indices:
        capture = same_output(packets, kernels, what, kernel="add_one", index=index).capture
        before, after = capture.buffer(0)
        assert (ints(before, 64), ints(after, 64)) == ([index] * 64, [index + 1] * 64)
        assert capture.code == kernels.read_bytes()


def test_packets_pass_without_allocating(build: Build, kernels: Path, run: Run) -> None:
    """The program counts what its own thread allocates while it submits, in the runtime too."""
    program = build("allocations.cpp", "-fno-builtin-malloc")
    plain = run(program, kernels, tool=False, VROCM_TIMING="off")
    watched = run(program, kernels, kernel="no_such_kernel", VROCM_TIMING="off")
    assert plain.output.startswith("100 ")
    assert watched.output == plain.output
    # The counter counts: with the runtime's bookkeeping of virtual time there are some.
    timed = run(program, kernels, tool=False)
    assert int(timed.output.split()[1]) > 0

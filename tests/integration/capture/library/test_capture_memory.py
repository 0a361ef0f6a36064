"""Address space: mappings, ranges of the process itself, other GPUs, memory that cannot be captured."""

from __future__ import annotations

from pathlib import Path

import pytest
from capture_runs import Build, Run
from captured import Capture, floats

MEGA = 1 << 20


@pytest.fixture
def mappings(build: Build) -> Path:
    return build("mappings.cpp")


def test_mappings_with_holes_offsets_and_one_handle_twice(
    mappings: Path, kernels: Path, same_output: Run
) -> None:
    capture = same_output(mappings, kernels, "mappings", kernel="scale").capture
    reservations = [(int(r["base"], 16), r["size"]) for r in capture.memory["reservations"]]
    assert sorted(size for _, size in reservations) == [2 * MEGA, 16 * MEGA]
    base = next(base for base, size in reservations if size == 16 * MEGA)
    found = {int(r["base"], 16) - base: r for r in capture.regions("vmem")}
    assert sorted(found) == [0, 4 * MEGA, 10 * MEGA, 12 * MEGA]
    assert {offset: r["size"] for offset, r in found.items()} == dict.fromkeys(found, 2 * MEGA)
    assert [found[o]["handle_offset"] for o in sorted(found)] == [0, MEGA, 0, 0]
    assert [found[o]["access"] for o in sorted(found)] == ["rw", "rw", "rw", "ro"]
    # A is mapped at 0 and 10: stored once.
    assert found[0]["handle"] == found[10 * MEGA]["handle"]
    assert found[0]["file"] is not None
    assert found[10 * MEGA]["file"] is None
    assert len({r["handle"] for r in found.values()}) == 3
    handles = {h["id"]: h for h in capture.memory["handles"]}
    assert set(handles) == {r["handle"] for r in found.values()}
    assert handles[found[4 * MEGA]["handle"]]["size"] == 3 * MEGA
    assert all(h["agent"] == 0 and h["pool"] == "coarse" and h["pinned"] is False for h in handles.values())
    assert floats(capture.before(found[0]), 64) == [float(i) for i in range(64)]
    assert floats(capture.before(found[4 * MEGA]), 64) == [-1.0] * 64
    assert floats(capture.after(found[4 * MEGA]), 64) == [3.0 * i for i in range(64)]
    assert found[0]["after"] is None


def test_a_change_through_the_second_mapping_is_seen(mappings: Path, kernels: Path, same_output: Run) -> None:
    capture = same_output(mappings, kernels, "mappings", kernel="scale", index=1).capture
    first = capture.regions("vmem")[0]
    assert floats(capture.after(first), 64) == [2.0 * i for i in range(64)]
    read_only = next(r for r in capture.regions("vmem") if r["access"] == "ro")
    assert floats(capture.before(read_only), 64) == [2.0 * i for i in range(64)]


def test_ranges_of_the_process_itself(mappings: Path, kernels: Path, same_output: Run) -> None:
    capture = same_output(mappings, kernels, "host_ranges", kernel="scale").capture
    managed = capture.regions("managed")
    # Two of eight pages were taken back; of four others those in the middle are unmapped.
    assert sorted(r["size"] for r in managed) == [4096, 4096, 6 * 4096]
    locked = capture.regions("locked")
    # [100, 10100) and [8192, 16384) of eight pages: each byte once.
    begin = int(locked[0]["base"], 16)
    assert sum(r["size"] for r in locked) == 16384 - 100
    assert int(locked[-1]["base"], 16) + locked[-1]["size"] == begin + 16384 - 100
    source, target = capture.region_at(capture.argument(1)), capture.region_at(capture.argument(0))
    assert (source["kind"], target["kind"]) == ("managed", "locked")
    assert floats(capture.buffer(0)[1], 64) == [5.0 * i for i in range(64)]
    gone = [item for item in capture.verdict("host memory") if item["outcome"] == "left out"]
    assert [item["bytes"] for item in gone] == [2 * 4096]
    assert "given it back" in gone[0]["reason"]
    assert capture.dispatch["verdict"]["complete"] is True


def peer(capture: Capture) -> dict[str, str]:
    items = [i for i in capture.verdict("peer memory") if i["bytes"] == 4096]
    assert len(items) == 1
    return items[0]


def test_the_gpu_of_the_queue_is_the_one(build: Build, same_output: Run) -> None:
    capture = same_output(build("two_gpus.hip"), kernel="follow", VROCM_DEVICES="2").capture
    assert capture.dispatch["agent"]["index"] == 1
    assert all(r["agent"] in (1, None) for r in capture.regions())
    assert peer(capture)["outcome"] == "left out"
    assert capture.dispatch["verdict"]["complete"] is True


def test_a_pointer_into_another_gpu_is_refused(build: Build, same_output: Run) -> None:
    """Found by looking through the captured memory: the argument is a list of pointers."""
    capture = same_output(build("two_gpus.hip"), "reach", kernel="follow", VROCM_DEVICES="2").capture
    assert peer(capture)["outcome"] == "refused"
    assert "has a pointer into it" in peer(capture)["reason"]
    assert capture.dispatch["verdict"]["complete"] is False


def test_work_on_the_first_gpu(build: Build, same_output: Run) -> None:
    capture = same_output(build("two_gpus.hip"), kernel="add", VROCM_DEVICES="2").capture
    assert capture.dispatch["agent"]["index"] == 0


@pytest.mark.parametrize(("what", "outcome"), [("imported", "refused"), ("imported_unused", "left out")])
def test_memory_of_another_process(
    build: Build, kernels: Path, same_output: Run, what: str, outcome: str
) -> None:
    capture = same_output(build("packets.cpp"), kernels, what, kernel="add_one").capture
    (item,) = capture.verdict("ipc memory")
    assert (item["outcome"], item["bytes"]) == (outcome, 2 * MEGA)
    assert capture.dispatch["verdict"]["complete"] is (outcome == "left out")


def test_hidden_arguments_are_judged_by_kind(build: Build, same_output: Run) -> None:
    program = build("prints.hip")
    capture = same_output(program, kernel="says").capture
    (item,) = [i for i in capture.verdict("hidden argument") if i["name"] == "hidden_printf_buffer"]
    assert item["outcome"] == "captured"
    assert "not shown" in item["reason"]


def test_the_device_heap(build: Build, same_output: Run) -> None:
    capture = same_output(build("prints.hip"), kernel="allocates").capture
    (item,) = [i for i in capture.verdict("hidden argument") if i["name"] == "hidden_heap_v1"]
    assert item["outcome"] == "captured"
    assert "needs the host" in item["reason"]


def test_any_number_of_regions(build: Build, same_output: Run) -> None:
    count = 1500
    done = same_output(build("many.hip"), str(count), kernel="walk")
    assert done.output == f"{sum(range(count))}\n"
    capture = done.capture
    # Follow the list through the captured memory, as a kernel would.
    regions = {int(r["base"], 16): r for r in capture.regions("device")}
    address, values = capture.argument(0), []
    while address:
        region = regions[address]
        node = capture.before(region)
        assert int.from_bytes(capture.after(region)[8:12], "little") == len(regions) - len(values) - 1
        address = int.from_bytes(node[:8], "little")
        values.append(int.from_bytes(node[8:12], "little"))
    assert values == list(range(count - 1, -1, -1))

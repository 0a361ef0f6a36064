"""``replay minimise`` and ``replay profile`` from outside."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.commands import RocmPerf

from rocm_perf_lab.contracts.captures.replay_profile import ReplayProfileDocument
from rocm_perf_lab.contracts.captures.validation import MinimisationDocument
from rocm_perf_lab.contracts.documents import from_json

from .conftest import Captures

COUNT = 10_000
WAVES = -(-COUNT // 256) * 4  # of 64 work-items, in whole groups of 256


def test_only_what_the_kernel_touches_is_kept(
    captured: Captures, rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    folder = tmp_path / "small"
    done = rocm_perf("replay", "minimise", captured("scale"), "--out", folder, "--runs", 2, "--json")
    assert done.code == 0, done.stderr
    found = from_json(MinimisationDocument, done.stdout, "minimisation")
    assert found.validation.verdict == "passed"
    assert found.written_bytes == 4 * COUNT
    assert found.read_bytes >= 4 * COUNT
    assert found.after.bytes_on_disk < found.before.bytes_on_disk
    assert found.after.regions < found.before.regions
    # 10 pages each of x, before and after of out; arguments, constants.
    assert found.after.pages < 50 < found.before.pages
    again = rocm_perf("replay", "full-vm", folder, "--iterations", 3, "--json").document
    assert [one["differing_bytes"] for one in again["agreement"]] == [0, 0, 0]
    inspected = rocm_perf("replay", "inspect", folder)
    assert inspected.code == 0
    assert "does not touch" in " ".join(inspected.stdout.split())
    assert [path.name for path in tmp_path.iterdir()] == ["small"]
    assert rocm_perf("replay", "minimise", captured("scale"), "--out", folder).code == 2


def test_hardware_needs_the_virtual_one(
    captured: Captures, rocm_perf: RocmPerf, taken_for_real: Path, tmp_path: Path
) -> None:
    words = ("replay", "minimise", captured("scale"), "--out", tmp_path / "small", "--json")
    done = rocm_perf(*words, ROCM_PERF_PREFIX=str(taken_for_real))
    assert done.code == 3
    assert "ROCM_PERF_PREFIX=virtual" in done.document["error"]["remedy"]
    assert not list(tmp_path.iterdir())


def test_a_minimised_capture_is_minimal(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    first, second = tmp_path / "isolate_capture", tmp_path / "isolate_capture_minimised"
    shutil.copytree(captured("add_up"), first)
    assert rocm_perf("replay", "minimise", "--runs", 2, cwd=tmp_path).code == 0
    done = rocm_perf("replay", "minimise", second, "--out", tmp_path / "again", "--runs", 2, "--json")
    found = from_json(MinimisationDocument, done.stdout, "minimisation")
    assert found.before.pages == found.after.pages
    assert found.before.regions == found.after.regions


def test_counters_of_one_dispatch(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    done = rocm_perf(
        "replay",
        "profile",
        "--pmc",
        *("SQ_WAVES", "SQ_INSTS_VALU", "SQ_INSTS_VMEM_WR", "SQ_INSTS_VMEM_RD", "TCC_HIT_sum", "NO_SUCH"),
        captured("scale"),
        "--json",
    )
    assert done.code == 0, done.stderr
    found = from_json(ReplayProfileDocument, done.stdout, "replay_profile")
    values = {one.name: one.value for one in found.counters}
    assert values["SQ_WAVES"] == WAVES
    assert values["SQ_INSTS_VMEM_WR"] == values["SQ_INSTS_VMEM_RD"]
    assert set(found.dropped) == {"NO_SUCH"}
    assert all(one.same_state and one.exact_addresses for one in found.passes)
    assert len(found.passes) >= 2
    # What the program's own profile counts for that kernel is the same.
    assert found.folder is None


def test_the_thread_trace(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    done = rocm_perf("replay", "profile", captured("scale"), "--att", "--out", kept, "--json")
    assert done.code == 0, done.stderr
    found = from_json(ReplayProfileDocument, done.stdout, "replay_profile")
    assert found.att is not None
    (dispatch,) = found.att.dispatches
    assert dispatch.kernel is not None
    assert "scale" in dispatch.kernel
    assert dispatch.waves > 0
    assert (kept / "att").is_dir()
    assert rocm_perf("replay", "profile", captured("scale"), "--att", "--out", kept).code == 2
    assert rocm_perf("replay", "profile", captured("scale")).code == 2

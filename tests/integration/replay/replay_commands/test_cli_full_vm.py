"""``replay full-vm`` and ``replay reserve-check`` from outside: documents, figures, exit codes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.commands import RocmPerf

from rocm_perf_lab.contracts.captures.replay import ReplayDocument, ReserveCheckDocument
from rocm_perf_lab.contracts.documents import from_json

from .conftest import Captures


def test_the_binding_keys(captured: Captures, rocm_perf: RocmPerf) -> None:
    done = rocm_perf("replay", "full-vm", "--capture-dir", captured("scale"), "--iterations", 3, "--json")
    assert done.code == 0, done.stderr
    found = done.document
    assert found["kernel"]["name"] == "_Z5scalePKfPfi"
    assert Path(found["kernel"]["hsaco_path"]).name == "kernel.hsaco"
    assert found["execution"]["iterations"] == 3
    assert found["execution"]["mode"] == "stateless"
    timing = found["timing"]
    assert timing["unit"] == "microseconds"
    assert 0 < timing["min"] <= timing["median"] <= timing["max"]
    assert timing["min"] <= timing["average"] <= timing["max"]
    assert timing["values"] is None
    assert set(found["environment"]) >= {"gpu_agent", "rocm_version", "pid"}
    assert from_json(ReplayDocument, done.stdout, "replay").origin == "simulated"


def test_every_iteration_starts_from_the_captured_state(captured: Captures, rocm_perf: RocmPerf) -> None:
    words = ("replay", "full-vm", captured("update"), "--iterations", 4, "--raw", "--json")
    stateless = rocm_perf(*words).document
    assert [one["differing_bytes"] for one in stateless["agreement"]] == [0] * 4
    assert len(stateless["timing"]["values"]) == 4
    assert stateless["addresses"]["regions"] == stateless["addresses"]["exact"] > 0
    assert stateless["addresses"]["kernarg_exact"]
    stateful = rocm_perf(*words, "--no-recopy").document
    assert (stateful["execution"]["mode"], stateful["fidelity"]) == ("stateful", None)
    # Only the first iteration starts from the captured state, and can be compared with the program.
    assert [one["iteration"] for one in stateful["agreement"]] == [0]
    assert stateful["restore"]["iteration_seconds"] is None


def test_cold_iterations_do_not_find_what_the_one_before_left(
    captured: Captures, rocm_perf: RocmPerf
) -> None:
    words = ("replay", "full-vm", captured("scale"), "--iterations", 3, "--raw", "--json")
    warm = rocm_perf(*words).document["timing"]["values"]
    cold = rocm_perf(*words, "--cold").document["timing"]["values"]
    assert max(warm[1:]) < min(cold[1:])


def test_the_first_execution_takes_as_long_as_in_the_program(captured: Captures, rocm_perf: RocmPerf) -> None:
    found = rocm_perf("replay", "full-vm", captured("scale"), "--json").document["fidelity"]
    assert found["condition"] == "first execution"
    assert found["gap"] == found["replay_median_us"] / found["in_app_us"] - 1
    assert found["faithful"] == (abs(found["gap"]) <= 0.05)


def test_the_screen(captured: Captures, rocm_perf: RocmPerf) -> None:
    done = rocm_perf("replay", "full-vm", captured("scale"), "--iterations", 2)
    assert done.code == 0
    assert "SIMULATED" in done.stdout
    assert "byte for byte" in done.stdout
    lines = done.stdout.splitlines()
    assert len(lines) < 24
    assert all(len(line) <= 100 for line in lines if not line.startswith("capture"))


def test_reservations(captured: Captures, rocm_perf: RocmPerf) -> None:
    done = rocm_perf("replay", "reserve-check", captured("scale"), "--json")
    assert done.code == 0
    found = from_json(ReserveCheckDocument, done.stdout, "reserve-check")
    assert found.outcome == "exact"
    assert all(one.got == one.base for one in found.ranges)
    elsewhere = rocm_perf("replay", "reserve-check", captured("scale"), VROCM_DEVICE="MI250X")
    assert elsewhere.code == 1
    assert "gfx90a" in elsewhere.stdout


def test_another_isa(captured: Captures, rocm_perf: RocmPerf) -> None:
    done = rocm_perf("replay", "full-vm", captured("scale"), "--json", VROCM_DEVICE="MI250X")
    assert done.code == 9
    error = done.document["error"]
    assert error["kind"] == "not-replayable"
    assert "gfx942" in error["cause"]
    assert "gfx90a" in error["cause"]


def test_the_variant_may_be_in_a_program(captured: Captures, rocm_perf: RocmPerf, program: Path) -> None:
    for file in (program, captured("scale") / "kernel.hsaco"):
        done = rocm_perf("replay", "full-vm", captured("scale"), "--hsaco", file, "--json")
        assert done.code == 0, done.stderr
        found = done.document
        assert (found["kernel"]["variant"], found["kernel"]["hsaco_path"]) == (True, str(file))
        assert [one["differing_bytes"] for one in found["agreement"]] == [0]
    for file, code in ((Path(__file__), 6), (program.with_name("nothing"), 2)):
        assert rocm_perf("replay", "full-vm", captured("scale"), "--hsaco", file).code == code


@pytest.mark.parametrize("damage", ["truncated", "tampered", "interrupted", "none"])
def test_captures_that_are_not_whole(
    damage: str, captured: Captures, rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    folder = tmp_path / "isolate_capture"
    shutil.copytree(captured("scale"), folder)
    if damage == "truncated":
        file = max((folder / "memory").iterdir(), key=lambda path: path.stat().st_size)
        file.write_bytes(file.read_bytes()[:-1])
    elif damage == "tampered":
        text = (folder / "dispatch.json").read_text()
        (folder / "dispatch.json").write_text(text.replace("256", "128", 1))
    elif damage == "interrupted":
        folder = folder.rename(tmp_path / "isolate_capture.partial")
    else:
        folder = tmp_path / "nothing"
    for word in ("full-vm", "validate", "reserve-check"):
        done = rocm_perf("replay", word, folder, "--json")
        assert done.code == 6, done.stdout
        assert done.document["error"]["kind"] == "bad-input"
        assert folder.name in done.document["error"]["cause"]
        assert done.document["error"]["remedy"]


def test_which_capture_is_meant(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    assert rocm_perf("replay", "reserve-check", cwd=tmp_path).code == 2
    shutil.copytree(captured("scale"), tmp_path / "isolate_capture_7")
    (tmp_path / "isolate_capture_8.partial").mkdir()
    assert rocm_perf("replay", "reserve-check", cwd=tmp_path).code == 0
    shutil.copytree(captured("scale"), tmp_path / "isolate_capture_9")
    several = rocm_perf("replay", "full-vm", cwd=tmp_path)
    assert several.code == 2
    assert "isolate_capture_7, isolate_capture_9" in several.stderr
    shutil.copytree(captured("scale"), tmp_path / "isolate_capture")
    assert rocm_perf("replay", "reserve-check", cwd=tmp_path).code == 0


def test_start_up_imports_nothing_heavy() -> None:
    modules = ["cli.replay", "cli.replay.full_vm", "replaying.full_vm", "replaying.native_tool.tool"]
    modules += ["replaying.variants.file_option", "reporting.terminal.replay"]
    statements = "; ".join(f"import rocm_perf_lab.{one}" for one in modules)
    code = f"import sys; before = set(sys.modules); {statements}; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = {name.split(".")[0] for name in done.stdout.split()}
    assert not imported & {"numpy", "pydantic", "rich", "jinja2", "elftools", "msgpack", "lz4", "sqlite3"}


def test_a_small_capture_is_replayed_quickly(captured: Captures, rocm_perf: RocmPerf) -> None:
    """Within a second where nothing else runs; ten of them on whatever runs tests."""
    took = []
    for _ in range(3):
        began = time.monotonic()
        assert rocm_perf("replay", "full-vm", captured("update")).code == 0
        took.append(time.monotonic() - began)
    assert min(took) < 10

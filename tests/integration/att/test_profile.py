"""rocm-perf profile --deep-analysis: thread traces of the kernel that matters, in the run folder."""

from __future__ import annotations

import json
from pathlib import Path

from tests.commands import EXAMPLES, Done, rocm_perf_in

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.att import AttDocument

from .conftest import Att, Build
from .test_deep_analysis import KERNEL, SHAPES


def profiled(environment: dict[str, str], place: Path, *arguments: object) -> Done:
    return rocm_perf_in(environment)("profile", "--runs", "1", *arguments, cwd=place)


def test_both(environment: dict[str, str], build: Build, att: Att, tmp_path: Path) -> None:
    """With the critical path: its kernel is the one that is traced; time stays that of the timing pass."""
    program = build(SHAPES)
    plain = profiled(environment, tmp_path, "--out", "plain", "--json", program)
    run = profiled(
        environment, tmp_path, "--out", "run", "--json", "--focus-critical", "--deep-analysis", program
    )
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert document["runtime_ms"] == json.loads(plain.stdout)["runtime_ms"]
    assert document["warnings"] == []
    found = from_json(AttDocument, (tmp_path / "run" / "att.json").read_bytes(), "att.json")
    dag = json.loads((tmp_path / "run" / "dag.json").read_text())
    assert {one.kernel for one in found.dispatches} == {dag["kernels"][0]["name"]} == {KERNEL}
    assert len(found.dispatches) == 3
    assert all(one.waves for one in found.dispatches)
    shown = att(tmp_path / "run")
    assert shown.code == 0
    assert "scale" in shown.stdout


def test_a_chosen_kernel(environment: dict[str, str], build: Build, tmp_path: Path) -> None:
    run = profiled(
        environment, tmp_path, "--out", "run", "--deep-analysis", "--kernel", "scale_more", build(SHAPES)
    )
    assert run.returncode == 0, run.stderr
    found = from_json(AttDocument, (tmp_path / "run" / "att.json").read_bytes(), "att.json")
    assert [one.kernel for one in found.dispatches] == ["void scale_more<float, 4>(float*, int)"]


def test_a_failed_trace_does_not_fail_the_profile(
    environment: dict[str, str], build: Build, tmp_path: Path
) -> None:
    real = Path(environment["ROCM_PATH"]) / "bin"
    fake = tmp_path / "rocm" / "bin"
    fake.mkdir(parents=True)
    (fake / "hipcc").write_text("#!/bin/sh\nexit 1\n")
    refuse = 'case "$*" in *--att*) echo "there is no trace decoder" >&2; exit 1;; esac'
    (fake / "rocprofv3").write_text(f'#!/bin/sh\n{refuse}\nexec "{real}/rocprofv3" "$@"\n')
    for file in fake.iterdir():
        file.chmod(0o755)
    chosen = {**environment, "ROCM_PERF_PREFIX": str(fake.parent)}
    run = profiled(
        chosen, tmp_path, "--out", "run", "--json", "--deep-analysis", build(EXAMPLES / "reduction.hip")
    )
    assert run.returncode == 0, run.stderr
    (warning, *_) = json.loads(run.stdout)["warnings"]
    assert "failed: rocprofv3 ended with exit code 1: there is no trace decoder" in warning
    found = from_json(AttDocument, (tmp_path / "run" / "att.json").read_bytes(), "att.json")
    assert found.dispatches == ()

"""The export in Perfetto's own trace processor, asked by SQL; needs a program that the package downloads."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from .conftest import RocmPerf

api = pytest.importorskip("perfetto.trace_processor", reason="the package perfetto is not installed")
_KEPT = Path.home() / ".local" / "share" / "perfetto" / "prebuilts"


def find_program() -> Path | None:
    """TRACE_PROCESSOR, or what the package has downloaded before. Tests download nothing."""
    named = os.environ.get("TRACE_PROCESSOR")
    kept = sorted(_KEPT.glob("trace_processor_shell*"))
    return Path(named) if named else next((file for file in kept if os.access(file, os.X_OK)), None)


def test_queries(run_folder: Path, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    program = find_program()
    if program is None:
        pytest.skip("no trace_processor_shell (name one in TRACE_PROCESSOR)")
    done = rocm_perf("export", run_folder, "--perfetto", "a.pftrace", cwd=tmp_path)
    assert done.code == 0, done.error
    dag = json.loads((run_folder / "dag.json").read_text())
    config = api.TraceProcessorConfig(bin_path=str(program))
    with api.TraceProcessor(trace=str(tmp_path / "a.pftrace"), config=config) as processor:

        def ask(sql: str) -> list[Any]:
            return [tuple(vars(row).values()) for row in processor.query(sql)]

        (works,) = ask("SELECT count(*) AS n FROM slice WHERE category IN ('kernel', 'copy')")
        assert works == (dag["works"],)
        (calls,) = ask("SELECT count(*) AS n FROM slice WHERE category = 'hip_api'")
        assert calls == (dag["calls"],)
        kernels = ask("SELECT name, sum(dur) AS ns FROM slice WHERE category = 'kernel' GROUP BY name")
        assert dict(kernels) == {kernel["name"]: kernel["total_ns"] for kernel in dag["kernels"]}
        (path,) = ask("SELECT sum(dur) AS ns FROM slice WHERE category = 'critical_path'")
        assert path == (dag["span_ns"],)
        flows = ask(
            "SELECT launch.name AS a, work.name AS b FROM flow JOIN slice launch ON launch.id = slice_out "
            "JOIN slice work ON work.id = slice_in"
        )
        assert len(flows) == dag["works"]
        assert ask("SELECT 1 AS a FROM counter_track WHERE name = 'kernels running'") == [(1,)]
        assert ask("SELECT value AS v FROM stats WHERE name = 'track_event_parser_errors'") in ([], [(0,)])

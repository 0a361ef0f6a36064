"""A program that uses HSA alone, with an intercept queue in between."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from .conftest import Profile

Query = Callable[..., list[tuple[object, ...]]]


def _builder() -> ModuleType:
    path = Path(__file__).parents[2] / "native" / "hsa" / "hsa_build.py"
    spec = importlib.util.spec_from_file_location("hsa_build", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_dispatches_through_an_intercept_queue(profile: Profile, query: Query, tmp_path: Path) -> None:
    build = _builder()
    program, kernels = build.build_program(tmp_path, "intercept.cpp"), build.build_kernels(tmp_path)
    run = profile("--sys-trace", program=[program, kernels])
    assert run.code == 0, run.stdout + run.stderr
    database = run.file("*_results.db")
    ((count, threads, earliest),) = query(
        database, "SELECT count(*), count(DISTINCT tid), min(stream_id = 0 AND duration > 0) FROM kernels"
    )
    assert isinstance(count, int)
    assert count > 10
    assert (threads, earliest) == (1, 1)
    assert query(database, "SELECT count(*) FROM regions WHERE category LIKE 'HIP%'") == [(0,)]
    created = query(
        database, "SELECT count(*) > 0 FROM regions WHERE name = 'hsa_amd_queue_intercept_create'"
    )
    assert created == [(1,)]
    assert query(database, "PRAGMA foreign_key_check") == []

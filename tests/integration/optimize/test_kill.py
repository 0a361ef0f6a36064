"""rocm-perf optimize, killed with SIGKILL and resumed from another folder."""

from __future__ import annotations

from .conftest import SUMS, Optimized, rocm_perf


def test_resumed_elsewhere(optimized: Optimized) -> None:
    assert optimized.source_when_killed == SUMS
    assert optimized.left_behind
    assert not any(path.exists() for path in optimized.left_behind)
    assert [change["place"] for change in optimized.document["accepted"]] == ["written"]
    assert "#pragma unroll" in (optimized.folder / "sums.hip").read_text()
    run = optimized.folder / ".rocm-perf" / "optimize"
    assert optimized.document["files"]["folder"].startswith(str(run))
    assert list(optimized.resumed_in.iterdir()) == []


def test_reverting_elsewhere(optimized: Optimized) -> None:
    source = optimized.folder / "sums.hip"
    written = source.read_bytes()
    done = rocm_perf(optimized.resumed_in, "optimize", "--revert", "--source", source)
    assert done.returncode == 0, done.stderr
    assert source.read_text() == SUMS
    source.write_bytes(written)  # as it was, for other tests

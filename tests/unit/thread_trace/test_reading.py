"""Folders of all versions and kinds, read from disk."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.contracts.profiling.att import AttAnalysis
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.profiling.documents.thread_traces import analyze_trace, document_of
from rocm_perf_lab.thread_trace.folder import find_traces, open_trace, read_waves
from rocm_perf_lab.thread_trace.rows import SAMPLE_REASONS

from .made_folder import CODE, HEADER, put, write_folder, write_statistics


def analyzed(folder: Path) -> AttAnalysis:
    found = analyze_trace(folder)
    assert to_json(document_of([found]))
    return found


@pytest.mark.parametrize("version", ["3.0.0", "3.1.0"])
@pytest.mark.parametrize("gfxip", [9, 10, 11, 12])
def test_versions_and_generations(tmp_path: Path, version: str, gfxip: int) -> None:
    found = analyzed(write_folder(tmp_path, version, gfxip))
    assert [check.name for check in found.checks if not check.passed] == []
    assert {check.name for check in found.checks} >= {"totals", "statistics", "lives", "wstates3.json"}
    assert (found.agent, found.dispatch, found.kernel, found.waves) == (2, 7, "add(float*)", 2)
    assert (found.format_version, found.gfx_generation) == (version, gfxip)
    assert found.occupancy
    assert (found.occupancy.waves_on_engines, found.occupancy.waves_of_other_kernels) == (2, 1)
    assert found.occupancy.units_with_waves == (1,)
    (load,) = found.memory
    assert (load.wait_stall_cycles_total, load.issue_to_wait_end_cycles_mean) == (100, 54)
    top = found.source_lines[0]
    assert (top.source, top.text, top.cost_cycles_total) == ("/src/add.hip:3", "float x = a[i];", 128)


def test_columns_of_occupancy_by_name(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, "3.1.0")
    content = json.loads((folder / "occupancy.json").read_text())
    content["occupancy_fields"] = content["occupancy_fields"][::-1]
    content["0"] = [row[::-1] for row in content["0"]]
    put(folder / "occupancy.json", content)
    occupancy = analyzed(folder).occupancy
    assert occupancy
    assert (occupancy.waves_on_engines, occupancy.waves_of_other_kernels) == (2, 1)


def test_optional_files(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    for name in ("occupancy.json", "snapshots.json", "wstates1.json", "wstates3.json", "wstates4.json"):
        (folder / name).unlink()
    (tmp_path / f"stats_{folder.name}.csv").unlink()
    found = analyzed(folder)
    assert found.waves == 2
    assert found.source_lines[0].text is None
    assert found.occupancy
    assert found.occupancy.missing["waves_on_engines"] == "the folder has no occupancy.json"
    assert not {"statistics", "lives"} & {check.name for check in found.checks}


def test_nothing_is_written_as_null(tmp_path: Path) -> None:
    """As the JSON library of rocprofv3 writes an empty list."""
    folder = write_folder(tmp_path)
    file = folder / "se0_sm0_sl0_wv0.json"
    content = json.loads(file.read_text())
    content["num_insts"] = 0
    content["wave"] |= {"instructions": None, "timeline": None, "waitcnt": None}
    put(file, content)
    assert analyzed(folder).waves == 2


def test_no_waves(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    manifest = json.loads((folder / "filenames.json").read_text())
    put(folder / "filenames.json", {**manifest, "wave_filenames": None})
    put(folder / "code.json", {"code": None, "header": HEADER, "version": "3.0.0"})
    found = analyzed(folder)
    expected = "no wave came to the traced compute unit; waves were on units 1, 4 (--att-target-cu)"
    assert found.waves == 0
    assert found.missing["states"] == expected
    assert expected in found.warnings
    assert (found.states, found.mix, found.instructions) == (None, (), ())


def test_pc_sampling(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    for file in folder.glob("se0_*"):
        file.unlink()
    reasons = [0] * len(SAMPLE_REASONS)
    waiting = [0, 0, 0, 6, 0, 1, 0, 0, 0, 0]
    samples = ([0, 0, reasons], [1, 0, reasons], [0, 7, waiting], [2, 0, reasons], [0, 0, reasons])
    code = [[*row[:6], 0, 0, 0, 0, *sampled] for row, sampled in zip(CODE, samples, strict=True)]
    header = [*HEADER.split(", "), "PC_Issued", "PC_Stalled", "Stall_Reasons"]
    put(folder / "code.json", {"code": code, "header": header, "version": "3.0.0"})
    put(
        folder / "filenames.json",
        {
            "gfxip": 9,
            "gfxv": "vega",
            "version": "3.0.0",
            "thread_trace": False,
            "pc_sampling": True,
            "wave_filenames": None,
        },
    )
    found = analyzed(folder)
    assert found.kind == "pc-sampling"
    assert found.samples
    assert (found.samples.issued, found.samples.stalled) == (3, 7)
    assert found.samples.stall_reasons == {"waitcnt": 6, "barrier": 1}
    shares = [(line.line, line.share_of_samples) for line in found.sampled_lines]
    assert shares == [(2, 0.7), (3, 0.2), (1, 0.1)]
    assert found.missing["states"].startswith("PC sampling tells where")


def test_statistics_alone(tmp_path: Path) -> None:
    write_statistics(tmp_path / "stats_ui_output_agent_2_dispatch_7.csv", CODE)
    (path,) = find_traces(tmp_path)
    found = analyzed(path)
    assert (found.kind, found.dispatch, found.waves) == ("statistics", 7, 0)
    wait = found.instructions[1]
    assert (wait.executions, wait.latency_cycles_total, wait.latency_cycles_per_execution) == (2, 100, 50)
    assert wait.source == "/src/add.hip:4"  # the innermost
    assert found.missing["states"] == "a table of statistics has totals of instructions only"


def test_find(tmp_path: Path) -> None:
    """In order of dispatches; statistics of a folder are part of it."""
    for number in (10, 9):
        write_folder(tmp_path / "deep", name=f"ui_output_agent_2_dispatch_{number}")
    folders = find_traces(tmp_path)
    assert [path.name.rpartition("_")[2] for path in folders] == ["9", "10"]
    assert find_traces(folders[0]) == [folders[0]]


RAW = [(b"VROCMATT\x01", True), (b"\x00\x11\x22", False), (None, None)]


@pytest.mark.parametrize(("raw", "simulated"), RAW)
def test_origin(tmp_path: Path, raw: bytes | None, simulated: bool | None) -> None:
    folder = write_folder(tmp_path)
    if raw is not None:
        (tmp_path / "host").mkdir()
        (tmp_path / "host" / "1_2_shader_engine_0_7.att").write_bytes(raw)
    assert open_trace(folder).simulated is simulated
    found = analyzed(folder)
    assert found.origin == ("simulated" if simulated else "measured")
    assert any("cannot be told" in warning for warning in found.warnings) == (simulated is None)


def test_counters_over_time(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    manifest = json.loads((folder / "filenames.json").read_text())
    names = ["A", "SQ_THREAD_CYCLES_VALU", "B", "C", "SQ_ACTIVE_INST_VALU"]
    put(folder / "filenames.json", {**manifest, "counter_names": names})
    rows = [
        [60, 1, 100, 0, 0, 1, 0],
        [60, 5, 0, 0, 0, 1, 1],
        [120, 1, 220, 0, 0, 1, 0],
        [120, 5, 0, 0, 0, 1, 1],
    ]
    put(folder / "se0_perfcounter.json", {"data": rows})
    assert open_trace(folder).counter_sums == {
        "A": 2,
        "SQ_THREAD_CYCLES_VALU": 320,
        "B": 0,
        "C": 0,
        "SQ_ACTIVE_INST_VALU": 10,
    }
    divergence = analyzed(folder).divergence
    assert divergence
    assert divergence.active_lanes_mean == 32


def test_memory_does_not_grow_with_waves(tmp_path: Path) -> None:
    """Waves of 20,000 instructions each: eight need as much memory at a time as two."""
    peaks = []
    for count in (2, 8):
        folder = write_folder(tmp_path / str(count))
        names = {}
        rows = [[4 * at, 6, 0, 4, 3] for at in range(20_000)]
        for number in range(count):
            content = json.loads((folder / "se0_sm0_sl0_wv0.json").read_text())
            content["wave"] |= {"instructions": rows, "end": 80_000, "timeline": [[2, 80_000]], "waitcnt": []}
            put(folder / f"se0_sm0_sl0_wv{number}.json", content)
            names[str(number)] = [f"se0_sm0_sl0_wv{number}.json", 0, 80_000]
        manifest = json.loads((folder / "filenames.json").read_text())
        put(folder / "filenames.json", {**manifest, "wave_filenames": {"0": {"0": {"0": names}}}})
        tracemalloc.start()
        assert analyze_trace(folder).waves == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_waves_come_one_at_a_time(tmp_path: Path) -> None:
    trace = open_trace(write_folder(tmp_path))
    waves = read_waves(trace)
    assert next(waves).file.simd == 0
    (trace.path / "se0_sm1_sl0_wv0.json").unlink()
    with pytest.raises(BadInput, match=r"se0_sm1_sl0_wv0\.json is missing"):
        next(waves)


def test_samples_beside_waves(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, "3.1.0")
    code = [[*row, 1, 2, [0, 2]] for row in CODE]
    put(folder / "code.json", {"code": code, "header": [], "version": "3.1.0"})
    found = analyzed(folder)
    assert (found.kind, found.waves) == ("thread-trace", 2)
    assert found.samples
    assert found.samples.stall_reasons == {"no instruction": 10}
    assert len(found.sampled_lines) == 4

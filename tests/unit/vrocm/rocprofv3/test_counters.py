"""Counters: groups, derived values, and their way into the outputs."""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.vrocm.rocprofv3 import log as logged
from rocm_perf_lab.vrocm.rocprofv3.counters import check_group, load
from rocm_perf_lab.vrocm.rocprofv3.counters.catalogue import architectures
from rocm_perf_lab.vrocm.rocprofv3.counters.derive import Evaluator
from rocm_perf_lab.vrocm.rocprofv3.counters.groups import SLOTS
from rocm_perf_lab.vrocm.rocprofv3.csv_writer import CsvWriter
from rocm_perf_lab.vrocm.rocprofv3.errors import Refused
from rocm_perf_lab.vrocm.rocprofv3.identity import VirtualIdentity
from rocm_perf_lab.vrocm.rocprofv3.options import Options, counter_passes, make_parser
from rocm_perf_lab.vrocm.rocprofv3.options import resolve as resolve_options
from rocm_perf_lab.vrocm.rocprofv3.resolve import resolve
from rocm_perf_lab.vrocm.rocprofv3.results import _derive_counters
from rocm_perf_lab.vrocm.rocprofv3.rocpd_writer import write_rocpd

CATALOGUE = load("gfx942")


@pytest.mark.parametrize("name", architectures())
def test_tables_are_sound(name: str) -> None:
    catalogue = load(name)
    assert len(catalogue.counters) > 100
    for counter in catalogue.counters.values():
        basic = catalogue.basic(counter.name)
        assert counter.description
        assert basic, counter.name
        assert all(catalogue.counter(part).block in SLOTS for part in basic), counter.name


def test_groups() -> None:
    check_group(("SQ_WAVES", "SQ_INSTS_VALU", "TCC_HIT_sum", "TCC_MISS_sum", "GRBM_COUNT"), CATALOGUE)
    check_group(("TCC_HIT", "TCC_HIT_sum", "L2CacheHit", "TCC_MISS_sum"), CATALOGUE)  # two counters in all
    with pytest.raises(Refused, match="3 counters of block GRBM"):
        check_group(("GRBM_COUNT", "GRBM_GUI_ACTIVE", "GRBM_SPI_BUSY"), CATALOGUE)
    with pytest.raises(Refused, match="not a counter of gfx90a"):
        check_group(("TCC_BUBBLE",), load("gfx90a"))


def test_derived_values() -> None:
    # A copy of 8 MiB on a real MI300X: 65704 reads of which 65536 are of 128 bytes.
    counted = {
        "TCC_BUBBLE": [60000.0, 5536.0],
        "TCC_EA0_RDREQ": [65704.0],
        "TCC_EA0_RDREQ_32B": [0.0],
        "TCC_HIT": [3.0, 1.0],
        "TCC_MISS": [1.0, 3.0],
        "TA_TA_BUSY": [2.0, 6.0, 4.0],
    }
    evaluator = Evaluator(CATALOGUE, counted, {"CU_NUM": 304})
    assert evaluator.value("FETCH_SIZE") * 1024 == 8_399_360
    assert evaluator.value("L2CacheHit") == 50
    assert evaluator.value("TA_TA_BUSY_max") == 6
    assert evaluator.value("TA_TA_BUSY_avr") == 4
    assert evaluator.value("TCC_HIT") == 4
    with pytest.raises(Refused, match="no value for SQ_"):
        evaluator.value("VALUInsts")


@pytest.mark.parametrize(
    ("values", "passes"),
    [
        ({}, [()]),
        ({"pmc": [["A", "B,C"], ["D"]]}, [("A", "B", "C"), ("D",)]),
        ({"pmc": ["A", "B"]}, [("A", "B")]),
        ({"pmc_groups": [["A"], ["B", "A"]]}, [("A",), ("B", "A")]),
    ],
)
def test_passes(values: dict[str, Any], passes: list[tuple[str, ...]]) -> None:
    assert counter_passes(values) == passes


def _options(*arguments: str) -> Options:
    values = vars(make_parser().parse_args(arguments))
    given = {name: value for name, value in values.items() if value is not None}
    (counters,) = counter_passes(given)
    return resolve_options(given, counters)


def _log() -> logged.ProcessLog:
    """Two kernels, run in turns, four times in all; each dispatch counts its number of waves."""
    gpu = {
        "cu_count": 304,
        "simd_per_cu": 4,
        "max_waves_per_cu": 32,
        "lds_size_in_kb": 64,
        "wave_front_size": 64,
        "num_xcc": 8,
        "array_count": 32,
        "simd_arrays_per_engine": 1,
        "num_shader_banks": 32,
        "workgroup_max_size": 1024,
        **dict.fromkeys(("l1_bytes", "l2_bytes", "l3_bytes", "cacheline_bytes"), 128),
        **dict.fromkeys(("device_id", "family_id", "location_id", "drm_render_minor", "local_mem_size"), 1),
        **dict.fromkeys(("num_sdma_engines", "num_sdma_xgmi_engines", "max_engine_clk_fcompute"), 1),
        **dict.fromkeys(("fw_version", "sdma_fw_version", "mem_width", "mem_clk_max"), 1),
    }
    log = logged.ProcessLog(logged.Process(7, 1, 1000, ("./a",)), end=9000)
    log.agents = [
        logged.Agent(100, False, 0, 0, "cpu", "", "CPU", "cpu", "", {"cpu_cores_count": 8}),
        logged.Agent(200, True, 1, 0, "gfx942", "MI300X", "AMD", "MI300X", "GPU-1", gpu),
    ]
    log.code_objects = [logged.CodeObject(1, 200, "file:///a", 0, 0, 0, False)]
    log.kernels = [
        logged.KernelSymbol(number, 1, f"{name}.kd", 64 * number, 16, 8, 0, 0, 16, 8, 0, 256)
        for number, name in ((1, "first"), (2, "second"))
    ]
    log.queues = [(1, 200)]
    for number in range(1, 5):
        begin = 1000 + 100 * number
        kernel = 1 + (number - 1) % 2
        log.dispatches.append(
            logged.Dispatch(
                number, 1, 200, kernel, begin, begin + 50, (64, 1, 1), (64 * number, 1, 1), 0, 0, 7
            )
        )
        log.counters[number] = [
            logged.CounterValue("SQ_WAVES", 0, float(number)),
            logged.CounterValue("TCC_HIT", 0, 10.0 * number),
            logged.CounterValue("TCC_HIT", 1, 1.0),
            logged.CounterValue("TCC_MISS", 0, 1.0),
        ]
    return log


def _database(tmp_path: Path, *arguments: str) -> sqlite3.Connection:
    options, log = _options(*arguments), _log()
    _derive_counters(log, options, CATALOGUE)
    path = tmp_path / "x.db"
    write_rocpd(resolve(log, options, VirtualIdentity([7], {7: 1})), CATALOGUE, path)
    return sqlite3.connect(path)


def test_counters_in_the_database(tmp_path: Path) -> None:
    database = _database(tmp_path, "--pmc", "SQ_WAVES", "TCC_HIT", "L2CacheHit")
    rows = database.execute(
        "SELECT dispatch_id, counter_name, value, kernel_name, grid_size, block FROM counters_collection"
        " WHERE dispatch_id = 2 ORDER BY counter_name"
    ).fetchall()
    assert rows == [
        (2, "L2CacheHit", 100 * 21 / 22, "second", 128, ""),
        (2, "SQ_WAVES", 2.0, "second", 128, "SQ"),
        (2, "TCC_HIT", 21.0, "second", 128, "TCC"),
    ]
    instances = database.execute("SELECT count(*) FROM pmc_events WHERE counter_name = 'TCC_HIT'").fetchone()
    assert instances == (8,)
    derived = database.execute("SELECT name, is_derived FROM pmc_info ORDER BY name").fetchall()
    assert derived == [("L2CacheHit", 1), ("SQ_WAVES", 0), ("TCC_HIT", 0)]


@pytest.mark.parametrize(
    ("filters", "dispatches"),
    [
        ([], [1, 2, 3, 4]),
        (["--kernel-include-regex", "sec"], [2, 4]),
        (["--kernel-exclude-regex", "sec"], [1, 3]),
        (["--kernel-iteration-range", "[2-2]"], [3, 4]),
        (["--kernel-include-regex", "first", "--kernel-iteration-range", "[1]"], [1]),
    ],
)
def test_filters(tmp_path: Path, filters: list[str], dispatches: list[int]) -> None:
    database = _database(tmp_path, "--pmc", "SQ_WAVES", *filters)
    counted = database.execute("SELECT dispatch_id FROM counters_collection ORDER BY 1").fetchall()
    assert counted == [(number,) for number in dispatches]
    # Without a kernel trace only counted dispatches are there; with one, all.
    assert database.execute("SELECT count(*) FROM kernels").fetchone() == (len(dispatches),)
    (tmp_path / "x.db").unlink()
    database = _database(tmp_path, "--pmc", "SQ_WAVES", "--kernel-trace", *filters)
    assert database.execute("SELECT count(*) FROM kernels").fetchone() == (4,)


def test_counters_as_csv(tmp_path: Path) -> None:
    options, log = _options("--pmc", "SQ_WAVES", "TCC_HIT"), _log()
    trace = resolve(log, options, VirtualIdentity([7], {7: 1}))
    CsvWriter(trace, tmp_path / "x", "relative").write()
    with (tmp_path / "x_counter_collection.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["Dispatch_Id"], row["Counter_Name"], row["Counter_Value"]) for row in rows][:3] == [
        ("1", "SQ_WAVES", "1"),
        ("1", "TCC_HIT", "11"),
        ("2", "SQ_WAVES", "2"),
    ]


def test_counter_without_a_value_is_an_error() -> None:
    with pytest.raises(Refused, match="the virtual GPU gave no value for SQ_INSTS_VALU"):
        _derive_counters(_log(), _options("--pmc", "SQ_INSTS_VALU"), CATALOGUE)

"""Counters: groups, derived values, and their way into the outputs."""

from __future__ import annotations

import csv
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from vrocm.counter_slots import SLOTS
from vrocm.rocprofv3.counters import check_group, load
from vrocm.rocprofv3.counters.catalogue import architectures
from vrocm.rocprofv3.counters.derive import Evaluator
from vrocm.rocprofv3.counters.document import document
from vrocm.rocprofv3.errors import RequestRefused
from vrocm.rocprofv3.formats.csv_writer import CsvWriter
from vrocm.rocprofv3.formats.rocpd_writer import write_rocpd
from vrocm.rocprofv3.logs import log as logged
from vrocm.rocprofv3.logs.identity import VirtualIdentity
from vrocm.rocprofv3.logs.resolve import resolve
from vrocm.rocprofv3.options import Options, counter_passes, make_parser
from vrocm.rocprofv3.options import resolve as resolve_options
from vrocm.rocprofv3.results import _derive_counters

CATALOGUE = load("gfx942")


NATIVE = Path(__file__).parents[4] / "native" / "sim" / "counters"


def _native(file: str, macro: str) -> set[str]:
    return set(re.findall(rf"^{macro}\((\w+)", (NATIVE / file).read_text(), re.M))


@pytest.mark.parametrize("name", architectures())
def test_tables_are_sound(name: str) -> None:
    catalogue = load(name)
    assert len(catalogue.counters) > 300
    for counter in catalogue.counters.values():
        basic = catalogue.basic(counter.name)
        assert counter.description, counter.name
        assert counter.unit, counter.name
        assert basic, counter.name
        assert all(catalogue.counter(part).block in SLOTS for part in basic), counter.name
        ways = (counter.expression, counter.counts, counter.each, counter.previous, counter.unavailable)
        assert sum(map(bool, ways)) == 1, counter.name


@pytest.mark.parametrize("name", architectures())
def test_tables_name_what_the_gpu_counts(name: str) -> None:
    exact = {"waves", "workgroups", "items", "waves_lt_64", "fetch_windows"}
    exact |= _native("mix_fields.def", "MIX") | _native("access_fields.def", "ACCESS")
    timed = load(name).timed
    assert _native("raw_counts.def", "RAW(?:_L1|_L2)?") | {"cycles", "extrapolated"} == timed
    assert _native("raw_counts.def", "RAW_L[12]") == load(name).apart
    assert not exact & timed
    for counter in load(name).counters:
        assert {raw.removesuffix("[]") for raw in load(name).raw(counter)} <= exact | timed, counter


def test_documentation_is_that_of_the_table() -> None:
    assert (NATIVE.parents[2] / "docs" / "reference" / "counters.md").read_text() == document()


def test_groups() -> None:
    check_group(("SQ_WAVES", "SQ_INSTS_VALU", "TCC_HIT_sum", "TCC_MISS_sum", "GRBM_COUNT"), CATALOGUE)
    check_group(("TCC_HIT", "TCC_HIT_sum", "L2CacheHit", "TCC_MISS_sum"), CATALOGUE)  # two counters in all
    with pytest.raises(RequestRefused, match="3 counters of block GRBM"):
        check_group(("GRBM_COUNT", "GRBM_GUI_ACTIVE", "GRBM_SPI_BUSY"), CATALOGUE)
    with pytest.raises(RequestRefused, match="not a counter of gfx90a"):
        check_group(("TCC_BUBBLE",), load("gfx90a"))


CONSTANTS = {"CU_NUM": 3, "SIMD_NUM": 12, "SE_NUM": 1, "XCC_NUM": 2, "MAX_WAVE_SIZE": 64}


def _evaluator(counted: dict[str, list[float]], *asked: str) -> Evaluator:
    return Evaluator(CATALOGUE, counted, CONSTANTS, asked)


def test_values() -> None:
    # A copy of 8 MiB on a real MI300X: 65704 reads of which 65536 are of 128 bytes.
    evaluator = _evaluator(
        {
            "fabric_reads_128": [65536],
            "fabric_reads_64": [168],
            "fabric_reads_32": [0],
            "l2_read_hits": [3],
            "l2_write_hits": [1],
            "l2_read_misses": [0],
            "l2_write_misses": [4],
            "l1_busy[]": [2, 6, 4],
            "cycles": [100],
            "wave_cycles": [1200],
            "cache_control": [5],
        }
    )
    assert evaluator.value("FETCH_SIZE") * 1024 == 8_399_360
    assert evaluator.value("TCC_EA0_RDREQ_sum") == 65704
    assert evaluator.value("L2CacheHit") == 50
    assert evaluator.value("TA_BUSY_max") == 6
    assert evaluator.value("TA_BUSY_avr") == 4
    assert evaluator.value("TA_TA_BUSY[2]") == 4
    assert evaluator.value("MemUnitBusy") == 6
    assert evaluator.value("GRBM_GUI_ACTIVE") == 200  # on both dies
    assert evaluator.value("MeanOccupancyPerCU") == 4
    assert evaluator.value("TCP_TOTAL_WRITEBACK_INVALIDATES") == 8
    assert evaluator.value("SQ_WAVES_SAVED") == 0
    with pytest.raises(RequestRefused, match="no value for SQ_"):
        evaluator.value("VALUInsts")
    with pytest.raises(RequestRefused, match="the block has 3 instances"):
        evaluator.value("TA_TA_BUSY[3]")


def test_accumulation_is_of_the_counter_before() -> None:
    counted: dict[str, list[float]] = {"latency_vmem": [70], "waves": [2]}
    evaluator = _evaluator(counted, "SQ_WAVES", "SQ_INST_LEVEL_VMEM", "SQ_ACCUM_PREV_HIRES")
    assert evaluator.value("SQ_ACCUM_PREV_HIRES") == 70
    with pytest.raises(RequestRefused, match="SQ_WAVES is before it"):
        _evaluator(counted, "SQ_WAVES", "SQ_ACCUM_PREV_HIRES").value("SQ_ACCUM_PREV_HIRES")


def test_counts_asked_of_the_gpu() -> None:
    hits = {"l2_read_hits", "l2_write_hits"}
    assert CATALOGUE.raw("L2CacheHit") == hits | {"l2_read_misses", "l2_write_misses"}
    assert CATALOGUE.raw("TA_BUSY_max") == {"l1_busy[]"}
    assert CATALOGUE.raw("TCC_HIT[3]") == {f"{name}[]" for name in hits}
    assert CATALOGUE.raw("GRBM_COUNT") == {"cycles"}


def test_what_the_model_cannot_give_is_refused_with_the_reason() -> None:
    with pytest.raises(RequestRefused, match=r"TCC_BUSY_sum is not available .* TCC_BUSY: the model knows"):
        check_group(("TCC_BUSY_sum",), CATALOGUE)
    with pytest.raises(RequestRefused, match=r"SQ_HIT.3. is not a counter"):
        check_group(("SQ_HIT[3]",), CATALOGUE)


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
    log = logged.ProcessLog(logged.LoggedProcess(7, 1, 1000, ("./a",)), end=9000)
    log.agents = [
        logged.LoggedAgent(100, False, 0, 0, "cpu", "", "CPU", "cpu", "", {"cpu_cores_count": 8}),
        logged.LoggedAgent(200, True, 1, 0, "gfx942", "MI300X", "AMD", "MI300X", "GPU-1", gpu),
    ]
    log.code_objects = [logged.LoggedCodeObject(1, 200, "file:///a", 0, 0, 0, False)]
    log.kernels = [
        logged.KernelSymbol(number, 1, f"{name}.kd", 64 * number, 16, 8, 0, 0, 16, 8, 0, 256)
        for number, name in ((1, "first"), (2, "second"))
    ]
    log.queues = [(1, 200)]
    for number in range(1, 5):
        begin = 1000 + 100 * number
        kernel = 1 + (number - 1) % 2
        log.dispatches.append(
            logged.LoggedDispatch(
                number, 1, 200, kernel, begin, begin + 50, (64, 1, 1), (64 * number, 1, 1), 0, 0, 7
            )
        )
        log.counters[number] = [
            logged.LoggedCounterValue("waves", 0, float(number)),
            logged.LoggedCounterValue("l2_read_hits", 0, 10.0 * number),
            logged.LoggedCounterValue("l2_write_hits", 0, 1.0),
            logged.LoggedCounterValue("l2_read_misses", 0, 1.0),
            logged.LoggedCounterValue("l2_write_misses", 0, 0.0),
            logged.LoggedCounterValue("extrapolated", 0, float(number == 3)),
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
    assert database.execute("SELECT count(*) FROM pmc_events").fetchone() == (12,)
    # What is exact, however little of a dispatch was simulated, is not marked.
    marked = database.execute(
        "SELECT i.name FROM rocpd_pmc_event v JOIN rocpd_info_pmc i ON v.pmc_id = i.id"
        " WHERE v.extdata LIKE '%extrapolated%' ORDER BY 1"
    ).fetchall()
    assert marked == [("L2CacheHit",), ("TCC_HIT",)]
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
    _derive_counters(log, options, CATALOGUE)
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
    with pytest.raises(RequestRefused, match="the virtual GPU gave no value for SQ_INSTS_VALU"):
        _derive_counters(_log(), _options("--pmc", "SQ_INSTS_VALU"), CATALOGUE)

"""--att: thread traces of a program whose kernels are known."""

from __future__ import annotations

import filecmp
import json
import re
from pathlib import Path

import pytest
from tests.commands import succeed

from .att_folder import Folder, check
from .conftest import PROGRAMS, Profile, Run

ROUNDS = 10
WAVES_OF_GROUP = 4  # of loop_sum


def _built(environment: dict[str, str], folder: Path, name: str, *options: str) -> Path:
    source = folder / f"{name}.hip"  # a copy: its path is part of the debug information
    source.write_text((PROGRAMS / f"{name}.hip").read_text())
    succeed("hipcc", "-O2", *options, source, "-o", folder / name, environment=environment)
    return folder / name


@pytest.fixture(scope="module")
def loop(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _built(environment, tmp_path_factory.mktemp("loop"), "loop")


@pytest.fixture(scope="module")
def loop_with_lines(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _built(environment, tmp_path_factory.mktemp("loop_with_lines"), "loop", "-g")


def _folders(run: Run) -> list[Folder]:
    assert run.code == 0, run.stderr
    found = [Folder(path) for path in sorted(run.folder.glob("ui_output_agent_*_dispatch_*"))]
    for folder in found:
        check(folder)
    return found


def _labels(folders: list[Folder]) -> list[str]:
    return [row.source.partition("(")[0] for folder in folders for row in folder.rows if row.is_label]


def test_files(profile: Profile, loop: Path) -> None:
    """Two dispatches, each with everything a viewer reads."""
    run = profile("--att", "--att-target-cu", "0", "-o", "x", program=[loop])
    folders = _folders(run)
    assert [folder.path.name for folder in folders] == [
        "ui_output_agent_2_dispatch_1",
        "ui_output_agent_2_dispatch_2",
    ]
    assert _labels(folders) == ["loop_sum", "two_loads"]
    for folder in folders:
        assert folder.waves
        assert folder.json("snapshots.json") == {}
        assert all(not row.source for row in folder.rows if not row.is_label)
        assert folder.json("se0_perfcounter.json") == {"data": []}
    names = {path.name for path in run.folder.iterdir()}
    assert {
        "x_2_shader_engine_0_1.att",
        "x_2_shader_engine_0_2.att",
        "x_gfx942_code_object_id_1.out",
        "stats_ui_output_agent_2_dispatch_1.csv",
        "stats_ui_output_agent_2_dispatch_2.csv",
    } <= names
    assert (run.folder / "x_gfx942_code_object_id_1.out").read_bytes()[:4] == b"\x7fELF"


def test_default_names(profile: Profile, loop: Path) -> None:
    run = profile("--att", program=[loop])
    assert _folders(run)
    assert re.fullmatch(r"\d+_2_shader_engine_0_1\.att", run.file("*_1.att").name)
    assert re.fullmatch(r"\d+_gfx942_code_object_id_1\.out", run.file("*.out").name)


def test_hits_of_a_loop(profile: Profile, loop: Path) -> None:
    run = profile("--att", "--att-target-cu", "0", "--kernel-include-regex", "loop_sum", program=[loop])
    (folder,) = _folders(run)
    waves = len(folder.waves)
    assert waves == WAVES_OF_GROUP
    assert folder.line(r"^s_barrier").hit == waves
    assert folder.line(r"^s_endpgm").hit == waves
    assert folder.line(r"^global_store_dword ").hit == waves
    loads = [row.hit for row in folder.rows if row.text.startswith("global_load_dword ")]
    assert sorted(loads) == [waves, waves * ROUNDS]  # b[i] is the same in every round
    # The branch back is taken but for the last time.
    back = [row for row in folder.rows if row.text.startswith("s_cbranch") and row.hit == waves * ROUNDS]
    assert len(back) == 1
    for wave in folder.waves.values():
        taken = [entry[1] for entry in wave["wave"]["instructions"] if entry[4] == back[0].number]
        assert sorted(taken) == [7] * (ROUNDS - 1) + [8]


def test_barrier_carries_the_wait(profile: Profile, loop: Path) -> None:
    """All waves of a workgroup leave a barrier together."""
    run = profile("--att", "--att-target-cu", "0", "--kernel-include-regex", "loop_sum", program=[loop])
    (folder,) = _folders(run)
    number = folder.line(r"^s_barrier").number
    ends = set()
    for wave in folder.waves.values():
        (entry,) = [entry for entry in wave["wave"]["instructions"] if entry[4] == number]
        ends.add(entry[0] + entry[3])
    assert len(ends) == 1


def test_producers_of_waits(profile: Profile, loop: Path) -> None:
    run = profile("--att", "--att-target-cu", "0", "--kernel-include-regex", "two_loads", program=[loop])
    (folder,) = _folders(run)
    lines = [row.text.split(",")[0] for row in folder.rows]
    partial = next(row.number for row in folder.rows if row.text == "s_waitcnt vmcnt(1)")
    assert lines[partial - 1].startswith("global_load_dword")
    first, second, scalar = partial - 2, partial - 1, partial - 3
    assert lines[scalar].startswith("s_load_dword ")
    assert lines[first].startswith("global_load_dword")
    expected = [
        [partial, [[first, 0]]],
        [partial + 2, [[scalar, 0]]],
        [partial + 3, [[second, 0]]],
    ]
    assert folder.waves
    for wave in folder.waves.values():
        found = [entry for entry in wave["wave"]["waitcnt"] if entry[0] >= partial]
        assert found == expected
        starts = {entry[4]: entry[0] for entry in wave["wave"]["instructions"]}
        waits = {entry[4]: entry[3] for entry in wave["wave"]["instructions"]}
        # The wait is as long as the load that it waits for is on its way; the other came right behind it.
        assert starts[partial] + waits[partial] - starts[first] > 100
        assert waits[partial + 3] < waits[partial]


def test_functions(profile: Profile, environment: dict[str, str], tmp_path: Path) -> None:
    program = _built(environment, tmp_path, "calls")
    (folder,) = _folders(profile("--att", "--att-target-cu", "0", program=[program]))
    labels = [row for row in folder.rows if row.is_label]
    assert [row.text for row in labels] == ["; _Z5callsPfi", "; _Z8repeatedfi", "; _Z3putPff"]
    assert [row.source for row in labels] == [
        "calls(float*, int)",
        "repeated(float, int)",
        "put(float*, float)",
    ]
    assert folder.line(r"^v_fma_f32").hit == 7
    (wave,) = folder.waves.values()
    store = folder.line(r"^flat_store_dword").number
    assert wave["wave"]["waitcnt"][-1] == [store + 1, [[store, 0]]]  # both counters count it: named once
    jumps = {
        folder.by_number[entry[4]].text.split()[0] for entry in wave["wave"]["instructions"] if entry[1] == 7
    }
    assert {"s_swappc_b64", "s_setpc_b64"} <= jumps


def test_source_lines(profile: Profile, loop_with_lines: Path) -> None:
    run = profile("--att", "--att-target-cu", "0", program=[loop_with_lines])
    source = loop_with_lines.parent / "loop.hip"
    text = source.read_text().splitlines()
    for folder, statement in zip(_folders(run), ("sum += a[", "asm volatile("), strict=True):
        number = next(place for place, line in enumerate(text, 1) if statement in line)
        at = f"{source}:{number}"
        loads = [row for row in folder.rows if row.text.startswith("global_load_dword ")]
        assert at in {row.source for row in loads}
        branch = folder.json("snapshots.json")
        for part in source.parts:
            branch = branch[part]
        assert re.fullmatch(r"source_\d+_loop\.hip", branch)
        assert (folder.path / branch).read_text() == source.read_text()


def test_empty_compute_unit(profile: Profile, loop: Path) -> None:
    """One workgroup is on unit 0; others have nothing to show."""
    run = profile("--att", "--att-target-cu", "3", program=[loop, "1"])
    assert "dispatch_1: no wave was on compute unit 3; units with waves: 0\n" in run.stderr
    for folder in _folders(run):
        assert folder.waves == {}
        assert folder.rows == []
        occupancy = folder.json("occupancy.json")["0"]
        assert occupancy  # that there were waves elsewhere shows all the same
        assert {event[1] for event in occupancy} == {0}


def test_shader_engines_and_simds(profile: Profile, loop: Path) -> None:
    options = ("--att", "--att-target-cu", "0", "--kernel-include-regex", "loop_sum")
    run = profile(
        *options, "--att-shader-engine-mask", "0x11", "--att-simd-select", "0x5", program=[loop, "64"]
    )
    (folder,) = _folders(run)
    # Four engines on a die: engine 4 is the first of the second die.
    assert {name.partition("_")[0] for name in folder.waves} == {"se0", "se4"}
    assert {wave["wave"]["simd"] for wave in folder.waves.values()} == {0, 2}
    assert sorted(folder.json("filenames.json")["wave_filenames"]) == ["0", "4"]
    assert len(run.files("*_shader_engine_*_1.att")) == 2


def test_another_gpu(profile: Profile, environment: dict[str, str], tmp_path: Path) -> None:
    loop = _built(environment, tmp_path, "loop", "--offload-arch=gfx90a")
    run = profile("--att", "--att-target-cu", "0", program=[loop], folder="first", VROCM_DEVICE="MI250X")
    assert len(_folders(run)) == 2
    assert run.files("*_gfx90a_code_object_id_1.out")
    run = profile("--att", "--att-shader-engine-mask", "0x100", program=[loop], VROCM_DEVICE="MI250X")
    assert "the GPU has shader engines 0 to 7, and se_mask selects none of them" in run.stderr
    assert run.files("ui_output*") == []


def test_filters(profile: Profile, loop: Path) -> None:
    many = [loop, "8", "2", "4"]
    options = ("--kernel-exclude-regex", "^two_", "--kernel-iteration-range", "[2-3]")
    run = profile("--att", *options, program=many)
    assert [folder.path.name for folder in _folders(run)] == [
        "ui_output_agent_2_dispatch_3",
        "ui_output_agent_2_dispatch_5",
    ]
    run = profile("--att", "--kernel-include-regex", "nothing", folder="none", program=many)
    assert _folders(run) == []
    run = profile("--att", "-M", "--kernel-include-regex", "^_Z8loop_sum", folder="mangled", program=many)
    assert len(_folders(run)) == 4
    run = profile("--att", "-T", "--kernel-include-regex", "^two_loads$", folder="short", program=many)
    assert len(_folders(run)) == 4


def test_collection_period(profile: Profile, loop: Path) -> None:
    """Nothing of the program is in a period that begins after an hour."""
    run = profile("--att", "-P", "3600:1:1", program=[loop])
    assert _folders(run) == []


def test_full_buffer(profile: Profile, loop: Path) -> None:
    options = ("--att", "--att-target-cu", "0", "--kernel-include-regex", "loop_sum")
    run = profile(*options, "--att-buffer-size", "8192", program=[loop])
    (folder,) = _folders(run)
    assert re.search(r"dispatch_1: shader engine 0: the buffer was full and \d+ records are lost", run.stderr)
    raw = run.file("*_shader_engine_0_1.att").stat().st_size
    assert 8192 < raw < 16384  # records, a header and the instructions
    whole = profile(*options, program=[loop], folder="whole")
    assert "buffer was full" not in whole.stderr
    (other,) = _folders(whole)
    assert sum(row.hit for row in folder.rows) < sum(row.hit for row in other.rows)


def test_long_dispatches_are_traced_in_part(profile: Profile, loop: Path) -> None:
    """The simulation in detail goes on until enough waves were traced, and no longer."""
    options = ("--att", "--kernel-include-regex", "two_loads")
    run = profile(*options, program=[loop, "100000", "1"])
    (folder,) = _folders(run)
    ended = folder.line(r"^s_endpgm").hit
    assert 128 <= ended < 2000
    assert len(folder.waves) > ended
    assert f"{len(folder.waves) - ended} waves are cut" in run.stderr
    more = profile(*options, program=[loop, "100000", "1"], folder="more", VROCM_ATT_WAVES="250")
    (folder,) = _folders(more)
    assert folder.line(r"^s_endpgm").hit >= 250 > ended


def test_counters_over_time(profile: Profile, loop: Path) -> None:
    counters = ["SQ_INSTS_VALU", "SQ_INSTS_LDS", "SQ_BUSY_CU_CYCLES", "SQ_WAVES", "SQ_INSTS:0x1"]
    options = ("--att", "--att-target-cu", "0", "--kernel-include-regex", "loop_sum")
    run = profile(*options, "--att-perfcounters", *counters, "--att-perfcounter-ctrl", "2", program=[loop])
    (folder,) = _folders(run)
    assert folder.json("filenames.json")["counter_names"] == counters
    rows = folder.json("se0_perfcounter.json")["data"]
    assert {(row[5], row[6]) for row in rows} == {(0, 0), (0, 1)}
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    first = [row for row in rows if row[6] == 0]
    second = [row for row in rows if row[6] == 1]
    totals = [sum(row[column] for row in first) for column in (1, 2, 3, 4)]
    hits = {name: sum(row.hit for row in folder.rows if row.text.startswith(name)) for name in ("v_", "ds_")}
    waves = [wave["wave"] for wave in folder.waves.values()]
    there = max(wave["end"] for wave in waves) - min(wave["begin"] for wave in waves)
    assert totals == [hits["v_"], hits["ds_"], there, len(waves)]
    of_first_simd = sum(len(wave["instructions"]) for wave in waves if wave["simd"] == 0)
    assert [sum(row[column] for row in second) for column in (1, 2, 3, 4)] == [of_first_simd, 0, 0, 0]


def test_activity(profile: Profile, loop: Path) -> None:
    options = ("--att", "--att-target-cu", "0", "--att-activity", "8")
    run = profile(*options, "--att-library-path", "/nowhere", program=[loop])
    for folder in _folders(run):
        names = folder.json("filenames.json")["counter_names"]
        assert len(names) == 8
        assert names[0] == "SQ_BUSY_CU_CYCLES"
        assert any(row[1] for row in folder.json("se0_perfcounter.json")["data"])


def test_same_bytes(profile: Profile, loop: Path) -> None:
    first, second = (
        profile("--att", "-o", "x", program=[loop, "600", "5", "2"], folder=name, VROCM_THREADS=threads)
        for name, threads in (("one", "1"), ("two", "4"))
    )
    names = [path.relative_to(first.folder) for path in first.files("*") if path.is_file()]
    assert len(names) > 40
    assert names == [path.relative_to(second.folder) for path in second.files("*") if path.is_file()]
    _, different, unreadable = filecmp.cmpfiles(
        first.folder, second.folder, [str(name) for name in names], shallow=False
    )
    assert different == []
    assert unreadable == []


def test_kernel_that_faults(profile: Profile, loop: Path) -> None:
    """What waves did until then is there."""
    run = profile("--att", "--att-target-cu", "0", program=[loop, "64", "0"])
    assert run.code != 0
    assert "memory access fault" in run.stderr
    (path,) = run.folder.glob("ui_output_agent_*")
    folder = Folder(path)
    check(folder)
    assert folder.line(r"^global_store_dword ").hit > 0


def test_two_processes(profile: Profile, loop: Path) -> None:
    """Each has a dispatch 1: the second has a folder of its own."""
    run = profile("--att", "--kernel-include-regex", "loop", program=["sh", "-c", f"{loop}; {loop}"])
    assert [folder.path.name for folder in _folders(run)] == [
        "ui_output_agent_20002_dispatch_1",
        "ui_output_agent_2_dispatch_1",
    ]


def test_two_devices(profile: Profile, program: Path) -> None:
    run = profile("--att", "--att-target-cu", "0", program=[program, "devices"], VROCM_DEVICES="2")
    agents = {folder.path.name.split("_")[3] for folder in _folders(run)}
    assert agents == {"2", "3"}


def test_results_are_the_same(profile: Profile, loop: Path) -> None:
    assert profile("--att", program=[loop]).stdout == "done\n"


def test_from_an_input_file(profile: Profile, loop: Path, tmp_path: Path) -> None:
    job = {
        "advanced_thread_trace": True,
        "att_target_cu": 0,
        "att_shader_engine_mask": "0x1",
        "kernel_include_regex": "loop_sum",
    }
    (tmp_path / "input.json").write_text(json.dumps({"jobs": [job]}))
    run = profile("-i", str(tmp_path / "input.json"), program=[loop])
    assert run.code == 0, run.stderr
    (path,) = run.files("ui_output_agent_2_dispatch_1")
    check(Folder(path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--att-target-cu", "1"], "--att-target-cu needs --att"),
        (["--att", "--att-target-cu", "x"], "--att-target-cu: 'x' is not a number"),
        (["--att", "--att-target-cu", "16"], "--att-target-cu: 16 is not between 0 and 15"),
        (["--att", "--att-shader-engine-mask", "0"], "--att-shader-engine-mask: 0 selects nothing"),
        (["--att", "--att-shader-engine-mask", "0x100000000"], "has more than 32 bits"),
        (["--att", "--att-simd-select", "0x10"], "--att-simd-select: 0x10 has more than 4 bits"),
        (["--att", "--att-buffer-size", "0"], "--att-buffer-size: 0 leaves no room"),
        (["--att", "--att-perfcounters", "SQ_WAVES"], "needs --att-perfcounter-ctrl"),
        (["--att", "--att-perfcounter-ctrl", "3"], "needs --att-perfcounters"),
        (["--att", "--att-perfcounter-ctrl", "33", "--att-perfcounters", "SQ_WAVES"], "not between 1 and 32"),
        (
            ["--att", "--att-perfcounter-ctrl", "3", "--att-perfcounters", "TCC_HIT"],
            "TCC_HIT is not counted over time",
        ),
        (["--att", "--att-activity", "17"], "--att-activity: 17 is not between 1 and 16"),
        (
            ["--att", "--att-activity", "8", "--att-perfcounter-ctrl", "3"],
            "--att-activity takes the place of",
        ),
    ],
)
def test_refused(profile: Profile, options: list[str], message: str) -> None:
    run = profile(*options, program=["true"])
    assert run.code == 1
    assert message in run.stderr


def test_needs_time(profile: Profile, loop: Path) -> None:
    run = profile("--att", program=[loop], VROCM_TIMING="off")
    assert run.code == 1
    assert "VROCM_TIMING=off" in run.stderr

"""What is captured of dispatches of all shapes; the program's own results never change."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from capture_runs import Build, Run
from captured import floats, ints


@pytest.fixture
def shapes(build: Build) -> Path:
    return build("shapes.hip")


def test_a_template_instance_by_its_demangled_name(shapes: Path, same_output: Run) -> None:
    done = same_output(shapes, kernel=r"scale<float, 2>")
    capture = done.capture
    assert capture.dispatch["kernel"]["demangled"] == "void scale<float, 2>(float*, int)"
    assert capture.dispatch["kernel"]["name"] == "_Z5scaleIfLi2EEvPT_i"
    assert capture.dispatch["geometry"] == {"dimensions": 1, "grid": [4096, 1, 1], "workgroup": [256, 1, 1]}
    before, after = capture.buffer(0)
    assert floats(before, 4096) == [0.5 * i for i in range(4096)]
    assert floats(after, 4096) == [i + 1.0 if i < 4000 else 0.5 * i for i in range(4096)]
    assert capture.argument(1) == 4000
    assert done.report is not None
    assert done.report["dispatches"] == 9
    assert done.report["matching_dispatches"] == 1
    assert "tick()" in done.report["kernels"]


def test_the_second_dispatch_that_matches(shapes: Path, same_output: Run) -> None:
    capture = same_output(shapes, kernel=r"scale<int", index=1).capture
    assert capture.dispatch["kernel"]["dispatch_index"] == 1
    before, after = capture.buffer(0)
    once = [3 * i + 1 if i < 4000 else i for i in range(4096)]
    assert ints(before, 4096) == once
    assert ints(after, 4096) == [3 * v + 1 if i < 10 else v for i, v in enumerate(once)]


@pytest.mark.parametrize(("pattern", "mangled"), [(r"add\(float", "_Z3addPff"), (r"_Z3addPii", "_Z3addPii")])
def test_overloads_by_either_name(shapes: Path, same_output: Run, pattern: str, mangled: str) -> None:
    capture = same_output(shapes, kernel=pattern).capture
    assert capture.dispatch["kernel"]["name"] == mangled
    before, after = capture.buffer(0)
    if mangled.endswith("ff"):
        assert floats(after, 64) == [v + 0.25 for v in floats(before, 64)]
    else:
        assert ints(after, 64) == [v + 1000 for v in ints(before, 64)]


def test_a_kernel_without_arguments(shapes: Path, same_output: Run) -> None:
    capture = same_output(shapes, kernel=r"^tick\(\)$", index=1).capture
    explicit = [a for a in capture.dispatch["arguments"] if not a["value_kind"].startswith("hidden_")]
    assert explicit == []
    changed = [r for r in capture.regions() if r["after"]]
    assert [r["kind"] for r in changed] == ["globals"]
    was, now = capture.before(changed[0]), capture.after(changed[0])
    at = next(i for i in range(0, len(was), 4) if was[i : i + 4] != now[i : i + 4])
    assert ints(was[at:], 1) == [8]  # 5, and 3 by the first tick
    assert ints(now[at:], 1) == [11]
    constants = struct.pack("<4i", 1, 2, 3, 4)
    assert any(constants in capture.before(r) for r in capture.regions("globals"))


def test_three_dimensions(shapes: Path, same_output: Run) -> None:
    capture = same_output(shapes, kernel="volume").capture
    assert capture.dispatch["geometry"] == {"dimensions": 3, "grid": [8, 6, 8], "workgroup": [4, 2, 2]}
    after = capture.buffer(0)[1]
    wanted = [i + 100 * j + 10000 * k for k in range(8) for j in range(6) for i in range(8)]
    assert ints(after, len(wanted)) == wanted
    # The pointer leads into the middle of its region.
    assert capture.dispatch["arguments"][0]["region_offset"] == 4096


def test_group_segments_are_told_apart(shapes: Path, same_output: Run) -> None:
    capture = same_output(shapes, kernel="reverse").capture
    segments = capture.dispatch["segments"]
    assert (segments["static_group_size"], segments["dynamic_group_size"]) == (256, 256)
    before, after = capture.buffer(0)
    assert ints(after, 64) == ints(before, 64)[::-1]
    kinds = sorted(r["kind"] for r in capture.regions() if r["after"])
    assert kinds == ["device", "globals"]


def test_every_kernel_when_none_is_named(shapes: Path, same_output: Run) -> None:
    capture = same_output(shapes, index=4).capture
    assert capture.dispatch["kernel"]["name"] == "_Z3addPii"


def test_what_the_documents_say(shapes: Path, same_output: Run) -> None:
    capture = same_output(shapes, kernel="reverse").capture
    dispatch = capture.dispatch
    packet = bytes.fromhex(dispatch["packet"]["bytes"])
    assert len(packet) == 64
    header, setup, group, _, _, _, grid = struct.unpack_from("<6HI", packet)
    assert (header, setup) == (dispatch["packet"]["header"], dispatch["packet"]["setup"])
    assert (group, grid) == (64, 64)
    private, lds, kernel_object, kernarg = struct.unpack_from("<IIQQ", packet, 24)
    assert lds == 512
    assert private == dispatch["segments"]["private_size"]
    assert kernel_object == int(dispatch["kernel"]["object"], 16)
    assert kernarg == int(dispatch["packet"]["kernarg_address"], 16)
    assert len(capture.kernarg) == dispatch["segments"]["kernarg_size"]
    for argument in dispatch["arguments"]:
        value = capture.kernarg[argument["offset"] : argument["offset"] + argument["size"]]
        assert value.hex() == argument["value"]
    region = capture.region_at(kernarg)
    offset = kernarg - int(region["base"], 16)
    assert capture.before(region)[offset : offset + len(capture.kernarg)] == capture.kernarg
    code = dispatch["kernel"]["code_object"]
    assert code["bytes"] == len(capture.code)
    assert int(code["load_base"], 16) <= kernel_object < int(code["load_base"], 16) + code["load_size"]
    assert dispatch["agent"]["isa"].startswith("amdgcn-amd-amdhsa--gfx942")
    assert dispatch["time"]["in_app_ns"] == dispatch["time"]["end_tick"] - dispatch["time"]["start_tick"] > 0
    assert dispatch["process"]["executable"] == "shapes"
    assert dispatch["verdict"]["complete"] is True
    outcomes = {item["outcome"] for item in dispatch["verdict"]["items"]}
    assert outcomes <= {"captured", "rebound", "left out"}
    bases = [int(r["base"], 16) for r in capture.regions()]
    assert bases == sorted(bases)


def test_the_code_object_is_the_one_that_ran(build: Build, same_output: Run) -> None:
    flags = ["--cuda-device-only", "--offload-arch=gfx942", "--no-gpu-bundle-output"]
    codes = [build("twins.hip", f"-DVALUE={v}", *flags, output=f"twin{v}.hsaco") for v in (10, 200)]
    program = build("twins.hip")
    for index in range(4):
        capture = same_output(program, *codes, kernel="twin", index=index).capture
        assert capture.code == codes[index % 2].read_bytes()
        before, after = capture.buffer(0)
        assert ints(before, 64) == [[0, 10, 210, 220][index]] * 64
        assert ints(after, 64) == [[10, 210, 220, 420][index]] * 64
        others = capture.verdict("code object")
        assert sorted(item["outcome"] for item in others) == ["captured", "left out"]


def test_memory_of_every_kind(build: Build, same_output: Run) -> None:
    capture = same_output(build("memory_kinds.hip"), kernel="touch").capture
    count = 3000
    expected = [("device", 1, 1), ("host", 2, 2), (None, 3, 3), ("locked", 4, 4), (None, 1, 5)]
    for argument, (kind, factor, added) in enumerate(expected):
        before, after = capture.buffer(argument)
        assert ints(before, count) == [factor * i for i in range(count)], argument
        if argument == 0:  # its part from 2000 on is changed twice
            assert ints(after, 2000) == [i + 1 for i in range(2000)]
            assert ints(after, count)[2000:2100] == [i + 8 for i in range(2000, 2100)]
        else:
            assert ints(after, count) == [factor * i + added for i in range(count)], argument
        if kind is not None:
            assert capture.region_at(capture.argument(argument))["kind"] == kind
    globals_before = b"".join(capture.before(r) for r in capture.regions("globals"))
    globals_after = b"".join(capture.after(r) for r in capture.regions("globals"))
    assert struct.pack("<3000i", *range(count)) in globals_before
    assert struct.pack("<3000i", *(i + 6 for i in range(count))) in globals_after
    # What was freed before is not part of it.
    assert not any(r["size"] == 1234567 for r in capture.regions())
    assert capture.dispatch["verdict"]["complete"] is True


def test_calls_of_a_newer_runtime_are_named(
    shapes: Path, library: Path, run: Run, newer_runtime: Path
) -> None:
    done = run(shapes, kernel=r"^tick", HSA_TOOLS_LIB=str(newer_runtime), TOOL=str(library))
    assert done.code == 0
    assert done.errors == "replaced, 45.75\n"  # arguments and result are as they would be without the tool
    (item,) = done.capture.verdict("unknown call")
    assert item["name"] == "function 80 of AMD's table"
    assert item["outcome"] == "left out"
    assert done.capture.dispatch["verdict"]["complete"] is True


def test_a_runtime_of_which_all_is_known_has_no_such_calls(shapes: Path, same_output: Run) -> None:
    assert same_output(shapes, kernel=r"^tick").capture.verdict("unknown call") == []

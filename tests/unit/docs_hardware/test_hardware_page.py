"""docs/guide/hardware.md lists every call to ROCm that the product makes, and tests that exist."""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from tests.doc_blocks import NEEDS_HARDWARE, blocks

from rocm_perf_lab.profiling.passes import rocprof_options
from vrocm.rocprofv3.options import make_parser

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "guide" / "hardware.md").read_text()
SOURCES = ROOT / "src" / "rocm_perf_lab"
NOT_RUN = "not run"
NO_RUNS = "none so far"


def section(heading: str) -> str:
    (found,) = re.findall(rf"^##+ {heading}\n(.*?)(?=^##+ |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert isinstance(found, str)
    return found


def table(heading: str) -> list[list[str]]:
    """The rows of the only table of a section, without its head."""
    lines = [line for line in section(heading).splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert set("".join(rows[1])) <= set("-: ")
    assert len({len(row) for row in rows}) == 1, heading
    return rows[2:]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


@functools.cache
def modules() -> list[tuple[str, ast.Module]]:
    """The product's own, without the virtual ROCm, by their place in the package."""
    return [
        (str(path.relative_to(SOURCES)), ast.parse(path.read_text()))
        for path in sorted(SOURCES.rglob("*.py"))
    ]


def strings(node: ast.AST) -> Iterator[str]:
    """Strings in the code, of formatted ones the beginning; no docstrings."""
    documented = {
        id(one.body[0].value)
        for one in ast.walk(node)
        if isinstance(one, ast.Module | ast.ClassDef | ast.FunctionDef)
        and one.body
        and isinstance(one.body[0], ast.Expr)
    }
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in documented:
            yield one.value


# ---- rocprofv3


def passed_to_rocprofv3() -> set[str]:
    return {value for name, value in vars(rocprof_options).items() if name.isupper()}


def test_options_of_rocprofv3() -> None:
    listed = [name for row in table("rocprofv3") for name in quoted(row[0])]
    assert sorted(listed) == sorted(passed_to_rocprofv3())


def test_options_of_rocprofv3_are_named_in_one_place() -> None:
    words = {word for action in make_parser()._actions for word in action.option_strings}
    options = {word for word in words if word.startswith("--")}
    assert passed_to_rocprofv3() <= options  # the virtual rocprofv3 has them all
    users = 0
    for place, module in modules():
        imported = {one.module for one in ast.walk(module) if isinstance(one, ast.ImportFrom)}
        if (
            "rocm_perf_lab.profiling.passes.run_rocprof" in imported
            or place == "profiling/passes/run_rocprof.py"
        ):
            users += 1
            assert options.isdisjoint(strings(module)), place
    assert users > 5


# ---- hipcc

# Their lists of words go to the compiler, whatever it is called.
COMPILING = {
    "profiling/calibration/calibrate.py",
    "optimizing/building/build.py",
    "optimizing/building/recorded_build.py",
}
OPTION = re.compile(r"--?[A-Za-z][\w-]*(=c\+\+17)?")


def compiler_options(place: str, module: ast.Module) -> set[str]:
    """Options in commands that begin with hipcc, and in all lists of the modules that compile."""
    words = {word for text in strings(module) if text.startswith("hipcc ") for word in text.split()}
    for one in ast.walk(module):
        begins = isinstance(one, ast.List | ast.Tuple) and one.elts and "hipcc" in ast.unparse(one.elts[0])
        if begins or (place in COMPILING and isinstance(one, ast.List | ast.ListComp)):
            words |= set(strings(one))
    return {found[0] for word in words if (found := OPTION.match(word))}


def test_options_of_hipcc() -> None:
    listed = [name for row in table("hipcc") for name in quoted(row[0])]
    passed = {place: compiler_options(place, module) for place, module in modules()}
    assert sorted(listed) == sorted(set().union(*passed.values()))
    assert all(passed[place] for place in COMPILING)
    assert {"rocm/diagnose.py", "builds/command.py"} <= {place for place in passed if passed[place]}


# ---- HSA


def native(folder: str) -> str:
    return "\n".join(path.read_text() for path in sorted((ROOT / "native" / folder).rglob("*.[ch]*")))


def signal_operations(text: str) -> set[str]:
    """RPL_WITH_ORDER pastes the names of these together."""
    operations = re.findall(r"RPL_REPLACE\([^,]*, (hsa_signal_\w+_)##order", text)
    orders = re.findall(r"^ *RPL_WITH_ORDER\((\w+)\);", text, re.MULTILINE)
    assert operations
    assert orders
    return {operation + order for operation in operations for order in orders}


def captured() -> dict[str, str]:
    text = native("capture")
    pasted = signal_operations(text)
    text = re.sub(r"\w+_##order\w*", "", text)
    calls = dict.fromkeys(re.findall(r"\b(hsa_\w+?)_fn\b", text), "calls")
    loader = dict.fromkeys(re.findall(r"loader\(\)->(hsa_ven_amd_loader_\w+)", text), "calls")
    replaces = {*re.findall(r"RPL_REPLACE\([^,]*,\s*(hsa_\w+),", text), *pasted}
    return {**calls, **loader, **dict.fromkeys(replaces, "replaces")}


def replayed() -> dict[str, str]:
    (listed,) = re.findall(
        r"#define RPL_HSA_FUNCTIONS\(F\)(.*?)\n\n",
        (ROOT / "native/replay/device/hsa_library.h").read_text(),
        re.DOTALL,
    )
    loader = re.findall(r"\.loader\.(hsa_ven_amd_loader_\w+)", native("replay"))
    return dict.fromkeys([*re.findall(r"F\((\w+)\)", listed), *loader], "calls")


def slots() -> dict[str, str]:
    """Where the declarations put each function."""
    text = (ROOT / "native/abi/hsa/hsa_api_trace.h").read_text()
    found = {}
    for name, macro in (("core", "HSA_CORE_TABLE"), ("AMD", "HSA_AMD_EXT_TABLE")):
        (members,) = re.findall(rf"#define {macro}\(F\)(.*?)\n\n", text, re.DOTALL)
        for number, function in enumerate(re.findall(r"F\((\w+)\)", members), start=1):
            found[function] = f"{name} {number}"
    loader = (ROOT / "native/abi/hsa/hsa_ven_amd_loader.h").read_text()
    (members,) = re.findall(r"#define HSA_LOADER_FUNCTIONS_1_01\(F\)(.*?)#define", loader, re.DOTALL)
    return found | dict.fromkeys(re.findall(r"F\((\w+),", members), "loader 1.01")


def listed_functions() -> dict[str, tuple[str, str, str]]:
    """Function -> what capture and replay do with it, and its slot; {a,b} stands for a and for b."""
    found: dict[str, tuple[str, str, str]] = {}
    for name, capture, replay, slot, exported in table("HSA"):
        assert exported
        (pattern,) = quoted(name)
        parts = [part.split(",") for part in re.split(r"[{}]", pattern)]
        names = ["".join(parts) for parts in itertools.product(*parts)]
        kind, _, numbers = slot.partition(" ")
        first, _, last = numbers.partition("–")
        if len(names) > 1:
            assert int(last) - int(first) + 1 == len(names)
        for offset, one in enumerate(names):
            assert one not in found
            place = f"{kind} {int(first) + offset}" if first.isdigit() else slot
            found[one] = (capture, replay, place)
    return found


def test_functions_of_hsa() -> None:
    capture, replay = captured(), replayed()
    used = {name: (capture.get(name, ""), replay.get(name, "")) for name in {*capture, *replay}}
    assert {name: row[:2] for name, row in listed_functions().items()} == used


def test_slots_are_those_of_the_declarations() -> None:
    declared = slots()
    assert {name: row[2] for name, row in listed_functions().items()} == {
        name: declared[name] for name in listed_functions()
    }


def test_versions_of_the_tables() -> None:
    text = (ROOT / "native/abi/hsa/hsa_api_trace_version.h").read_text()
    versions = {name: int(value, 16) for name, value in re.findall(r"#define (\w+) (0x\w+)", text)}
    assert (
        versions["HSA_CORE_API_TABLE_MAJOR_VERSION"] == versions["HSA_AMD_EXT_API_TABLE_MAJOR_VERSION"] == 2
    )
    assert "must be 2 for the core table and for AMD's" in " ".join(PAGE.split())
    places = slots()
    amd = max(int(place.split()[1]) for place in places.values() if place.startswith("AMD"))
    assert f"{amd} in step {versions['HSA_AMD_EXT_API_TABLE_STEP_VERSION']}" in " ".join(PAGE.split())


# ---- what has been exercised


def test_contract_tests_are_those_with_the_marker() -> None:
    marked = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if re.search(r"^(pytestmark = |@)pytest\.mark\.contract$", path.read_text(), re.MULTILINE)
    }
    assert {quoted(row[0])[0] for row in table("The contract tests")} == marked


def test_what_was_exercised_names_tests_that_exist() -> None:
    for _, virtual, saved, _ in table("What has been exercised"):
        assert quoted(virtual)
        assert quoted(saved) or saved == "none"
        for name in quoted(virtual + saved):
            path = ROOT / name
            assert path.is_file() or any(path.rglob("test_*.py")), name


def test_what_was_exercised_on_saved_data() -> None:
    listed = {name for row in table("What has been exercised") for name in quoted(row[2])}
    reading = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__) and "from tests.saved_data import" in path.read_text()
    }
    assert listed - {"validation/run.py"} == reading


def test_nothing_is_said_to_have_run_on_hardware_without_a_run() -> None:
    runs = table("Runs on a real GPU")
    states = {row[3] for row in table("What has been exercised")}
    if [row[0] for row in runs] == [NO_RUNS]:
        assert states == {NOT_RUN}
        assert "**Nothing has been run on a real GPU by this project yet.**" in PAGE
    else:
        assert states != {NOT_RUN}
        assert all(all(row) for row in runs)
        assert "Nothing has been run on a real GPU" not in PAGE


# ---- the rest of the page


def test_blocks_are_marked_as_needing_hardware() -> None:
    """That their commands can be parsed is tested with those of all pages: tests/unit/docs/test_blocks.py."""
    assert {block.mark for block in blocks(ROOT / "docs" / "guide" / "hardware.md")} == {NEEDS_HARDWARE}


def test_every_source_is_cited_and_every_citation_has_a_source() -> None:
    text, _, sources = PAGE.partition("## Sources")
    cited = {number for group in re.findall(r"\[(\d+(?:, \d+)*)\]", text) for number in group.split(", ")}
    assert cited == set(re.findall(r"^(\d+)\. ", sources, re.MULTILINE))

"""No program of ours imports what lies in the folder it is called in, or where PYTHONPATH leads.

The folder has a module for every name of the standard library and of our dependencies. Each writes its name
down when it is imported, and breaks who imported it.
"""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import ROOT, SECONDS, rocm_perf_words, virtual_rocm
from tests.table_rows import rows

import vrocm
from rocm_perf_lab.executors.cluster import run_there
from rocm_perf_lab.executors.task import Task, TaskResult
from rocm_perf_lab.mcp_server import command_process
from vrocm.isolated import command_line
from vrocm.layout import LAUNCHERS

PROGRAM = """#include <hip/hip_runtime.h>
__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }
int main() {
    int* data;
    if (hipMalloc(&data, 256) != hipSuccess) return 1;
    fill<<<1, 64>>>(data);
    return hipDeviceSynchronize() != hipSuccess;
}
"""
# With nothing that has to be imported from files: some of them are what Python begins with.
MODULE = """import posix
file = posix.open({file!r}, posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND)
posix.write(file, b"{name} ")
posix.close(file)
raise SystemExit("{name}.py was run")
"""
BESIDE = Path(sys.executable).parent


def names() -> set[str]:
    """Of modules that anybody here may import."""
    installed = {name for name in importlib.metadata.packages_distributions() if name.isidentifier()}
    return {*sys.stdlib_module_names, *installed, "sitecustomize", "usercustomize", "rocm_perf_lab", "vrocm"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("full of modules")
    for name in names():
        (made / f"{name}.py").write_text(MODULE.format(file=str(made / "imported"), name=name))
    (made / "program.hip").write_text(PROGRAM)
    return made


@pytest.fixture(scope="module")
def environment(folder: Path) -> dict[str, str]:
    """The folder comes by each of the ways that there are: as it is, and as the current one."""
    return virtual_rocm(PYTHONPATH=f"{folder}{os.pathsep}.{os.pathsep}")


def run(folder: Path, environment: dict[str, str], *words: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        list(map(str, words)),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    imported = folder / "imported"
    assert not imported.exists(), f"{words}: {imported.read_text()}"
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done


def test_the_folder_is_as_dangerous_as_it_looks(folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "vrocm.hipconfig"],
        cwd=folder,
        env=environment,
        capture_output=True,
    )
    assert done.returncode != 0
    assert (folder / "imported").read_text()
    (folder / "imported").unlink()


# What makes each of them import what it can: those that are not named here say their version.
WORDS: dict[str, list[str]] = {
    "bin/hipcc": ["-O1", "program.hip", "-o", "program"],
    "bin/hipconfig": ["--full"],
    "bin/rocm_agent_enumerator": [],
    "bin/rocprofv3": [
        "--kernel-trace",
        "--stats",
        "-d",
        "traced",
        "-f",
        "csv",
        "json",
        "rocpd",
        "--",
        "./program",
    ],
}


def test_every_command_of_the_virtual_rocm(folder: Path, environment: dict[str, str]) -> None:
    """Also those that will be added: they are taken from the list by which launchers are written."""
    root = vrocm.prefix()
    for name in sorted(LAUNCHERS, key=lambda one: one != "bin/hipcc"):  # rocprofv3 needs a program
        run(folder, environment, root / name, *WORDS.get(name, ["--version"]))
    assert list((folder / "traced").rglob("*.db"))


OURS: dict[str, Callable[[], list[str]]] = {
    "rocm-perf": lambda: [str(BESIDE / "rocm-perf"), "schema", "profile"],
    "rocm-perf-lab": lambda: [str(BESIDE / "rocm-perf-lab"), "--version"],
    "vrocm": lambda: [str(BESIDE / "vrocm"), "hipcc", "-O1", "program.hip", "-o", "program"],
    "of a tool call": lambda: command_process.command_line(["schema", "profile"]),
    "the server": lambda: [str(BESIDE / "rocm-perf"), "mcp", "--root", "."],  # ends with its input
    "any module": lambda: command_line("rocm_perf_lab.cli.reference"),
}


@rows("name", OURS)
def test_our_own(name: str, folder: Path, environment: dict[str, str]) -> None:
    run(folder, environment, *OURS[name]())


def test_what_commands_start(folder: Path, environment: dict[str, str]) -> None:
    """A profile with the virtual ROCm's tools, and traces that are analysed by processes of their own."""
    run(folder, environment, vrocm.prefix() / "bin/hipcc", "-O1", "program.hip", "-o", "program")
    run(folder, environment, *rocm_perf_words("profile", "--runs", "1", "--out", "profiled", "./program"))
    database = next((folder / "profiled").rglob("*.db"))
    run(folder, environment, *rocm_perf_words("analyze", "--each", "--out", "each", database))


def test_an_installer_s_script_starts_again(folder: Path) -> None:
    """Where Python was not told to ignore PYTHONPATH, what is imported before our first line is out of our
    hands, and everything after it is not."""
    (folder / "only").mkdir(exist_ok=True)
    shutil.copy(folder / "click.py", folder / "only")
    script = "import sys; from rocm_perf_lab.__main__ import main; sys.exit(main())"
    words = [sys.executable, "-c", script, "schema", "profile"]
    run(folder / "only", virtual_rocm(PYTHONPATH=str(folder / "only")), *words)
    assert not (folder / "imported").exists()


@pytest.mark.parametrize("words", [["rocm_perf_lab", "schema", "profile"], ["vrocm", "env"]])
def test_a_vrocm_py_is_not_ours(words: list[str], folder: Path) -> None:
    """In an installation that is not editable nothing but the search path says which one is meant. Only
    where the package of the program itself is found is out of our hands."""
    package, *rest = words
    other = {"rocm_perf_lab": "vrocm", "vrocm": "click"}[package]
    place = folder / f"beside {package}"
    place.mkdir()
    shutil.copy(folder / f"{other}.py", place)
    script = f"""import sys
sys.meta_path = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
sys.path.append({str(ROOT / "src")!r})
from {package}.__main__ import main
main()"""
    run(place, virtual_rocm(PYTHONPATH=str(place)), sys.executable, "-c", script, *rest)
    assert not (folder / "imported").exists()


def test_places_of_modules_stay_where_they_were(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A worker goes to the folder of the task: the empty place of a search path does not go with it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", "not-there", *sys.path])
    task = Task(number=1, folder=tmp_path)
    found = run_there(lambda one: TaskResult(number=one.number, host=""), task, str(folder), {}, "owner")
    assert found.number == 1
    assert Path.cwd() == folder
    assert sys.path[:2] == [str(tmp_path), "not-there"]

"""Standard output that is closed, gone or full, and full disks: a sentence, exit code 3, nothing lost."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.commands import ROOT, SECONDS, HipProgram, rocm_perf_words, succeed
from tests.table_rows import rows

import vrocm

TABLE = """"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",\
"Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count",\
"Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X",\
"Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH","Agent 1",1,1,1,1,1,"fill(int*)",1,100,200,0,0,8,0,16,64,1,1,4096,1,1
"""
TRACE = "t_kernel_trace.csv"
FULL = "error: standard output cannot be written: No space left on device"
CLOSED = "error: standard output is closed"
# What prints in its own way: click's echo, documents on sys.stdout, generated text, texts of tools.
OURS = {
    "a schema": ["schema", "profile"],
    "help": ["suite", "run", "--help"],
    "the overview": ["--help"],
    "a version": ["--version"],
    "a document": ["compare", "run", "run", "--json"],
    "a table": ["compare", "run", "run"],
    "Markdown": ["report", "run", "--format", "md"],
    "completion": ["completion", "bash"],
    "the environment": ["vrocm", "env"],
}
TOOLS = {"hipconfig": ["--full"], "rocprofv3": ["--version"], "rocm_agent_enumerator": []}


@pytest.fixture(scope="module")
def analyzed(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("analyzed")
    (folder / TRACE).write_text(TABLE)
    succeed(*rocm_perf_words("analyze", TRACE, "--out", "run"), environment=environment, cwd=folder)
    return folder / "run"


@pytest.fixture
def folder(analyzed: Path, tmp_path: Path) -> Path:
    shutil.copytree(analyzed, tmp_path / "run")
    (tmp_path / "scratch").mkdir()
    return tmp_path


def printing(
    folder: Path, environment: dict[str, str], where: str, *words: object
) -> subprocess.CompletedProcess[str]:
    """``where`` is what a shell would be told: > /dev/full, >&-, | true."""
    return subprocess.run(
        ["bash", "-c", f'set -o pipefail; "$@" {where}', "bash", *map(str, words)],
        cwd=folder,
        env={**environment, "TMPDIR": str(folder / "scratch")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def kept(folder: Path) -> str:
    (file,) = (folder / "scratch").iterdir()
    text = file.read_text()
    file.unlink()
    return text


@rows("name", OURS)
def test_what_we_print(name: str, folder: Path, environment: dict[str, str]) -> None:
    words = rocm_perf_words(*OURS[name])
    usual = succeed(*words, environment=environment, cwd=folder).stdout
    for where, problem in (("> /dev/full", FULL), (">&-", CLOSED)):
        done = printing(folder, environment, where, *words)
        assert (done.returncode, done.stderr.splitlines()[0]) == (3, problem), done.stderr
        assert "Traceback" not in done.stderr
        assert kept(folder) == usual


@rows("name", TOOLS)
def test_what_commands_of_the_virtual_rocm_print(
    name: str, folder: Path, environment: dict[str, str]
) -> None:
    words = (vrocm.prefix() / "bin" / name, *TOOLS[name])
    usual = succeed(*words, environment=environment, cwd=folder).stdout
    for where, problem in (("> /dev/full", FULL), (">&-", CLOSED)):
        done = printing(folder, environment, where, *words)
        assert done.returncode == 3, done.stderr
        assert done.stderr.startswith(f"{name}: {problem}")
        assert len(done.stderr.splitlines()) == 1
        assert kept(folder) == usual


def test_a_command_that_fails_anyway_keeps_its_code(folder: Path, environment: dict[str, str]) -> None:
    done = printing(folder, environment, "> /dev/full", *rocm_perf_words("whatif", "nothing", "--json"))
    assert done.returncode == 6
    assert "nothing does not exist" in done.stderr


def test_a_reader_that_goes_away_is_no_error(folder: Path, environment: dict[str, str]) -> None:
    for words in (
        ("schema",),
        ("--help",),
        ("report", "run", "--format", "md"),
        ("whatif", "nothing", "--json"),
    ):
        done = printing(folder, environment, "| true", *rocm_perf_words(*words))
        assert (done.returncode, "Traceback" in done.stderr) == (141, False), done.stderr


def test_standard_error_decides_nothing(folder: Path, environment: dict[str, str]) -> None:
    usual = succeed(
        *rocm_perf_words("report", "run", "--format", "md"), environment=environment, cwd=folder
    ).stdout
    for where in ("2> /dev/full", "2>&-", "2>&- <&-"):
        done = printing(folder, environment, where, *rocm_perf_words("report", "run", "--format", "md"))
        assert (done.returncode, done.stdout) == (0, usual)
        assert printing(folder, environment, where, *rocm_perf_words("whatif", "nothing")).returncode == 6


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    mount = tmp_path / "small"
    mount.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(mount)]
    if subprocess.run(words, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield mount
    subprocess.run(["umount", str(mount)], check=True)


def test_a_file_that_becomes_full(folder: Path, environment: dict[str, str], small_disk: Path) -> None:
    """What was written stays, and all of it is in another file."""
    (small_disk / "filler").write_bytes(bytes(112 << 10))
    words = rocm_perf_words("schema", "profile")
    done = printing(folder, environment, f"> '{small_disk}/out.json'", *words)
    assert (done.returncode, done.stderr.splitlines()[0]) == (3, FULL), done.stderr
    usual = succeed(*words, environment=environment).stdout
    part = (small_disk / "out.json").read_text()
    assert part
    assert usual.startswith(part)
    assert kept(folder) == usual


def test_commands_that_write_to_a_full_disk(
    folder: Path, environment: dict[str, str], small_disk: Path, hip_program: HipProgram
) -> None:
    """The environment is to blame, not the program, nor the command line. A part of a trace is not kept."""
    program = hip_program(ROOT / "examples" / "vector_add.hip", "-O2")
    profile = ("profile", "--runs", "1")
    for name, words in {
        "the trace": (*profile, "--out", small_disk / "run", program),
        "a page": ("report", "run", "-o", small_disk / "page.html"),
        "a log": ("profile", "--runs", "1", program),
    }.items():
        scratch = small_disk if name == "a log" else folder / "scratch"
        if name == "a page":
            (small_disk / "filler").write_bytes(bytes(100 << 10))
        done = subprocess.run(
            rocm_perf_words(*words),
            cwd=folder,
            env={**environment, "TMPDIR": str(scratch)},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.returncode == 3, f"{name}: {done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr
        for made in small_disk.rglob("*.db"):
            pytest.fail(f"{name}: {made}")
        (small_disk / "filler").unlink(missing_ok=True)

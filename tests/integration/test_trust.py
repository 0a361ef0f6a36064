"""Captures: what was made in this home is replayed, what others made is shown and asked for."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest
import xxhash
from tests.commands import SECONDS, HipProgram, RocmPerf, rocm_perf_words

import rocm_perf_lab as rpl
from rocm_perf_lab.trust import Foreign

PROGRAM = """#include <hip/hip_runtime.h>
__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }
int main() {
    int* data;
    if (hipMalloc(&data, 256) != hipSuccess) return 1;
    fill<<<1, 64>>>(data);
    return hipDeviceSynchronize() != hipSuccess;
}
"""
OFF = {"VROCM_TIMING": "off"}


@pytest.fixture(scope="module")
def made(
    rocm_perf: RocmPerf, hip_program: HipProgram, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """A folder with a capture and the file that was exported of it, and the home in which that was done."""
    folder, home = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("home")
    (folder / "program.hip").write_text(PROGRAM)
    program = hip_program(folder / "program.hip", "-O2")
    for words in (["capture", "--out", "capture", program], ["replay", "export", "capture", "capture.tar"]):
        done = rocm_perf(*words, cwd=folder, XDG_DATA_HOME=str(home), **OFF)
        assert done.code == 0, done.stderr
    return folder, home


def test_what_was_made_here_is_not_asked_about(
    made: tuple[Path, Path], rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    """Nor what is made of it: exported, imported, minimised, copied."""
    folder, home = made
    shutil.copytree(folder / "capture", tmp_path / "copy")
    for words in (
        ["replay", "full-vm", "copy"],
        ["replay", "import", folder / "capture.tar", "--out", "imported"],
        ["replay", "full-vm", "imported"],
        ["replay", "minimise", "copy", "--out", "small", "--runs", "2"],
        ["replay", "validate", "small", "--runs", "2"],
    ):
        done = rocm_perf(*words, cwd=tmp_path, XDG_DATA_HOME=str(home), **OFF)
        assert done.code == 0, done.stderr


REFUSED = (
    ["replay", "full-vm", "{capture}"],
    ["replay", "validate", "{capture}"],
    ["replay", "minimise", "{capture}", "--out", "small"],
    ["replay", "profile", "{capture}", "--pmc", "SQ_WAVES"],
    ["replay", "build", "{capture}", "--source", "{folder}/program.hip"],
    ["suite", "run", "{capture}"],
    ["suite", "run", "{folder}"],
    [
        "autotune",
        "--space",
        "s.json",
        "--capture",
        "{capture}",
        "--build-template",
        "hipcc k.hip -o {{build}}/k",
    ],
)


def test_nothing_of_others_is_run_unasked(
    made: tuple[Path, Path], rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    """Without a terminal; what runs nothing of it is not refused."""
    (tmp_path / "s.json").write_text(json.dumps({"A": [1, 2]}))
    folder, _ = made
    stranger = str(tmp_path / "home")
    for template in REFUSED:
        words = [word.format(folder=folder, capture=folder / "capture") for word in template]
        done = rocm_perf(*words, "--json", cwd=tmp_path, XDG_DATA_HOME=stranger)
        assert done.code == 13, f"{words}: {done.stdout}{done.stderr}"
        error = done.document["error"]
        assert error["kind"] == "not-trusted"
        assert "the kernel fill" in error["cause"]
        assert "--trust" in error["remedy"]
    for words in (["inspect", folder / "capture"], ["reserve-check", folder / "capture"]):
        assert rocm_perf("replay", *words, XDG_DATA_HOME=stranger).code == 0
    done = rocm_perf("replay", "import", folder / "capture.tar", cwd=tmp_path, XDG_DATA_HOME=stranger)
    assert done.code == 0, done.stderr
    assert rocm_perf("replay", "full-vm", "capture.capture", cwd=tmp_path, XDG_DATA_HOME=stranger).code == 13
    assert not (tmp_path / "small").exists()


def with_checksum_of(manifest: bytes, name: str, content: bytes) -> str:
    document = json.loads(manifest)
    document["files"][name] = {"bytes": len(content), "xxh64": f"{xxhash.xxh64_intdigest(content):#018x}"}
    return json.dumps(document)


def test_what_was_allowed_is_known_and_what_was_changed_is_not(
    made: tuple[Path, Path], rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    capture = tmp_path / "capture"
    shutil.copytree(made[0] / "capture", capture)
    here = {"XDG_DATA_HOME": str(tmp_path / "home"), "cwd": tmp_path, **OFF}
    assert rocm_perf("replay", "full-vm", "capture", ROCM_PERF_TRUST="1", **here).code == 0
    assert rocm_perf("replay", "full-vm", "capture", ROCM_PERF_TRUST="0", **here).code == 13  # for once
    assert rocm_perf("replay", "full-vm", "capture", ROCM_PERF_REPLAY_FULL_VM_TRUST="1", **here).code == 0
    assert rocm_perf("replay", "full-vm", "capture", **here).code == 0
    manifest = (capture / "manifest.json").read_bytes()
    for name in ("kernel.hsaco", "dispatch.json", "kernarg.bin"):
        content = (capture / name).read_bytes()
        (capture / name).write_bytes(content + b"\n")
        assert rocm_perf("replay", "full-vm", "capture", **here).code == 6, name  # it is damaged
        (capture / "manifest.json").write_text(with_checksum_of(manifest, name, content + b"\n"))
        assert rocm_perf("replay", "full-vm", "capture", **here).code == 13, name
        (capture / name).write_bytes(content)
        (capture / "manifest.json").write_bytes(manifest)
    assert rocm_perf("replay", "full-vm", "capture", **here).code == 0
    (tmp_path / "rocm-perf.toml").write_text("[replay.full-vm]\ntrust = true\n")
    done = rocm_perf("replay", "full-vm", "capture", **here)
    assert done.code == 6, done.stderr
    assert "command line only" in done.stderr


def test_without_a_home_it_is_asked_again(made: tuple[Path, Path], rocm_perf: RocmPerf) -> None:
    words = ["replay", "full-vm", made[0] / "capture"]
    assert rocm_perf(*words, "--trust", XDG_DATA_HOME="/proc/none", **OFF).code == 0
    assert rocm_perf(*words, XDG_DATA_HOME="/proc/none", **OFF).code == 13


def on_a_terminal(folder: Path, environment: dict[str, str], answer: str, *words: object) -> tuple[int, str]:
    master, slave = pty.openpty()
    with subprocess.Popen(
        rocm_perf_words(*words),
        cwd=folder,
        env=environment,
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=slave,
    ) as process:
        os.close(slave)
        said = b""
        try:
            while part := os.read(master, 4096):
                said += part
                if said.endswith(b"[y/N]: "):
                    os.write(master, f"{answer}\n".encode())
        except OSError:  # the other side is closed
            pass
        process.communicate(timeout=SECONDS)
    os.close(master)
    return process.returncode, said.decode()


def test_who_can_be_asked_is_asked_once(
    made: tuple[Path, Path], environment: dict[str, str], tmp_path: Path
) -> None:
    capture = tmp_path / "a\x1b[2Jb"
    shutil.copytree(made[0] / "capture", capture)
    there = {**environment, **OFF, "XDG_DATA_HOME": str(tmp_path / "home")}
    words = ("replay", "full-vm", capture)
    code, said = on_a_terminal(tmp_path, there, "n", *words)
    assert code == 13
    assert "a\\u{1b}[2Jb was not made here" in said
    assert "the kernel fill" in said
    assert "declined" in said
    assert "\x1b[2J" not in said
    code, said = on_a_terminal(tmp_path, there, "y", *words)
    assert (code, "[y/N]" in said) == (0, True)
    code, said = on_a_terminal(tmp_path, there, "n", *words)
    assert (code, "[y/N]" in said) == (0, False)


def test_from_python(made: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("VROCM_TIMING", "off")
    monkeypatch.setenv("ROCM_PERF_PREFIX", "virtual")
    capture = made[0] / "capture"
    with pytest.raises(rpl.NotTrusted, match="nobody here can be asked"):
        rpl.replay(capture)
    asked: list[Foreign] = []
    with pytest.raises(rpl.NotTrusted, match="declined"):
        rpl.replay(capture, ask=lambda found: bool(asked.extend(found)))
    assert [one.name for one in asked] == [str(capture)]
    rpl.replay(capture, trust=True)
    rpl.replay(capture)

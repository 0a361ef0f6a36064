"""The device library builds for every architecture, once, and defines what its README lists."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import SECONDS

from vrocm import devicelib

FOLDER = devicelib.SOURCE_DIR


def expand(text: str) -> list[str]:
    """Brace expansion as a shell does it."""
    parts = [part.split(",") for part in re.split(r"\{([^}]*)\}", text)[1::2]]
    plain = re.split(r"\{[^}]*\}", text)
    return [
        "".join(a + b for a, b in zip(plain, [*choice, ""], strict=True))
        for choice in itertools.product(*parts)
    ]


def documented() -> set[str]:
    blocks = re.findall(r"```c\n(.*?)```", (FOLDER / "README.md").read_text(), re.DOTALL)
    names: set[str] = set()
    for line in "".join(blocks).splitlines():
        match = re.search(r"([\w{},]+)\(", line)
        assert match is not None, line
        names.update(expand(match.group(1)))
    return names


def defined() -> set[str]:
    names: set[str] = set()
    for path in FOLDER.rglob("*.cpp"):
        text = path.read_text()
        names.update(
            re.findall(r"^EXPORT [^;{]*?(\w+)\(", re.sub(r"__attribute__\(\(.*?\)\)", "", text), re.MULTILINE)
        )
        names.update(re.findall(r"^(?:BINARY|TERNARY)\((\w+),", text, re.MULTILINE))
    return names


def test_brace_expansion() -> None:
    assert expand("a{b,c}_{d,e}") == ["ab_d", "ab_e", "ac_d", "ac_e"]


def test_readme_lists_every_function_and_no_other() -> None:
    assert documented() == defined() - {"type"}


@pytest.mark.parametrize("arch", ["gfx942", "gfx90a"])
def test_build_is_cached(arch: str, tmp_path: Path) -> None:
    files = devicelib.build(arch, tmp_path)
    assert [file.stem for file in files] == [source.stem for source in devicelib.sources()]
    assert all(file.read_bytes()[:2] == b"BC" for file in files)
    before = [file.stat().st_mtime_ns for file in files]
    assert devicelib.build(arch, tmp_path) == files
    assert [file.stat().st_mtime_ns for file in files] == before


def test_callers_come_before_callees() -> None:
    """Linking goes through the files once, so a function must be defined after its first use."""
    seen: set[str] = set()
    for source in devicelib.sources():
        text = source.read_text()
        here = set(re.findall(r"^EXPORT [^;{]*?(\w+)\(", text, re.MULTILINE))
        used = set(re.findall(r"\b(__oc[mk]l_\w+)\(", text)) - here
        assert not used & seen, f"{source.name} uses functions of an earlier file: {sorted(used & seen)}"
        seen |= here


def test_two_processes_may_build_at_once(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from vrocm import devicelib;"
        "print(*devicelib.build('gfx942', Path(sys.argv[1])), sep='\\n')"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate(timeout=SECONDS)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert outputs[0] == outputs[1]
    assert all(Path(line).is_file() for line in outputs[0].splitlines())
    assert [path.name for path in tmp_path.iterdir()] == [Path(outputs[0].splitlines()[0]).parent.name]

"""Every public HIP function says that it was called, under its own name."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import pytest

import vrocm

HIP = Path(__file__).parents[3] / "native" / "hip"
# Not API calls: registration before main, and the names themselves.
OUTSIDE = re.compile(r"__hipRegister\w+|__hipUnregister\w+|hipApiName|hiprtc\w+")


def library() -> Path:
    return vrocm.native_dir() / "lib" / "libamdhip64.so"


@pytest.fixture(scope="module")
def listed() -> dict[str, list[str]]:
    """Functions and the names of their parameters."""
    text = (HIP / "call" / "functions.def").read_text()
    found = re.findall(r'^API\((\w+), "(.*)"\)$', text, flags=re.MULTILINE)
    assert len(found) == len(re.findall(r"^API\(", text, flags=re.MULTILINE))
    return {name: parameters.split(", ") if parameters else [] for name, parameters in found}


def test_every_exported_function_is_listed(listed: dict[str, list[str]]) -> None:
    symbols = subprocess.run(["nm", "-D", "--defined-only", library()], capture_output=True, text=True)
    exported = {line.split()[-1].split("@")[0] for line in symbols.stdout.splitlines() if " T " in line}
    public = {name for name in exported if re.match(r"(__)?hip[A-Z]", name) and not OUTSIDE.fullmatch(name)}
    assert len(public) > 350
    assert public == set(listed)


def test_every_function_begins_with_its_hook(listed: dict[str, list[str]]) -> None:
    source = "".join(path.read_text() for path in sorted(HIP.glob("api/*.cpp")))
    # A definition, its name, its parameters, and the hook as its first line.
    hooks = re.findall(
        r"^[\w ]+[\s*]+(\w+)\(([^;{]*?)\) \{\n    VROCM_API\((\w+)((?:,\s*\w+)*)\);",
        source,
        flags=re.MULTILINE,
    )
    aliases = {
        "hipGetDeviceProperties": "hipGetDevicePropertiesR0600",
        "hipChooseDevice": "hipChooseDeviceR0600",
    }
    found = {}
    for function, _, named, arguments in hooks:
        assert function == named
        found[aliases.get(named, named)] = [part.strip() for part in arguments.split(",") if part.strip()]
    assert set(found) == set(listed)
    different = [name for name in listed if len(found[name]) != len(listed[name])]
    assert different == []


def test_names_by_number(listed: dict[str, list[str]]) -> None:
    hip = ctypes.CDLL(str(library()))
    hip.hipApiName.restype = ctypes.c_char_p
    names = [hip.hipApiName(number).decode() for number in range(1, len(listed) + 1)]
    assert names == list(listed)
    assert names == sorted(names)
    assert hip.hipApiName(0) == hip.hipApiName(len(listed) + 1) == b"unknown"

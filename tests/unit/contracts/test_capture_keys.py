"""The native parts write and read captures by the names of the contract: formats, files, keys and words."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path
from typing import get_args

from rocm_perf_lab.capturing import folder
from rocm_perf_lab.contracts.captures import capture

NATIVE = Path(__file__).parents[3] / "native"
HEADER = (NATIVE / "snapshot" / "capture_keys.h").read_text()


def native_structs() -> dict[str, dict[str, str]]:
    """The constants of each struct."""
    structs = re.findall(r"^struct (\w+) \{(.*?)^\};", HEADER, re.MULTILINE | re.DOTALL)
    return {name: dict(re.findall(r'(\w+)\[\] = "([^"]*)"', body)) for name, body in structs}


def contract_keys() -> dict[str, set[str]]:
    """The keys of each class; what all of them may have is of the first."""
    shared = {field.name for field in dataclasses.fields(capture.Recorded)}
    found = {
        name: {field.name for field in dataclasses.fields(made)} - shared
        for name, made in inspect.getmembers(capture, dataclasses.is_dataclass)
        if issubclass(made, capture.Recorded)
    }
    return found | {"Recorded": shared}


def test_keys() -> None:
    native = native_structs()
    words = {"Outcome", "RegionKind"}
    assert native.keys() - words == contract_keys().keys()
    for name, keys in contract_keys().items():
        assert native[name] == {key: key for key in keys}, name


def test_words() -> None:
    native = native_structs()
    assert set(native["Outcome"].values()) == set(get_args(capture.Outcome))
    assert set(native["RegionKind"].values()) == set(get_args(capture.RegionKind))


def test_format_and_files() -> None:
    constants = dict(re.findall(r'constexpr \w+ (k\w+)(?:\[\])? = "?([^";]*)"?;', HEADER))
    assert constants == {
        "kFormat": capture.FORMAT,
        "kVersion": str(capture.VERSION),
        "kManifestFile": folder.MANIFEST,
        "kDispatchFile": folder.DISPATCH,
        "kRegionsFile": folder.REGIONS,
        "kKernargFile": folder.KERNARG,
        "kCodeObjectFile": folder.CODE_OBJECT,
    }


def test_no_key_stands_elsewhere() -> None:
    """Documents are made and read by those names alone."""
    sources = [*NATIVE.glob("capture/**/*.cpp"), NATIVE / "replay" / "captured" / "folder.cpp"]
    assert len(sources) > 20
    report = NATIVE / "capture" / "documents" / "report.cpp"  # of the run of a program, not of the capture
    literal = re.compile(r'(?:\bset\(|\bfind\(|\[)"\w+"')
    found = [str(file) for file in sources if file != report and literal.search(file.read_text())]
    assert not found

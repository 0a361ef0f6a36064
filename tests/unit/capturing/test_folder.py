"""Captures open when they are whole; interrupted, truncated, tampered, unknown ones are refused in words."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rocm_perf_lab.capturing.folder import open_capture, verify
from rocm_perf_lab.errors import BadInput

from .made_captures import IN, OUT, MadeCapture, write_manifest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return MadeCapture().write(tmp_path / "c")


def test_a_whole_one(folder: Path) -> None:
    capture = open_capture(folder)
    verify(capture)
    assert capture.dispatch.kernel.name.startswith("_ZN2ns5scale")
    assert [region.base for region in capture.memory.regions] == [hex(IN), hex(OUT), "0x7f0000400000"]
    assert len(capture.kernarg()) == 64
    assert capture.simulated
    assert capture.bytes_on_disk == sum(
        path.stat().st_size for path in folder.rglob("*") if path.is_file() and path.name != "manifest.json"
    )


def rename(folder: Path) -> None:
    folder.rename(folder.with_name("c.partial"))


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def cut(name: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / name
        path.write_bytes(path.read_bytes()[:-1])

    return edit


def flip(name: str, place: int) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        content = bytearray((folder / name).read_bytes())
        content[place] ^= 1
        (folder / name).write_bytes(content)

    return edit


def set_key(name: str, key: str, value: object, sealed: bool = True) -> Callable[[Path], None]:
    """``sealed``: the manifest is made anew, as somebody would who wants the change unnoticed."""

    def edit(folder: Path) -> None:
        plain = json.loads((folder / name).read_text())
        at = plain
        *path, last = key.split(".")
        for part in path:
            at = at[int(part) if isinstance(at, list) else part]
        at[int(last) if isinstance(at, list) else last] = value
        (folder / name).write_text(json.dumps(plain))
        if sealed and name != "manifest.json":
            write_manifest(folder)

    return edit


def list_a_file(name: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        plain = json.loads((folder / "manifest.json").read_text())
        plain["files"][name] = {"bytes": 64, "xxh64": "0x1"}
        (folder / "manifest.json").write_text(json.dumps(plain))

    return edit


def link(name: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        (folder / name).rename(folder.parent / "elsewhere")
        (folder / name).symlink_to(folder.parent / "elsewhere")

    return edit


def other_region(folder: Path) -> None:
    """Two regions swap their files, manifest and all."""
    one, two = (folder / f"memory/region_{base:016x}.bin" for base in (IN, OUT))
    contents = one.read_bytes(), two.read_bytes()
    two.write_bytes(contents[0])
    one.write_bytes(contents[1])
    write_manifest(folder)


REGION = f"memory/region_{IN:016x}.bin"


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (rename, "interrupted"),
        (shutil.rmtree, "there is no capture"),
        (remove("manifest.json"), "not finished"),
        (remove("kernel.hsaco"), "No such file"),
        (remove(REGION), "No such file"),
        (cut("dispatch.json"), "truncated"),
        (cut("kernarg.bin"), "truncated"),
        (cut(REGION), "truncated"),
        (cut("manifest.json"), "truncated"),
        (flip("kernarg.bin", 3), "has been changed"),
        (flip("kernel.hsaco", 200), "has been changed"),
        (flip(REGION, 17), "the manifest's|says"),
        (flip(REGION, -1), "index is wrong"),
        (set_key("dispatch.json", "time.in_app_ns", 1, sealed=False), "truncated|too long|changed"),
        (set_key("manifest.json", "version", 2), "version 2; this rocm-perf reads version 1"),
        (set_key("dispatch.json", "version", "1.5"), "version '1.5'"),
        (set_key("memory_regions.json", "format", "core dump"), "not of a capture"),
        (set_key("dispatch.json", "kernel", "vector_add"), "dispatch.json is not a valid"),
        (set_key("dispatch.json", "surprise", 1), "surprise"),
        (set_key("dispatch.json", "packet.kernarg_address", "12"), "'12' is not an address"),
        (set_key("dispatch.json", "arguments.0.offset", 60), "outside of kernarg.bin"),
        (set_key("memory_regions.json", "regions.0.file", "../../etc/passwd"), "the manifest does not"),
        (set_key("memory_regions.json", "regions.0.file", "kernarg.bin"), "the manifest does not"),
        (set_key("memory_regions.json", "regions.0.size", 4096), "says 4096"),
        (set_key("manifest.json", "files", {}), "does not list"),
        (list_a_file("../../etc/passwd"), "which no capture has"),
        (list_a_file("/etc/passwd"), "which no capture has"),
        (list_a_file("memory/../kernarg.bin"), "which no capture has"),
        (link("kernel.hsaco"), "not a plain file"),
        (other_region, "says"),
    ],
)
def test_what_is_refused(folder: Path, damage: Callable[[Path], None], words: str) -> None:
    damage(folder)
    with pytest.raises(BadInput, match=words) as caught:
        open_capture(folder)
    assert caught.value.remedy


def test_tampered_memory_is_found_when_it_is_read(folder: Path) -> None:
    flip(REGION, 5000)(folder)
    capture = open_capture(folder)  # headers and index are as they were
    with pytest.raises(BadInput, match=r"damaged: the checksum|cannot be unpacked"):
        verify(capture)


def test_a_partial_folder_by_its_own_name(folder: Path) -> None:
    rename(folder)
    with pytest.raises(BadInput, match="interrupted"):
        open_capture(folder.with_name("c.partial"))


def test_a_file_is_no_capture(tmp_path: Path) -> None:
    (tmp_path / "f.tar").write_bytes(b"")
    with pytest.raises(BadInput, match="is a file") as caught:
        open_capture(tmp_path / "f.tar")
    assert "replay import" in (caught.value.remedy or "")


def test_some_other_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="it is no capture"):
        open_capture(tmp_path)

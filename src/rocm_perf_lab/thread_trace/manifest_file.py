"""filenames.json: which waves were traced, and on what."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.thread_trace.json_file import integer, load, mapping, sequence, unexpected
from rocm_perf_lab.thread_trace.rows import Manifest, WaveFile

KNOWN_VERSIONS = re.compile(r"3\.[01](\.|$)")
_PLAIN_NAME = re.compile(r"[\w.-]+")


def read_manifest(path: Path) -> Manifest:
    content = mapping(load(path), path)
    if "wave_filenames" not in content:
        raise unexpected(path, "there is no 'wave_filenames' in it")
    version = content.get("version")
    if version is not None and not (isinstance(version, str) and KNOWN_VERSIONS.match(version)):
        raise BadInput(
            f"{path}: the trace has version {version!r}; 3.0 and 3.1 can be read",
            "trace with the rocprofv3 of ROCm 7, or look for a newer rocm-perf",
        )
    gfxip, family = content.get("gfxip"), content.get("gfxv")
    return Manifest(
        version=version,
        gfxip=None if gfxip is None else integer(gfxip, path, "gfxip"),
        family=family if isinstance(family, str) else None,
        counters=tuple(str(name) for name in sequence(content.get("counter_names"), path, "counter_names")),
        waves=tuple(sorted(_waves(content["wave_filenames"], path), key=_place)),
        thread_trace=content.get("thread_trace", True) is True,
        pc_sampling=content.get("pc_sampling", False) is True,
    )


def _place(file: WaveFile) -> tuple[int, int, int, int]:
    return file.engine, file.simd, file.slot, file.number


def _waves(tree: Any, path: Path) -> list[WaveFile]:
    """{engine: {SIMD: {slot: {number: [file, begin, end]}}}}."""
    found = []
    for engine, simds in _numbered(tree, path):
        for simd, slots in _numbered(simds, path):
            for slot, waves in _numbered(slots, path):
                for number, entry in _numbered(waves, path):
                    if not isinstance(entry, list) or len(entry) < 3 or not isinstance(entry[0], str):
                        raise unexpected(path, f"{str(entry)[:80]!r} is not a file with begin and end")
                    # A name from outside: it must not lead out of the folder.
                    if not _PLAIN_NAME.fullmatch(entry[0]) or entry[0].startswith("."):
                        raise unexpected(path, f"{entry[0]!r} is not the name of a wave's file")
                    begin, end = (integer(value, path, f"a time of {entry[0]}") for value in entry[1:3])
                    found.append(WaveFile(entry[0], engine, simd, slot, number, begin, end))
    return found


def _numbered(tree: Any, path: Path) -> list[tuple[int, Any]]:
    level = mapping(tree, path, "a level of wave_filenames")
    if not all(key.isdecimal() for key in level):
        raise unexpected(path, f"a level of wave_filenames has the keys {sorted(level)[:3]}, not numbers")
    return [(int(key), value) for key, value in level.items()]

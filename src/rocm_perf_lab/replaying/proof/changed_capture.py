"""Writes a capture with other inputs: what is not changed is shared with the capture that it was made of.

What memory was after the kernel stays that of the original inputs; replays of the new capture are compared
with one another, not with that.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import xxhash

from rocm_perf_lab.capturing.addresses import number, text
from rocm_perf_lab.capturing.folder import DISPATCH, KERNARG, MANIFEST, Capture
from rocm_perf_lab.capturing.region_file import CHUNK, PAGE, PAGES_PER_CHUNK, RegionFile
from rocm_perf_lab.replaying.memory.region_writer import RegionWriter
from rocm_perf_lab.replaying.proof.changed_inputs import Bytes, ChangedInputs

# Of an AQL kernel dispatch packet: where it has the grid (HSA Runtime Specification 1.2, section 2.9.6).
_GRID_AT = 12


def write_changed(capture: Capture, inputs: ChangedInputs, folder: Path) -> None:
    (folder / "memory").mkdir(parents=True)
    manifest = json.loads((capture.path / MANIFEST).read_bytes())
    files: dict[str, dict[str, Any]] = manifest["files"]
    written = {
        str(region.file): inputs.memory[number(region.base)]
        for region in capture.memory.regions
        if region.file is not None and number(region.base) in inputs.memory
    }
    for name in files:
        if name in written:
            files[name] = _region(capture.path / name, written[name], folder / name)
        elif name == KERNARG and inputs.kernarg is not None:
            files[name] = _content(inputs.kernarg, folder / name)
        elif name == DISPATCH:
            files[name] = _content(_dispatch(capture, inputs), folder / name)
        else:
            _share(capture.path / name, folder / name)
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _dispatch(capture: Capture, inputs: ChangedInputs) -> bytes:
    document = json.loads((capture.path / DISPATCH).read_bytes())
    if inputs.kernarg is not None:
        for argument in document["arguments"]:
            at = argument["offset"]
            argument["value"] = inputs.kernarg[at : at + argument["size"]].hex()
    if inputs.grid is not None:
        document["geometry"]["grid"] = list(inputs.grid)
        packet = bytearray.fromhex(document["packet"]["bytes"])
        packet[_GRID_AT : _GRID_AT + 12] = b"".join(size.to_bytes(4, "little") for size in inputs.grid)
        document["packet"]["bytes"] = packet.hex()
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _content(content: bytes, path: Path) -> dict[str, Any]:
    path.write_bytes(content)
    return {"bytes": len(content), "xxh64": text(xxhash.xxh64_intdigest(content))}


def _share(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copyfile(source, target)


def _region(source: Path, changes: list[tuple[int, Bytes]], target: Path) -> dict[str, Any]:
    with (
        RegionFile(source, "before") as before,
        RegionWriter(target, "before", before.base, before.size) as writer,
    ):
        by_chunk: dict[int, list[tuple[int, Bytes]]] = {}
        for start, content in changes:
            first, last = (start - before.base) // CHUNK, (start + len(content) - 1 - before.base) // CHUNK
            for chunk in range(first, last + 1):
                by_chunk.setdefault(chunk, []).append((start, content))
        for chunk in sorted({*before.held_chunks(), *by_chunk}):
            memory = np.zeros(CHUNK, np.uint8)
            before.over(chunk, memory)
            place = before.base + chunk * CHUNK
            for start, content in by_chunk.get(chunk, ()):
                low, high = max(start, place), min(start + len(content), place + CHUNK)
                memory[low - place : high - place] = content[low - start : high - start]
            rows = memory.reshape(PAGES_PER_CHUNK, PAGE)
            pages = [page for page in range(PAGES_PER_CHUNK) if rows[page].any()]
            writer.add(chunk, pages, rows[pages])
    return {"bytes": target.stat().st_size, "xxh64": text(writer.checksum)}

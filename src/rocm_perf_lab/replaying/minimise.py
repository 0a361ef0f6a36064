"""``replay minimise``: a capture with only the pages that the kernel touches, proved again.

Regions keep their addresses and sizes; those that the kernel does not touch and no argument points into are
left out. Pages that are not touched are not held: a replay finds zeros there.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import xxhash

from rocm_perf_lab.capturing.addresses import number, text
from rocm_perf_lab.capturing.folder import (
    CODE_OBJECT,
    DISPATCH,
    KERNARG,
    MANIFEST,
    REGIONS,
    Capture,
    open_capture,
)
from rocm_perf_lab.capturing.region_file import CHUNK, PAGE, RegionFile, State
from rocm_perf_lab.contracts.captures.capture import FORMAT, VERSION, MemoryRegion
from rocm_perf_lab.contracts.captures.validation import CaptureSize, MinimisationDocument
from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges
from rocm_perf_lab.replaying.memory.region_writer import RegionWriter
from rocm_perf_lab.replaying.native_tool.access_set import VARIABLE, AccessSet, read_access_set
from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest, replay
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.native_tool.trial import UNTIMED
from rocm_perf_lab.replaying.proof.capture_proof import refuse_incomplete
from rocm_perf_lab.replaying.validate import ValidationRequest, validate

UNTOUCHED = "the kernel does not touch it"


def minimise(
    path: Path, out: Path, request: ValidationRequest, tool: Tool, progress: Progress
) -> MinimisationDocument:
    """Leaves ``out`` behind only if the new capture was not found wrong."""
    capture = open_capture(path)
    refuse_incomplete(capture)
    if not tool.virtual:
        raise EnvironmentProblem(
            "which pages a kernel touches is seen on the virtual GPU only",
            "ROCM_PERF_PREFIX=virtual rocm-perf replay minimise …",
        )
    if out.exists():
        raise UsageProblem(f"{out} exists; nothing is overwritten", "name a new folder with --out")
    seen = observe(capture, tool, request.timeout_s, progress)
    draft = out.with_name(f".{out.name}.draft-{os.getpid()}")
    try:
        draft.mkdir(parents=True)
        write_minimised(capture, kept_bytes(capture, seen), draft)
        validation = validate(draft, request, tool, progress)
        document = MinimisationDocument(
            origin="derived",
            before=size_of(capture),
            after=replace(size_of(open_capture(draft)), folder=str(out)),
            read_bytes=seen.read.size,
            written_bytes=seen.written.size,
            validation=replace(validation, capture=str(out)),
        )
        if validation.verdict != "failed":
            draft.rename(out)
    except OSError as error:
        raise EnvironmentProblem(
            f"{out} cannot be written: {error.strerror}", "free space, or name another folder with --out"
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return document


def observe(capture: Capture, tool: Tool, timeout_s: float | None, progress: Progress) -> AccessSet:
    progress.plan(1)
    progress.begin("what the kernel reads and writes")
    with tempfile.TemporaryDirectory(prefix="rocm-perf-minimise-") as scratch:
        file = Path(scratch) / "access_set"
        replay_request = ReplayRequest(capture.path, timeout_s=timeout_s)
        replay(tool, replay_request, {**UNTIMED, VARIABLE: str(file)}, progress.ticker)
        found = read_access_set(file, capture.dispatch.kernel.demangled)
    if found is None:
        raise EnvironmentProblem(
            "this virtual GPU did not say what the kernel touched",
            "install the package again, or run scripts/setup",
        )
    return found


def kept_bytes(capture: Capture, seen: AccessSet) -> ByteRanges:
    """What a replay needs: all that the kernel touches, where that is stored, and its arguments."""
    touched = seen.read.union(seen.written)
    kernarg = number(capture.dispatch.packet.kernarg_address)
    wanted = [*touched, (kernarg, kernarg + capture.manifest.files[KERNARG].bytes)]
    stored = {
        region.handle: region for region in reversed(capture.memory.regions) if region.file and region.handle
    }
    for region in capture.memory.regions:
        base = number(region.base)
        whole = ByteRanges(((base, base + region.size),))
        if region.kind == "globals":
            wanted += whole
        elif region.file is None and region.handle in stored:
            first = stored[region.handle]
            shift = number(first.base) - (first.handle_offset or 0) + (region.handle_offset or 0) - base
            wanted += [(start + shift, end + shift) for start, end in touched.intersection(whole)]
    return ByteRanges.of(wanted)


def write_minimised(capture: Capture, kept: ByteRanges, folder: Path) -> None:
    (folder / "memory").mkdir()
    files: dict[str, dict[str, Any]] = {}
    dispatch = json.loads((capture.path / DISPATCH).read_bytes())
    memory = json.loads((capture.path / REGIONS).read_bytes())
    pointed_at = {argument.region for argument in capture.dispatch.arguments}
    handles_used = {
        region.handle
        for region in capture.memory.regions
        if region.handle is not None and kept.intersection(_whole(region))
    }
    remaining = []
    for region, told in zip(capture.memory.regions, memory["regions"], strict=True):
        touched = bool(kept.intersection(_whole(region)))
        if (
            touched
            or region.base in pointed_at
            or (region.handle is not None and region.handle in handles_used)
        ):
            told.update(_copy_region(capture, region, kept, folder, files))
            remaining.append(told)
        else:
            _leave_out(dispatch, region)
    memory["regions"] = remaining
    used = {told.get("handle") for told in remaining}
    memory["handles"] = [told for told in memory["handles"] if told["id"] in used]
    for name in (KERNARG, CODE_OBJECT):
        shutil.copyfile(capture.path / name, folder / name)
    for name, document in ((DISPATCH, dispatch), (REGIONS, memory)):
        (folder / name).write_text(
            json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    for name in (DISPATCH, REGIONS, KERNARG, CODE_OBJECT):
        content = (folder / name).read_bytes()
        files[name] = {"bytes": len(content), "xxh64": text(xxhash.xxh64_intdigest(content))}
    manifest = {"format": FORMAT, "version": VERSION, "files": files}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _whole(region: MemoryRegion) -> ByteRanges:
    return ByteRanges(((number(region.base), number(region.base) + region.size),))


def _leave_out(dispatch: dict[str, Any], region: MemoryRegion) -> None:
    for item in dispatch["verdict"]["items"]:
        address = item.get("address")
        if item.get("outcome") == "captured" and address and number(address) == number(region.base):
            item.update(outcome="left out", reason=UNTOUCHED)


def _copy_region(
    capture: Capture, region: MemoryRegion, kept: ByteRanges, folder: Path, files: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Writes the pages of a region that are kept; what memory_regions.json says of it then."""
    if region.file is None:
        return {}
    pages = _page_numbers(region, kept)
    before = _copy_file(capture, region, "before", pages, folder, files)
    after = _copy_file(capture, region, "after", pages, folder, files) if region.after else None
    if after is not None and not after.pages:
        (folder / str(region.after)).unlink()
        del files[str(region.after)]
        after = None
    assert before is not None
    return {
        "after": region.after if after else None,
        "stored_bytes": before.payload_bytes + (after.payload_bytes if after else 0),
        "changed_pages": after.pages if after else 0,
        "changed_bytes": _changed_bytes(folder, region) if after else 0,
    }


def _page_numbers(region: MemoryRegion, kept: ByteRanges) -> set[int]:
    base = number(region.base)
    return {
        page
        for start, end in kept.intersection(_whole(region))
        for page in range((start - base) // PAGE, -(-(end - base) // PAGE))
    }


def _copy_file(
    capture: Capture,
    region: MemoryRegion,
    state: State,
    pages: set[int],
    folder: Path,
    files: dict[str, dict[str, Any]],
) -> RegionWriter | None:
    source = capture.region_file(region, state)
    name = region.file if state == "before" else region.after
    if source is None or name is None:
        return None
    with source, RegionWriter(folder / name, state, source.base, source.size) as writer:
        for chunk in source.held_chunks():
            held = source.pages_of(chunk)
            wanted = [page for page in held if chunk * (CHUNK // PAGE) + page in pages]
            if wanted:
                rows = source.read_chunk(chunk)
                writer.add(chunk, wanted, rows[[held.index(page) for page in wanted]])
    files[name] = {"bytes": (folder / name).stat().st_size, "xxh64": text(writer.checksum)}
    return writer


def _changed_bytes(folder: Path, region: MemoryRegion) -> int:
    total = 0
    with (
        RegionFile(folder / str(region.file), "before") as before,
        RegionFile(folder / str(region.after), "after") as after,
    ):
        for chunk in after.held_chunks():
            was = np.zeros(CHUNK, np.uint8)
            before.over(chunk, was)
            now = was.copy()
            after.over(chunk, now)
            total += int(np.count_nonzero(was != now))
    return total


def size_of(capture: Capture) -> CaptureSize:
    pages = 0
    for region in capture.memory.regions:
        for state in ("before", "after"):
            file = capture.region_file(region, state)
            if file is not None:
                with file:
                    pages += file.pages_held
    return CaptureSize(
        folder=str(capture.path),
        regions=len(capture.memory.regions),
        region_bytes=sum(region.size for region in capture.memory.regions),
        pages=pages,
        bytes_on_disk=capture.bytes_on_disk,
    )

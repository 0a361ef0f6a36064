"""One file for each accepted change that has all that speaks for it, so that others can run it again.

::

    bundle.json               what is claimed, how it was found, and every other file with its SHA-256
    source/kernel.hip         the source before the change, with the files that it includes by quotes
    after/kernel.hip          the source after it; change.diff is the difference
    code/before.hsaco …       the code objects that have the kernel
    captures/dispatch-0.tar   a dispatch of the baseline, as ``replay export`` writes it
    proofs/dispatch-0.json    its self-replays, poison and negative control, and the variant's results
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from rocm_perf_lab.contracts.captures.validation import ValidationDocument
from rocm_perf_lab.contracts.changes.change_bundle import (
    CHANGE_FORMAT,
    CHANGE_VERSION,
    BundledDispatch,
    BundledSide,
    BundleEnvironment,
    ChangeBundleDocument,
)
from rocm_perf_lab.contracts.changes.optimization import TimeChange
from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument, Setting
from rocm_perf_lab.optimizing.building.built import code_object_of, symbol_of
from rocm_perf_lab.optimizing.program_output import OutputRequest
from rocm_perf_lab.optimizing.records.safe_write import diff
from rocm_perf_lab.optimizing.source.read import read_unit
from rocm_perf_lab.optimizing.stages import Program
from rocm_perf_lab.optimizing.time_change import time_change
from rocm_perf_lab.optimizing.trial import Tried
from rocm_perf_lab.replaying.bundle import export_capture
from rocm_perf_lab.replaying.hashed_tar import Member, WrittenTar, described, index_digest, write_tar
from rocm_perf_lab.trust import remember

BUNDLE = "bundle.tar"
SCRATCH = "bundle-"
MOST_CAPTURE_BYTES = 1 << 30  # chosen: larger ones are left out, and captured again by whoever verifies
_LEVELS_ABOVE = 3  # chosen: includes that lie further up than that are not the source's own


Bundling = Callable[[bytes, Tried, Path], Mapping[str, object] | None]


class CountingStages(Protocol):
    def counters(self, program: Program) -> ProfileDocument: ...


@dataclass(frozen=True)
class Recipe:
    """How the program is made and run."""

    build: str
    arguments: tuple[str, ...]
    output: OutputRequest
    """What of the program's output was compared."""


def bundles_of(source: Path, recipe: Recipe, stages: CountingStages) -> Bundling:
    """What the loop calls for each change that it accepts."""

    def bundle(before: bytes, tried: Tried, record: Path) -> dict[str, object]:
        record.mkdir(parents=True, exist_ok=True)
        written = write_bundle(record / BUNDLE, source, before, tried, recipe, stages.counters)
        return {"file": BUNDLE, "bytes": written.bytes, "sha256": written.sha256}

    return bundle


def write_bundle(
    file: Path,
    source: Path,
    before: bytes,
    tried: Tried,
    recipe: Recipe,
    counters: Callable[[Program], ProfileDocument],
) -> WrittenTar:
    """``counters``: the profile with counters of a program."""
    assert tried.bench is not None
    assert tried.program is not None
    assert tried.candidate is not None
    assert tried.equality is not None
    assert tried.kernel is not None
    assert tried.whole is not None
    assert tried.medians is not None
    bench, after = tried.bench, tried.candidate.text
    main, includes, left_out = sources_of(source, before)
    sides = {
        name: _side(name, program, place, bench.kernel.name, counters(program))
        for name, program, place in (
            ("before", bench.baseline, main.name),
            ("after", tried.program, f"after/{source.name}"),
        )
    }
    with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=file.parent) as scratch:
        dispatches, proofs = _dispatches(tried.equality.details, Path(scratch))
        members = [
            replace(main, content=before),
            *includes,
            Member(f"after/{source.name}", content=after),
            Member("change.diff", content=diff(source.name, before, after).encode(errors="surrogateescape")),
            *(code for _, code in sides.values()),
            *proofs,
        ]
        profile = counters(bench.baseline)
        process = _process(tried)
        document = ChangeBundleDocument(
            origin=tried.medians.origin,
            missing={} if process is not None else {"process_time": "the trace does not say"},
            format=CHANGE_FORMAT,
            version=CHANGE_VERSION,
            source=source.name,
            kernel=bench.kernel.name,
            proposal=tried.attempt.proposal,
            build=recipe.build,
            arguments=recipe.arguments,
            improvement=bench.improvement,
            before=sides["before"][0],
            after=sides["after"][0],
            diff="change.diff",
            includes=tuple(one.name for one in includes),
            includes_left_out=left_out,
            dispatches=dispatches,
            results=tried.equality.statement,
            checkers=tried.checkers or "",
            kernel_time=time_change(tried.kernel, tried.medians.kernel_ms, tried.medians.origin),
            whole_time=time_change(tried.whole, tried.medians.whole_ms, tried.medians.origin),
            process_time=process,
            printed_compared=recipe.output.printed,
            files_compared=tuple(map(str, recipe.output.files)),
            environment=environment_of(profile.setting, profile.gpu),
            files={member.name: described(member) for member in members},
        )
        index = to_json(document).encode()
        written = write_tar(file, index, members)
        remember(index_digest(index), str(file.absolute()))
        return written


def _process(tried: Tried) -> TimeChange | None:
    medians = tried.medians
    if tried.process is None or medians is None or medians.process_ms is None:
        return None
    return time_change(tried.process, medians.process_ms, medians.origin)


def environment_of(setting: Setting, gpu: Gpu | None) -> BundleEnvironment:
    return BundleEnvironment(
        gpu=gpu.name if gpu else None,
        architecture=gpu.architecture if gpu else None,
        system=f"{setting.host.get('system', '')} {setting.host.get('machine', '')}".strip(),
        tools=dict(setting.tools),
        variables={name: value for name, value in setting.environment.items() if os.sep not in value},
    )


def sources_of(source: Path, before: bytes) -> tuple[Member, list[Member], tuple[str, ...]]:
    """The source and what it includes, under names that keep how they lie to each other."""
    real = source.resolve()
    near = [real.parent, *real.parent.parents][_LEVELS_ABOVE:][:1] or [Path(real.anchor)]
    found = [one.path.resolve() for one in read_unit(source, text=before).includes]
    own = [path for path in found if path.is_relative_to(near[0])]
    root = Path(os.path.commonpath([real.parent, *(path.parent for path in own)]))
    return (
        Member(f"source/{real.relative_to(root).as_posix()}"),
        [Member(f"source/{path.relative_to(root).as_posix()}", path) for path in sorted(own)],
        tuple(sorted(path.name for path in found if path not in own)),
    )


def _side(
    name: str, program: Program, source: str, kernel: str, profile: ProfileDocument
) -> tuple[BundledSide, Member]:
    found = symbol_of(program.built, kernel)
    assert found is not None  # it was replayed
    symbol, architecture = found
    code = Member(f"code/{name}.hsaco", content=code_object_of(program.path, symbol, architecture))
    counted = next(one for one in profile.kernels if one.name == kernel)
    traffic = counted.roofline.bytes if counted.roofline else None
    return (
        BundledSide(
            origin="simulated" if profile.origin == "simulated" else "measured",
            missing={} if traffic is not None else {"traffic_bytes": "it was not counted"},
            source=source,
            code_object=code.name,
            code_digest=program.built.digest,
            resources=counted.resources,
            counters=dict(counted.roofline.counters) if counted.roofline else {},
            traffic_bytes=traffic,
        ),
        code,
    )


def _dispatches(
    details: Mapping[str, object], scratch: Path
) -> tuple[tuple[BundledDispatch, ...], list[Member]]:
    dispatches, members = [], []
    for title, found in details.items():
        if not isinstance(found, ValidationDocument):
            continue
        name = title.replace(" ", "-")
        exported = scratch / f"{name}.tar"
        written = export_capture(Path(found.capture), exported)
        fits = written.bytes <= MOST_CAPTURE_BYTES
        dispatches.append(
            BundledDispatch(
                origin="derived",
                missing={} if fits else {"capture": f"larger than {MOST_CAPTURE_BYTES} bytes"},
                dispatch=int(title.rpartition(" ")[2]),
                proof=f"proofs/{name}.json",
                other_states=_other_states(details.get(f"other states of {title}")),
                capture=f"captures/{name}.tar" if fits else None,
                capture_bytes=written.bytes,
                capture_sha256=written.sha256,
            )
        )
        if fits:
            members.append(Member(f"captures/{name}.tar", exported))
        proof = _without_paths(found, f"captures/{name}.tar")
        members.append(Member(f"proofs/{name}.json", content=to_json(proof).encode()))
    return tuple(dispatches), members


def _other_states(found: object) -> tuple[str, ...]:
    used = found.get("used", ()) if isinstance(found, Mapping) else ()
    return tuple(map(str, used))


def _without_paths(found: ValidationDocument, capture: str) -> ValidationDocument:
    variant = found.variant
    return replace(
        found,
        capture=capture,
        variant=replace(variant, hsaco="code/after.hsaco") if variant is not None else None,
    )

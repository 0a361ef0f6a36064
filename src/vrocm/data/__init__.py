"""The virtual GPUs and their architectures as data, one file each; the native build reads them, too."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# The native build runs this module with nothing but Python: it imports nothing else of the package.

FOLDER = Path(__file__).parent
Table = Mapping[str, Any]
_SIZE = re.compile(r"(\d+) ([KMG])iB")
_SHIFT = {"K": 10, "M": 20, "G": 30}
_NAME = re.compile(r"[A-Za-z0-9][\w-]*", re.ASCII)

# Tables of a GPU's file, and those of an architecture's. A GPU's file has `limits` where they differ.
_GPU_TABLES = ("identity", "units", "clocks", "memory", "caches", "links", "roofline", "timing", "costs")
_ARCHITECTURE_TABLES = ("limits", "emulator", "peaks", "counter_slots")


class BadGpuFile(ValueError):
    """A file of a GPU or an architecture that cannot be right; the text names it and says why."""


@dataclass(frozen=True)
class Architecture:
    name: str
    """For example gfx942: the name of its file."""
    generation: str
    target_features: str
    """In their default setting, for example :sramecc+:xnack-."""
    generic_target: str
    """Whose code it also runs, or empty."""
    limits: Table
    """What a compute unit holds."""
    emulator: Table
    peaks: Table
    """Rates of a unit, each with its source."""
    counter_slots: Mapping[str, int]
    """Counters that one instance of each hardware block can keep at the same time."""


@dataclass(frozen=True)
class GpuDescription:
    name: str
    """What ``VROCM_DEVICE`` calls it: the name of its file."""
    rank: int
    """Its place in lists; the first is the GPU that there is when none is asked for."""
    product: str
    """Marketing name."""
    architecture: Architecture
    identity: Table
    units: Table
    clocks: Table
    memory: Table
    caches: Table
    links: Table
    roofline: Table
    timing: Table
    costs: Table
    limits: Table
    """Of the architecture, with what this GPU has different."""


def _sizes(value: Any) -> Any:
    """ "64 KiB" as bytes, in all values below one."""
    if isinstance(value, dict):
        return {key: _sizes(inner) for key, inner in value.items()}
    found = _SIZE.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) << _SHIFT[found[2]] if found else value


def _read(folder: Path) -> dict[str, dict[str, Any]]:
    files = {}
    for path in sorted(folder.glob("*.toml")):
        if not _NAME.fullmatch(path.stem):
            raise BadGpuFile(f"{path}: a name has letters, digits, _ and - only")
        try:
            files[path.stem] = _sizes(tomllib.loads(path.read_text(encoding="utf-8")))
        except tomllib.TOMLDecodeError as problem:
            raise BadGpuFile(f"{path}: {problem}") from None
    return files


def _table(
    files: Mapping[str, dict[str, Any]], name: str, table: str, seen: tuple[str, ...] = ()
) -> dict[str, Any]:
    """A table of a file, over that of the file which it says it is like."""
    own = files[name].get(table)
    if not isinstance(own, dict):
        raise BadGpuFile(f"{name}.toml: it has no table [{table}]")
    other = own.get("like")
    if other is None:
        return own
    if other not in files or other in (*seen, name):
        raise BadGpuFile(f"{name}.toml: [{table}] is like {other!r}, which is no other file here")
    changed = {key: value for key, value in own.items() if key != "like"}
    return {**_table(files, other, table, (*seen, name)), **changed}


def _word(files: Mapping[str, dict[str, Any]], name: str, key: str, kind: type) -> Any:
    value = files[name].get(key)
    if not isinstance(value, kind):
        raise BadGpuFile(f"{name}.toml: {key} is missing, or is not of type {kind.__name__}")
    return value


def _only(files: Mapping[str, dict[str, Any]], name: str, known: tuple[str, ...]) -> None:
    strange = sorted(set(files[name]) - set(known))
    if strange:
        raise BadGpuFile(f"{name}.toml: {strange[0]!r} is not known")


def read_architectures(folder: Path) -> dict[str, Architecture]:
    files = _read(folder)
    found = {}
    for name in files:
        _only(files, name, ("generation", "target_features", "generic_target", *_ARCHITECTURE_TABLES))
        found[name] = Architecture(
            name,
            generation=_word(files, name, "generation", str),
            target_features=_word(files, name, "target_features", str),
            generic_target=_word(files, name, "generic_target", str),
            **{key: _table(files, name, key) for key in _ARCHITECTURE_TABLES},
        )
    return found


def read_gpus(folder: Path, known: Mapping[str, Architecture]) -> dict[str, GpuDescription]:
    """In the order of their ranks."""
    files = _read(folder)
    found = []
    for name in files:
        _only(files, name, ("rank", "product", "architecture", "limits", *_GPU_TABLES))
        architecture = known.get(_word(files, name, "architecture", str))
        if architecture is None:
            raise BadGpuFile(f"{name}.toml: architecture {files[name]['architecture']!r} has no file")
        found.append(
            GpuDescription(
                name,
                _word(files, name, "rank", int),
                _word(files, name, "product", str),
                architecture,
                limits={**architecture.limits, **files[name].get("limits", {})},
                **{key: _table(files, name, key) for key in _GPU_TABLES},
            )
        )
    found.sort(key=lambda gpu: (gpu.rank, gpu.name))
    for gpu in found:
        _check(gpu, found[0])
    return {gpu.name: gpu for gpu in found}


def _check(gpu: GpuDescription, first: GpuDescription) -> None:
    """Every table has the keys that the first GPU's has; no key is one that nobody reads."""
    for table in (*_GPU_TABLES, "limits"):
        own, wanted = set(getattr(gpu, table)), set(getattr(first, table))
        if table == "roofline":  # what an Infinity Cache gives, where there is one
            own, wanted = own - {"infinity_cache_gbps"}, wanted - {"infinity_cache_gbps"}
        if own != wanted:
            key = min(own ^ wanted)
            what = "is missing" if key in wanted else "is not known"
            raise BadGpuFile(f"{gpu.name}.toml: {key!r} in [{table}] {what}")
    if gpu.name.lower() not in gpu.product.lower():
        raise BadGpuFile(
            f"{gpu.name}.toml: traces name the product {gpu.product!r}, and so it has to have the file's name"
        )
    if gpu.limits["lds_bytes_per_workgroup"] % gpu.limits["lds_granule"]:
        raise BadGpuFile(f"{gpu.name}.toml: LDS is no multiple of {gpu.limits['lds_granule']} bytes")
    units, dies = gpu.units["compute_units"], gpu.units["xccs"]
    if units % dies or not units <= 2 * dies * gpu.units["front_caches_per_xcc"] <= 2 * units:
        raise BadGpuFile(
            f"{gpu.name}.toml: {units} compute units on {dies} dies, one or two of them to each of"
            f" {gpu.units['front_caches_per_xcc']} front caches of a die, is not possible"
        )


@cache
def architectures() -> Mapping[str, Architecture]:
    """By name, such as gfx942."""
    return read_architectures(FOLDER / "architectures")


@cache
def gpus() -> Mapping[str, GpuDescription]:
    """By name, such as MI300X; the first is the GPU that there is when none is asked for."""
    return read_gpus(FOLDER / "gpus", architectures())

"""Writes the GPUs of src/vrocm/data as initializers for C++: generate.py SOURCE-FOLDER FOLDER."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

HEAD = "// Made from src/vrocm/data by native/gpus/generate.py.\n"


def literal(value: Any) -> str:
    """A value of a file in C++; a table (of a cache, say) by its values in order."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value}u" if value < 1 << 32 else f"{value}ull"
    if isinstance(value, Mapping):
        return f"{{{', '.join(map(literal, value.values()))}}}"
    if isinstance(value, str) and value.isascii() and value.isprintable():
        text = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"'
    raise ValueError(f"{value!r} has no form in C++")


def initializer(type_: str, fields: Mapping[str, str]) -> str:
    """Assigns by name: a key that C++ does not know is an error there, and the order does not matter."""
    lines = "".join(f"    it.{name} = {value};\n" for name, value in fields.items())
    return f"[] {{\n    {type_} it{{}};\n{lines}    return it;\n}}(),\n"


def literals(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: literal(value) for name, value in values.items()}


def architecture(one: Any) -> dict[str, str]:
    limits = one.limits
    (registers,) = limits["vgprs"].values()
    return literals(
        {
            "name": one.name,
            "simds_per_cu": limits["simds_per_cu"],
            "waves_per_simd": limits["wave_slots_per_simd"],
            "registers": registers["registers"],
            "register_granule": registers["granule"],
            "scalar_registers": one.emulator["scalar_registers"],
            "scalars_for_all_waves": limits["sgpr_steps"][0][0],
            "barriers": limits["barriers"],
            "lds_granule": limits["lds_granule"],
        }
    )


def model(number: int, gpu: Any) -> dict[str, str]:
    caches = {key: gpu.caches[key]["bytes"] for key in ("l1", "l2", "infinity_cache")}
    own = literals(
        {
            "key": gpu.name,
            "product": gpu.product,
            "gfx": gpu.architecture.name,
            "features": gpu.architecture.target_features,
            "generic": gpu.architecture.generic_target,
            "number": number,
            "lds_bytes": gpu.limits["lds_bytes_per_workgroup"],
            "simds_per_cu": gpu.limits["simds_per_cu"],
            "waves_per_cu": gpu.limits["simds_per_cu"] * gpu.limits["wave_slots_per_simd"],
            "l1_bytes": caches["l1"],
            "l2_bytes": caches["l2"],
            "l3_bytes": caches["infinity_cache"],
            "peer_link_mbps": gpu.links["peer_mbps"],
            "host_link_mbps": gpu.links["host_mbps"],
            **gpu.identity,
            **gpu.units,
            **gpu.clocks,
            **gpu.memory,
        }
    )
    return {
        **own,
        "arch": f"isa::Arch::{gpu.architecture.name}",
        "architecture": f'&gpus::architecture("{gpu.architecture.name}")',
    }


def shape(cache: Mapping[str, int]) -> dict[str, int]:
    return {key: cache[key] for key in ("bytes", "line", "ways")}


def timing(gpu: Any) -> dict[str, str]:
    caches = {name: shape(cache) for name, cache in gpu.caches.items()}
    return literals({**caches, "l2_channels": gpu.architecture.peaks["l2_channels"]["value"], **gpu.timing})


def tables(data: Any) -> Iterator[tuple[str, str]]:
    """Names of files, and what is in them."""
    architectures, gpus = data.architectures(), data.gpus()
    yield (
        "architectures.inc",
        "".join(initializer("Architecture", architecture(one)) for one in architectures.values()),
    )
    yield (
        "models.inc",
        "".join(initializer("GpuModel", model(number, gpu)) for number, gpu in enumerate(gpus.values())),
    )
    yield "timing.inc", "".join(initializer("Parameters", timing(gpu)) for gpu in gpus.values())
    yield (
        "costs.inc",
        "".join(initializer("Costs", literals({"device": gpu.name, **gpu.costs})) for gpu in gpus.values()),
    )


def provide_tomli() -> None:
    """With Python 3.10, where nobody installed tomli, that of pip will do."""
    if sys.version_info < (3, 11) and importlib.util.find_spec("tomli") is None:
        with contextlib.suppress(ImportError):
            from pip._vendor import tomli

            sys.modules["tomli"] = tomli


def module(path: Path) -> Any:
    """By its file: an installed package of the same name is another one."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("gpu_data", path)
    assert spec
    assert spec.loader
    made = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def main() -> int:
    sources, target = map(Path, sys.argv[1:])
    provide_tomli()
    try:
        data = module(sources / "vrocm" / "data" / "__init__.py")
    except ModuleNotFoundError as problem:
        print(f"{problem.name} is missing; try: pip install {problem.name}", file=sys.stderr)
        return 1
    try:
        written = dict(tables(data))
    except (data.BadGpuFile, KeyError, TypeError, ValueError) as problem:
        said = problem if isinstance(problem, data.BadGpuFile) else repr(problem)
        print(f"the files of GPUs in {data.FOLDER} cannot be used: {said}", file=sys.stderr)
        return 1
    target.mkdir(parents=True, exist_ok=True)
    for name, text in written.items():
        path = target / name
        if not path.is_file() or path.read_text() != HEAD + text:  # what is the same is not compiled again
            path.write_text(HEAD + text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

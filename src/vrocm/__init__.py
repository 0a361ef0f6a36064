"""The virtual ROCm: compiler, headers, runtimes and tools of ROCm over an emulator of AMD GPUs.

    import vrocm

    program = vrocm.compile("app.hip", "app", ["-O3"])
    print(vrocm.run([program], device="MI300A").stdout)

``vrocm.prefix()`` is a folder that looks like an installed ROCm, ``vrocm.environment()`` has the variables
that make builds and programs use it. What a name stands for is imported when it is first used: hipcc, for
one, has no time for more.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would have to be imported
if TYPE_CHECKING:
    from typing import Any

    from vrocm.gpus import Device as Device
    from vrocm.gpus import devices as devices
    from vrocm.hipcc.toolchain import cache_dir as cache_dir
    from vrocm.layout import environment as environment
    from vrocm.layout import native_dir as native_dir
    from vrocm.layout import prefix as prefix
    from vrocm.programs import compile as compile
    from vrocm.programs import run as run

    __version__: str

# The ROCm release whose API and ABI the virtual one follows.
ROCM_VERSION = "7.1.0"

# Public name -> the module that has it.
_PLACES = {
    "Device": "gpus",
    "cache_dir": "hipcc.toolchain",
    "compile": "programs",
    "devices": "gpus",
    "environment": "layout",
    "native_dir": "layout",
    "prefix": "layout",
    "run": "programs",
}

__all__ = ["ROCM_VERSION", "__version__", *_PLACES]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        found: Any = version("rocm-perf-lab")  # the distribution that it is part of
    elif name in _PLACES:
        from importlib import import_module

        found = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

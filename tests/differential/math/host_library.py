"""The math of the device library compiled for the host, with the hardware's approximations simulated."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vrocm import devicelib

SHIM = Path(__file__).with_name("hardware_shim.cpp")
# These talk to the runtime, to memory or to other lanes and have no meaning on the host.
DEVICE_ONLY = {
    "directed_rounding",
    "grid_sync",
    "heap",
    "memory_functions",
    "printf_buffer",
    "wave_reduction",
    "work_item",
}
HOST_FLAGS = ["-x", "c++", "-std=c++20", "--target=x86_64-linux-gnu", "-march=x86-64-v3", "-O2", "-fPIC"]
HOST_FLAGS += ["-I", str(devicelib.SOURCE_DIR)]
HOST_FLAGS += ["-fno-exceptions", "-fno-rtti", "-ffp-contract=off", "-fno-math-errno", "-w", "-c"]

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def _digest() -> str:
    digest = hashlib.sha256(repr(HOST_FLAGS).encode())
    folder = devicelib.SOURCE_DIR
    for path in [SHIM, *sorted(folder.rglob("*.h")), *sorted(folder.rglob("*.cpp"))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def build(cache_dir: Path) -> Path:
    """Compiles the library for x86-64 and returns the shared object."""
    result = cache_dir / f"devicemath-{_digest()}.so"
    if result.is_file():
        return result
    cache_dir.mkdir(parents=True, exist_ok=True)
    zig = str(devicelib.zig_executable())
    units = [path for path in devicelib.sources() if path.stem not in DEVICE_ONLY]
    # A folder of its own: several test processes may build at the same time.
    work = Path(tempfile.mkdtemp(dir=cache_dir))

    def compile_unit(source: Path) -> Path:
        output = work / f"{source.stem}.o"
        subprocess.run([zig, "clang", *HOST_FLAGS, str(source), "-o", str(output)], check=True)
        return output

    with ThreadPoolExecutor(max_workers=2) as pool:
        objects = [str(path) for path in pool.map(compile_unit, units)]
    scratch = work / "library.so"
    command = ["g++", "-O2", "-march=x86-64-v3", "-std=gnu++20", "-shared", "-fPIC", str(SHIM), *objects]
    subprocess.run([*command, "-o", str(scratch)], check=True)
    scratch.replace(result)
    shutil.rmtree(work)
    return result


class DeviceMath:
    """Calls functions of the library on numpy arrays."""

    def __init__(self, path: Path) -> None:
        self.library = ctypes.CDLL(str(path))

    def set_hardware_error(self, error: int) -> None:
        self.library.shim_set_error(error)

    def function(self, name: str, kind: str) -> ctypes.c_void_p:
        symbol = getattr(self.library, f"__ocml_{name}_{kind}")
        return ctypes.cast(symbol, ctypes.c_void_p)

    def __contains__(self, item: tuple[str, str]) -> bool:
        return hasattr(self.library, f"__ocml_{item[0]}_{item[1]}")

    def _map(self, shape: str, name: str, kind: str, *arrays: NDArray[np.generic]) -> None:
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in arrays]
        driver = getattr(self.library, f"{shape}_{kind}")
        driver(self.function(name, kind), *pointers, ctypes.c_long(len(arrays[0])))

    def call(self, name: str, kind: str, *arguments: NDArray[np.generic]) -> NDArray[np.generic]:
        """A function of one to four floating-point arguments."""
        arrays = [np.ascontiguousarray(a, TYPES[kind]) for a in arguments]
        result = np.empty_like(arrays[0])
        self._map(f"map{len(arrays)}", name, kind, *arrays, result)
        return result

    def call_with_int(
        self, name: str, kind: str, x: NDArray[np.generic], n: NDArray[np.generic]
    ) -> NDArray[np.generic]:
        """f(x, n) with an integer n."""
        x, n = np.ascontiguousarray(x, TYPES[kind]), np.ascontiguousarray(n, np.int32)
        result = np.empty_like(x)
        self._map("map_int", name, kind, x, n, result)
        return result

    def call_of_order(
        self, name: str, kind: str, n: NDArray[np.generic], x: NDArray[np.generic]
    ) -> NDArray[np.generic]:
        """f(n, x) with an integer n."""
        x, n = np.ascontiguousarray(x, TYPES[kind]), np.ascontiguousarray(n, np.int32)
        result = np.empty_like(x)
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (n, x, result)]
        getattr(self.library, f"map_order_{kind}")(
            self.function(name, kind), *pointers, ctypes.c_long(len(x))
        )
        return result

    def call_pair(
        self, name: str, kind: str, x: NDArray[np.generic]
    ) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
        """f(x, &second)."""
        x = np.ascontiguousarray(x, TYPES[kind])
        result, second = np.empty_like(x), np.empty_like(x)
        self._map("map_pair", name, kind, x, result, second)
        return result, second

    def call_exponent(
        self, name: str, kind: str, x: NDArray[np.generic]
    ) -> tuple[NDArray[np.generic], NDArray[np.int32]]:
        """f(x, &integer)."""
        x = np.ascontiguousarray(x, TYPES[kind])
        result, second = np.empty_like(x), np.empty(len(x), np.int32)
        self._map("map_exponent", name, kind, x, result, second)
        return result, second

    def call_quotient(
        self, name: str, kind: str, x: NDArray[np.generic], y: NDArray[np.generic]
    ) -> tuple[NDArray[np.generic], NDArray[np.int32]]:
        """f(x, y, &integer)."""
        x, y = np.ascontiguousarray(x, TYPES[kind]), np.ascontiguousarray(y, TYPES[kind])
        result, second = np.empty_like(x), np.empty(len(x), np.int32)
        self._map("map_quotient", name, kind, x, y, result, second)
        return result, second

"""Search spaces of different shapes with times from formulas, to judge the search on more than one recording.

None of them is a recording of hardware: times come from rough models of what makes GPU kernels fast (groups
that fill a compute unit, bytes of LDS, aligned rows, whole waves, work for all compute units) with the
roughness that compilers add, drawn from a fixed seed. They are meant to differ: size, share of failures,
interactions, plateaus, categories.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocm_perf_lab.autotuning.expression import parse
from rocm_perf_lab.autotuning.space import Pool, Space, SpaceParameter, Value, pool_of

COMPUTE_UNITS = 104
WAVES = 32  # on a compute unit
LDS = 65536


@dataclass(frozen=True)
class Synthetic:
    name: str
    space: Space
    pool: Pool
    times: list[float | None]


def _space(values: dict[str, list[Value]], *constraints: str) -> Space:
    parameters = tuple(SpaceParameter(name, tuple(choices)) for name, choices in values.items())
    return Space(parameters, tuple(parse(text) for text in constraints))


def _resident(threads: np.ndarray, lds: np.ndarray, registers: np.ndarray) -> np.ndarray:
    """Waves that are on a compute unit together."""
    waves = np.ceil(threads / 64)
    by_lds = np.floor(LDS / np.maximum(lds, 1.0))
    by_registers = np.floor(4 * np.floor(512 / np.maximum(8 * np.ceil(registers / 8), 8)) / waves)
    groups = np.minimum(np.minimum(by_lds, by_registers), np.floor(WAVES / waves))
    return np.where(groups >= 1, groups * waves, 0)


def _hidden(resident: np.ndarray, parallel: np.ndarray) -> np.ndarray:
    """The share of latency that resident waves and independent work of each of them hide."""
    return 1 - np.exp(-(resident * parallel) / 10.0)


def _tail(groups: np.ndarray, at_once: np.ndarray) -> np.ndarray:
    """How much longer the last round of groups makes it."""
    rounds = groups / np.maximum(at_once, 1)
    return np.ceil(rounds) / rounds


def convolution(c: dict[str, np.ndarray]) -> np.ndarray:
    bx, by, tx, ty = c["block_x"], c["block_y"], c["tile_x"], c["tile_y"]
    threads, outputs = bx * by, tx * ty
    lds = np.where(c["shared"] == 1, 4 * (bx * tx + 16 + c["padding"]) * (by * ty + 16), 0)
    registers = 24 + 3 * outputs + 6 * c["unroll"]
    resident = _resident(threads, lds, registers)
    groups = np.ceil(4096 / (bx * tx)) * np.ceil(4096 / (by * ty))
    bytes_read = np.where(
        c["shared"] == 1, (bx * tx + 16) * (by * ty + 16) / (threads * outputs), 40 / outputs
    )
    memory = bytes_read * np.where(bx % 32 == 0, 1.0, 1.25) * np.where(bx < 32, 32 / bx, 1.0) ** 0.6
    conflicts = np.where((c["shared"] == 1) & (c["padding"] == 0) & (bx * tx % 32 == 0), 1.5, 1.0)
    compute = (1 + 1.2 / outputs + 0.5 / c["unroll"]) * conflicts * (64 * np.ceil(threads / 64) / threads)
    busy = compute + memory * 0.8 / _hidden(resident, np.sqrt(outputs))
    return (
        busy
        * _tail(groups, COMPUTE_UNITS * resident / np.ceil(threads / 64))
        / np.where(resident > 0, 1, np.nan)
    )


def gemm(c: dict[str, np.ndarray]) -> np.ndarray:
    mwg, nwg, kwg, md, nd = c["MWG"], c["NWG"], c["KWG"], c["MDIMC"], c["NDIMC"]
    threads, per = md * nd, (mwg / md) * (nwg / nd)
    lds = 4 * kwg * (c["SA"] * mwg + c["SB"] * nwg)
    registers = 20 + per + (mwg / md) * c["VWM"] ** 0.5 + (nwg / nd) * c["VWN"] ** 0.5
    spilled = np.maximum(0, registers - 256) / 64
    resident = _resident(threads, lds, np.minimum(registers, 256))
    groups = (4096 / mwg) * (4096 / nwg)
    reads = (
        np.where(c["SA"] == 1, 1.0, 2.2 / c["VWM"] ** 0.4) / nwg
        + np.where(c["SB"] == 1, 1.0, 2.2 / c["VWN"] ** 0.4) / mwg
    )
    vector = 1 + 0.35 * (c["VWM"] == 1) + 0.35 * (c["VWN"] == 1) + 0.3 * (c["VWM"] == 8) * (c["STRM"] == 0)
    local = (1 / (mwg / md) + 1 / (nwg / nd)) * np.where((c["SA"] + c["SB"]) > 0, 1.0, 1.6)
    sync = 1 + 0.6 * (c["SA"] + c["SB"]) / kwg * 4
    busy = (1 + local * vector + 90 * reads / _hidden(resident, per**0.5)) * sync * (1 + spilled)
    busy = busy * (64 * np.ceil(threads / 64) / threads) * np.where(c["MDIMA"] == md, 1, 1.06)
    return (
        busy
        * _tail(groups, COMPUTE_UNITS * resident / np.ceil(threads / 64))
        / np.where(resident > 0, 1, np.nan)
    )


def stencil(c: dict[str, np.ndarray]) -> np.ndarray:
    bx, by, tx, ty, time = c["block_x"], c["block_y"], c["tile_x"], c["tile_y"], c["time_steps"]
    threads = bx * by
    wide, high = bx * tx + 2 * time, by * ty + 2 * time
    lds = 4 * wide * high * (2 + c["power_in_lds"])
    registers = 18 + 4 * tx * ty + c["unroll"] * 5
    resident = _resident(threads, lds, registers)
    wasted = wide * high / (bx * tx * by * ty)
    memory = (
        6.0 * wasted / time * np.where(bx % 16 == 0, 1, 1.5) * np.where(c["power_in_lds"] == 1, 0.85, 1.0)
    )
    compute = wasted * (1 + 0.4 / c["unroll"]) * (64 * np.ceil(threads / 64) / threads)
    groups = np.ceil(4096 / (bx * tx)) * np.ceil(4096 / (by * ty))
    busy = memory / _hidden(resident, np.sqrt(tx * ty)) + compute
    fails = (resident == 0) | (c["unroll"] > time)
    return np.where(
        fails, np.nan, busy * _tail(groups, COMPUTE_UNITS * np.maximum(resident, 1) / np.ceil(threads / 64))
    )


def accumulation(c: dict[str, np.ndarray]) -> np.ndarray:
    bx, by, tx, ty = c["block_x"], c["block_y"], c["tile_x"], c["tile_y"]
    threads = bx * by
    registers = 16 + 2 * tx * ty * np.where(c["unroll"] > 0, 1.3, 1)
    resident = _resident(threads, 0 * bx, registers)
    coalesced = np.where(c["stride_x"] == 1, 1.0, 1 + 0.15 * (tx - 1)) * np.where(
        bx >= 32, 1.0, (32 / bx) ** 0.7
    )
    reuse = 1 / (1 + 0.7 * np.log2(by * ty))
    cache = 1 + np.maximum(0, np.log2(by * ty * tx / 64)) * np.where(c["stride_y"] == 1, 0.25, 0.1)
    loop = 1 + 0.5 / np.where(c["unroll"] == 0, 6, c["unroll"])
    return (
        coalesced
        * (0.3 + reuse * cache)
        * loop
        / _hidden(resident, np.sqrt(tx * ty))
        / np.where(resident > 0, 1, np.nan)
    )


def reduction(c: dict[str, np.ndarray]) -> np.ndarray:
    base = {"tree": 1.3, "shuffle": 1.0, "atomic": 2.0}
    how = np.array([base[str(one)] for one in c["algorithm"]])
    size = np.abs(np.log2(c["threads"] / np.where(how == 1.0, 256, 512)))
    return (
        how
        * (1 + 0.2 * size)
        * (1 + 0.3 * (c["items"] < 4))
        * np.where((c["vector"] == 1) & (c["items"] >= 4), 0.8, 1.0)
    )


def categories(c: dict[str, np.ndarray]) -> np.ndarray:
    table = np.random.default_rng(5).lognormal(0, 0.35, (5, 4, 3))
    place = [np.unique(c[name], return_inverse=True)[1] for name in ("layout", "pipeline", "policy")]
    joined = table[place[0], place[1], place[2]]
    flags = np.where((c["a"] != c["b"]), 0.75, 1.0) * np.where((c["b"] == 1) & (c["d"] == 1), 1.4, 1.0)
    return joined * flags * (1 + 0.15 * np.abs(np.log2(c["tile"] / 32)))


def plateaus(c: dict[str, np.ndarray]) -> np.ndarray:
    value = sum(np.abs(np.log2(c[name] / best)) for name, best in (("a", 8), ("b", 64), ("c", 2), ("d", 16)))
    return 1 + np.floor(value / 2) * 0.5 + 0.4 * ((c["a"] * c["c"]) > 64)


def failing(c: dict[str, np.ndarray]) -> np.ndarray:
    good = (c["a"] * c["b"] <= 1024) & ((c["c"] == 0) | (c["b"] >= 16)) & (c["d"] * c["a"] % 32 == 0)
    value = (
        1
        + np.abs(np.log2(c["a"] * c["b"] / 1024))
        + 0.3 * np.abs(np.log2(c["d"] / 4))
        - 0.4 * c["c"] * (c["e"] > 2)
    )
    return np.where(good, value + 0.5 / c["e"], np.nan)


def small_memory(c: dict[str, np.ndarray]) -> np.ndarray:
    """Good tiles are those that just fit."""
    lds = 4 * c["stages"] * c["k"] * (c["m"] + c["n"])
    registers = c["m"] * c["n"] / 256 + 8 * c["stages"]
    intensity = c["m"] * c["n"] / (c["m"] + c["n"])
    value = 1 + 60 / intensity + 0.4 / c["stages"] + 4 / c["k"] + 0.1 * np.abs(c["swizzle"] - 2)
    return np.where((lds > 32768) | (registers > 128), np.nan, value)


def islands(c: dict[str, np.ndarray]) -> np.ndarray:
    """Few combinations of words are implemented."""
    done = {
        ("mfma", "f16", "nt"): 1.0,
        ("mfma", "bf16", "tn"): 1.2,
        ("valu", "f32", "nn"): 3.0,
        ("dot", "i8", "nt"): 0.8,
    }
    words = zip(c["unit"].tolist(), c["type"].tolist(), c["layout"].tolist(), strict=True)
    base = np.array([done.get(one, np.nan) for one in words])
    return base * (1 + 0.3 * np.abs(np.log2(c["tile"] / 64)) + 0.2 * np.abs(np.log2(c["waves"] / 4)))


def divisors(c: dict[str, np.ndarray]) -> np.ndarray:
    """Blocks have to divide the problem, and threads the block."""
    works = (
        (480 % c["x"] == 0) & (360 % c["y"] == 0) & (c["x"] * c["y"] % 32 == 0) & (c["x"] * c["y"] <= 1024)
    )
    threads = c["x"] * c["y"]
    return np.where(works, 1 + np.abs(np.log2(threads / 240)) + 2 / c["x"] + 0.3 / c["unroll"], np.nan)


def unlucky(c: dict[str, np.ndarray]) -> np.ndarray:
    """What fails cannot be predicted."""
    value = 1 + 0.5 * np.abs(np.log2(c["a"] / 16)) + 0.3 * np.abs(np.log2(c["b"] / 4)) + 0.2 * c["c"]
    return np.where(np.random.default_rng(11).random(len(value)) < 0.7, np.nan, value)


def corner(c: dict[str, np.ndarray]) -> np.ndarray:
    """Only small ones work, and the largest of them are the best."""
    size = c["a"] * c["b"] * c["c"] * c["d"]
    value = 1 + np.log2(1024 / size) * 0.4 + 0.3 * np.abs(np.log2(c["a"] / c["b"])) + 0.1 * (c["d"] > 4)
    return np.where(size > 1024, np.nan, value)


def needle(c: dict[str, np.ndarray]) -> np.ndarray:
    far = sum(np.abs(c[name] - best) for name, best in (("a", 5), ("b", 9), ("c", 3)))
    return 10 - 3 * np.exp(-far / 4) - 5.5 * np.exp(-(far**2)) + 0.2 * c["d"] * (c["a"] > 6)


def tiled_product(c: dict[str, np.ndarray]) -> np.ndarray:
    """Tiles of a matrix product: LDS and registers, which limit occupancy, go with products of sizes."""
    threads, per_thread = c["threads"], c["m"] * c["n"] / c["threads"]
    registers = 24 + per_thread + 2 * np.sqrt(per_thread)
    resident = _resident(threads, 2 * c["stages"] * c["k"] * (c["m"] + c["n"]), np.minimum(registers, 512))
    memory = 128 * (1 / c["m"] + 1 / c["n"]) / _hidden(resident, np.sqrt(per_thread))
    busy = (1 + 1.2 / np.sqrt(per_thread) + memory) * (1 + 8 / (c["k"] * c["stages"]))
    busy = busy * (1 + np.maximum(0, registers - 256) / 64) * np.where(c["swizzle"] == "xor", 0.92, 1.0)
    groups = (4096 / c["m"]) * (4096 / c["n"])
    tail = _tail(groups, COMPUTE_UNITS * resident / np.ceil(threads / 64))
    return busy * tail / np.where(resident > 0, 1, np.nan)


def work_per_thread(c: dict[str, np.ndarray]) -> np.ndarray:
    """A ratio of three sizes decides, and the shape of the tile."""
    work, shape = np.log2(c["m"] * c["n"] / c["threads"]), np.log2(c["m"] / c["n"])
    rest = 0.15 * np.abs(np.log2(c["unroll"]) - 2) + 0.3 * (c["order"] == "column")
    return 1 + 0.5 * np.abs(work - 3) + 0.2 * np.abs(shape - 1) + rest


def occupancy_steps(c: dict[str, np.ndarray]) -> np.ndarray:
    """As many groups as fit, by a product of three sizes."""
    groups = np.minimum(np.floor(LDS / (4 * c["x"] * c["y"] * c["depth"])), 16)
    value = 1 + 4 / np.maximum(groups, 1) + 12 / np.sqrt(c["x"] * c["y"]) + 1 / c["depth"]
    return np.where(groups < 1, np.nan, value + 0.2 * (c["vector"] < 4))


def group_size(c: dict[str, np.ndarray]) -> np.ndarray:
    """A product of three sizes, and a ratio of two."""
    size = np.log2(c["x"] * c["y"] * c["items"])
    shape = 0.1 * np.abs(np.log2(c["x"]) - 5) + 0.2 * np.abs(np.log2(c["rows"] / c["items"]))
    return 1 + 0.4 * np.abs(size - 9) + shape


def _powers(first: int, last: int) -> list[Value]:
    """Of two."""
    return [2**number for number in range(first, last + 1)]


def _numbers(first: int, last: int, step: int = 1) -> list[Value]:
    return list(range(first, last + 1, step))


POWERS: list[Value] = [1, 2, 4, 8, 16, 32, 64, 128, 256]
SPACES: dict[str, tuple[Callable[[dict[str, np.ndarray]], np.ndarray], Space, float, float]] = {
    # name: formula, space, roughness (standard deviation of log time), largest speedup wanted
    "convolution": (
        convolution,
        _space(
            {
                "block_x": _numbers(16, 256, 16), "block_y": [1, 2, 4, 8, 16], "tile_x": _numbers(1, 6),
                "tile_y": _numbers(1, 6), "shared": [0, 1], "padding": [0, 1], "unroll": [1, 2, 4],
            },
            "block_x * block_y <= 1024", "padding == 0 or shared == 1",
        ),
        0.06, 0,
    ),
    "gemm": (
        gemm,
        _space(
            {
                "MWG": [16, 32, 64, 128], "NWG": [16, 32, 64, 128], "KWG": [16, 32], "MDIMC": [8, 16, 32],
                "NDIMC": [8, 16, 32], "MDIMA": [8, 16, 32], "VWM": [1, 2, 4, 8], "VWN": [1, 2, 4, 8],
                "STRM": [0, 1], "SA": [0, 1], "SB": [0, 1],
            },
            "MWG % (MDIMC * VWM) == 0", "NWG % (NDIMC * VWN) == 0", "MWG % (MDIMA * VWM) == 0",
            "KWG % (MDIMC * NDIMC / MDIMA) == 0",
        ),
        0.04, 0,
    ),
    "stencil": (
        stencil,
        _space(
            {
                "block_x": [8, 16, 24, 32, 48, 64, 96, 128, 256], "block_y": [1, 2, 4, 8, 16, 32],
                "tile_x": _numbers(1, 8), "tile_y": _numbers(1, 8), "time_steps": _numbers(1, 8),
                "unroll": [1, 2, 4], "power_in_lds": [0, 1],
            },
            "block_x * block_y <= 1024", "block_x * block_y >= 32",
            "(block_x * tile_x + 2 * time_steps) * (block_y * tile_y + 2 * time_steps) <= 12288",
        ),
        0.05, 0,
    ),
    "accumulation": (
        accumulation,
        _space(
            {
                "block_x": [1, 2, 4, 8, 16, 32, 64, 128, 256, 512], "block_y": [1, 2, 4, 8, 16, 32],
                "tile_x": _numbers(1, 8), "tile_y": _numbers(1, 8), "stride_x": [0, 1], "stride_y": [0, 1],
                "unroll": [0, 1, 2, 4],
            },
            "32 <= block_x * block_y <= 1024", "tile_x > 1 or stride_x == 0", "tile_y > 1 or stride_y == 0",
        ),
        0.08, 0,
    ),
    "reduction": (
        reduction,
        _space({
            "algorithm": ["tree", "shuffle", "atomic"], "threads": [64, 128, 256, 512], "items": [1, 2, 4, 8],
            "vector": [False, True],
        }),
        0.02, 0,
    ),
    "categories": (
        categories,
        _space({
            "layout": ["nn", "nt", "tn", "tt", "zz"], "pipeline": ["none", "double", "triple", "async"],
            "policy": ["slc", "glc", "plain"], "tile": [8, 16, 32, 64, 128], "a": [0, 1], "b": [0, 1],
            "d": [False, True],
        }),
        0.05, 0,
    ),
    "plateaus": (
        plateaus, _space({"a": POWERS, "b": POWERS, "c": POWERS, "d": POWERS}), 0.0, 0,
    ),
    "failing": (
        failing,
        _space({"a": POWERS, "b": POWERS, "c": [0, 1], "d": [1, 2, 3, 4, 6, 8], "e": [1, 2, 4, 8]}), 0.05, 0,
    ),
    "small_memory": (
        small_memory,
        _space({
            "m": [16, 32, 64, 128, 256], "n": [16, 32, 64, 128, 256], "k": [16, 32, 64, 128],
            "stages": [1, 2, 3, 4, 6], "swizzle": _numbers(0, 4),
        }),
        0.04, 0,
    ),
    "islands": (
        islands,
        _space({
            "unit": ["mfma", "valu", "dot"], "type": ["f16", "bf16", "f32", "i8"],
            "layout": ["nn", "nt", "tn", "tt"], "tile": [16, 32, 64, 128, 256], "waves": [1, 2, 4, 8],
        }),
        0.03, 0,
    ),
    "divisors": (
        divisors, _space({"x": _numbers(1, 64), "y": _numbers(1, 32), "unroll": [1, 2, 4]}), 0.04, 0,
    ),
    "unlucky": (
        unlucky, _space({"a": POWERS, "b": POWERS, "c": _numbers(0, 4), "d": [0, 1, 2]}), 0.05, 0,
    ),
    "corner": (
        corner, _space({"a": POWERS, "b": POWERS, "c": POWERS, "d": POWERS}), 0.05, 0,
    ),
    "tiled_product": (
        tiled_product,
        _space({
            "m": _powers(4, 8), "n": _powers(4, 8), "k": _powers(3, 7), "threads": _powers(6, 10),
            "stages": [1, 2, 3, 4], "swizzle": ["none", "xor"],
        }),
        0.03, 0,
    ),
    "work_per_thread": (
        work_per_thread,
        _space({
            "m": _powers(3, 9), "n": _powers(3, 9), "threads": _powers(5, 10), "unroll": _powers(0, 4),
            "order": ["row", "column"],
        }),
        0.03, 0,
    ),
    "occupancy_steps": (
        occupancy_steps,
        _space({
            "x": _numbers(8, 128, 8), "y": _numbers(8, 128, 8), "depth": [1, 2, 3, 4, 6, 8],
            "vector": [1, 2, 4],
        }),
        0.02, 0,
    ),
    "group_size": (
        group_size,
        _space({"x": _powers(2, 9), "y": _powers(0, 6), "items": _powers(0, 4), "rows": _powers(0, 4)}),
        0.03, 0,
    ),
    "needle": (
        needle, _space({"a": _numbers(1, 12), "b": _numbers(1, 12), "c": _numbers(1, 8), "d": [0, 1]}), 0.01,
        0, ), }  # fmt: skip


def synthetic(name: str) -> Synthetic:
    formula, space, roughness, _ = SPACES[name]
    pool = pool_of(space, 0)
    with np.errstate(all="ignore"):
        values = np.asarray(formula(dict(space.columns(pool.levels))), dtype=float)
    values = values * np.random.default_rng(7).lognormal(0, roughness, len(values))
    return Synthetic(name, space, pool, [None if np.isnan(one) else float(one) for one in values])

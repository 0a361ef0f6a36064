"""Compare sampled with full simulation, kernel by kernel.

usage: python validation/sampling_survey.py [PATTERN ...] [--processes N]

Every kernel is simulated as a whole (VROCM_TIMING=full) and as by default. The exit status is 1 when a
sampled time is off by more than 5 %. VROCM_SIM_LIBRARY names the library to ask, as for the tests.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests" / "native"
sys.path[:0] = [str(TESTS), str(TESTS / "core"), str(TESTS / "timing")]

import ordered_kernels  # noqa: E402
import program_kernels  # noqa: E402
from sampling_kernels import GENERATION, Case, M, compile_kernels, floats, run, words  # noqa: E402

ALLOWED = 0.05
GENERATIONS = (0.5, 1, 1.2, 1.7, 2.5, 4)


def stream(name: str, kernel: str, items: int, arrays: int, offset: int = 0, width: int = 1) -> Case:
    return Case(name, kernel, items // 256, lambda: [floats(items * width, offset) for _ in range(arrays)])


def regular() -> Iterator[Case]:
    yield stream("add", "add", 4 * M, 3)
    yield stream("add, large", "add", 16 * M, 3)
    yield stream("add +16", "add", 8 * M, 3, 16)
    yield stream("add +4", "add", 8 * M, 3, 4)
    yield stream("add4", "add4", 4 * M, 3, 0, 4)
    yield stream("add4 +16", "add4", 4 * M, 3, 16, 4)
    yield Case("add by single waves", "add64", 65536, lambda: [floats(4 * M) for _ in range(3)], 64)
    yield stream("fill", "fill", 16 * M, 1)
    yield stream("fill +16", "fill", 16 * M, 1, 16)
    yield Case("read4", "read4", 32768, lambda: [floats(1), floats(32 * M)])
    yield Case("stride 16", "strided", 8192, lambda: [floats(2 * M), floats(4 * M), 16, 4 * M - 1])
    yield Case("stride 33", "strided", 8192, lambda: [floats(2 * M), floats(16 * M), 33, 16 * M - 1])
    yield Case("stride 33, large", "strided", 32768, lambda: [floats(8 * M), floats(16 * M), 33, 16 * M - 1])
    yield Case("gather of 4 MB", "gather", 4096, lambda: [floats(M), floats(M), M - 1])
    yield Case("gather of 256 MB", "gather", 4096, lambda: [floats(M), floats(64 * M), 64 * M - 1])
    yield Case("gather of 64 MB, large", "gather", 16384, lambda: [floats(4 * M), floats(16 * M), 16 * M - 1])
    yield Case(
        "loop over the data",
        "loop",
        GENERATION,
        lambda: [floats(16 * M), floats(16 * M), 16 * M, 256 * GENERATION],
    )
    yield Case(
        "loop, half the units",
        "loop",
        1216,
        lambda: [floats(16 * M, 16), floats(16 * M, 16), 16 * M, 256 * 1216],
    )
    yield Case("transpose 2048", "transpose", 16384, lambda: [floats(4 * M), floats(4 * M), 2048])
    yield Case("transpose 4096", "transpose", 65536, lambda: [floats(16 * M), floats(16 * M), 4096])
    yield Case("stencil 2048", "stencil", 16384 - 16, lambda: [floats(4 * M), floats(4 * M), 2048])
    yield Case("stencil 4096 +4", "stencil", 65536 - 32, lambda: [floats(16 * M, 4), floats(16 * M, 4), 4096])
    yield Case("reduce", "reduce", 16384, lambda: [floats(16384), floats(4 * M)])
    for n in (512, 640):
        yield Case(
            f"matmul {n}", "matmul", (n // 16) ** 2, lambda n=n: [*(floats(n * n) for _ in range(3)), n]
        )
    yield Case("matmul 1024", "matmul", 4096, lambda: [*(floats(M) for _ in range(3)), 1024])
    yield Case("calculation", "chain", 12000, lambda: [floats(4 * M), 8])
    yield Case("calculation, large", "chain", 40000, lambda: [floats(16 * M), 3])


def atomics() -> Iterator[Case]:
    yield Case("atomics on 64 words", "histogram", 2048, lambda: [words(64), 63])
    yield Case("atomics on 64 K words", "histogram", 16384, lambda: [words(65536), 65535])
    yield Case("one counter", "counter", 32768, lambda: [words(64), floats(8 * M), floats(8 * M)])
    yield Case("atomics in LDS", "histogram_lds", 8192, lambda: [words(256), words(8 * 2 * M), 8])


def few_generations() -> Iterator[Case]:
    for count in GENERATIONS:
        groups = int(GENERATION * count)
        steps = int(48 / max(count, 1))
        yield Case(f"calculation, {count} generations", "chain", groups, lambda s=steps: [floats(4 * M), s])
    for count in GENERATIONS:
        groups = int(GENERATION * count)
        steps = int(120 / max(count, 1))
        yield Case(
            f"rows, {count} generations",
            "rows",
            groups,
            lambda s=steps: [floats(4 * M), floats(32 * M), s, 32 * M - 1],
        )
    for kib, count in ((32, 1.7), (32, 4), (20, 2.5), (20, 12)):
        groups = int(304 * (64 // kib) * count)
        steps = int(480 / count * kib / 32)
        yield Case(
            f"calculation, {kib} KiB of LDS, {count} generations", "chain", groups,
            lambda s=steps: [floats(4 * M), s // 2], launch={"group_segment_size": kib << 10},
        )  # fmt: skip
        yield Case(
            f"rows, {kib} KiB of LDS, {count} generations", "rows", groups,
            lambda s=steps: [floats(4 * M), floats(32 * M), s, 32 * M - 1],
            launch={"group_segment_size": kib << 10},
        )  # fmt: skip


def irregular() -> Iterator[Case]:
    yield Case("uneven by 7", "uneven", 12000, lambda: [floats(4 * M), 2, 7])
    yield Case("uneven dies", "uneven", 12000, lambda: [floats(4 * M), 2, 8])
    yield Case("uneven by 64", "uneven", 5000, lambda: [floats(2 * M), 1, 64])
    for groups, shift in ((4096, 5), (8192, 7), (16384, 8), (40960, 11)):
        yield Case(f"growing rows, {groups} to {groups >> shift}", "triangle", groups,
                   lambda s=shift: [floats(16 * M), floats(4 * M), s, 4 * M - 1])  # fmt: skip
        yield Case(f"falling rows, {groups} to {groups >> shift}", "falling", groups,
                   lambda s=shift, g=groups: [floats(16 * M), floats(4 * M), s, g, 4 * M - 1])  # fmt: skip
    for groups, shift in ((4096, 6), (12288, 9), (40960, 12)):
        yield Case(f"growing calculation, {groups} to {groups >> shift}", "triangle_calculated", groups,
                   lambda s=shift: [floats(16 * M), s])  # fmt: skip
        yield Case(f"falling calculation, {groups} to {groups >> shift}", "falling_calculated", groups,
                   lambda s=shift, g=groups: [floats(16 * M), s, g])  # fmt: skip
    yield Case("random calculation", "random_even", 4096, lambda: [floats(M), 64])
    yield Case("random calculation, large", "random_even", 20000, lambda: [floats(8 * M), 12])
    yield Case("random rows", "random_rows", 6000, lambda: [floats(2 * M), floats(16 * M), 60, 16 * M - 1])
    yield Case(
        "random rows, large", "random_rows", 24000, lambda: [floats(8 * M), floats(16 * M), 16, 16 * M - 1]
    )
    yield Case("few long ones", "random_skewed", 6000, lambda: [floats(2 * M), 8])
    yield Case("few long ones, large", "random_skewed", 24000, lambda: [floats(8 * M), 3])
    for where, which in (("first", 0), ("middle", 8192), ("last", 16383)):
        yield Case(f"one heavy, {where}", "one_heavy", 16384, lambda w=which: [floats(4 * M), 6, w, 3000])
    yield Case("one heavy, large", "one_heavy", 49152, lambda: [floats(16 * M), 3, 30000, 3000])
    yield Case("one not so heavy", "one_heavy", 16384, lambda: [floats(4 * M), 8, 12000, 300])
    yield Case("half exit", "some_exit", 16384, lambda: [floats(4 * M), 12, 1, 1])
    yield Case("most exit", "some_exit", 65536, lambda: [floats(16 * M), 16, 15, 1])
    yield Case("first half exits", "range_works", 32768, lambda: [floats(8 * M), floats(8 * M), 16384, 32768])
    yield Case("last half exits", "range_works", 32768, lambda: [floats(8 * M), floats(8 * M), 0, 16384])
    yield Case(
        "only the middle works", "range_works", 65536, lambda: [floats(16 * M), floats(16 * M), 24000, 48000]
    )
    yield Case(
        "read, then calculate",
        "read_then_calculate",
        4096,
        lambda: [floats(M), floats(16 * M), 64, 64, 16 * M - 1],
    )
    yield Case(
        "read, then calculate, large",
        "read_then_calculate",
        32768,
        lambda: [floats(8 * M), floats(16 * M), 4, 4, 16 * M - 1],
    )
    yield Case(
        "first calculate, then read",
        "some_read",
        16384,
        lambda: [floats(4 * M), floats(16 * M), 13, 25, 8, 16 * M - 1],
    )
    yield Case(
        "calculate or read", "some_read", 16384, lambda: [floats(4 * M), floats(16 * M), 3, 25, 8, 16 * M - 1]
    )
    yield Case(
        "calculate or read in turns",
        "some_read",
        40960,
        lambda: [floats(16 * M), floats(16 * M), 12, 12, 4, 16 * M - 1],
    )
    yield Case("uneven waves", "uneven_waves", 8192, lambda: [floats(2 * M), 6])


def large() -> Iterator[Case]:
    """Dispatches that take half a minute to simulate as a whole."""
    yield stream("add, very large", "add", 64 * M, 3)
    yield stream("fill, very large", "fill", 256 * M, 1)
    yield Case("reduce, large", "reduce", 131072, lambda: [floats(131072), floats(32 * M)])
    yield Case("transpose, large", "transpose", 65536 * 3, lambda: [floats(64 * M), floats(64 * M), 8192])
    yield Case("calculation, 10 generations", "chain", 10 * GENERATION, lambda: [floats(8 * M), 24])
    yield Case("calculation, 3.5 generations", "chain", 8512, lambda: [floats(8 * M), 70])
    yield Case("rows, 1.2 generations, large", "rows", 2918,
               lambda: [floats(M), floats(32 * M), 360, 32 * M - 1])  # fmt: skip
    yield Case("rows, 7 generations", "rows", 17000, lambda: [floats(8 * M), floats(64 * M), 60, 64 * M - 1])
    yield Case("growing rows, 32768 to 128", "triangle", 32768,
               lambda: [floats(16 * M), floats(4 * M), 8, 4 * M - 1])  # fmt: skip
    yield Case("falling rows, 32768 to 128", "falling", 32768,
               lambda: [floats(16 * M), floats(4 * M), 8, 32768, 4 * M - 1])  # fmt: skip
    yield Case("growing calculation, 65536 to 16", "triangle_calculated", 65536, lambda: [floats(16 * M), 12])
    yield Case(
        "calculate or read in turns, large",
        "some_read",
        131072,
        lambda: [floats(32 * M), floats(16 * M), 12, 12, 4, 16 * M - 1],
    )
    yield Case(
        "first calculate, then read, large",
        "some_read",
        65536,
        lambda: [floats(16 * M), floats(16 * M), 15, 25, 8, 16 * M - 1],
    )
    yield Case(
        "read, then calculate, very large",
        "read_then_calculate",
        98304,
        lambda: [floats(32 * M), floats(16 * M), 4, 4, 16 * M - 1],
    )
    yield Case("random rows, very large", "random_rows", 65536,
               lambda: [floats(16 * M), floats(16 * M), 24, 16 * M - 1])  # fmt: skip
    yield Case("few long ones, very large", "random_skewed", 65536, lambda: [floats(16 * M), 4])
    yield Case("uneven waves, large", "uneven_waves", 24576, lambda: [floats(8 * M), 6])
    yield Case("only the middle works, large", "range_works", 786432,
               lambda: [floats(256 * M), floats(128 * M), 200000, 500000])  # fmt: skip


def other_kinds() -> Iterator[Case]:
    for name, factor in (("", 1), (", large", 4)):
        yield Case(f"sparse rows{name}", "sparse", 6144 * factor,
                   lambda: [floats(8 * M), floats(16 * M), floats(M), 64, 16 * M - 1])  # fmt: skip
        yield Case(f"picture{name}", "escape", 4096 * factor,
                   lambda f=factor: [floats(4 * M), 1024 if f == 1 else 2048, 256])  # fmt: skip
        yield Case(f"softmax{name}", "softmax", 6000 * factor,
                   lambda f=factor: [floats(6000 * f * 2048), floats(6000 * f * 2048), 2048])  # fmt: skip
        per = 64 if factor == 1 else 128
        yield Case(f"tiles below the diagonal{name}", "causal", per * per,
                   lambda p=per: [floats(16 * M), floats(16 * M), p, 16 * M - 1])  # fmt: skip
        yield Case(f"pointers{name}", "chase", 4096 * factor,
                   lambda: [floats(4 * M), words(16 * M), 24, 16 * M - 1])  # fmt: skip
        yield Case(f"scatter{name}", "scatter", 8192 * factor,
                   lambda: [floats(16 * M), floats(16 * M), 16 * M - 1])  # fmt: skip
        yield Case(f"filter{name}", "filter", 16384 * factor,
                   lambda: [floats(16 * M), floats(17 * M), 33])  # fmt: skip
        yield Case(f"producer{name}", "producer", 4864 * factor,
                   lambda: [floats(8 * M), floats(16 * M), 12, 16 * M - 1])  # fmt: skip
        yield Case(f"echo{name}", "echo", 65536 * factor,
                   lambda: [floats(32 * M), 16 * M, 32 * M - 1])  # fmt: skip
        yield Case(f"three kinds{name}", "kinds", 9000 * factor,
                   lambda: [floats(16 * M), floats(16 * M), 32, 16 * M - 1])  # fmt: skip


def cases() -> list[Case]:
    own = [*regular(), *atomics(), *few_generations(), *irregular(), *other_kinds(), *large()]
    return [*own, *program_kernels.cases(), *ordered_kernels.cases()]


@dataclass(frozen=True)
class Row:
    name: str
    full: int
    sampled: int
    whole: bool  # nothing was left out
    million: float
    seconds: float

    @property
    def difference(self) -> float:
        return self.sampled / self.full - 1


def judge(code: bytes, name: str, known: int) -> Row:
    case = next(case for case in cases() if case.name == name)
    arguments = case.prepare()
    os.environ["VROCM_TIMING"] = "sampled"
    start = time.process_time()
    sampled = run(code, case, arguments).stats
    seconds = time.process_time() - start
    if sampled.sampled and not known:
        os.environ["VROCM_TIMING"] = "full"
        known = run(code, case, case.prepare()).stats.cycles
    full = known if sampled.sampled else sampled.cycles
    return Row(name, full, sampled.cycles, not sampled.sampled, sampled.instructions / 1e6, seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pattern", nargs="*", default=["*"])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="where full times are kept, for another run of this model")
    options = parser.parse_args()
    names = [c.name for c in cases() if any(fnmatch.fnmatchcase(c.name, p) for p in options.pattern)]
    with tempfile.TemporaryDirectory() as folder:
        code = compile_kernels(Path(folder), program_kernels.SOURCE + ordered_kernels.SOURCE)
    print(f"{'kernel':<45} {'full':>9} {'sampled':>9} {'off by':>8}  {'million':>8} {'seconds':>8}")
    rows: list[Row] = []
    kept: dict[str, int] = (
        json.loads(options.keep.read_text()) if options.keep and options.keep.exists() else {}
    )
    with ProcessPoolExecutor(options.processes) as pool:
        for row in pool.map(judge, [code] * len(names), names, [kept.get(name, 0) for name in names]):
            rows.append(row)
            if not row.whole:
                kept[row.name] = row.full
            if options.keep:
                options.keep.write_text(json.dumps(kept, indent=1))
            off = "whole" if row.whole else f"{row.difference:+.1%}"
            mark = "  <" if abs(row.difference) > ALLOWED else ""
            print(
                f"{row.name:<45} {row.full:>9} {row.sampled:>9} {off:>8}"
                f"  {row.million:>8.1f} {row.seconds:>8.1f}{mark}",
                flush=True,
            )
    over = [row for row in rows if abs(row.difference) > ALLOWED]
    whole = sum(row.whole for row in rows)
    print(f"{len(rows)} kernels, {len(over)} off by more than {ALLOWED:.0%}, {whole} simulated as a whole")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())

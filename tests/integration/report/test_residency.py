"""The calculator's script computes what analysis/occupancy.py computes, on thousands of launches."""

from __future__ import annotations

import json
import random
from pathlib import Path

from rocm_perf_lab.analysis.occupancy import occupancy
from rocm_perf_lab.arch.limits import DeviceLimits
from rocm_perf_lab.arch.limits_table import LIMITS

from .chromium import Chromium

LAUNCHES = 400  # of each architecture


def demand(chance: random.Random, limits: DeviceLimits) -> dict[str, int | bool]:
    """Mostly plausible ones, some at the edges, some that cannot run."""
    threads = chance.choice((1, 32, 33, 64, 65, 128, 192, 256, 512, 1024, 1025, chance.randint(1, 1100)))
    return {
        "threads": threads,
        "waveSize": chance.choice(limits.wave_sizes),
        "archVgprs": chance.choice((0, 24, 64, 84, 128, 256, chance.randint(0, 256))),
        "accumVgprs": chance.choice((0, 0, 4, 128, chance.randint(0, 256))),
        "sgprs": chance.choice((0, 16, 80, 81, 88, 100, 101, 102, 112, chance.randint(0, 112))),
        "ldsBytes": chance.choice((0, 0, 1, 512, 513, 16384, 65536, 65537, chance.randint(0, 70000))),
        "cuMode": chance.random() < 0.5,
    }


def test_same_as_python(browser: Chromium, page: Path) -> None:
    chance = random.Random(5)
    cases = [
        (name, demand(chance, limits)) for name, limits in sorted(LIMITS.items()) for _ in range(LAUNCHES)
    ]
    browser.open(page.as_uri())
    found = browser.run(
        "(() => { const limits = JSON.parse(document.getElementById('data').textContent).occupancy.limits; "
        f"return {json.dumps(cases)}.map(([name, demand]) => Report.residency(limits[name], demand)); }})()"
    )
    limiters = set()
    for (name, asked), computed in zip(cases, found, strict=True):
        expected = occupancy(
            LIMITS[name],
            threads_per_block=int(asked["threads"]),
            arch_vgprs=int(asked["archVgprs"]),
            accum_vgprs=int(asked["accumVgprs"]),
            sgprs=int(asked["sgprs"]),
            lds_bytes=int(asked["ldsBytes"]),
            wave_size=int(asked["waveSize"]),
            cu_mode=bool(asked["cuMode"]),
        )
        assert computed == {
            "groups": expected.workgroups_per_cu,
            "limits": expected.limits,
            "wavesPerSimd": expected.waves_per_simd,
            "share": expected.theoretical,
            "limiter": expected.limiter,
            "unit": expected.unit,
        }, (name, asked)
        limiters.add(expected.limiter)
    assert limiters == {"vgpr", "sgpr", "lds", "waves", "barriers", "workgroup"}, "all limits were met"

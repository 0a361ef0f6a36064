"""Where the time of the tests goes: phases of scripts/test, seconds by folder, the slowest tests.

python benchmarks/suite_time.py [--all] [PATH...]
python benchmarks/suite_time.py --from results.xml     # of pytest --junit-xml=results.xml
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROCESSES = os.environ.get("TEST_PROCESSES") or str(os.cpu_count())


@dataclass(frozen=True)
class Test:
    file: str  # tests/unit/x/test_y.py
    name: str
    seconds: float  # with what its fixtures took, which the first test that wants one pays for


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="tests, instead of all (sanitizers are left out)"
    )
    parser.add_argument("--all", action="store_true", help="surveys, too")
    parser.add_argument(
        "--from", dest="results", type=Path, help="print those of a run of pytest --junit-xml"
    )
    parser.add_argument("--slowest", type=int, default=30, metavar="N", help="how many tests (default: 30)")
    words = parser.parse_args()
    if words.results:
        show(words.results, words.slowest)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder, "results.xml")
        failed = run_phases(results, words.paths, all_tiers=words.all)
        if results.exists():
            show(results, words.slowest)
    return failed


def run_phases(results: Path, paths: list[str], *, all_tiers: bool) -> int:
    """The steps of scripts/test, one after the other; the exit code is that of the tests."""
    tests = [sys.executable, "-m", "pytest", *(["--all"] if all_tiers else []), *paths]
    phase("set-up", ["scripts/setup", "dev"])
    phase("programs for tests", ["scripts/test-tools"])
    phase("linters", ["scripts/lint"])
    if not paths:
        phase("sanitizers", ["scripts/sanitize"])
    phase("collection, one process", [*tests, "--collect-only", "-q"])
    return phase(
        f"tests, {PROCESSES} processes",
        [*tests, "-q", "-n", PROCESSES, "--dist", "worksteal", f"--junit-xml={results}"],
        echo=True,
    )


def phase(name: str, command: list[str], *, echo: bool = False) -> int:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=not echo, text=True)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    failure = f"   FAILED, exit code {done.returncode}" if done.returncode else ""
    print(f"{name:28} {wall:7.1f} s   processor {processor:7.1f} s{failure}", flush=True)
    if done.returncode and not echo:
        print("\n".join((done.stdout + done.stderr).splitlines()[-20:]), file=sys.stderr)
    return done.returncode


def show(results: Path, slowest: int) -> None:
    tests = list(read(results))
    by_folder: defaultdict[str, float] = defaultdict(float)
    for test in tests:
        by_folder["/".join(test.file.split("/")[:3])] += test.seconds
    print(f"\n{len(tests)} tests, {sum(by_folder.values()):.0f} s in all processes together")
    print("\nseconds  folder")
    for folder, seconds in sorted(by_folder.items(), key=lambda one: -one[1]):
        print(f"{seconds:7.1f}  {folder}")
    print(f"\nseconds  the {slowest} slowest tests")
    for test in sorted(tests, key=lambda test: -test.seconds)[:slowest]:
        print(f"{test.seconds:7.1f}  {test.file}::{test.name}")


def read(results: Path) -> Iterator[Test]:
    for case in ElementTree.parse(results).iter("testcase"):
        words = case.get("classname", "").split(".")
        module = next((i for i, word in enumerate(words) if word.startswith("test_")), len(words) - 1)
        file = "/".join(words[: module + 1]) + ".py"
        name = "::".join([*words[module + 1 :], case.get("name", "")])
        yield Test(file, name, float(case.get("time", "0")))


if __name__ == "__main__":
    sys.exit(main())

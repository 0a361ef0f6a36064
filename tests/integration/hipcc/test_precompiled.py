"""Precompiled headers: results do not tell that there are any, whatever becomes of headers and the cache."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.tiers import sweep

from .conftest import Place

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*.hip"))
PROGRAMS = sorted((ROOT / "tests/integration/programs").glob("*.cu"))
FLAGS = (
    "-O3",
    "-O0",
    "-g",
    "-fgpu-rdc",
    "--offload-arch=gfx90a,gfx942",
    "-std=c++17 -DX=1",
    "-ffast-math",
    "-fopenmp",
    "-Os -fno-strict-aliasing -march=x86-64-v3",
)
# One pass is enough where all would do the same.
HOST = "--cuda-host-only"
# Prints what a header that stands before one of the standard library says, and nought without one.
SHOW = """
#include <cstdio>
#ifndef VALUE
#define VALUE 0
#endif
int main() { printf("%d\\n", VALUE); }
"""


@pytest.fixture
def place(tmp_path: Path, environment: dict[str, str]) -> Place:
    folder = tmp_path / "work"
    folder.mkdir()
    return Place(folder, environment)


def headers(place: Place, *words: str, source: str = "show.hip", text: str = SHOW, **variables: str) -> str:
    """What became of the headers when this was compiled: kept, taken, or nothing."""
    place.write(source, text + f"// {time.monotonic_ns()}\n")
    place.log.write_text("")
    done = place.hipcc(*words, source, "-o", "app", **variables)
    assert done.returncode == 0, done.stderr
    said = [line for line in place.log.read_text().splitlines() if line.startswith("headers")]
    return said[0].removeprefix("headers ") if said else ""


def make_known(place: Place, *words: str) -> None:
    """As many compilations as it takes until there are precompiled headers for these flags."""
    for _ in range(2):
        headers(place, "-c", *words, text="")


def shadow(place: Place, value: int, folder: str = "shadow") -> str:
    """A header that the compiler finds before one that each HIP source begins with."""
    text = f"#include_next <algorithm>\n#undef VALUE\n#define VALUE {value}\n"
    return str(place.write(f"{folder}/algorithm", text).parent)


# ---- when ----


def test_the_second_compilation_makes_them_and_the_third_takes_them(place: Place) -> None:
    assert [headers(place) for _ in range(3)] == ["", "kept", "taken"]
    assert headers(place, VROCM_CACHE="off") == ""


def test_other_flags_and_variables_have_their_own(place: Place) -> None:
    make_known(place, HOST)
    assert headers(place, HOST, "-DVALUE=3") == ""
    assert place.says() == "3"
    assert headers(place, HOST, "-DVALUE=4") == ""
    assert place.says() == "4"
    assert headers(place, HOST, "--offload-arch=gfx90a") == ""
    assert headers(place, HOST, CPATH=shadow(place, 5)) == ""
    assert place.says() == "5"
    assert headers(place, HOST) == "taken"
    assert place.says() == "0"


@pytest.mark.parametrize("words", [("-g",), ("-include", "show.hip", "-Dmain=other")])
def test_flags_without_them(place: Place, words: tuple[str, ...]) -> None:
    text = "" if "-include" in words else SHOW
    assert [headers(place, HOST, "-shared", *words, text=text) for _ in range(3)] == ["", "", ""]


# ---- what comes of it ----


def same_with_and_without(place: Place, flags: str, sources: list[Path], modes: tuple[str, ...]) -> None:
    words = [*flags.split(), "-I", str(ROOT / "examples")]
    make_known(place, *words)
    for mode in modes:
        for source in sources:
            made = []
            for cache in ("off", str(place.cache)):
                place.log.write_text("")
                done = place.hipcc(*words, mode, str(source), "-o", "made", VROCM_CACHE=cache)
                assert done.returncode == 0, done.stderr
                made.append((done.stderr, (place.folder / "made").read_bytes()))
            assert ("headers taken" in place.log.read_text()) == ("-g" not in words)
            assert made[0] == made[1], f"{source.name} differs with {flags}"


@pytest.mark.parametrize("flags", sweep(["-O3", "-O0 -fgpu-rdc -std=c++17 -DX=1 -fopenmp"], keep={"-O3"}))
def test_outputs_are_the_same(place: Place, flags: str) -> None:
    same_with_and_without(place, flags, [ROOT / "examples/softmax.hip"], ("-c", "-pie"))


@pytest.mark.survey
@pytest.mark.parametrize("flags", FLAGS)
def test_outputs_of_all_programs_are_the_same(place: Place, flags: str) -> None:
    same_with_and_without(place, flags, [*EXAMPLES, *PROGRAMS], ("-c",))


def test_messages_are_the_same(place: Place) -> None:
    text = """
#include <hip/hip_runtime.h>
#include <vector>
struct NoOrder { int x; };
__global__ void kernel(float* p) { int unused; *p = sin(*p) PART; }
int main() { std::vector<NoOrder> all(3); std::complex<NoOrder>(); SORT return 0; }
"""
    make_known(place, "-Wall")
    for part, sort in (("", ""), ("+ nothing", "std::sort(all.begin(), all.end());")):
        words = ("-Wall", "-c", "said.hip", "-o", "said.o")
        said = []
        place.write("said.hip", text.replace("PART", part).replace("SORT", sort))
        place.log.write_text("")
        for cache in ("off", str(place.cache)):
            done = place.hipcc(*words, VROCM_CACHE=cache)
            said.append((done.returncode, done.stderr))
        assert "headers taken" in place.log.read_text()
        assert said[0] == said[1]
        assert "unused" in said[0][1]


def test_files_of_dependencies_are_the_same(place: Place) -> None:
    place.write("value.h", "#define VALUE 1\n")
    for flag in ("-MD", "-MMD"):
        written = []
        make_known(place, flag)
        place.write("show.hip", '#include "value.h"\n' + SHOW)
        for cache in ("off", str(place.cache)):
            done = place.hipcc(flag, "-c", "show.hip", "-o", "show.o", VROCM_CACHE=cache)
            assert done.returncode == 0, done.stderr
            written.append(((place.folder / "show.d").read_text(), (place.folder / "show.o").read_bytes()))
        assert written[0] == written[1]
        assert place.last() == "kept"
        assert "headers taken" in place.log.read_text()
        place.write("value.h", f"#define VALUE {len(flag)}\n")
        assert place.became(flag, "-c", "show.hip", "-o", "show.o") == "kept"


# ---- never a stale one ----


def test_a_header_that_changes(place: Place) -> None:
    words = (HOST, "-I", shadow(place, 1))
    make_known(place, *words)
    assert headers(place, *words) == "taken"
    assert place.says() == "1"
    before = (place.folder / "shadow/algorithm").stat()
    shadow(place, 2)
    os.utime(place.folder / "shadow/algorithm", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert headers(place, *words) == "kept"
    assert place.says() == "2"
    shadow(place, 1)
    assert headers(place, *words) == "taken"
    assert place.says() == "1"
    # What was compiled with them depends on them as well.
    assert place.became(*words, "show.hip", "-o", "app") == "taken"
    shadow(place, 3)
    assert place.became(*words, "show.hip", "-o", "app") == "kept"
    assert place.says() == "3"


def test_a_header_that_appears(place: Place) -> None:
    (place.folder / "shadow").mkdir()
    words = (HOST, "-isystem", str(place.folder / "shadow"), "-I", str(place.folder / "not-there-yet"))
    make_known(place, *words)
    shadow(place, 4)
    assert headers(place, *words) == "kept"
    assert place.says() == "4"
    shadow(place, 5, "not-there-yet")
    assert headers(place, *words) == "kept"
    assert place.says() == "5"
    for folder in ("shadow", "not-there-yet"):
        (place.folder / folder / "algorithm").unlink()
    (place.folder / "not-there-yet").rmdir()
    assert headers(place, *words) == "taken"
    assert place.says() == "0"


@pytest.mark.survey
def test_folders_named_from_where_one_is(place: Place) -> None:
    """Where they have nothing that headers look for, one precompiled header is right for all of them.

    hiprtc has a new folder each time.
    """
    make_known(place, HOST, "-Ishadow")
    for folder, said, became in (("one", "1", False), ("two", "2", False), ("three", "0", True)):
        if said != "0":
            shadow(place, int(said), f"{folder}/shadow")
        place.write(f"{folder}/show.hip", SHOW + f"// {folder}\n")
        for _ in range(2):
            place.log.write_text("")
            done = place.hipcc(HOST, "-Ishadow", "show.hip", "-o", "app", cwd=folder)
            assert done.returncode == 0, done.stderr
            assert place.says(cwd=folder) == said
            (place.folder / folder / "show.hip").write_text(SHOW + f"// {folder} again\n")
        assert ("headers taken" in place.log.read_text()) == became


# ---- many processes, and what breaks ----


@pytest.mark.survey
def test_several_at_once(place: Place) -> None:
    def build(number: int) -> str:
        place.write(f"{number}.hip", SHOW)
        done = place.hipcc(HOST, f"{number}.hip", "-o", f"app-{number}")
        assert done.returncode == 0, done.stderr
        return place.says(f"app-{number}")

    headers(place, HOST)
    with ThreadPoolExecutor(3) as pool:
        assert set(pool.map(build, range(6))) == {"0"}
    assert headers(place, HOST) == "taken"


@pytest.mark.survey
def test_a_killed_compilation(place: Place) -> None:
    headers(place, HOST)
    for pause in (0.2, 0.4, 0.7):
        place.write("show.hip", SHOW + f"// {pause}\n")
        words = ["hipcc", HOST, "show.hip", "-o", "app"]
        started = subprocess.Popen(words, cwd=place.folder, env=place.variables, start_new_session=True)
        time.sleep(pause)  # somewhere in its course: wherever that is, the rest has to hold
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
    assert headers(place, HOST) in ("kept", "taken")
    assert place.says() == "0"


@pytest.mark.survey
def test_damaged_files(place: Place) -> None:
    make_known(place, HOST)
    for path in place.cache.glob("compilations/contents/*/*"):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert headers(place, HOST) == "kept"
    assert place.says() == "0"
    assert headers(place, HOST) == "taken"


@pytest.mark.parametrize("content", [b"no header", b"CPCH" + bytes(4096)])
def test_one_that_the_compiler_refuses(place: Place, content: bytes) -> None:
    """The cache has them as they were kept: only the compiler can tell."""
    make_known(place, HOST)
    digest = hashlib.sha256(content).hexdigest()
    for path in place.cache.glob("compilations/results/*/*"):
        results = json.loads(path.read_bytes().partition(b"\n")[2])
        for result in results:
            result["outputs"] = [digest for _ in result["outputs"]]
        text = json.dumps(results).encode()
        path.write_bytes(hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
    kept = place.cache / "compilations/contents" / digest[:2] / digest[2:]
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(content)
    place.write("show.hip", SHOW)
    place.log.write_text("")
    done = place.hipcc(HOST, "show.hip", "-o", "app")
    assert (done.returncode, done.stderr) == (0, "")
    assert place.log.read_text().startswith("headers taken")
    assert place.says() == "0"

"""The compile cache: what was compiled before is not compiled again, and nothing that could differ is taken
from it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.commands import SECONDS

from .conftest import Place

# C++ alone: one pass without HIP's headers. What the cache does is the same.
MAIN = '#include <stdio.h>\n#include "value.h"\nint main() { printf("%d\\n", VALUE); return 0; }\n'
KERNEL = """
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void set(int* p) { *p = VALUE; }
int main() {
    int* p;
    int host = 0;
    if (hipMalloc(&p, 4) != hipSuccess) return 1;
    set<<<1, 1>>>(p);
    if (hipMemcpy(&host, p, 4, hipMemcpyDeviceToHost) != hipSuccess) return 1;
    printf("%d\\n", host);
}
"""


@pytest.fixture
def place(tmp_path: Path, environment: dict[str, str]) -> Place:
    folder = tmp_path / "work"
    folder.mkdir()
    made = Place(folder, environment)
    made.write("main.cc", MAIN)
    made.write("value.h", "#define VALUE 1\n")
    return made


CXX = ("-x", "c++", "main.cc", "-o", "app")


# ---- what is taken ----


def test_a_program_is_compiled_once(place: Place) -> None:
    kernel = place.write("kernel.hip", KERNEL).name
    first = place.hipcc("-DVALUE=5", "-Wunused-value", kernel, "-o", "app")
    assert first.returncode == 0, first.stderr
    content = (place.folder / "app").read_bytes()
    assert place.last() == "kept"
    # Elsewhere too: a program does not depend on where it is put.
    second = place.hipcc("-DVALUE=5", "-Wunused-value", kernel, "-o", "elsewhere")
    assert place.last() == "taken"
    assert (place.folder / "elsewhere").read_bytes() == content
    assert second.stderr == first.stderr
    assert place.became("-DVALUE=6", "-Wunused-value", kernel, "-o", "app") == "kept"


def test_messages_are_repeated(place: Place) -> None:
    place.write("main.cc", MAIN + "int f() { int unused = 1; return 0; }\n")
    first = place.hipcc("-Wall", *CXX)
    again = place.hipcc("-Wall", *CXX)
    assert "unused" in first.stderr
    assert (place.last(), again.stderr) == ("taken", first.stderr)


def test_an_earlier_state_is_still_known(place: Place) -> None:
    assert place.became(*CXX) == "kept"
    place.write("value.h", "#define VALUE 2\n")
    assert place.became(*CXX) == "kept"
    place.write("value.h", "#define VALUE 1\n")
    assert place.became(*CXX) == "taken"
    assert place.says() == "1"


def test_objects_and_dependency_files(place: Place) -> None:
    words = ("-x", "c++", "-c", "main.cc", "-o", "main.o", "-MD", "-MF", "main.d", "-MT", "target")
    assert place.became(*words) == "kept"
    before = [(place.folder / name).read_bytes() for name in ("main.o", "main.d")]
    for name in ("main.o", "main.d"):
        (place.folder / name).unlink()
    assert place.became(*words) == "taken"
    assert [(place.folder / name).read_bytes() for name in ("main.o", "main.d")] == before
    assert before[1].startswith(b"target:")


def test_headers_of_the_system_count_without_being_written(place: Place) -> None:
    place.write("system/far.h", "#define VALUE 7\n")
    place.write("main.cc", MAIN.replace('"value.h"', "<far.h>"))
    words = ("-x", "c++", "-isystem", "system", "-c", "main.cc", "-o", "main.o", "-MMD")
    assert place.became(*words) == "kept"
    assert "far.h" not in (place.folder / "main.d").read_text()
    assert place.became(*words) == "taken"
    place.write("system/far.h", "#define VALUE 8\n")
    assert place.became(*words) == "kept"


def test_an_output_that_runs_or_has_another_name_stays(place: Place) -> None:
    place.became(*CXX)
    program = place.folder / "app"
    other = place.folder / "other"
    other.hardlink_to(program)
    place.write("value.h", "#define VALUE 2\n")
    place.became(*CXX)
    place.write("value.h", "#define VALUE 1\n")
    assert place.became(*CXX) == "taken"
    assert program.stat().st_ino != other.stat().st_ino
    assert os.access(program, os.X_OK)


# ---- what is not ----


def change_header(place: Place) -> None:
    place.write("value.h", "#define VALUE 2\n")


def change_source(place: Place) -> None:
    place.write("main.cc", MAIN.replace("VALUE)", "VALUE + 1)"))


@pytest.mark.parametrize("change", [change_header, change_source])
def test_a_changed_file(place: Place, change: Callable[[Place], None]) -> None:
    place.became(*CXX)
    change(place)
    assert place.became(*CXX) == "kept"
    assert place.says() == "2"


def test_a_changed_file_of_the_same_size_and_time(place: Place) -> None:
    place.became(*CXX)
    before = (place.folder / "value.h").stat()
    change_header(place)
    os.utime(place.folder / "value.h", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert place.became(*CXX) == "kept"
    assert place.says() == "2"


def test_flags_and_their_order(place: Place) -> None:
    place.write("main.cc", MAIN.replace('"value.h"', "<value.h>"))
    place.write("a/value.h", "#define VALUE 3\n")
    place.write("b/value.h", "#define VALUE 4\n")
    assert place.became("-Ia", "-Ib", *CXX) == "kept"
    assert place.says() == "3"
    assert place.became("-Ib", "-Ia", *CXX) == "kept"
    assert place.says() == "4"
    assert place.became("-Ib", "-Ia", "-O1", *CXX) == "kept"


def test_a_header_that_is_found_first_now(place: Place) -> None:
    place.write("main.cc", MAIN.replace('"value.h"', "<deep/value.h>"))
    place.write("late/deep/value.h", "#define VALUE 3\n")
    (place.folder / "early").mkdir()
    words = ("-Iearly", "-Inot-there-yet", "-Ilate", *CXX)
    assert place.became(*words) == "kept"
    assert place.became(*words) == "taken"
    place.write("not-there-yet/deep/value.h", "#define VALUE 4\n")
    assert place.became(*words) == "kept"
    assert place.says() == "4"
    place.write("early/deep/value.h", "#define VALUE 5\n")
    assert place.became(*words) == "kept"
    assert place.says() == "5"


def test_a_header_beside_the_one_that_includes_it(place: Place) -> None:
    place.write("main.cc", MAIN.replace("value.h", "inner/outer.h"))
    place.write("inner/outer.h", '#include "value.h"\n')
    place.write("other/value.h", "#define VALUE 3\n")
    (place.folder / "value.h").unlink()
    assert place.became("-Iother", *CXX) == "kept"
    place.write("inner/value.h", "#define VALUE 4\n")
    assert place.became("-Iother", *CXX) == "kept"
    assert place.says() == "4"


def test_a_header_that_is_asked_for(place: Place) -> None:
    place.write(
        "value.h", '#if __has_include("local.h")\n#include "local.h"\n#else\n#define VALUE 1\n#endif\n'
    )
    assert place.became(*CXX) == "kept"
    assert place.became(*CXX) == "taken"
    place.write("local.h", "#define VALUE 9\n")
    assert place.became(*CXX) == "kept"
    assert place.says() == "9"
    (place.folder / "local.h").unlink()
    assert place.became(*CXX) == "taken"
    assert place.says() == "1"


def test_a_header_that_is_gone(place: Place) -> None:
    place.became(*CXX)
    (place.folder / "value.h").unlink()
    assert place.hipcc(*CXX).returncode != 0


def test_headers_of_a_device_pass(place: Place) -> None:
    place.write(
        "kernel.hip",
        '#ifdef __HIP_DEVICE_COMPILE__\n#include "value.h"\n#else\n#define VALUE 0\n#endif\n' + KERNEL,
    )
    assert place.became("kernel.hip", "-o", "app") == "kept"
    change_header(place)
    assert place.became("kernel.hip", "-o", "app") == "kept"


def test_what_the_compiler_reads_of_the_environment(place: Place) -> None:
    place.write("main.cc", MAIN.replace('"value.h"', "<value.h>"))
    place.write("a/value.h", "#define VALUE 3\n")
    place.write("b/value.h", "#define VALUE 4\n")
    for folder, said in (("a", "3"), ("b", "4"), ("a", "3")):
        place.became(*CXX, CPATH=str(place.folder / folder))
        assert place.says() == said
    assert place.last() == "taken"
    assert place.became(*CXX, HIPCC_COMPILE_FLAGS_APPEND="-DMORE", CPATH="a") == "kept"


def test_include_on_the_command_line(place: Place) -> None:
    place.write("main.cc", MAIN.replace('#include "value.h"\n', ""))
    words = ("-include", "value.h", *CXX)
    assert place.became(*words) == "kept"
    change_header(place)
    assert place.became(*words) == "kept"
    assert place.says() == "2"


def test_debug_information_names_the_folder(place: Place) -> None:
    for folder in ("one", "two"):
        place.write(f"{folder}/main.cc", "int main() { return 0; }\n")
    plain = ("-x", "c++", "main.cc", "-o", "app")
    assert place.became(*plain, cwd="one") == "kept"
    assert place.became(*plain, cwd="two") == "taken"
    assert place.became("-g", *plain, cwd="one") == "kept"
    assert place.became("-g", *plain, cwd="two") == "kept"
    assert str(place.folder / "two").encode() in (place.folder / "two" / "app").read_bytes()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MAIN + "const char* when = __TIME__;\n", CXX),
        ('asm(".incbin \\"value.h\\"");\n' + MAIN, CXX),
        ('#define NAME "value.h"\n#if __has_include(NAME)\n#endif\n' + MAIN, CXX),
        (MAIN, ("-DWHEN=__DATE__", *CXX)),
        (MAIN, ("-save-temps", *CXX)),
        (MAIN, ("-E", "-x", "c++", "main.cc")),
        (MAIN, ("-v", *CXX)),
        (MAIN, ("-Wl,-Map=map", *CXX)),
        (MAIN, ("-ftime-trace", *CXX)),
    ],
)
def test_what_is_always_run(place: Place, text: str, words: tuple[str, ...]) -> None:
    place.write("main.cc", text)
    for _ in range(2):
        place.log.write_text("")
        assert place.became(*words) == "not kept"


def test_preprocessed_text_and_failures_are_made_each_time(place: Place) -> None:
    assert "VALUE" not in place.hipcc("-E", "-x", "c++", "main.cc").stdout.split("main")[-1]
    change_header(place)
    assert "2" in place.hipcc("-E", "-x", "c++", "main.cc").stdout.split("main")[-1]
    place.write("main.cc", "int main() { return nothing; }\n")
    for _ in range(2):
        failed = place.hipcc(*CXX)
        assert failed.returncode != 0
        assert "nothing" in failed.stderr


# ---- linking ----


def test_linked_objects_and_libraries(place: Place) -> None:
    place.write(
        "main.cc", 'extern "C" int printf(const char*, ...); int f();\nint main() { printf("%d\\n", f()); }\n'
    )
    place.became("-x", "c++", "-c", "main.cc", "-o", "main.o")
    for number in (1, 2):
        place.write("f.cc", f"int f() {{ return {number}; }}\n")
        place.became("-x", "c++", "-c", "f.cc", "-o", "f.o")
        assert place.became("main.o", "f.o", "-o", "app") == "kept"
        assert place.became("main.o", "f.o", "-o", "app") == "taken"
        assert place.says() == str(number)
    (place.folder / "early").mkdir()
    (place.folder / "late").mkdir()
    place.became("-shared", "f.o", "-o", "late/libf.so")
    linking = ("main.o", "-Learly", "-Llate", "-lf", "-Wl,-rpath,$ORIGIN/early:$ORIGIN/late", "-o", "app")
    assert place.became(*linking) == "kept"
    assert place.became(*linking) == "taken"
    assert place.says() == "2"
    place.write("f.cc", "int f() { return 3; }\n")
    place.became("-x", "c++", "-c", "f.cc", "-o", "f.o")
    subprocess.run(["ar", "rcs", "early/libf.a", "f.o"], cwd=place.folder, check=True)
    assert place.became(*linking) == "kept"
    assert place.says() == "3"


# ---- many processes, and what breaks ----


def test_many_processes_at_once(place: Place) -> None:
    def build(number: int) -> str:
        place.hipcc(f"-DN={number % 3}", "-x", "c++", "main.cc", "-o", f"app-{number}")
        return place.says(f"app-{number}")

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(build, range(16))) == {"1"}
    assert place.became("-DN=0", *CXX) == "taken"


def test_a_killed_compilation_leaves_nothing_wrong(place: Place) -> None:
    for pause in (0.05, 0.1, 0.2, 0.3, 0.4):
        started = subprocess.Popen(
            ["hipcc", *CXX], cwd=place.folder, env=place.variables, start_new_session=True
        )
        time.sleep(pause)  # somewhere in its course: wherever that is, the rest has to hold
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
    assert place.became(*CXX) in ("kept", "taken")
    assert place.says() == "1"


def test_damaged_files_are_not_used(place: Place) -> None:
    place.became(*CXX)
    for path in place.cache.glob("compilations/contents/*/*"):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert place.became(*CXX) == "kept"
    for path in place.cache.glob("compilations/results/*/*"):
        path.write_text("[{]")
    assert place.became(*CXX) == "kept"
    for path in place.cache.glob("compilations/results/*/*"):
        path.write_text('[{"reads": 3}, 4, {"reads": {"files": [], "names": [], "folders": 3}}]')
    assert place.became(*CXX) == "kept"
    assert place.became(*CXX) == "taken"
    assert place.says() == "1"


def test_a_folder_that_cannot_be_written(place: Place) -> None:
    place.variables["VROCM_CACHE"] = str(place.write("file", ""))
    assert place.hipcc(*CXX).returncode == 0
    assert place.says() == "1"


def test_the_size_is_limited(place: Place) -> None:
    place.became(*CXX)
    place.variables["VROCM_CACHE_SIZE"] = "100k"
    for number in range(12):
        place.write("value.h", f"#define VALUE {number}\n")
        place.became(*CXX)
        files = (place.cache / "compilations").rglob("*")
        assert sum(path.stat().st_size for path in files if path.is_file()) <= 100 << 10
    assert place.became(*CXX) == "taken"
    place.variables["VROCM_CACHE_SIZE"] = "much"
    refused = place.hipcc(*CXX)
    assert refused.returncode == 1
    assert "VROCM_CACHE_SIZE is 'much'" in refused.stderr


def test_off(place: Place) -> None:
    place.became(*CXX)
    place.variables["VROCM_CACHE"] = "off"
    before = place.log.read_text()
    assert place.hipcc(*CXX).returncode == 0
    assert place.log.read_text() == before


# ---- who uses it ----


def test_online_compilation_uses_it(place: Place) -> None:
    place.write(
        "rtc.cc",
        r"""
#include <hip/hiprtc.h>
#include <cstdio>
#include <string>
int main(int, char** argv) {
    const char* header = "#define N 3\n";
    const char* name = "n.h";
    hiprtcProgram program;
    const std::string kernel = "extern \"C\" __global__ void k(int* p) { *p = N + OWN; }";
    const std::string text = "#include \"n.h\"\n#include \"own.h\"\n" + kernel + "// " + argv[1];
    const char* options[] = {"-I", "own"};
    hiprtcCreateProgram(&program, text.c_str(), "k.hip", 1, &header, &name);
    const int code = hiprtcCompileProgram(program, 2, options);
    std::size_t size = 0;
    hiprtcGetProgramLogSize(program, &size);
    std::string log(size, ' ');
    hiprtcGetProgramLog(program, log.data());
    std::puts(log.c_str());
    return code;
}
""",
    )
    place.write("own/own.h", "#define OWN 1\n")
    done = place.hipcc("-x", "c++", "rtc.cc", "-o", "rtc", "-lhiprtc")
    assert done.returncode == 0, done.stderr
    for text, became in (
        ("one", "kept"),
        ("one", "taken"),
        ("two", "kept"),
        ("one", "taken"),
        ("three", "kept"),
    ):
        ran = subprocess.run(
            ["./rtc", text],
            cwd=place.folder,
            env=place.variables,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert ran.returncode == 0, ran.stdout
        assert place.last() == became
    # The second of them has precompiled the headers.
    assert "headers taken" in place.log.read_text()
    place.write("own/own.h", "#define OWN 2\n")
    subprocess.run(["./rtc", "one"], cwd=place.folder, env=place.variables, check=True, timeout=SECONDS)
    assert place.last() == "kept"


def test_the_cost_of_what_is_known_is_small() -> None:
    """Nothing that is only needed for compiling is imported before the cache has been asked."""
    code = "import sys; from vrocm.hipcc import cached; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for module in ("tempfile", "concurrent.futures", "pydantic", "numpy", "click"):
        assert module not in done.stdout.split()

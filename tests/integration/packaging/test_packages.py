"""The wheel and the source package: what is in them, and that a wheel works where nothing else is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SECONDS = 900
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def build(kind: str, into: Path, sources: Path = ROOT) -> Path:
    """With the tools and, here, the build folder of the present installation: nothing is built twice."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = f"import scikit_build_core.build as b; b.build_{kind}({str(into)!r}, {{}})"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=sources,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return next(into.iterdir())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


def tracked(*places: str) -> set[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: which files belong to the project is not known")
    return set(subprocess.check_output(["git", "ls-files", *places], cwd=ROOT, text=True).split())


def test_the_wheel_is_for_every_python_on_linux(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-linux_x86_64.whl")


def test_the_wheel_has_the_package_and_its_native_parts(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    derived = "src/vrocm/devicelib/derive/"
    expected = {
        name.removeprefix("src/")
        for name in tracked("src")
        if not name.startswith(derived) and (ROOT / name).exists()
    }
    assert expected <= names
    base = {Path(name).name for name in names}
    assert {"librocm-perf-capture.so", "rocm-perf-replay", "rocminfo", "LICENSE"} <= base
    assert any(name.startswith("libhsa-runtime64.so") for name in base)
    assert not [name for name in names if name.startswith(("tests/", "native/", "build/"))]


def test_the_source_package_has_what_a_build_needs(tmp_path: Path) -> None:
    """And nothing that was built. Made of the files of the project: all that is here would take a minute."""
    needed = {name for name in tracked("src", "native") if (ROOT / name).exists()}
    needed |= {"pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE"}
    checkout = tmp_path / "checkout"
    for name in needed | {name for name in tracked() if (ROOT / name).is_file()}:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        os.link(ROOT / name, checkout / name)
    (checkout / "build").mkdir()
    (checkout / "build" / "built.o").touch()
    with tarfile.open(build("sdist", tmp_path / "sdist", checkout)) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert needed <= names
    assert not [name for name in names if name.startswith(("build/", ".ci/", "benchmarks/"))]


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it asks for; nothing of this checkout."""
    place = tmp_path_factory.mktemp("clean")
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    done = subprocess.run(
        [str(python), *PIP, "install", f"{wheel}[vrocm]"], capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return place


@pytest.mark.survey
def test_the_wheel_works_in_a_clean_environment_and_without_a_network(
    installed: Path, tmp_path: Path
) -> None:
    keep = ("HOME", "LANG", "TMPDIR")
    environment = {name: os.environ[name] for name in keep if name in os.environ}
    environment |= {"PATH": f"{installed / 'bin'}{os.pathsep}{os.defpath}", "XDG_CACHE_HOME": str(tmp_path)}
    alone = shutil.which("unshare")
    walled = [alone, "-rn"] if alone and subprocess.run([alone, "-rn", "true"]).returncode == 0 else []

    def rocm_perf(*words: str | Path) -> str:
        done = subprocess.run(
            [*walled, str(installed / "bin" / "rocm-perf"), *map(str, words)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    where = "import rocm_perf_lab; print(rocm_perf_lab.__file__)"
    found = subprocess.check_output([str(installed / "bin" / "python"), "-c", where], cwd=tmp_path, text=True)
    assert Path(found.strip()).is_relative_to(installed)
    program = tmp_path / "vector_add"
    rocm_perf("vrocm", "hipcc", "-O3", "-g", ROOT / "examples" / "vector_add.hip", "-o", program)
    profile = json.loads(rocm_perf("profile", "--runs", "1", "--json", program))
    assert profile["origin"] == "simulated"
    assert profile["kernels"][0]["launches"] >= 1
    rocm_perf("capture", "--out", "capture", "--", program)
    assert json.loads(rocm_perf("replay", "validate", "capture", "--json"))["verdict"] == "passed"
    assert (tmp_path / rocm_perf("report").strip()).is_file()

"""Builds from outside: what they may write, take and see. The compilers are shell scripts."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rocm_perf_lab.builds import confined
from rocm_perf_lab.builds.command import BuildCommand
from rocm_perf_lab.builds.environment import PASS_VARIABLE, allowed, allowed_alone
from rocm_perf_lab.builds.run_build import BuildLimits, Ran, build_key, run_build
from rocm_perf_lab.builds.scratch import climbs, look_alike
from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem

needs_landlock = pytest.mark.skipif(not confined.version(), reason="the kernel has no Landlock")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A user's folder with a header above it."""
    work = tmp_path / "user" / "work"
    (work / "src").mkdir(parents=True)
    (work / "src" / "a.txt").write_text("a")
    (tmp_path / "user" / "above.txt").write_text("above")
    return work


def built(project: Path, *scripts: str, **options: object) -> Ran:
    place = project.parent.parent / "place"
    place.mkdir(exist_ok=True)
    steps = [["sh", "-c", script] for script in scripts]
    settings = {"environment": os.environ, "limits": BuildLimits(seconds=600), "writable": [place], **options}
    folder = look_alike(project, place / f"scratch-{len(list(place.iterdir()))}", climbs(scripts))
    return run_build(steps, folder=folder, **settings)  # type: ignore[arg-type]


def contents(project: Path) -> dict[str, str]:
    return {str(path): path.read_text() for path in project.parent.rglob("*") if path.is_file()}


def test_relative_paths_lead_where_they_led(project: Path) -> None:
    before = contents(project)
    done = built(project, "cat src/a.txt ../above.txt; touch new; echo changed > ../new; rm -r src; ls")
    assert done.succeeded
    assert done.said == "aabovenew"
    assert contents(project) == before


@needs_landlock
@pytest.mark.parametrize(
    "script",
    [
        "echo x > src/a.txt",
        "rm src/a.txt",
        "echo x > src/new",
        "mkdir src/new",
        "mv src/a.txt b",
        "ln src/a.txt b",
    ],
)
def test_what_is_the_user_s_is_not_touched(project: Path, script: str) -> None:
    before = contents(project)
    done = built(project, script)
    assert not done.succeeded
    assert "ermission denied" in done.said or "ross-device" in done.said
    assert contents(project) == before
    assert built(project, script, writable=None).succeeded  # it is the confinement that keeps it


@needs_landlock
def test_temporary_files_are_its_own(project: Path) -> None:
    done = built(project, 'made=$(mktemp) && echo "$made"', 'echo x > "$TMPDIR/y"')
    assert done.succeeded
    assert not built(project, f"echo x > {project.parent.parent}/elsewhere").succeeded


def test_steps_end_with_the_first_that_fails(project: Path) -> None:
    done = built(project, "echo one >&2", "echo 'x.hip:3: error: no' >&2; exit 3", "touch never")
    assert (done.exit_code, done.complaint) == (3, "x.hip:3: error: no")
    assert not list(project.parent.parent.rglob("never"))
    with pytest.raises(EnvironmentProblem, match="no-such-compiler"):
        run_build([["no-such-compiler"]], folder=project, environment=os.environ, limits=BuildLimits())


def test_time_is_for_all_steps_together(project: Path) -> None:
    done = built(project, "sleep 0.6", "sleep 0.6", limits=BuildLimits(seconds=1))
    assert done.timed_out


def test_memory(project: Path) -> None:
    """``tail`` keeps a line until it ends."""
    limits = BuildLimits(seconds=600, memory_bytes=64 << 20)
    done = built(project, "sleep 0.3; head -c 512M /dev/zero | tail -n 1 | wc -c", limits=limits)
    assert "memory" in done.said
    unlimited = built(project, "head -c 128M /dev/zero | tail -n 1 | wc -c")
    assert unlimited.said == str(128 << 20)


SECRETS = (
    "AWS_SECRET_ACCESS_KEY",
    "GITHUB_PAT",
    "DATABASE_URL",
    "MY_API_TOKEN",
    "ROCM_PERF_LLM_KEY",
    "PGPASS",
)
READ = (
    "PATH",
    "HOME",
    "CXX",
    "CPATH",
    "LC_ALL",
    "HIPCC_COMPILE_FLAGS_APPEND",
    "ROCM_PATH",
    "HIP_VISIBLE_DEVICES",
)


def test_what_compilers_read_is_there_and_nothing_else(project: Path) -> None:
    told = {**os.environ, **dict.fromkeys(SECRETS, "sesame"), "CXX": "g++"}
    done = built(project, "env", environment=told)
    assert "PATH=" in done.said
    assert "CXX=g++" in done.said
    assert "sesame" not in done.said
    assert set(allowed(dict.fromkeys((*SECRETS, *READ), ""))) == set(READ)


def test_more_passes_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"MODEL_DIR": "m", "DATA_A": "a", "GITHUB_PAT": "p", "DATABASE_URL": "u"}
    assert set(allowed({**told, PASS_VARIABLE: "MODEL_DIR, DATA_*"})) == {
        "MODEL_DIR",
        "DATA_A",
        PASS_VARIABLE,
    }
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    with allowed_alone():
        assert not set(told) & set(os.environ)
        assert "PATH" in os.environ
    assert {name: os.environ[name] for name in told} == told


@needs_landlock
def test_in_a_home_without_a_cache_compilers_can_keep_theirs(project: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    told = {"PATH": os.environ["PATH"], "HOME": str(home)}
    ours = "$HOME/.cache/rocm-perf-lab/vrocm"
    done = built(project, f"mkdir {ours}/compilations && echo x > {ours}/compilations/y", environment=told)
    assert done.succeeded, done.said


@needs_landlock
@pytest.mark.parametrize(
    "place", ["$HOME/.cache", "$HOME/.cache/rocm-perf-lab", sys.prefix, "/dev/shm", "/proc/self"]
)
def test_programs_of_others_are_not_in_reach(project: Path, tmp_path: Path, place: str) -> None:
    """In caches and beside the virtual ROCm's commands, in memory that is shared."""
    (tmp_path / ".cache" / "rocm-perf-lab").mkdir(parents=True)
    told = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = built(project, f"echo x > {place}/comm", environment=told)
    assert not done.succeeded
    assert not (tmp_path / ".cache" / "comm").exists()


@pytest.mark.parametrize(
    ("words", "above"),
    [
        (["-I../../x"], 2),
        (["a/../b"], 1),
        (["../a", "../../../b"], 3),
        (["..a", "x"], 0),
        (["-I", ".."], 1),
    ],
)
def test_how_far_paths_climb(words: list[str], above: int) -> None:
    assert climbs(words) == above


def test_a_folder_far_up_is_no_trouble(tmp_path: Path) -> None:
    assert look_alike(Path("/"), tmp_path / "s", 5).is_dir()


def test_commands() -> None:
    text = "hipcc '-DX=a b' -c {source} -o {output}.o && hipcc {output}.o -o {output}"
    command = BuildCommand.read(text)
    assert str(command) == text
    assert command.filled("s", "o") == [
        ["hipcc", "-DX=a b", "-c", "s", "-o", "o.o"],
        ["hipcc", "o.o", "-o", "o"],
    ]
    for wrong in (
        "hipcc {source}",
        "hipcc {output}",
        "a {source} && && b {output}",
        "a {source} {output} &&",
        "'",
    ):
        with pytest.raises(UsageProblem):
            BuildCommand.read(wrong)


def test_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_text("1")
    first = build_key(("cc", "a"))
    assert build_key(("cc", "a")) == first
    assert build_key(("cc", "a", "-g")) != first
    (tmp_path / "a").write_text("2")
    assert build_key(("cc", "a")) != first


def test_what_linkers_complain_about(project: Path) -> None:
    linker = "echo 'main.o: undefined reference to f' >&2; echo 'collect2: error: ld returned 1' >&2; exit 1"
    assert built(project, linker).complaint == "main.o: undefined reference to f"

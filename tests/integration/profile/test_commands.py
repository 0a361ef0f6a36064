"""The forms of a command line, and what each option prints and leaves behind."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.commands import rocm_perf_words

Profile = Callable[..., Any]  # fixture profile: rocm-perf profile with these arguments

NAMES = ["scale(float*, float, int)", "void offset<float>(float*, float, int)"]


def gpu_time_ms(folder: Path) -> float:
    """Straight from the databases, without the product's reader."""
    databases = list((folder / ".rocpd_profile").rglob("*.db"))
    sums = [
        sqlite3.connect(path).execute('SELECT SUM("end" - start) FROM kernels').fetchone()
        for path in databases
    ]
    return sum(total for (total,) in sums) / 1e6


def test_the_document(profile: Profile, scale: Path) -> None:
    run = profile("--json", "--runs", 2, scale, "plain")
    assert (run.code, run.stderr) == (0, "")
    document = run.document
    assert next(iter(document)) == "schema_version"
    assert document["schema_version"] == "1.0"
    assert document["origin"] == "simulated"
    assert document["gpu"]["architecture"] == "gfx942"
    assert sorted(kernel["name"] for kernel in document["kernels"]) == sorted(NAMES)
    assert document["runtime_ms"] == pytest.approx(gpu_time_ms(run.folder) / 2, rel=1e-12)
    assert sum(kernel["share"] for kernel in document["kernels"]) == pytest.approx(1)
    assert document["stability"]["cv"] == 0
    assert document["stability"]["classification"] == "stable"
    launches = {kernel["name"]: kernel["launches"] for kernel in document["kernels"]}
    assert launches == {NAMES[0]: 2, NAMES[1]: 1}
    assert document["roofline"] is None
    assert "--roofline" in document["missing"]["roofline"]
    assert document["occupancy"]["theoretical"] == 1.0
    assert document["resources"]["vgpr_spills"] == 0
    assert (run.folder / "profile.json").read_text() == run.stdout
    assert json.loads((run.folder / "setting.json").read_text())["command"] == [str(scale), "plain"]
    assert (run.place / ".rocm-perf" / "latest" / "profile.json").samefile(run.folder / "profile.json")
    assert (run.folder / "logs" / "timing-1.stdout").read_text() == "4128\n"


def test_three_forms_are_one(profile: Profile, scale: Path) -> None:
    forms = ([scale, "exit", "0"], ["--", scale, "exit", "0"], [f"'{scale}' exit '0'"])
    for number, form in enumerate(forms):
        run = profile("--json", "--no-rocprof", "--runs", 1, "--out", f"out{number}", *form)
        assert run.code == 0, run.stderr
        assert run.document["setting"]["command"] == [str(scale), "exit", "0"]


def test_what_follows_the_program_is_its_own(profile: Profile, tmp_path: Path, scale: Path) -> None:
    script = tmp_path / "say.sh"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@"\nexec {scale} plain\n')
    script.chmod(0o755)
    run = profile("--runs", 1, "--", "./say.sh", "--json", "--runs", "x y", "--", "--quiet")
    assert run.code == 0, run.stderr
    assert "GPU time" in run.stdout
    said = (run.folder / "logs" / "timing-1.stdout").read_text().splitlines()
    assert said == ["--json", "--runs", "x y", "--", "--quiet", "4128"]


def test_a_program_with_spaces_in_a_folder_with_unicode(
    profile: Profile, scale: Path, tmp_path: Path
) -> None:
    place = tmp_path / "größe 数 %pid"
    place.mkdir()
    shutil.copy(scale, place / "my app é")
    for form in (["./my app é"], ["--", "./my app é", "plain"], ["'./my app é' plain"]):
        run = profile("--json", "--no-rocprof", "--runs", 1, *form, place=place)
        assert run.code == 0, run.stderr
        assert run.document["setting"]["command"][0] == "./my app é"
    assert len(run.folders) == 3
    out = profile("--json", "--runs", 1, "--out", "ein Ordner/ü", "./my app é", place=place)
    assert out.code == 0, out.stderr
    assert out.document["kernel"]["launches"] == 2
    assert (place / "ein Ordner" / "ü" / "profile.json").is_file()


def test_quiet_is_one_number(profile: Profile, scale: Path) -> None:
    run = profile("--quiet", "--runs", 1, scale)
    assert (run.code, run.stderr) == (0, "")
    assert re.fullmatch(r"\d+\.\d+\n", run.stdout)
    assert float(run.stdout) == pytest.approx(gpu_time_ms(run.folder), abs=1e-6)


def test_quiet_imports_nothing_heavy(environment: dict[str, str], scale: Path, tmp_path: Path) -> None:
    python, *words = rocm_perf_words("profile", "--quiet", "--runs", "1", scale)
    done = subprocess.run(
        [python, "-X", "importtime", *words],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "rocm_perf_lab.profiling.session" in imported
    assert imported.isdisjoint({"numpy", "pydantic", "rich", "jinja2"})


def test_debug_shows_what_was_printed(profile: Profile, scale: Path) -> None:
    run = profile("--debug", "--json", "--runs", 1, scale)
    assert run.document["schema_version"] == "1.0"
    assert "4128" in run.stderr
    assert "_results.db" in run.stderr
    assert "4128" not in profile("--runs", 1, scale).stderr


def test_wall_time_only(profile: Profile) -> None:
    run = profile("--no-rocprof", "--json", "--runs", 3, "--warmup", 1, "--", "sh", "-c", "sleep 0.1")
    assert run.code == 0, run.stderr
    document = run.document
    assert document["runtime_ms"] is None
    assert "--no-rocprof" in document["missing"]["runtime_ms"]
    assert document["gpu"] is None
    assert document["kernels"] == []
    assert [taken["purpose"] for taken in document["passes"]] == ["warm-up"] + 3 * ["timing"]
    assert document["wall_ms"]["runs"] == 3
    assert 100 <= document["wall_ms"]["min_ms"] < 5000
    quiet = profile("--no-rocprof", "--quiet", "--runs", 1, "--", "sh", "-c", "sleep 0.1")
    assert 100 <= float(quiet.stdout) < 5000


def test_only_some_kernels(profile: Profile, scale: Path) -> None:
    both = profile("--json", "--runs", 1, "--out", "both", scale).document
    run = profile("--json", "--runs", 1, "--out", "one", "--kernel", "offset<", scale)
    (kernel,) = run.document["kernels"]
    assert kernel["name"] == NAMES[1]
    assert run.document["runtime_ms"] == kernel["total_ms"] < both["runtime_ms"]
    assert 0 < kernel["share"] < 1  # of all kernels
    none = profile("--json", "--runs", 1, "--out", "none", "--kernel", "nothing", scale)
    assert (none.code, none.error["kind"]) == (5, "no-kernels")
    assert "scale" in none.error["remedy"]


def test_one_run_has_no_scatter(profile: Profile, scale: Path) -> None:
    stability = profile("--json", "--runs", 1, scale).document["stability"]
    assert stability["cv"] is None
    assert "--runs" in stability["missing"]["cv"]


def test_warm_up_runs_are_not_timed(profile: Profile, scale: Path) -> None:
    run = profile("--json", "--runs", 1, "--warmup", 2, scale)
    assert [taken["purpose"] for taken in run.document["passes"]] == ["warm-up", "warm-up", "timing"]
    assert run.document["stability"]["runs"] == 1


def test_a_device_is_chosen(profile: Profile, scale: Path) -> None:
    both = profile("--json", "--runs", 1, scale, "devices", VROCM_DEVICES="2").document
    assert len(both["gpus"]) == 2
    assert {group["gpu"] for kernel in both["kernels"] for group in kernel["groups"]} == {0, 1}
    one = profile("--json", "--runs", 1, "--device", 1, scale, "devices", VROCM_DEVICES="2").document
    assert one["setting"]["environment"]["ROCR_VISIBLE_DEVICES"] == "1"
    assert {group["gpu"] for kernel in one["kernels"] for group in kernel["groups"]} == {0}


def test_a_program_that_forks(profile: Profile, scale: Path) -> None:
    run = profile("--json", "--runs", 1, scale, "fork")
    assert run.code == 0, run.stderr
    document = run.document
    assert len(document["passes"][0]["databases"]) == 2
    assert document["runtime_ms"] == pytest.approx(gpu_time_ms(run.folder), rel=1e-12)


def test_input_from_a_file_is_read_in_every_pass(profile: Profile, scale: Path, tmp_path: Path) -> None:
    (tmp_path / "input").write_text("some words\n")
    script = tmp_path / "read.sh"
    script.write_text(f"#!/bin/sh\ncat\nexec {scale} plain\n")
    script.chmod(0o755)
    with (tmp_path / "input").open() as file:
        run = profile("--runs", 2, "./read.sh", stdin=file)
    for number in (1, 2):
        assert (run.folder / "logs" / f"timing-{number}.stdout").read_text() == "some words\n4128\n"


def test_the_screen(profile: Profile, scale: Path) -> None:
    run = profile("--runs", 2, scale)
    lines = run.stdout.splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("SIMULATED on a virtual AMD Instinct MI300X")
    assert any(line.startswith("offset<float>") and "%" in line for line in lines)
    assert run.folder.name in lines[-1]

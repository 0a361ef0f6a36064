"""The folder of one run: made so that two runs cannot share it and nothing of the user's is overwritten.

::

    .rocm-perf/
      latest -> 20250131-120000-app      the last run that was completed
      20250131-120000-app/
        unfinished.json                  from the first byte until profile.json is there (unfinished.py)
        profile.json roofline.json       what was found; profile.json is written last
        analysis.json                    what holds each kernel back
        setting.json                     command, tools, host and GPU, written before anything runs
        failure.json                     instead of the documents, when the run failed
        .rocpd_profile/run-1/…           databases of the timing passes: the authority for time
        counters/group-1/…               databases of the counter passes
        critical-path/…                  databases of the pass for the critical path (critical.py)
        att/pass-1/…                     thread traces of one kernel (deep_analysis.py)
        logs/                            what the program and rocprofv3 printed, a pair of files for each pass
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rocm_perf_lab.draft import draft_of
from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem

HOME = ".rocm-perf"
TIMING = ".rocpd_profile"
COUNTERS = "counters"
LOGS = "logs"
LATEST = "latest"
PROFILE = "profile.json"
SETTING = "setting.json"
FAILURE = "failure.json"
UNFINISHED = "unfinished.json"
_LONGEST_NAME = 40


@dataclass(frozen=True)
class RunFolder:
    path: Path

    def timing_pass(self, number: int) -> Path:
        return self.path / TIMING / f"run-{number}"

    def counter_pass(self, number: int) -> Path:
        return self.path / COUNTERS / f"group-{number}"

    def log(self, name: str, stream: str) -> Path:
        """The file that keeps what a pass printed; ``stream`` is stdout or stderr."""
        return self.path / LOGS / f"{name}.{stream}"

    def relative(self, path: Path) -> str:
        return str(path.relative_to(self.path))

    def has_times(self) -> bool:
        return any((self.path / TIMING).rglob("*.db"))

    def write(self, name: str, text: str) -> Path:
        """Writes a document whole or not at all."""
        target = self.path / name
        try:
            with draft_of(target) as draft:
                draft.write_text(text, encoding="utf-8")
        except OSError as error:
            raise EnvironmentProblem(
                f"{target} cannot be written: {error.strerror}",
                "free space or name another folder with --out",
                collected=str(self.path),
            ) from error
        return target


def make_folder(name: str, now: datetime, out: Path | None = None) -> RunFolder:
    """A new, empty folder: ``out`` if it is given, else one below ``.rocm-perf`` of the working folder."""
    return RunFolder(_chosen(out) if out is not None else _dated(name, now))


def make_parts(folder: RunFolder) -> None:
    """The folders that every profile puts its passes into."""
    try:
        for part in (TIMING, LOGS):
            (folder.path / part).mkdir()
    except OSError as error:
        raise _cannot_make(folder.path, error) from error


def point_latest(folder: RunFolder) -> str | None:
    """Makes ``latest`` lead to a run of ``.rocm-perf``. The reason, when it cannot."""
    home = folder.path.parent
    if home.name != HOME:
        return None
    link, draft = home / LATEST, home / f".{LATEST}-{os.getpid()}"
    if link.exists() and not link.is_symlink():
        return f"{link} is not a link; it was left alone"
    try:
        draft.unlink(missing_ok=True)
        draft.symlink_to(folder.path.name)
        draft.replace(link)
    except OSError as error:
        return f"{link} could not be set: {error.strerror}"
    return None


def _chosen(out: Path) -> Path:
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            what = "holds an earlier run" if (out / TIMING).is_dir() else "is not empty"
            raise UsageProblem(f"{out} {what}; nothing in it is overwritten", "name a new folder with --out")
    except FileExistsError:
        raise UsageProblem(f"{out} is a file, not a folder", "name a folder with --out") from None
    except OSError as error:
        raise _cannot_make(out, error) from error
    return out.absolute()


def _dated(program: str, now: datetime) -> Path:
    home = Path(HOME).absolute()
    name = f"{now:%Y%m%d-%H%M%S}-{_plain(program)}"
    try:
        with contextlib.suppress(FileExistsError):
            home.mkdir()
            # A run folder is no part of the project it was made in.
            (home / ".gitignore").write_text("*\n")
        number = 1
        while True:
            path = home / (name if number == 1 else f"{name}-{number}")
            try:
                path.mkdir()
                return path
            except FileExistsError:
                if not home.is_dir():
                    raise
                number += 1
    except OSError as error:
        raise _cannot_make(home, error) from error


def _cannot_make(path: Path, error: OSError) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"the run folder {path} cannot be made: {error.strerror}", "name a folder you may write with --out"
    )


def _plain(program: str) -> str:
    """The program's name without what makes paths hard to type."""
    return re.sub(r"[^\w.+-]+", "_", Path(program).name)[:_LONGEST_NAME] or "program"

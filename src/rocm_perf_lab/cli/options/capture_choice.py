"""Which capture a command is about: named, or the only one in the working folder."""

from __future__ import annotations

from pathlib import Path

import click

from rocm_perf_lab.errors import UsageProblem

DEFAULT = "isolate_capture"
_PARTIAL = ".partial"
_MOST_NAMED = 8
CAPTURE_DIR = click.option(
    "--capture-dir",
    type=click.Path(path_type=Path),
    help="The capture, where it is not named as CAPTURE.",
)


def chosen_capture(named: Path | None, option: Path | None = None) -> Path:
    """``named`` stands on the command line as it is, ``option`` is the value of --capture-dir."""
    if named is not None and option is not None and named != option:
        raise UsageProblem(f"two captures are named: {named} and {option}", "name one of them")
    given = named if named is not None else option
    if given is not None:
        return given
    if Path(DEFAULT).is_dir():
        return Path(DEFAULT)
    found = [
        path
        for path in sorted(Path().glob(f"{DEFAULT}_*"))
        if path.is_dir() and not path.name.endswith(_PARTIAL)
    ]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageProblem(
            "no capture is named, and there is none in this folder",
            "make one: rocm-perf capture -- ./app",
        )
    names = ", ".join(str(path) for path in found[:_MOST_NAMED])
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    raise UsageProblem(f"there are {len(found)} captures here: {names}{more}", "name one with --capture-dir")

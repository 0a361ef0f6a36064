"""Where calibrations are kept: one file for each kind of device and partition."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.draft import draft_of
from rocm_perf_lab.errors import BadInput, EnvironmentProblem

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.calibration import CalibrationDocument
    from rocm_perf_lab.contracts.profiling.roofline import Ceiling
    from rocm_perf_lab.rocpd.rows import Agent

VARIABLE = "ROCM_PERF_CALIBRATIONS"


@dataclass(frozen=True)
class Stored:
    path: Path
    calibration: CalibrationDocument | None
    problem: str | None = None
    """Why a file that is there could not be used."""

    @property
    def ceilings(self) -> tuple[Ceiling, ...]:
        return self.calibration.ceilings if self.calibration else ()


def store_folder() -> Path:
    """ROCM_PERF_CALIBRATIONS, or rocm-perf-lab/calibrations in the user's data folder (XDG)."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "rocm-perf-lab" / "calibrations"


def file_of(agent: Agent, folder: Path | None = None) -> Path:
    """Compute units tell a partition from the whole device; a virtual GPU is never taken for a real one."""
    words = [agent.product_name, agent.name, f"{agent.cu_count or 'unknown'}cu"]
    if agent.virtual:
        words.append("virtual")
    name = "-".join(re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-") for word in words if word)
    return (folder or store_folder()) / f"{name}.json"


def load(agent: Agent, folder: Path | None = None) -> Stored:
    """The calibration of a device, if there is one. A file that cannot be read is a problem, not an error."""
    path = file_of(agent, folder)
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return Stored(path, None)
    except OSError as error:
        return Stored(path, None, f"{path} cannot be read: {error.strerror}")
    from rocm_perf_lab.contracts.documents import from_json
    from rocm_perf_lab.contracts.profiling.calibration import CalibrationDocument

    try:
        return Stored(path, from_json(CalibrationDocument, text, str(path)))
    except BadInput as error:
        return Stored(path, None, error.cause)


def save(calibration: CalibrationDocument, agent: Agent, folder: Path | None = None) -> Path:
    """Written beside and moved into place: a reader sees the old file or the new one."""
    from rocm_perf_lab.contracts.documents import to_json

    path = file_of(agent, folder)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft_of(path) as draft:
            draft.write_text(to_json(calibration), encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblem(
            f"{path} cannot be written: {error.strerror}", f"set {VARIABLE} to a folder that can"
        ) from error
    return path

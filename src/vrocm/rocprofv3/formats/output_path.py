"""Where results go: folders and file names with placeholders."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import RequestRefused

DEFAULT_NAME = "%hostname%/%pid%"

_RANK = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MPI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID")
_SIZE = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_NTASKS")
_JOB = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID")
_ENVIRONMENT = re.compile(r"[%$](?:env|ENV)\{([A-Za-z_]\w*)\}%?")
_PLACEHOLDER = re.compile(r"%([a-z_]+)%")
_CLOCK = ("launch_time", "launch_date", "date", "time")


def _first(names: Sequence[str], otherwise: str) -> str:
    return next((os.environ[name] for name in names if name in os.environ), otherwise)


def _values(pid: int, parent: int, command: Sequence[str]) -> dict[str, Callable[[], str]]:
    program = Path(command[0]).name if command else "unknown"
    return {
        "hostname": socket.gethostname,
        "pid": lambda: str(pid),
        "ppid": lambda: str(parent),
        "pgid": lambda: str(os.getpgid(0)),
        "psid": lambda: str(os.getsid(0)),
        "cwd": os.getcwd,
        "tag": lambda: program,
        "argt": lambda: program,
        "argv": lambda: "_".join([program, *command[1:]]).replace("/", "_"),
        "args": lambda: "_".join(command[1:]).replace("/", "_"),
        "rank": lambda: _first(_RANK, "0"),
        "size": lambda: _first(_SIZE, "1"),
        "nid": lambda: _first(_RANK, str(pid)),
        "job": lambda: _first(_JOB, "0"),
    }


def expand(text: str, pid: int, parent: int, command: Sequence[str]) -> str:
    """The text with its placeholders filled in. An unknown one is refused by name."""
    values = _values(pid, parent, command)

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if name in _CLOCK:
            raise RequestRefused(
                f"%{name}%: names from the wall clock are not given; results would differ from run to run"
            )
        if name not in values:
            raise RequestRefused(
                f"%{name}% is not a placeholder; known are {', '.join(f'%{key}%' for key in values)}"
            )
        return values[name]()

    filled = _ENVIRONMENT.sub(lambda match: os.environ.get(match[1], ""), text)
    return _PLACEHOLDER.sub(fill, filled)


def base_path(
    directory: str,
    sub_directory: str | None,
    name: str | None,
    pid: int,
    parent: int,
    command: Sequence[str],
) -> Path:
    """Folder and beginning of the file name; ``_results.db`` and the like follow."""
    folder = Path(expand(directory, pid, parent, command))
    if sub_directory:
        folder /= sub_directory
    return folder / expand(name or DEFAULT_NAME, pid, parent, command)

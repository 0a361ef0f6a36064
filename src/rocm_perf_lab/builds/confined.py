"""Starts a command that can write below some folders only. A program of its own, for the process that becomes
the command: ``python confined.py FOLDER… -- COMMAND…``.

Linux (5.13 and later) has Landlock for this: https://docs.kernel.org/userspace-api/landlock.html. Reading and
running is as before. Where the kernel lacks it the command runs without; ``is_possible`` says which.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # system calls, the same on every architecture
_VERSION = 1  # LANDLOCK_CREATE_RULESET_VERSION
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38
# linux/landlock.h: write, remove folders and files, make devices, folders, files, sockets, pipes, block
# devices, links. REFER (rename into another folder) is of version 2, TRUNCATE of version 3.
_WRITE = sum(1 << bit for bit in (1, 4, 5, 6, 7, 8, 9, 10, 11, 12))
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_ON_FILES = (1 << 1) | _TRUNCATE


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """Of Landlock; 0: there is none."""
    return max(0, _system_call(_CREATE_RULESET, None, 0, _VERSION))


def confine(folders: list[str]) -> bool:
    """From here on this process and its children can write below these folders only; false: no Landlock."""
    known = version()
    if not known:
        return False
    rights = _WRITE | (_REFER if known >= 2 else 0) | (_TRUNCATE if known >= 3 else 0)
    handled = ctypes.c_uint64(rights)
    rules = _system_call(_CREATE_RULESET, ctypes.byref(handled), ctypes.sizeof(handled), 0)
    if rules < 0:
        return False
    for path in folders:
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:  # what is not there cannot be written to
            continue
        allowed = rights if Path(path).is_dir() else rights & _ON_FILES
        rule = _PathBeneath(allowed, descriptor)
        _system_call(_ADD_RULE, rules, _PATH_BENEATH, ctypes.byref(rule), 0)
        os.close(descriptor)
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return _system_call(_RESTRICT_SELF, rules, 0) == 0


def _system_call(number: int, *values: object) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return int(library.syscall(ctypes.c_long(number), *values))


def main(words: list[str]) -> None:
    at = words.index("--")
    confine(words[:at])
    command = words[at + 1 :]
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and the command would, too
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]} cannot be started: {error.strerror}", file=sys.stderr)
        sys.exit(127)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Starts programs of ours apart from the folder they are called in and from PYTHONPATH.

A file there that has the name of a module which we import would be run in its place: a stranger's, or an
innocent one that breaks the compiler. ``python -E isolated.py MODULE WORDS…`` is ``python -m MODULE WORDS…``
without both, in every version of Python that we know. Modules of the user's own site are found as ever.
"""

import os
import sys


def command_line(module: str, *words: str) -> list[str]:
    """What to start for ``python -m MODULE WORDS``."""
    return [sys.executable, "-E", os.path.abspath(__file__), module, *words]  # noqa: PTH100 - nothing imported


def start_again_unless_isolated(module: str) -> None:
    """For programs that others start (the script of an installer, ``python -m``): the same anew, where the
    environment or the current folder says what is imported. Call it before anything else is imported."""
    if sys.flags.ignore_environment:
        return
    if "PYTHONPATH" in os.environ or _is_here(sys.path[0]):
        words = command_line(module, *sys.argv[1:])
        os.execv(words[0], words)


def _is_here(place: str) -> bool:
    try:
        return not place or os.path.samefile(place, os.curdir)  # noqa: PTH121 - as above
    except OSError:  # one of them is gone
        return False


def keep_places_of_modules() -> None:
    """Before the working folder changes: what is relative on the search path leads where it led."""
    sys.path[:] = [os.path.abspath(one) if not one or os.path.isdir(one) else one for one in sys.path]  # noqa: PTH100, PTH112


def main() -> None:
    if not getattr(sys.flags, "safe_path", False):
        sys.path.pop(0)  # the folder of this file: Python puts it there
    import runpy
    from functools import partial

    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - as above
    if home not in sys.path:  # PYTHONPATH alone named it, or an editable installation leads to it
        sys.path.append(home)
    from vrocm.standard_streams import run_tool

    module = sys.argv.pop(1)
    name = module.rpartition(".")[2]
    run_tool(name, partial(runpy.run_module, module, run_name="__main__", alter_sys=True))


if __name__ == "__main__":
    main()

"""Whether a path can be read at all, with a message that says what to do when it cannot."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.errors import BadInput


def check_readable(path: Path) -> None:
    """Raises BadInput unless the path is a file whose first byte can be read."""
    try:
        if path.is_dir():
            raise BadInput(f"{path} is a folder, not a file", "give a file in it")
        with path.open("rb") as file:
            file.read(1)
    except FileNotFoundError:
        dangling = path.is_symlink()
        raise BadInput(
            f"{path} points to nothing" if dangling else f"{path} does not exist",
            "check the link's target" if dangling else "check the name; rocprofv3 prints where it wrote",
        ) from None
    except PermissionError:
        raise BadInput(f"{path} may not be read", f"chmod u+r '{path}', or ask its owner") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}", "check the disk and the path") from None

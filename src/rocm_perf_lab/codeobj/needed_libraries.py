"""The libraries that a program asks the loader for, as options for a linker."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

# Every HIP program has these; compilers add them.
_USUAL = (
    "libamdhip64.",
    "libstdc++.",
    "libgcc_s.",
    "libm.",
    "libc.",
    "libpthread.",
    "librt.",
    "libdl.",
    "libhsa-runtime64.",
    "ld-linux",
)


def needed_libraries(program: Path) -> list[str]:
    """``-l:name`` or a path, with run paths in front; nothing for a file that has no such section."""
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        dynamic: Any = ELFFile(io.BytesIO(program.read_bytes())).get_section_by_name(".dynamic")
        tags = list(dynamic.iter_tags()) if dynamic is not None else []
    except ELFError:
        return []
    needed = [tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED"]
    needed = [name for name in needed if not name.startswith(_USUAL)]
    if not needed:
        return []
    given = [
        getattr(tag, tag.entry.d_tag[3:].lower())
        for tag in tags
        if tag.entry.d_tag in ("DT_RPATH", "DT_RUNPATH")
    ]
    origin = str(program.absolute().parent)
    folders = [
        path.replace("${ORIGIN}", origin).replace("$ORIGIN", origin)
        for text in given
        for path in text.split(":")
        if path
    ]
    found = {name: next((one for one in folders if (Path(one) / name).is_file()), None) for name in needed}
    run_paths = dict.fromkeys(folder for folder in found.values() if folder is not None)
    return [
        *(f"-Wl,-rpath,{folder}" for folder in run_paths),
        *(f"-l:{name}" if folder is None else f"{folder}/{name}" for name, folder in found.items()),
    ]

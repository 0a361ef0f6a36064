"""Reads a source and its local includes into a unit."""

from __future__ import annotations

import re
from pathlib import Path

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.optimizing.source.constants import constants_of
from rocm_perf_lab.optimizing.source.functions import functions_of
from rocm_perf_lab.optimizing.source.macros import Macro, macros_of
from rocm_perf_lab.optimizing.source.model import SourceFile, Unit
from rocm_perf_lab.optimizing.source.parse import Parsed, of_type, parse
from rocm_perf_lab.optimizing.source.tokens import tokens

LARGEST = 4 << 20  # bytes of a file; larger ones are no hand-written kernels
MOST_INCLUDES = 200
_INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"')


def read_unit(path: Path, include_folders: tuple[Path, ...] = (), text: bytes | None = None) -> Unit:
    """``text``: instead of what is in the file, as for a variant that was never written."""
    content = _content(path) if text is None else text
    includes: dict[Path, bytes] = {}
    unseen: dict[str, None] = {}
    _gather(path, content, include_folders, includes, unseen)
    macros: dict[str, Macro] = {}
    for included in includes.values():
        macros |= macros_of(included)
    macros |= macros_of(content)
    constants: dict[str, int] = {}
    files = []
    for place, included in [*includes.items(), (path, content)]:
        parsed = parse(included, macros)
        constants = constants_of(parsed, macros, constants)
        files.append(
            SourceFile(
                path=place,
                parsed=parsed,
                functions=functions_of(parsed, macros),
                macros=macros,
                types=frozenset(_types(parsed)),
            )
        )
    return Unit(
        main=files[-1], includes=tuple(files[:-1]), unseen_includes=tuple(unseen), constants=constants
    )


def _content(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}", "name the kernel's source file") from error
    if len(content) > LARGEST:
        raise BadInput(f"{path} has {len(content)} bytes; sources have at most {LARGEST}")
    if b"\0" in content:
        raise BadInput(f"{path} is no text", "name the kernel's source file")
    return content


def _gather(
    path: Path,
    content: bytes,
    folders: tuple[Path, ...],
    includes: dict[Path, bytes],
    unseen: dict[str, None],
) -> None:
    """Local includes, innermost first, each once."""
    for token in tokens(content):
        match = _INCLUDE.match(token.text) if token.kind == "directive" else None
        if match is None:
            continue
        candidates = [folder / match[1] for folder in (path.parent, *folders)]
        there = next((place for place in candidates if place.is_file()), None)
        if there is None:
            if not match[1].startswith("hip/"):  # the runtime's own, as <hip/…> would be
                unseen[match[1]] = None
            continue
        there = there.resolve()
        if there in includes or there == path.resolve() or len(includes) >= MOST_INCLUDES:
            continue
        includes[there] = b""  # so that headers which include each other end
        included = _content(there)
        _gather(there, included, folders, includes, unseen)
        del includes[there]
        includes[there] = included


def _types(parsed: Parsed) -> set[str]:
    found: set[str] = set()
    for node in of_type(
        parsed.root,
        "class_specifier",
        "struct_specifier",
        "union_specifier",
        "enum_specifier",
        "alias_declaration",
        "type_definition",
    ):
        name = node.child_by_field_name("name") or node.child_by_field_name("declarator")
        if name is not None and name.text:
            found.add(name.text.decode(errors="replace").partition("<")[0])
    return found

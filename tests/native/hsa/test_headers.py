"""The public headers: usable from C and C++, complete, and laid out as those of ROCm."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from hsa_build import ROOT, call, include_folder, runtime_folder
from tests.wanted import unpacked

HEADERS = ROOT / "native" / "abi" / "hsa"

# Declared by both, and changed between ROCm 5.2 and 7: the old header is no measure for these.
CHANGED_SINCE = {
    "HSA_AMD_LAST_EXTENSION",
    "HSA_AMD_INTERFACE_VERSION_MINOR",
    "AMDGPU_HSA_SEGMENT_LAST",
    "EF_AMDGPU_MACH_AMDGCN_LAST",
    "HSA_VEN_AMD_LOADER_VERSION",
}
GROWN = {"hsa_amd_pointer_info_t", "AmdExtTable", "CoreApiTable", "ImageExtTable", "HsaApiTable"}
# Members that got another name, or another place, in the second version of the queue.
RENAMED = {
    ("amd_queue_t", "reserved1"),
    ("amd_queue_t", "reserved3"),
    ("amd_queue_t", "reserved4"),
    ("amd_queue_t", "scratch_backing_memory_byte_size"),
}


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("header", sorted(path.name for path in HEADERS.glob("*.h")))
def test_header_stands_alone(tmp_path: Path, header: str, language: str) -> None:
    source = tmp_path / "one.c"
    source.write_text(f"#include <hsa/{header}>\n#include <hsa/{header}>\nint main(void) {{ return 0; }}\n")
    call(
        "g++",
        "-x",
        language,
        "-fsyntax-only",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{include_folder(tmp_path)}",
        source,
    )


def declared_functions(tmp_path: Path) -> set[str]:
    source = "".join(
        f"#include <hsa/{name}>\n"
        for name in ("hsa.h", "hsa_ext_amd.h", "hsa_ext_image.h", "hsa_ext_finalize.h", "hsa_api_trace.h",
                     "hsa_ven_amd_loader.h", "hsa_ven_amd_pc_sampling.h")
    )  # fmt: skip
    text = subprocess.run(
        ["g++", "-E", "-P", "-x", "c++", f"-I{include_folder(tmp_path)}", "-"],
        input=source, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return set(
        re.findall(
            r"(?:hsa_status_t|hsa_signal_value_t|void|uint64_t|uint32_t)\s+(hsa_\w+)\s*\([^;{]*\)\s*;", text
        )
    )


def exported_names() -> set[str]:
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", str(runtime_folder() / "libhsa-runtime64.so.1")],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return {line.split()[-1] for line in listing.splitlines()}


def test_every_declared_function_is_exported_and_nothing_else(tmp_path: Path) -> None:
    declared = declared_functions(tmp_path)
    assert len(declared) > 250
    assert declared - exported_names() == set()
    # Those with vrocm_ are for the other libraries of the prefix.
    assert {name for name in exported_names() if not name.startswith(("hsa_", "vrocm_"))} == set()


def test_every_function_that_clients_use_is_exported() -> None:
    """client_functions.txt: what public HSA programs call (conformance tests, profilers, replay tools)."""
    used = (Path(__file__).parent / "client_functions.txt").read_text().split()
    assert len(used) > 80
    assert set(used) - exported_names() == set()


# ---- layout ----------------------------------------------------------------------------------------


def rocm_headers(tmp_path: Path) -> Path:
    """A folder with hsa/hsa.h of Debian's libhsa-runtime-dev: given, installed, or downloaded."""
    given = os.environ.get("VROCM_ROCM_HEADERS")
    for folder in [Path(given)] if given else [Path("/usr/include"), Path("/opt/rocm/include")]:
        if (folder / "hsa" / "hsa.h").exists():
            return folder
    package = unpacked("libhsa-runtime-dev", tmp_path)
    if package is not None:
        return package / "usr" / "include"
    pytest.skip("no ROCm headers to compare with: install libhsa-runtime-dev or set VROCM_ROCM_HEADERS")


COMPARED = ["hsa.h", "hsa_ext_amd.h", "hsa_ext_image.h", "hsa_ext_finalize.h", "hsa_ven_amd_loader.h",
            "hsa_ven_amd_aqlprofile.h", "amd_hsa_kernel_code.h", "amd_hsa_queue.h", "amd_hsa_signal.h",
            "hsa_api_trace.h"]  # fmt: skip


def preprocessed(include: Path, names: list[str]) -> str:
    source = "".join(f"#include <hsa/{name}>\n" for name in names)
    command = ["g++", "-E", "-P", "-x", "c++", "-DAMD_INTERNAL_BUILD", f"-I{include}", "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def enumerators(text: str) -> set[str]:
    bodies = re.findall(r"\benum\b[^{;]*\{([^}]*)\}", text)
    return {name for body in bodies for name in re.findall(r"(?:^|,)\s*([A-Z]\w+)\s*(?=[=,]|$)", body)}


def structures(text: str) -> dict[str, list[str]]:
    """Structs with their members, without those inside anonymous unions and function pointers."""
    found: dict[str, list[str]] = {}
    for match in re.finditer(r"\bstruct\s+(?:__attribute__\s*\(\(.*?\)\)\s*)?\w*\s*\{", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        name = re.match(r"\s*(hsa_\w+_t|amd_\w+_t)\s*;", text[end:])
        table = re.match(r"struct\s+(\w+Table)\b", match.group())
        if not name and not table:
            continue
        body = re.sub(r"\{[^{}]*\}", "", text[match.end() : end - 1])
        members = []
        for declaration in body.split(";"):
            pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", declaration)
            if pointer:
                members.append(pointer.group(1))
            elif " " in declaration.strip():  # a type and one or more names
                members += re.findall(r"(\w+)\s*(?:\[[^\]]*\])?\s*(?:,|$)", declaration.strip())
        found[name.group(1) if name else table.group(1)] = members  # type: ignore[union-attr]
    return found


def facts(
    tmp_path: Path, include: Path, enums: list[str], structs: dict[str, list[str]], tag: str
) -> dict[str, int]:
    """What a compiler says of these names with the headers of one folder."""
    lines = [f"#include <hsa/{name}>" for name in COMPARED]
    lines += ["#include <cstddef>", "#include <cstdio>", "int main() {"]
    lines += [f'std::printf("{name} %lld\\n", (long long)({name}));' for name in enums]
    for name, members in structs.items():
        if name not in GROWN:
            lines.append(f'std::printf("sizeof:{name} %lld\\n", (long long)sizeof({name}));')
        lines += [
            f'std::printf("{name}.{member} %lld\\n", (long long)offsetof({name}, {member}));'
            for member in members
        ]
    lines.append("}")
    source, program = tmp_path / f"{tag}.cpp", tmp_path / tag
    source.write_text("\n".join(lines))
    call("g++", "-DAMD_INTERNAL_BUILD", "-Wno-invalid-offsetof", "-w", f"-I{include}", source, "-o", program)
    output = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    return {key: int(value) for key, value in (line.rsplit(" ", 1) for line in output.splitlines())}


def test_layout_agrees_with_rocm(tmp_path: Path) -> None:
    theirs, ours = rocm_headers(tmp_path), include_folder(tmp_path)
    their_text, our_text = preprocessed(theirs, COMPARED), preprocessed(ours, COMPARED)
    enums = sorted((enumerators(their_text) & enumerators(our_text)) - CHANGED_SINCE)
    their_structs, our_structs = structures(their_text), structures(our_text)
    shared = {
        name: [m for m in members if m in our_structs.get(name, []) and (name, m) not in RENAMED]
        for name, members in their_structs.items()
        if name in our_structs
    }
    assert len(enums) > 400
    assert len(shared) > 60
    assert sum(map(len, shared.values())) > 500
    missing = {n for n in enumerators(their_text) if n.startswith("HSA_")} - enumerators(our_text)
    assert missing == set(), "declared by ROCm, not by us"
    assert set(their_structs) - set(our_structs) == set()
    expected = facts(tmp_path, theirs, enums, shared, "theirs")
    got = facts(tmp_path, ours, enums, shared, "ours")
    # Members were inserted into this table once, with a new major version: only the order is the same.
    table = [key for key in expected if key.startswith("AmdExtTable.")]
    assert sorted(table, key=expected.__getitem__) == sorted(table, key=got.__getitem__)
    others = expected.keys() - set(table)
    assert {key: (got[key], expected[key]) for key in others if got[key] != expected[key]} == {}

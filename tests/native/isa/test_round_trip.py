"""Assemble text, decode it, print it: the text comes back, for every instruction of the table."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest
from isa.disassembler import disassemble, instruction_list
from isa.generated import cases
from isa.table import ARCHS, Row, rows
from isa.vector_cases import forms

SHORT_FORMATS = ("VOP1", "VOP2", "VOPC")
MODIFIERS = {
    "clamp",
    "mul:2",
    "mul:4",
    "div:2",
    "op_sel",
    "op_sel_hi",
    "neg_lo",
    "neg_hi",
    "cbsz",
    "abid",
    "blgp",
}
MODIFIERS |= {"quad_perm", "row_shl", "row_shr", "row_ror", "wave_shl", "wave_rol", "wave_shr", "wave_ror"}
MODIFIERS |= {
    "row_mirror",
    "row_half_mirror",
    "row_bcast",
    "row_newbcast",
    "row_mask",
    "bank_mask",
    "bound_ctrl",
}
MODIFIERS |= {"dst_sel", "dst_unused", "src0_sel", "src1_sel", "offset", "offset0", "offset1", "gds", "lds"}
MODIFIERS |= {"offen", "idxen", "format"}
CACHE_MODIFIERS = {"gfx942": {"sc0", "sc1", "nt", "glc", "neg"}, "gfx90a": {"glc", "slc", "scc"}}


@pytest.mark.parametrize("arch", ARCHS)
def test_every_generated_text_is_accepted_by_the_assembler(arch: str) -> None:
    rejected = [f"{c.assembled.source}: {c.assembled.error}" for c in cases(arch) if c.assembled.error]
    assert not rejected, f"{len(rejected)} texts, for example {rejected[:5]}"


@pytest.mark.parametrize("arch", ARCHS)
def test_the_text_comes_back(arch: str) -> None:
    wrong = []
    for case in cases(arch):
        expected = case.assembled
        size, text = disassemble(arch, expected.code)
        if size != len(expected.code) or text != expected.text:
            wrong.append(f"{expected.code.hex()}: {text or 'nothing'} instead of {expected.text}")
    assert not wrong, f"{len(wrong)} of {len(cases(arch))}, for example {wrong[:5]}"


def _encoding(row: Row, mnemonic: str) -> str:
    suffix = mnemonic.removeprefix(row.name)
    return suffix.removeprefix("_") if suffix else "e32"


@pytest.mark.parametrize("arch", ARCHS)
def test_no_row_and_no_encoding_without_a_case(arch: str) -> None:
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for case in cases(arch):
        mnemonic = case.assembled.text.split()[0]
        encoding = _encoding(case.row, mnemonic) if case.row.format in SHORT_FORMATS else ""
        assert mnemonic.startswith(case.row.spelled(arch))
        seen[case.row.name].add(encoding)
    for row in rows():
        if row.on(arch):
            expected = set(forms(row)) if row.format in SHORT_FORMATS else {""}
            assert seen[row.name] == expected, row.name


@pytest.mark.parametrize("arch", ARCHS)
def test_every_modifier_has_a_case(arch: str) -> None:
    words = Counter(
        word if word.startswith(("mul:", "div:")) else word.split(":")[0]
        for case in cases(arch)
        for word in re.split(r"[ ,]+", case.assembled.text)[1:]
    )
    missing = {word for word in MODIFIERS | CACHE_MODIFIERS[arch] if words[word] == 0}
    assert not missing


@pytest.mark.parametrize("arch", ARCHS)
def test_the_library_lists_the_table(arch: str) -> None:
    assert instruction_list(arch) == [(row.spelled(arch), row.format) for row in rows() if row.on(arch)]


@pytest.mark.parametrize("arch", ARCHS)
def test_opcodes_are_unique_within_a_format(arch: str) -> None:
    index = ARCHS.index(arch)
    encodings = Counter(
        ("VOP3P" if row.format == "MFMA" else row.format, row.opcodes[index])
        for row in rows()
        if row.on(arch)
    )
    assert not [encoding for encoding, count in encodings.items() if count > 1]

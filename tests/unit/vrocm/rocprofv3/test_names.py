"""Names: of kernels, of files, of what differs from run to run."""

from __future__ import annotations

from pathlib import Path

import pytest

from vrocm.cxx_names import demangle, truncated
from vrocm.rocprofv3.errors import RequestRefused
from vrocm.rocprofv3.formats.output_path import base_path, expand
from vrocm.rocprofv3.logs.agent_properties import gfx_target_version
from vrocm.rocprofv3.logs.identity import VirtualIdentity


@pytest.mark.parametrize(
    ("symbol", "name", "short"),
    [
        ("_Z5scalePffi", "scale(float*, float, int)", "scale"),
        ("_Z6offsetIfEvPT_S0_i", "void offset<float>(float*, float, int)", "offset"),
        ("_ZN1a1b3runILi3EEEvPFviE", "void a::b::run<3>(void (*)(int))", "run"),
        ("_Z1fPKDF16_S0_DF16b", "f(_Float16 const*, _Float16 const*, __bf16)", "f"),
        ("_Z4halfIDF16_EvPT_", "void half<_Float16>(_Float16*)", "half"),
        ("plain_c", "plain_c", "plain_c"),
        ("_Znot_a_name", "_Znot_a_name", "_Znot_a_name"),
    ],
)
def test_kernel_names(symbol: str, name: str, short: str) -> None:
    assert demangle(symbol) == name
    assert truncated(name) == short


def test_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHERE", "there")
    for variable in ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MPI_RANK", "SLURM_PROCID"):
        monkeypatch.delenv(variable, raising=False)
    command = ["/bin/run me", "-n", "3"]
    assert expand("%env{WHERE}%/$ENV{WHERE}/%pid%.%ppid%.%rank%", 7, 3, command) == "there/there/7.3.0"
    assert expand("%tag%", 7, 3, command) == "run me"
    assert base_path("d", "pass_1", "%pid%", 7, 3, command) == Path("d/pass_1/7")
    assert base_path("d", None, None, 7, 3, command).name == "7"
    with pytest.raises(RequestRefused, match="wall clock"):
        expand("%launch_time%", 7, 3, command)


def test_stable_names() -> None:
    identity = VirtualIdentity([900, 850, 905], {850: 1, 900: 850, 905: 850})
    assert [identity.pid(pid) for pid in (850, 900, 905)] == [10_000, 20_000, 30_000]
    assert (identity.parent(850), identity.parent(905)) == (0, 10_000)
    assert [identity.thread(850, [850, 871, 860], tid) for tid in (850, 860, 871)] == [10_000, 10_001, 10_002]
    stack, heap, device = 0x7FFD_1234_5678, 0x5588_0000_1000, 0x2100_0000_0000
    first = identity.address(stack)
    assert identity.address(heap) != first == identity.address(stack)
    assert identity.address(device) == device
    assert [identity.address(value) for value in (0, 1, 2)] == [0, 1, 2]
    uri = f"memory://900#offset=0x{heap:x}&size=10"
    assert identity.uri(uri) == f"memory://20000#offset=0x{identity.address(heap):x}&size=10"
    assert identity.uri("file:///a#offset=1&size=2") == "file:///a#offset=1&size=2"


def test_target_versions() -> None:
    assert [gfx_target_version(name) for name in ("gfx942", "gfx90a", "gfx1100", "cpu")] == [
        90402,
        90010,
        110000,
        0,
    ]

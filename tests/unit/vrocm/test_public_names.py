"""What ``import vrocm`` gives: documented names, imported when first used, and nothing of the product."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import vrocm
from rocm_perf_lab import errors

ROOT = Path(__file__).parents[3]


def test_every_name_is_there_and_documented() -> None:
    for name in vrocm.__all__:
        found = getattr(vrocm, name)
        assert not callable(found) or inspect.getdoc(found)
    assert set(vrocm.__all__) <= set(dir(vrocm))
    page = (ROOT / "docs" / "reference" / "api.md").read_text()
    section = page.partition("## The virtual ROCm by itself")[2]
    rows = re.findall(r"^\| (`.*?) \|", section.partition("\n## ")[0], re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"`(\w+)", row)} | {"Device"}
    assert set(vrocm.__all__) == documented


def test_there_is_no_other_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'frobnicate'"):
        vrocm.frobnicate  # noqa: B018


def test_importing_it_imports_nothing_else_of_it() -> None:
    code = "import sys; before = set(sys.modules); import vrocm; print(*set(sys.modules) - before)"
    said = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert [name for name in said.split() if name.startswith(("vrocm", "rocm_perf_lab"))] == ["vrocm"]


def test_it_works_without_the_product() -> None:
    code = (
        "import sys; sys.modules['rocm_perf_lab'] = None\n"
        "import vrocm, vrocm.rocprofv3.results, vrocm.hipcc.pipeline, vrocm.commands\n"
        "[getattr(vrocm, name) for name in vrocm.__all__]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_devices_are_those_of_the_emulator() -> None:
    rocminfo = [vrocm.prefix() / "bin" / "rocminfo"]
    done = subprocess.run(rocminfo, env={"VROCM_DEVICE": "none"}, capture_output=True, text=True)
    known = re.findall(r"\bMI\d+\w*", done.stdout + done.stderr)
    assert [device.name for device in vrocm.devices()] == known


def test_who_asks_for_no_gpu_gets_code_for_the_first() -> None:
    """The compiler and the enumerator read no files, of which they would need one word."""
    from vrocm.hipcc.toolchain import DEFAULT_ARCH
    from vrocm.rocm_agent_enumerator import GPU_TARGET

    assert {DEFAULT_ARCH, GPU_TARGET} == {vrocm.devices()[0].architecture}


def test_its_errors_are_the_product_s() -> None:
    from vrocm.errors import CompilationFailed, EnvironmentProblem

    assert issubclass(CompilationFailed, errors.RocmPerfError)
    assert EnvironmentProblem is errors.EnvironmentProblem


def test_the_version_is_the_product_s() -> None:
    import rocm_perf_lab

    assert vrocm.__version__ == rocm_perf_lab.__version__

"""For all tests: what they begin with, whoever started them, and which of them run."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import hypothesis
import pytest

# Matrices are small, and threads of BLAS that wait for each other cost minutes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Without bytecode every process would compile all tests anew, and every command the package.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# CMake and Ninja come with the environment; those of the system come first.
os.environ["PATH"] = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
# What tests make, and so trust, is not what whoever runs them trusts.
_data = tempfile.TemporaryDirectory(prefix="rocm-perf-tests-")
os.environ["XDG_DATA_HOME"] = _data.name
# Background jobs of a shell ignore Ctrl-C, those of nohup SIGHUP, and commands that inherit that honour it:
# their tests would fail.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A machine that is busy is no failure, and the default tier says the same of the same sources every time.
_busy = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("default tier", _busy, derandomize=True, database=None)
hypothesis.settings.register_profile("all", _busy)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="also run tests marked survey")


def pytest_configure(config: pytest.Config) -> None:
    hypothesis.settings.load_profile("all" if config.getoption("--all") else "default tier")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of objects that stay to the end: the garbage collector need not look at them each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Surveys run with --all, when their file is named, or when -m speaks of them."""
    if config.getoption("--all") or "survey" in config.option.markexpr:
        return
    named = {(config.invocation_params.dir / word.partition("::")[0]).resolve() for word in config.args}
    left_out = [item for item in items if item.get_closest_marker("survey") and item.path not in named]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]

"""The device math, compiled for the host once per session."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import host_library  # noqa: E402


@pytest.fixture(scope="session")
def device_math(request: pytest.FixtureRequest) -> host_library.DeviceMath:
    cache = request.config.cache
    assert cache is not None
    return host_library.DeviceMath(host_library.build(Path(cache.mkdir("device_math"))))

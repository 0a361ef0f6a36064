"""What the calls of the HIP runtime mean for dependencies (by the HIP API reference)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
import numpy.typing as npt


class Role(IntEnum):
    OTHER = 0
    RECORD = 1  # an event, in a stream
    WAIT_EVENT = 2  # a stream waits, not the host
    SYNC_STREAM = 3
    SYNC_EVENT = 4
    SYNC_DEVICE = 5
    QUERY = 6  # of an event or stream: asked again and again it is a way to wait
    SET_DEVICE = 7
    BLOCKING_COPY = 8
    IMPLICIT_SYNC = 9  # returns only when the device has finished
    LAUNCH = 10


_ROLES = {
    "hipEventRecord": Role.RECORD,
    "hipEventRecordWithFlags": Role.RECORD,
    "hipStreamWaitEvent": Role.WAIT_EVENT,
    "hipStreamSynchronize": Role.SYNC_STREAM,
    "hipEventSynchronize": Role.SYNC_EVENT,
    "hipDeviceSynchronize": Role.SYNC_DEVICE,
    "hipCtxSynchronize": Role.SYNC_DEVICE,
    "hipDeviceReset": Role.IMPLICIT_SYNC,
    "hipFree": Role.IMPLICIT_SYNC,
    "hipFreeArray": Role.IMPLICIT_SYNC,
    "hipHostFree": Role.IMPLICIT_SYNC,
    "hipModuleUnload": Role.IMPLICIT_SYNC,
    "hipEventQuery": Role.QUERY,
    "hipStreamQuery": Role.QUERY,
    "hipSetDevice": Role.SET_DEVICE,
    "hipMemcpyWithStream": Role.BLOCKING_COPY,
}
_COPY_PREFIX = "hipMemcpy"
_LAUNCH_PARTS = ("Launch",)


def role_of(name: str) -> Role:
    name = name.removesuffix("_spt")  # the variants for a default stream of each thread
    if name in _ROLES:
        return _ROLES[name]
    if name.startswith(_COPY_PREFIX) and "Async" not in name:
        return Role.BLOCKING_COPY
    if any(part in name for part in _LAUNCH_PARTS):
        return Role.LAUNCH
    return Role.OTHER


def roles_of(names: Sequence[str]) -> npt.NDArray[np.int8]:
    return np.array([role_of(name) for name in names], np.int8)

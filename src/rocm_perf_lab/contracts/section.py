"""What every part of a document has: where its figures come from, and why those that are null are missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

# measured: on hardware; simulated: on the virtual GPU; derived: computed from other figures by a formula;
# spec: from a data sheet or from what the device says of itself.
Origin = Literal["measured", "simulated", "derived", "spec"]

# For pydantic, which makes the schemas: a document with a key that the contract does not know is not the
# document it claims to be.
STRICT = {"extra": "forbid", "use_attribute_docstrings": True}


@dataclass(frozen=True, kw_only=True)
class Section:
    """Figures with an origin. ``missing`` gives a reason for each field that is null."""

    __pydantic_config__ = STRICT

    origin: Origin
    """Where the figures of this section come from."""
    missing: dict[str, str] = field(default_factory=dict)
    """For each field that is null: why."""

"""The environment of builds: everything but what looks like a secret. No compiler needs one."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SECRET = re.compile(
    r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE)S?(?:$|_)|APIKEY",
    re.IGNORECASE,
)


def is_secret(name: str) -> bool:
    return _SECRET.search(name) is not None


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not is_secret(name)}

"""The tree in docs/architecture.md has every folder of the package and of native/, and no other."""

from __future__ import annotations

import re

from tests.doc_blocks import ROOT, blocks

TREE = blocks(ROOT / "docs" / "architecture.md")[0].text


def listed(head: str) -> set[str]:
    """Folders right below one of the two heads; a line may have two of them."""
    (part,) = re.findall(rf"^{head}/\n(.*?)(?=^\S|\Z)", TREE, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^  (\w.*)$", part, re.MULTILINE)
    return {name for line in lines for name in re.findall(r"(?:^|\s{2,})([\w/]+)/(?=\s{2,})", line)}


def there(head: str) -> set[str]:
    folders = (path for path in (ROOT / head).iterdir() if path.is_dir())
    return {path.name for path in folders if any(any(path.rglob(kind)) for kind in ("*.py", "*.h", "*.cpp"))}


def test_the_package() -> None:
    assert listed("src/rocm_perf_lab") == there("src/rocm_perf_lab")


def test_native_sources() -> None:
    assert {name.partition("/")[0] for name in listed("native")} == there("native")

"""The tree in docs/ARCHITECTURE.md has every room of the packages and of native/; its layers are kept.

Rooms stay small enough to be looked over, and a name of a class says which one it is.
"""

from __future__ import annotations

import re
import sys
from collections import Counter

import pytest
from tests.doc_blocks import ROOT, blocks

PAGE = ROOT / "docs" / "ARCHITECTURE.md"
TREE = blocks(PAGE)[0].text
PACKAGES = ("src/rocm_perf_lab", "src/vrocm")
MOST_SOURCES = 28
# Of dag.json and of analysis.json, under this name in the schemas of both.
IN_TWO_SCHEMAS = {"Criticality"}


def listed(head: str) -> set[str]:
    """Folders right below one of the two heads; a line may have two of them."""
    (part,) = re.findall(rf"^{head}/\n(.*?)(?=^\S|\Z)", TREE, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^  (\w.*)$", part, re.MULTILINE)
    return {name for line in lines for name in re.findall(r"(?:^|\s{2,})([\w/]+)/(?=\s{2,})", line)}


def there(head: str) -> set[str]:
    folders = (path for path in (ROOT / head).iterdir() if path.is_dir())
    return {path.name for path in folders if any(any(path.rglob(kind)) for kind in ("*.py", "*.h", "*.cpp"))}


@pytest.mark.parametrize("package", PACKAGES)
def test_packages(package: str) -> None:
    assert listed(package) == there(package)


def test_native_sources() -> None:
    assert {name.partition("/")[0] for name in listed("native")} == there("native")


def test_rooms_of_native_sources() -> None:
    """What lies two levels below native/ is named below its room; no folder has more than fits on a page."""
    part = TREE.partition("\nnative/\n")[2]
    for name in ("isa", "sim", "hsa", "hip", "capture", "replay"):
        (room,) = re.findall(rf"^  {name}/(.*\n(?:    .*\n)*)", part, re.MULTILINE)
        assert there(f"native/{name}") <= set(re.findall(r"(\w+)/", room)), name
    kinds = (".cpp", ".h", ".def")
    files = [path.parent for path in (ROOT / "native").rglob("*") if path.suffix in kinds]
    assert max(files.count(folder) for folder in set(files)) <= 28


def test_single_files() -> None:
    part = TREE.partition("\nnative/")[0]
    named = set(re.findall(r"(?:^  |\s{2,})(\w+\.py)(?=\s)", part, re.MULTILINE))
    files = {path.name for package in PACKAGES for path in (ROOT / package).glob("[a-z]*.py")}
    assert files <= named


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no tomllib")
def test_layers_are_those_that_the_linter_keeps() -> None:
    import tomllib

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    kept = [re.findall(r"rocm_perf_lab\.(\w+)", layer) for layer in settings["contracts"][0]["layers"]]
    (text,) = re.findall(r"Imports go downward only: (.*?) and the\s", PAGE.read_text(), re.DOTALL)
    told = [re.findall(r"\w+", layer) for layer in text.split("→")]
    assert told[:-1] == kept[:-1]
    assert set(told[-1]) <= set(kept[-1])


def test_folders_are_small() -> None:
    sources = [path for kind in ("*.py", "*.cpp", "*.h") for path in (ROOT / "src").rglob(kind)]
    folders = Counter(path.parent for path in sources)
    assert {str(folder): count for folder, count in folders.items() if count > MOST_SOURCES} == {}


def test_a_class_name_exists_once() -> None:
    places = [
        (name, str(path))
        for path in sorted((ROOT / "src").rglob("*.py"))
        for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text(), re.MULTILINE)
    ]
    twice = {name for name, count in Counter(name for name, _ in places).items() if count > 1}
    assert twice == IN_TWO_SCHEMAS, [place for place in places if place[0] in twice]

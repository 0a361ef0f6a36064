"""Runs in the roots as resources: their documents, and their page, drawn when it is read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from mcp_types import Resource, ResourceTemplate

from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.mcp_server.named_files import readable_run
from rocm_perf_lab.mcp_server.roots import Roots
from rocm_perf_lab.profiling.folder.run_folder import HOME

SCHEME = "rocm-perf"
PAGE = "report.html"
MOST_RUNS = 50  # listed, the newest first
MOST_BYTES = 32 << 20
MOST_DEPTH = 6  # below a root at which folders of runs are looked for
_KINDS = {".json": "application/json", ".html": "text/html", ".md": "text/markdown"}
# Documents that commands write into folders below .rocm-perf, and their pages.
DOCUMENTS = (
    "profile.json", "analysis.json", "roofline.json", "dag.json", "att.json", "failure.json",
    "tuning.json", "tuning.html", "optimization.json", "optimization.html", "suite.json", "analyses.json",
)  # fmt: skip

TEMPLATE = ResourceTemplate(
    uri_template=f"{SCHEME}://{{+path}}",
    name="document",
    description="A document (.json) or page (.html) that the product wrote, by its absolute path in the "
    f"roots. {PAGE} of a run folder is drawn when it is read.",
)


def uri_of(path: Path) -> str:
    return f"{SCHEME}://{quote(str(path))}"


def list_resources(roots: Roots) -> list[Resource]:
    """Of the newest runs."""
    runs = sorted({run for root in roots.folders for run in _runs(root)}, key=_age)
    return [resource for run in runs[:MOST_RUNS] for resource in _of_run(run)]


def read_resource(roots: Roots, uri: str) -> tuple[str, str]:
    """The text of a resource and its kind."""
    parts = urlsplit(uri)
    if parts.scheme != SCHEME or parts.netloc or parts.query or parts.fragment:
        raise UsageProblem(f"{uri} is no resource of this server", f"{SCHEME}://ABSOLUTE/PATH")
    path = roots.inside(unquote(parts.path))
    kind = _KINDS.get(path.suffix)
    if kind is None:
        raise UsageProblem(f"{path.name} is no document and no page", f"one of {', '.join(_KINDS)}")
    if path.name == PAGE and not path.is_file() and (path.parent / "profile.json").is_file():
        from rocm_perf_lab.api.load_run import load_run

        return load_run(readable_run(roots, str(path.parent))).html(), kind
    if not path.is_file():
        raise UsageProblem(f"{path} is not there", "list the resources")
    if path.stat().st_size > MOST_BYTES:
        raise BadInput(f"{path} has more than {MOST_BYTES >> 20} MiB", "read it from the disk")
    return path.read_text(encoding="utf-8", errors="replace"), kind


def _of_run(run: Path) -> Iterator[Resource]:
    names = [name for name in DOCUMENTS if (run / name).is_file()]
    for name in [*names, *([PAGE] if "profile.json" in names else [])]:
        yield Resource(uri=uri_of(run / name), name=f"{run.name}/{name}", mime_type=_KINDS[Path(name).suffix])


def _runs(root: Path) -> Iterator[Path]:
    """Folders below ``.rocm-perf`` that have a document; links are not followed."""
    for place, folders, files in os.walk(root):
        path = Path(place)
        depth = len(path.relative_to(root).parts)
        in_home = HOME in path.relative_to(root).parts
        if in_home and any(name in DOCUMENTS for name in files):
            yield path
            folders.clear()
        elif depth >= MOST_DEPTH and not in_home:
            folders.clear()
        else:
            folders[:] = [name for name in folders if in_home or not name.startswith(".") or name == HOME]


def _age(run: Path) -> float:
    try:
        return -run.stat().st_mtime
    except OSError:
        return 0.0

"""The library of queries: each says what it answers, is used, and comes with the package."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from tests.table_rows import rows

import rocm_perf_lab.rocpd
from rocm_perf_lab.rocpd.database import query

FILES = sorted(Path(str(resources.files(rocm_perf_lab.rocpd) / "sql")).glob("*.sql"))
SOURCES = "".join(path.read_text() for path in Path(rocm_perf_lab.rocpd.__file__).parent.rglob("*.py"))


def test_there_are_queries() -> None:
    assert len(FILES) > 8


@rows("file", FILES)
def test_says_what_it_answers_and_is_used(file: Path) -> None:
    first, *_ = file.read_text().splitlines()
    assert re.match(r"-- \w", first)
    assert f'"{file.stem}"' in SOURCES
    assert query(file.stem) == file.read_text()


@rows("file", FILES)
def test_reads_plain_views_only(file: Path) -> None:
    """Not the suffixed tables, which have other names in every file, nor the joined views, which are slow."""
    statement = re.sub(r"--.*", "", file.read_text())
    assert set(re.findall(r"(?:FROM|JOIN) (\w+)", statement)) <= {
        "rocpd_metadata",
        "rocpd_info_agent",
        "rocpd_info_process",
        "rocpd_info_node",
        "rocpd_info_kernel_symbol",
        "rocpd_info_code_object",
        "rocpd_info_pmc",
        "rocpd_kernel_dispatch",
        "rocpd_pmc_event",
        "rocpd_timestamp",
        "rocpd_track",
        "rocpd_event",
        "rocpd_string",
        "rocpd_region",
        "rocpd_memory_copy",
        "rocpd_arg",
        "wanted_events",  # a temporary table
    }

"""Changes kernels so that they are faster and keeps what is proven, as ``rocm-perf optimize`` does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.api.optimization.answer import answer_of
from rocm_perf_lab.optimizing.request import OptimizationRequest
from rocm_perf_lab.requests.values import AnyPath

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument, ReversionDocument


@keywords_of(OptimizationRequest)
def optimize(request: OptimizationRequest) -> OptimizationDocument:
    """Change kernels of a program so that they are faster, and keep only what is proven.

    Keywords are the options of ``rocm-perf optimize``; ``budget`` is in seconds, or a text such as ``"10m"``.
    An accepted change is written into the source with ``yes``, or where ``ask`` (called with the source, the
    change in words and its diff) says so; else it is kept as a diff in the folder that the document names.
    ``tell`` is called with a line for each decision.
    """
    from rocm_perf_lab.api.optimization.plan import plan_of, proposer_of
    from rocm_perf_lab.api.optimization.run_loop import journal_at, run_folder, run_loop
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.optimizing.records.folder import DOCUMENT, JOURNAL, PAGE
    from rocm_perf_lab.profiling.processes.command_line import find_program
    from rocm_perf_lab.reporting.html.story_page import write_story
    from rocm_perf_lab.reporting.whole_file import write_whole

    plan = plan_of(request)
    find_program(plan.program[0], os.environ)
    chosen = proposer_of(request)
    with run_folder(plan) as folder, journal_at(folder / JOURNAL, request.tell) as journal:
        document = run_loop(plan, folder, journal, chosen, answer_of(request, plan.source))
        text = to_json(document)
        if not request.dry_run:
            write_whole(folder / DOCUMENT, [text.encode()])
            write_story(document, folder / PAGE)
    return document


def revert(source: AnyPath) -> ReversionDocument:
    """Take back what the last optimization wrote into a source, as ``rocm-perf optimize --revert`` does."""
    from rocm_perf_lab.optimizing.records.take_back import take_back

    return take_back(Path(source))

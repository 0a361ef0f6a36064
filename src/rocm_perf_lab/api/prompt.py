"""What a language model would be asked about a kernel, as ``rocm-perf prompt`` prints it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.errors import NoKernels
from rocm_perf_lab.requests.values import AnyPath, kernel_pattern

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.changes.proposal_prompt import PromptDocument


def prompt(
    run: Run | AnyPath,
    *,
    source: AnyPath,
    kernel: str | None = None,
    compact: bool = False,
    full_source: bool = False,
) -> PromptDocument:
    """Say what ``optimize(…, proposer="llm")`` would ask about a kernel of a run; nothing is sent.

    ``source`` is the file that has the kernel; without ``kernel`` it is the one with most to gain.
    ``compact`` makes the prompt shorter, ``full_source`` gives the whole file.
    """
    from rocm_perf_lab.optimizing.choose import rank_kernels, situation_of
    from rocm_perf_lab.optimizing.proposers.llm.prompt import prompt_document
    from rocm_perf_lab.optimizing.source.read import read_unit
    from rocm_perf_lab.reporting.run_documents import read_run

    documents = run.documents if isinstance(run, Run) else read_run(Path(run))
    unit = read_unit(Path(source))
    ranked = rank_kernels(documents.profile, documents.analysis, unit, kernel_pattern(kernel))
    if not ranked.found:
        name, refusal = ranked.left_out[0]
        raise NoKernels(
            f"{source} has no kernel of the run: {name}: {refusal}", "name the kernel's source file"
        )
    situation = situation_of(documents.profile, documents.analysis, documents.att, ranked.found[0])
    return prompt_document(situation, compact=compact, full_source=full_source)

"""The tools of the server: each runs one command of the product in the roots and gives back its document."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult

from rocm_perf_lab.api.compare_request import CompareRequest
from rocm_perf_lab.capturing.request import CaptureRequest
from rocm_perf_lab.checking.request import CheckRequest
from rocm_perf_lab.errors import NoKernels, RocmPerfError, UsageProblem
from rocm_perf_lab.mcp_server import parameters as given
from rocm_perf_lab.mcp_server import summaries
from rocm_perf_lab.mcp_server.commands import CommandRunner
from rocm_perf_lab.mcp_server.named_files import readable_run
from rocm_perf_lab.mcp_server.offered_options import offered_options, words_of
from rocm_perf_lab.mcp_server.progress import CallProgress
from rocm_perf_lab.mcp_server.results import as_json, failed, failure, result
from rocm_perf_lab.mcp_server.roots import Roots
from rocm_perf_lab.profiling.documents.request import AnalyzeRequest
from rocm_perf_lab.profiling.request import ProfileRequest
from rocm_perf_lab.replaying.request import FullVmRequest, ValidateRequest

# Flags of hipcc that change what is compiled and nothing else: no plug-ins, no files, no output elsewhere.
_HARMLESS_FLAG = re.compile(r"-D\w+(=.*)?|-O[0-3]|-std=[\w+]+")
AnyContext = Context[Any, Any]


class Tools:
    def __init__(self, roots: Roots) -> None:
        self.roots = roots
        self.commands = CommandRunner(roots.first)

    @offered_options(ProfileRequest)
    async def profile(
        self,
        ctx: AnyContext,
        program: given.Program,
        arguments: given.Arguments = [],  # noqa: B006 (never changed; it becomes the default in the schema)
        *,
        out: str | None,
        **options: object,
    ) -> CallToolResult:
        """Run a program under rocprofv3 and say where its GPU time goes. roofline collects hardware counters,
        focus_critical finds the critical path, deep_analysis traces the waves of the kernel that matters;
        each takes further runs. The result is profile.json and the run folder, which explain takes."""
        try:
            words = self._program(program, arguments)
            folder = self._folder(out, Path(program).name)
        except RocmPerfError as error:
            return failed(error)
        asked = words_of(ProfileRequest, {"out": folder, **options})
        return await self._run(
            ctx,
            ["profile", "--json", *asked, "--", *words],
            lambda document: summaries.profile(document, str(folder)),
            lambda document: {"run": str(folder), "profile": document},
            folder=folder,
        )

    @offered_options(AnalyzeRequest)
    async def analyze(
        self, ctx: AnyContext, traces: given.Traces, *, out: str | None, **options: object
    ) -> CallToolResult:
        """Say where GPU time went, from traces that were saved before; runs nothing and needs no GPU. The
        result is profile.json and the run folder that explain takes."""
        try:
            paths = [readable_run(self.roots, trace) for trace in traces]
            folder = self._folder(out, "analyze")
        except RocmPerfError as error:
            return failed(error)
        asked = words_of(AnalyzeRequest, {"out": folder, **options})
        return await self._run(
            ctx,
            ["analyze", "--json", *asked, "--", *map(str, paths)],
            lambda document: summaries.profile(document, str(folder)),
            lambda document: {"run": str(folder), "profile": document},
            folder=folder,
        )

    async def explain(
        self, run: given.RunPath, kernel: given.Kernel = None, top: given.Top = 5
    ) -> CallToolResult:
        """Say what holds each kernel of a run back: one label, the evidence for it with figures and
        thresholds, how sure it is, what else it could be, what there is to gain, and what is not known and
        why. Runs nothing."""
        try:
            path = readable_run(self.roots, run)
            return await anyio.to_thread.run_sync(_explain, path, kernel, top)
        except RocmPerfError as error:
            return failed(error)

    async def whatif(
        self,
        ctx: AnyContext,
        run: given.RunPath,
        kernel: given.Kernel = None,
        speedup: given.Speedup = None,
        remove_sync: bool = False,
        overlap_copies: bool = False,
    ) -> CallToolResult:
        """Predict the end-to-end time of a run if kernels were faster, the host did not wait (remove_sync),
        or copies ran beside everything else (overlap_copies); without a change, rank kernels by what each
        would gain. Best on runs that profile made with focus_critical."""
        try:
            path = readable_run(self.roots, run)
        except RocmPerfError as error:
            return failed(error)
        options = _valued(kernel=kernel, speedup=speedup)
        options += ["--remove-sync"] if remove_sync else []
        options += ["--overlap-copies"] if overlap_copies else []
        return await self._run(ctx, ["whatif", "--json", *options, "--", str(path)], summaries.whatif)

    @offered_options(CompareRequest)
    async def compare(
        self, ctx: AnyContext, base: given.RunPath, new: given.RunPath, **options: object
    ) -> CallToolResult:
        """Say whether the run new is faster or slower than the run base, in total and kernel by kernel, with
        intervals; what is slower by more than fail_on_regression is listed in regressions."""
        try:
            paths = [readable_run(self.roots, run) for run in (base, new)]
        except RocmPerfError as error:
            return failed(error)
        asked = words_of(CompareRequest, options)
        return await self._run(
            ctx, ["compare", "--json", *asked, "--", *map(str, paths)], summaries.comparison
        )

    @offered_options(CaptureRequest)
    async def capture(
        self,
        ctx: AnyContext,
        program: given.Program,
        arguments: given.Arguments = [],  # noqa: B006 (as above)
        *,
        out: str | None,
        **options: object,
    ) -> CallToolResult:
        """Run a program and keep one of its kernel dispatches: code, arguments and memory before and after,
        so that replay can run it again by itself. stop ends the program right after."""
        try:
            words = self._program(program, arguments)
            folder = None if out is None else self.roots.inside(out)
        except RocmPerfError as error:
            return failed(error)
        asked = words_of(CaptureRequest, {"out": folder, **options})
        return await self._run(ctx, ["capture", "--json", *asked, "--", *words], summaries.capture)

    @offered_options(FullVmRequest)
    async def replay(
        self, ctx: AnyContext, capture: given.Capture, *, hsaco: str | None, **options: object
    ) -> CallToolResult:
        """Run a captured dispatch again at its addresses, in a fresh process, and time it on the GPU; with
        hsaco, a variant of its kernel. cold flushes the caches before each iteration."""
        try:
            folder = self.roots.readable(capture)
            asked = words_of(FullVmRequest, {"hsaco": self._readable(hsaco), **options})
        except RocmPerfError as error:
            return failed(error)
        return await self._run(
            ctx, ["replay", "full-vm", "--json", *asked, "--", str(folder)], summaries.replay
        )

    @offered_options(ValidateRequest)
    async def validate(
        self, ctx: AnyContext, capture: given.Capture, *, hsaco: str | None, **options: object
    ) -> CallToolResult:
        """Prove that replays of a capture give what the program got, in fresh processes, with poisoned
        outputs and a kernel that does nothing as a control; with hsaco, judge a variant by the same and time
        it."""
        try:
            folder = self.roots.readable(capture)
            asked = words_of(ValidateRequest, {"hsaco": self._readable(hsaco), **options})
        except RocmPerfError as error:
            return failed(error)
        return await self._run(
            ctx, ["replay", "validate", "--json", *asked, "--", str(folder)], summaries.validation
        )

    @offered_options(CheckRequest)
    async def check(
        self,
        ctx: AnyContext,
        program: given.Program,
        arguments: given.Arguments = [],  # noqa: B006 (as above)
        **options: object,
    ) -> CallToolResult:
        """Run a program on the virtual GPU and report the defects of its kernels: accesses out of bounds,
        races, reads of memory that nobody wrote, leaks. Source lines need a program compiled with -g."""
        try:
            words = self._program(program, arguments)
        except RocmPerfError as error:
            return failed(error)
        asked = words_of(CheckRequest, options)
        return await self._run(ctx, ["check", "--json", *asked, "--", *words], summaries.check)

    async def optimize(
        self,
        ctx: AnyContext,
        program: given.Program,
        source: given.Source,
        budget: given.Budget,
        arguments: given.Arguments = [],  # noqa: B006 (as above)
        kernel: given.Kernel = None,
        max_trials: given.Trials = 16,
        max_changes: given.Changes = 10,
        write: bool = False,
        timeout: given.Timeout = None,
    ) -> CallToolResult:
        """Change kernels in a source file so that they are faster. Every change is built, checked for
        defects, compared in its results and timed; only what the gate accepts is kept, and nothing that is
        said here makes it accept more. Accepted changes are kept as a diff; write puts them into the source.
        The build is the one that the program records of itself, or hipcc -O3."""
        try:
            words = self._program(program, arguments)
            file = self.roots.readable(source)
            self._home(self.roots.first)
            self._home(file.parent)
        except RocmPerfError as error:
            return failed(error)
        options = [f"--source={file}", f"--budget={max(1, round(budget))}s", f"--max-trials={max_trials}"]
        options += _valued(max_iters=max_changes, kernel=kernel, timeout=timeout)
        options += ["--yes"] if write else []
        return await self._run(
            ctx, ["optimize", "--json", *options, "--", *words], summaries.optimization, tells=True
        )

    async def autotune(
        self,
        ctx: AnyContext,
        space: given.Space,
        budget: given.Budget,
        program: given.Program | None = None,
        arguments: given.Arguments = [],  # noqa: B006 (as above)
        build_source: given.Source | None = None,
        build_flags: given.Flags = [],  # noqa: B006 (as above)
        evals: given.Evaluations = 50,
        kernel: given.Kernel = None,
        out: given.NewFolder = None,
        timeout: given.Timeout = None,
    ) -> CallToolResult:
        """Find the fastest configuration of a program in few runs. Arguments hold {PARAMETER} where a value
        goes. Either program is run as it is, or build_source is built with hipcc for each configuration, with
        {PARAMETER} in build_flags, and what comes out is run."""
        try:
            templates = self._templates(program, arguments, build_source, build_flags)
            file = self.roots.readable(space)
            folder = self._folder(out, "autotune")
        except RocmPerfError as error:
            return failed(error)
        options = [f"--space={file}", *templates, f"--evals={evals}", f"--out={folder}"]
        options += [f"--budget={max(1, round(budget))}s", *_valued(kernel=kernel, timeout=timeout)]
        return await self._run(
            ctx,
            ["autotune", "--json", *options],
            lambda document: summaries.tuning(document, str(folder)),
            lambda document: {"run": str(folder), "tuning": document},
            folder=folder,
            tells=True,
        )

    async def _run(
        self,
        ctx: AnyContext,
        words: Sequence[str],
        summary: Callable[[dict[str, Any]], str],
        wrap: Callable[[dict[str, Any]], dict[str, Any]] = lambda document: document,
        *,
        folder: Path | None = None,
        tells: bool = False,
    ) -> CallToolResult:
        """``folder`` was made for this call; it does not stay if nothing came into it."""
        try:
            answer = await self.commands.run(words, CallProgress(ctx), tells=tells)
        except RocmPerfError as error:
            return failed(error)
        finally:
            if folder is not None:
                with contextlib.suppress(OSError):
                    folder.rmdir()
        if "error" in answer.document:
            return failure(answer.document)
        return result(wrap(answer.document), summary(answer.document))

    def _program(self, program: str, arguments: Sequence[str]) -> list[str]:
        if any("\0" in word for word in arguments):
            raise UsageProblem("an argument has a null character in it", "leave it out")
        return [str(self.roots.program(program)), *arguments]

    def _readable(self, path: str | None) -> Path | None:
        return None if path is None else self.roots.readable(path)

    def _folder(self, out: str | None, name: str) -> Path:
        """A new folder for what a command keeps."""
        from rocm_perf_lab.profiling.folder.run_folder import make_folder

        self._home(self.roots.first)
        chosen = None if out is None else self.roots.inside(out)
        return make_folder(name, datetime.now(timezone.utc), chosen).path

    def _home(self, place: Path) -> None:
        """Raises where ``.rocm-perf``, which commands make, is a link that leads out of the roots."""
        from rocm_perf_lab.profiling.folder.run_folder import HOME

        self.roots.inside(str(place / HOME))

    def _templates(
        self, program: str | None, arguments: Sequence[str], source: str | None, flags: Sequence[str]
    ) -> list[str]:
        if (program is None) == (source is None):
            raise UsageProblem("either program or build_source is run", "give one of them")
        if program is not None:
            if flags:
                raise UsageProblem("build_flags are for build_source", "leave them out")
            return [f"--cmd-template={_template([str(self.roots.program(program))], arguments)}"]
        assert source is not None
        for flag in flags:
            if not _HARMLESS_FLAG.fullmatch(flag):
                raise UsageProblem(
                    f"the flag {flag!r} is not taken here",
                    "-D…, -O… and -std=… are; others on the command line",
                )
        build = ["hipcc", "-O3", *flags, str(self.roots.readable(source)), "-o", "{build}/program"]
        return [
            f"--build-template={shlex.join(build)}",
            f"--cmd-template={_template(['{build}/program'], arguments)}",
        ]


def _template(program: list[str], arguments: Sequence[str]) -> str:
    return shlex.join([*program, *arguments])


def _valued(**options: object) -> list[str]:
    """``--name=value`` for those that are given: one word, so that no value is taken for an option."""
    return [f"--{name.replace('_', '-')}={value}" for name, value in options.items() if value is not None]


def _explain(run: Path, kernel: str | None, top: int) -> CallToolResult:
    from rocm_perf_lab.api.load_run import load_run
    from rocm_perf_lab.requests.values import kernel_pattern

    pattern = kernel_pattern(kernel)
    found = load_run(run)
    if found.analysis is None:
        raise NoKernels(f"{run} has no analysis: nothing is known of the GPU", "profile the program again")
    kernels = [one for one in found.analysis.kernels if pattern is None or pattern.search(one.name)]
    if not kernels:
        raise NoKernels(f"no kernel's name matches {kernel!r}", "leave out kernel: all are explained")
    shown = kernels[:top]
    document = {
        "run": str(run),
        "origin": found.origin,
        "kernels_in_all": len(kernels),
        "kernels": [as_json(one) for one in shown],
    }
    return result(document, summaries.explanation(shown))

"""``rocm-perf optimize``: change kernels so that they are faster, and keep only what is proven."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from rocm_perf_lab.cli.kernel_pattern import kernel_pattern
from rocm_perf_lab.cli.program_command import ProgramCommand
from rocm_perf_lab.errors import BadInput, Interrupted, NoKernels, RocmPerfError, TimedOut, UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.optimization import OptimizationDocument
    from rocm_perf_lab.optimize.app_stages import AppStages
    from rocm_perf_lab.optimize.journal import Entry, Journal
    from rocm_perf_lab.optimize.loop import Answer, Loop, Outcome, Settings
    from rocm_perf_lab.optimize.proposers.interface import Proposer
    from rocm_perf_lab.optimize.refused import Refused
    from rocm_perf_lab.optimize.trial import Tried

SOURCES = (".hip", ".cu", ".cpp", ".cc", ".cxx", ".c++", ".C")
_FILE = click.Path(path_type=Path)
_POSITIVE = click.FloatRange(min=0, min_open=True)


@dataclass(frozen=True)
class Wish:
    """What is to be optimized, and how the user wants it."""

    source: Path
    program: tuple[str, ...]
    build: str
    options: dict[str, Any]

    @property
    def dry_run(self) -> bool:
        return bool(self.options["dry_run"])


@click.command(cls=ProgramCommand)
@click.option("--source", type=_FILE, help="File that has the kernels.")
@click.option("--build", metavar="COMMAND", help="[default: hipcc -O3 {source} -o {output}]")
@click.option("--proposer", default="rules", show_default=True, help="rules, llm, or one that is plugged in.")
@click.option("--kernel", metavar="REGEX", help="Only kernels whose name matches somewhere.")
@click.option("--allow", metavar="NAME", multiple=True, help="Make this transform, too; may be repeated.")
@click.option("--via", type=click.Choice(("app", "replay")), default="app", show_default=True)
@click.option(
    "--min-improvement",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.02,
    show_default=True,
    help="Share of a kernel's time that a change has to save.",
)
@click.option("--max-iters", type=click.IntRange(min=1), default=10, show_default=True, help="Changes.")
@click.option(
    "--max-trials",
    type=click.IntRange(min=1),
    default=16,
    show_default=True,
    help="Builds for a kernel until the next one has its turn.",
)
@click.option("--budget", metavar="TIME", help="No new trial after this long: 90s, 10m, 2h.")
@click.option("--timeout", type=_POSITIVE, default=600.0, show_default=True, help="Seconds a run may take.")
@click.option("--base-url", metavar="ADDRESS", help="Of --proposer llm: the endpoint.")
@click.option("--model", metavar="NAME", help="Of --proposer llm.")
@click.option("--key-file", type=_FILE, help="Of --proposer llm: has the key. [default: the environment]")
@click.option("--yes", is_flag=True, help="Write accepted changes into the source without asking.")
@click.option("--dry-run", is_flag=True, help="Write and keep nothing; show what would be accepted.")
@click.option("--resume", is_flag=True, help="Go on with the last optimization of the source.")
@click.option("--revert", is_flag=True, help="Take back what the last optimization wrote.")
@click.option("--bundle", is_flag=True, hidden=True)
@click.option("--verify", is_flag=True, hidden=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
def command(program: tuple[str, ...], source: Path | None, as_json: bool, **options: Any) -> None:
    """Change kernels of PROGRAM so that they are faster, and keep only what is proven.

    \b
      rocm-perf optimize ./app its arguments --source kernel.hip
      rocm-perf optimize kernel.hip "./app its arguments"
      rocm-perf optimize --revert --source kernel.hip

    What --build makes of the source is run in the place of PROGRAM, with the same arguments. An accepted
    change is asked about before it is written; without a terminal and without --yes it is kept as a diff.
    """
    _say_what_is_missing(options)
    source, words = _source_and_program(source, program)
    if options["revert"]:
        _revert(source, as_json)
    else:
        _optimize(_wish(source, words, options), as_json)


def _say_what_is_missing(options: dict[str, Any]) -> None:
    if options["via"] == "replay":
        raise UsageProblem(
            "--via replay is not there yet: variants are timed in the application", "leave it out"
        )
    for name in ("bundle", "verify"):
        if options[name]:
            raise UsageProblem(
                f"--{name} is not there yet: no bundles are made of accepted changes, so none is verified",
                "leave it out; the journal has every decision with its numbers",
            )


def _source_and_program(source: Path | None, words: tuple[str, ...]) -> tuple[Path, tuple[str, ...]]:
    if source is None and words and words[0].endswith(SOURCES):
        source, words = Path(words[0]), words[1:]
    if source is None:
        raise UsageProblem(
            "no source is named, and it is not found through debug information yet",
            "rocm-perf optimize ./app its arguments --source kernel.hip",
        )
    return source, words


def _wish(source: Path, words: tuple[str, ...], options: dict[str, Any]) -> Wish:
    from rocm_perf_lab.optimize.build import DEFAULT_COMMAND
    from rocm_perf_lab.optimize.source.read import read_unit
    from rocm_perf_lab.optimize.transforms.catalogue import TRANSFORMS
    from rocm_perf_lab.profile.command_line import parse_command

    if options["dry_run"] and (options["yes"] or options["resume"]):
        other = "--yes" if options["yes"] else "--resume"
        raise UsageProblem(f"--dry-run keeps nothing; {other} asks for it", "give one of them")
    for name in options["allow"]:
        if name not in TRANSFORMS:
            raise UsageProblem(f"there is no transform {name!r}", ", ".join(TRANSFORMS))
    if options["proposer"] != "llm":
        for name in ("base_url", "model", "key_file"):
            if options[name] is not None:
                option = "--" + name.replace("_", "-")
                raise UsageProblem(f"{option} has a meaning with --proposer llm only", "leave it out")
    read_unit(source)  # what cannot be read is said before anything is built
    return Wish(source, parse_command(words, "optimize"), options["build"] or DEFAULT_COMMAND, options)


def seconds(text: str | None) -> float | None:
    """The value of --budget."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([smh]?)\s*", text)
    if found is None or float(found[1]) == 0:
        raise UsageProblem(f"--budget {text!r} is no time", "for example --budget 10m")
    return float(found[1]) * {"s": 1, "m": 60, "h": 3600, "": 1}[found[2]]


def _revert(source: Path, as_json: bool) -> None:
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.optimize.folder import folder_of
    from rocm_perf_lab.optimize.take_back import take_back
    from rocm_perf_lab.report.optimize_terminal import render_reversion

    document = take_back(source, folder_of(source))
    click.echo(to_json(document) if as_json else render_reversion(document), nl=False)


def _optimize(wish: Wish, as_json: bool) -> None:
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.optimize.folder import DOCUMENT, JOURNAL
    from rocm_perf_lab.profile.command_line import find_program
    from rocm_perf_lab.report.optimize_terminal import render

    find_program(wish.program[0], os.environ)
    settings_of(wish)  # what makes no sense is said before a folder is made
    proposer = _proposer(wish)
    with _run_folder(wish) as folder, _journal(folder / JOURNAL) as journal:
        document = _run(wish, folder, journal, proposer)
        text = to_json(document)
        if not wish.dry_run:
            (folder / DOCUMENT).write_text(text, encoding="utf-8")
    click.echo(text if as_json else render(document), nl=False)


def settings_of(wish: Wish) -> Settings:
    from rocm_perf_lab.optimize.loop import Settings

    return Settings(
        improvement=wish.options["min_improvement"],
        iterations=wish.options["max_iters"],
        trials=wish.options["max_trials"],
        budget_s=seconds(wish.options["budget"]),
        allowed=frozenset(wish.options["allow"]),
        pattern=kernel_pattern(wish.options["kernel"]),
    )


def _proposer(wish: Wish) -> Proposer:
    name = wish.options["proposer"]
    if name == "rules":
        from rocm_perf_lab.optimize.proposers.rules import RulesProposer

        return RulesProposer()
    if name == "llm":
        from rocm_perf_lab.optimize.proposers.llm.endpoint import find_endpoint
        from rocm_perf_lab.optimize.proposers.llm.proposer import LlmProposer

        options = wish.options
        return LlmProposer(find_endpoint(options["base_url"], options["model"], options["key_file"]))
    from rocm_perf_lab.optimize.proposers.interface import load_proposer

    return load_proposer(name)


@contextlib.contextmanager
def _run_folder(wish: Wish) -> Iterator[Path]:
    """Of this optimization; a dry run's is gone afterwards."""
    from rocm_perf_lab.optimize.folder import folder_of, last_run, new_run

    if wish.dry_run:
        with tempfile.TemporaryDirectory(prefix="rocm-perf-optimize-") as place:
            yield Path(place)
    else:
        folder = folder_of(wish.source)
        yield last_run(folder, wish.source) if wish.options["resume"] else new_run(folder)


def _journal(path: Path) -> Journal:
    """One that tells of every decision on stderr."""
    from rocm_perf_lab.contracts.proposal import Attempt
    from rocm_perf_lab.optimize.journal import Journal
    from rocm_perf_lab.report.optimize_terminal import render_trial

    class Telling(Journal):
        def append(self, event: str, **data: Any) -> Entry:
            entry = super().append(event, **data)
            if event == "decided":
                attempt: Attempt = data["attempt"]
                line = render_trial(
                    attempt.proposal.kernel, str(attempt.proposal), attempt.accepted, attempt.refusals
                )
                click.echo(line, nl=False, err=True)
            return entry

    return Telling(path)


def _run(wish: Wish, folder: Path, journal: Journal, proposer: Proposer) -> OptimizationDocument:
    from rocm_perf_lab.optimize.app_stages import AppStages
    from rocm_perf_lab.optimize.build import BuildPlan
    from rocm_perf_lab.optimize.folder import CHANGES
    from rocm_perf_lab.optimize.loop import Loop
    from rocm_perf_lab.optimize.refused import Refused

    before = wish.source.read_bytes()
    work = Path(tempfile.mkdtemp(prefix="work-", dir=folder))
    stages = AppStages(
        BuildPlan(wish.build, wish.source, Path.cwd()),
        wish.program[1:],
        work,
        timeout_s=wish.options["timeout"],
    )
    settings = settings_of(wish)
    loop = Loop(
        wish.source, stages, proposer, journal, folder / CHANGES, settings, time.monotonic, _answer(wish)
    )
    try:
        outcome = loop.run()
    except KeyboardInterrupt:
        raise Interrupted(
            "interrupted", None if wish.dry_run else "--resume goes on", _kept(wish, folder)
        ) from None
    except Refused as problem:
        raise _of_the_source_itself(wish, problem) from problem
    except RocmPerfError as error:
        error.collected = _kept(wish, folder)  # what it names is in a folder that does not stay
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return _document(wish, folder, loop, stages, outcome, before)


def _kept(wish: Wish, folder: Path) -> str | None:
    return None if wish.dry_run else str(folder)


def _of_the_source_itself(wish: Wish, problem: Refused) -> RocmPerfError:
    """Variants are refused and the loop goes on; where the source as it is fails, there is nothing to do."""
    cause = f"{wish.source} as it is: {problem.refusal}"
    if problem.refusal.code == "build-timed-out":
        return TimedOut(cause, "name a faster build with --build")
    return BadInput(cause, f'it was built with: {wish.build}; name another with --build "…"')


def _answer(wish: Wish) -> Any:
    """Who decides whether an accepted change is written."""
    from rocm_perf_lab.optimize.safe_write import diff

    def ask(before: bytes, after: bytes, tried: Tried) -> Answer:
        click.echo(diff(wish.source.name, before, after), err=True, nl=False)
        question = f"{tried.attempt.proposal}: write it into {wish.source}?"
        return "write" if click.confirm(question, default=False, err=True) else "decline"

    def always(answer: Literal["write", "keep"]) -> Any:
        return lambda before, after, tried: answer

    if wish.dry_run:
        return always("keep")
    if wish.options["yes"]:
        return always("write")
    return ask if sys.stdin.isatty() and sys.stderr.isatty() else always("keep")


def _document(
    wish: Wish, folder: Path, loop: Loop, stages: AppStages, outcome: Outcome, before: bytes
) -> OptimizationDocument:
    from rocm_perf_lab.contracts.optimization import OptimizationDocument, OptimizationFiles
    from rocm_perf_lab.optimize.document import changes_in, left_out_in
    from rocm_perf_lab.optimize.folder import DOCUMENT, NOT_WRITTEN
    from rocm_perf_lab.optimize.journal import read_journal
    from rocm_perf_lab.optimize.safe_write import keep_change

    entries = read_journal(loop.journal.path)
    tried, accepted = changes_in(entries, folder, keeps=not wish.dry_run)
    left_out = left_out_in(entries)
    if not tried and left_out:
        raise NoKernels(
            f"{wish.source} has no kernel that could be worked on: "
            f"{left_out[0].kernel}: {left_out[0].refusal}",
            "name the kernel's source file with --source",
        )
    present = wish.source.read_bytes()
    patch: str | None = None
    if outcome.text != present and not wish.dry_run:
        patch = str(keep_change(wish.source, present, outcome.text, folder / NOT_WRITTEN))
    files = OptimizationFiles(
        folder=str(folder), journal=str(loop.journal.path), document=str(folder / DOCUMENT), patch=patch
    )
    assert stages.origin is not None  # a loop that ended has profiled
    return OptimizationDocument(
        origin=stages.origin,
        missing={"files": "a dry run keeps none"} if wish.dry_run else {},
        source=str(wish.source),
        command=wish.program,
        build=wish.build,
        proposer=loop.proposer.name,
        dry_run=wish.dry_run,
        end=outcome.end,
        before_sha256=hashlib.sha256(before).hexdigest(),
        present_sha256=hashlib.sha256(present).hexdigest(),
        accepted=accepted,
        tried=tried,
        left_out=left_out,
        files=None if wish.dry_run else files,
        notes=_notes(wish, patch),
    )


def _notes(wish: Wish, patch: str | None) -> tuple[str, ...]:
    notes = []
    if wish.options["build"] is None:
        notes.append(
            f"built with {wish.build}: flags that {wish.program[0]} was built with are not read; name them "
            "with --build"
        )
    if patch is not None:
        notes.append(
            "there is no terminal to ask on: accepted changes are not written; --yes would write them"
        )
    return tuple(notes)

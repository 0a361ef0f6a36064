"""What every HIP source begins with, parsed once: the compile cache keeps clang's precompiled form of it.

It is made when the same flags are used for the second time, so that no single compilation takes longer.
Objects are, byte for byte, those of a compilation without it.
"""

from __future__ import annotations

from pathlib import Path

from .cache import Output, log
from .cacheable import key_of_commands
from .cached import KnownCommand, folders_searched
from .commands import DependencyFiles, StepCommands
from .invocation import CompilerInput, Invocation, Mode
from .processes import Running
from .reads import GatheredReads, Reads, Unknowable
from .toolchain import Toolchain

# With these flags a pass with a precompiled header would give something else, or might.
_UNFIT = (
    *("-g", "-fdebug"),  # debug information would lack the using-declarations of its headers
    *("-Wsystem-headers", "-Winvalid-pch", "-fpch"),  # warnings of its headers, or about itself
    *("-include", "--include", "-imacros", "--imacros"),  # other headers come before ours
    *("-Xclang", "-Xpreprocessor", "-Xarch"),  # nobody here knows what follows
)
# What the cache says of headers that were wanted once; and of such that cannot be used as they are now.
_WANTED = "wanted"
_UNUSABLE = "unusable"


class PrecompiledHeaders:
    """Those of one command line: one for each of its passes."""

    def __init__(self, known: KnownCommand, tools: Toolchain, scratch: Path) -> None:
        self.known = known
        self.tools = tools
        self.folder = scratch / "precompiled"
        self.source = next((source for source in known.invocation.sources if source.is_hip), None)
        self.files = {arch: str(self.folder / (arch or "host")) for arch in _passes(known.invocation)}

    def take_or_make(self) -> dict[str | None, str]:
        """The file of each pass, by target; nothing where passes have to parse everything themselves."""
        if self.source is None or not self.files or _unfit(self.known.invocation):
            return {}
        commands = StepCommands(self.tools, self.known.invocation, coloured=False)
        key = key_of_commands((commands.precompile(self.source, arch, "") for arch in self.files), self.tools)
        outputs = [Output(file, False) for file in self.files.values()]
        self.folder.mkdir()
        if self.known.cache.take(key, outputs) is not None:
            log("headers taken")
            return self.files
        said = self.known.cache.take(key, [])
        if said == _WANTED:
            return self._make(self.source, key, outputs)
        if said is None:
            self.known.cache.keep(key, Reads(), [], _WANTED)
        return {}

    def _make(self, source: CompilerInput, key: str, outputs: list[Output]) -> dict[str | None, str]:
        told = DependencyFiles(str(self.folder))
        commands = StepCommands(self.tools, self.known.invocation, coloured=False, dependency_files=told)
        results = _run([commands.precompile(source, arch, file) for arch, file in self.files.items()])
        if any(code for code, _ in results):
            return {}
        gathered = GatheredReads(self.known.began_ns, str(self.folder))
        gathered.search_path.update(folders_searched(commands, source))
        try:
            for file in told.of_passes:
                gathered.add_sources(file)
            reads = gathered.reads()
        except Unknowable as reason:
            log(f"headers not kept: {reason}")
            return {}
        # A precompiled header makes paths absolute, and its compiler's messages are not repeated.
        if any(text for _, text in results) or any(not path.startswith("/") for path in reads.files):
            self.known.cache.keep(key, reads, [], _UNUSABLE)
            return {}
        self.known.cache.keep(key, reads, outputs, "")
        log("headers kept")
        return self.files


def _passes(invocation: Invocation) -> list[str | None]:
    """Targets of device passes; None stands for the host pass."""
    if invocation.mode not in (Mode.LINK, Mode.OBJECT):
        return []
    archs = [] if invocation.host_only else invocation.archs
    # The user's file of dependencies has them in the order in which the host pass reads them.
    host = not invocation.device_only and invocation.dependencies.write is None
    return [*([None] if host else []), *archs]


def _unfit(invocation: Invocation) -> bool:
    return any(flag.startswith(_UNFIT) for flag in invocation.compile_flags)


def _run(commands: list[list[str]]) -> list[tuple[int, str]]:
    """All at the same time."""
    running = [Running(command, None) for command in commands]
    try:
        return [one.wait() for one in running]
    except BaseException:  # we are to end
        for one in running:
            one.abandon()
        raise

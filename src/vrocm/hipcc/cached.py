"""Compilations and links of which the result is known are not run again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .cache import Cache, find_cache, log
from .cacheable import files_named, key_of, outputs_of, why_not
from .commands import DependencyFiles, StepCommands, dependency_file
from .invocation import CompilerInput, Invocation
from .reads import GatheredReads, Unknowable, search_path
from .toolchain import Toolchain, library_dir


class KnownCommand:
    """What the cache knows of one command line, and learns of it."""

    def __init__(self, cache: Cache, invocation: Invocation, tools: Toolchain, began_ns: int) -> None:
        self.cache = cache
        self.invocation = invocation
        self.began_ns = began_ns
        self.libraries = library_dir()
        self.key = key_of(invocation, tools, self.libraries)
        self.outputs = outputs_of(invocation)

    def take(self) -> bool:
        """Whether the result could be taken from the cache."""
        said = self.cache.take(self.key, self.outputs)
        if said is None:
            return False
        sys.stderr.write(said)
        log(f"taken: {self.outputs[0].path}")
        return True

    def keep(self, commands: StepCommands, files: DependencyFiles, scratch: Path, said: str) -> None:
        try:
            gathered = self._gather(commands, files, scratch)
            self.cache.keep(self.key, gathered.reads(), self.outputs, said)
            log(f"kept: {self.outputs[0].path}")
        except Unknowable as reason:
            log(f"not kept: {self.outputs[0].path}: {reason}")

    def _gather(self, commands: StepCommands, files: DependencyFiles, scratch: Path) -> GatheredReads:
        gathered = GatheredReads(self.began_ns, str(scratch))
        gathered.named = files_named(self.invocation)
        if self.invocation.dependencies.write == "-MMD":
            for source in self.invocation.sources:
                subprocess.run(commands.reads_of_host_pass(source), capture_output=True, check=False)
        elif self.invocation.dependencies.write:
            files.of_passes += [
                dependency_file(self.invocation, source) for source in self.invocation.sources
            ]
        for file in files.of_passes:
            gathered.add_sources(file)
        for file in files.of_links:
            gathered.add_linked(file)
        gathered.add_libraries(self.invocation.link_items, self.libraries)
        one_of_each = {source.language: source for source in self.invocation.sources}
        for source in one_of_each.values():
            gathered.search_path.update(folders_searched(commands, source))
        return gathered


def folders_searched(commands: StepCommands, source: CompilerInput) -> Iterator[str]:
    command = commands.search_path(source)
    told = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return search_path(told.stderr)


def known(invocation: Invocation, tools: Toolchain, began_ns: int) -> KnownCommand | None:
    """None where the command line has to be run whatever was run before."""
    cache = find_cache()
    if cache is None:
        return None
    reason = why_not(invocation)
    if reason:
        log(f"not kept: {reason}")
        return None
    return KnownCommand(cache, invocation, tools, began_ns)

"""What a compilation read, and where it looked for it: who compiles again would get the same while all of
that is as it was."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

# Places where the system's linker looks before those that it found libraries in.
LINKER_PLACES = ("/usr/local/lib", "/usr/local/lib64", "/usr/local/lib/x86_64-linux-gnu")
# Text whose meaning is not in the files that a compiler says it read.
_DEPENDS_ON_MORE = (b"__DATE__", b"__TIME__", b"__TIMESTAMP__", b".incbin", b"__has_embed")
_ASKED_FOR = re.compile(rb'has_include(?:_next)?\s*\(\s*[<"]([^<">\n]+)[>"]')
_ASKED_FOR_BY_MACRO = re.compile(
    rb"^[ \t]*#[ \t]*(?:el)?if\b.*has_include(?:_next)?[ \t]*\([ \t]*\w", re.MULTILINE
)


class Unknowable(Exception):
    """What was read cannot be told: nothing must be kept."""


@dataclass
class Reads:
    """Contents of files; and of each folder in which something was looked for, which of the names it has."""

    files: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    folders: dict[str, list[str] | None] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        return {"files": self.files, "names": sorted(self.names), "folders": self.folders}


def still_the_same(reads: Mapping[str, Any], known: dict[str, str | None]) -> bool:
    """``known``: digests of files that have been looked at already."""
    names = set(reads["names"])
    if any(_present(folder, names) != was for folder, was in reads["folders"].items()):
        return False
    for path, digest in reads["files"].items():
        if path not in known:
            known[path] = digest_of(path)
        if known[path] != digest:
            return False
    return True


def digest_of(path: str) -> str | None:
    try:
        with open(path, "rb", buffering=0) as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return None


class GatheredReads:
    """Collects what the steps of one compilation read.

    ``began_ns``: a file that has changed since then may not be what was read.
    """

    def __init__(self, began_ns: int, scratch: str) -> None:
        self.began_ns = began_ns
        self.scratch = scratch
        self.sources: set[str] = set()
        self.linked: set[str] = set()
        self.named: set[str] = set()
        self.search_path: set[str] = set()
        self.library_path: set[str] = set(LINKER_PLACES)
        self.library_names: set[str] = set()

    def reads(self) -> Reads:
        made = Reads()
        asked_for: set[str] = set()
        for path in sorted(self.sources | self.linked | self.named):
            content = self._unchanged(path)
            made.files[path] = hashlib.sha256(content).hexdigest()
            if path in self.sources:
                asked_for |= set(_asked_for(content, path))
        self._watch_headers(made, asked_for)
        self._watch_libraries(made)
        return made

    def _unchanged(self, path: str) -> bytes:
        try:
            with open(path, "rb", buffering=0) as file:
                found = os.fstat(file.fileno())
                if max(found.st_mtime_ns, found.st_ctime_ns) >= self.began_ns:
                    raise Unknowable(f"{path} has changed meanwhile")
                return file.read()
        except OSError as problem:
            raise Unknowable(f"{path}: {problem.strerror}") from None

    def _watch_headers(self, made: Reads, asked_for: set[str]) -> None:
        """A header is looked for beside the file that includes it and in the folders of the search path."""
        folders = {os.path.dirname(path) or "." for path in self.sources} | self.search_path
        spelled = asked_for | {rest for path in self.sources for rest in _below(path, folders)}
        for name in spelled:
            made.names.update(part for part in name.split("/") if part not in ("", ".", ".."))
        inner = {os.path.dirname(name) for name in spelled} - {""}
        for folder in folders:
            made.folders[folder] = None
            for path in inner:
                for place in _steps(folder, path):
                    made.folders[place] = None
        _note_presence(made)

    def _watch_libraries(self, made: Reads) -> None:
        names = self.library_names | {os.path.basename(path) for path in self.linked}
        if not names:
            return
        folders = self.library_path | {os.path.dirname(path) or "." for path in self.linked}
        made.names |= names
        made.folders.update(dict.fromkeys(folders))
        _note_presence(made)

    def add_libraries(self, items: Iterable[object], libraries: object) -> None:
        """Where a link looks for libraries, and by which names."""
        words = [*map(str, items), "-L", str(libraries)]
        for flag, value in zip(words, [*words[1:], ""], strict=True):
            if flag.startswith("-L"):
                self.library_path.add(flag[2:] or value)
            elif flag.startswith("-l"):
                name = flag[2:] or value
                self.library_names |= (
                    {name[1:]} if name.startswith(":") else {f"lib{name}.so", f"lib{name}.a"}
                )

    def add_sources(self, dependency_file: str) -> None:
        self.sources.update(self._own(dependency_file))

    def add_linked(self, dependency_file: str) -> None:
        self.linked.update(self._own(dependency_file))

    def _own(self, dependency_file: str) -> Iterator[str]:
        try:
            with open(dependency_file, encoding="utf-8", errors="surrogateescape") as file:
                text = file.read()
        except OSError:
            raise Unknowable("a tool did not say what it read") from None
        for path in prerequisites(text):
            if path != os.devnull and not path.startswith(self.scratch):
                yield path


def prerequisites(text: str) -> Iterator[str]:
    """Files that the rules of a makefile name behind their colons."""
    for rule in text.replace("\\\n", " ").splitlines():
        words = [_plain(word) for word in re.findall(r"(?:\\.|[^\s\\])+", rule)]
        ends = next((place for place, word in enumerate(words) if word.endswith(":")), None)
        if ends is not None:
            yield from words[ends + 1 :]


def _plain(word: str) -> str:
    return re.sub(r"\\([ #\\])", r"\1", word).replace("$$", "$")


def search_path(said: str) -> Iterator[str]:
    """Folders that clang says it searches, with those that do not exist (yet)."""
    lines = iter(said.splitlines())
    for line in lines:
        if line.startswith("ignoring nonexistent directory"):
            yield line.partition('"')[2].rpartition('"')[0]
        elif line.startswith(('#include "..." search starts', "#include <...> search starts")):
            for folder in lines:
                if not folder.startswith(" "):
                    break
                yield folder.strip()
            else:
                return
            if folder.startswith("#include <...>"):
                for other in lines:
                    if not other.startswith(" "):
                        break
                    yield other.strip()


def _asked_for(content: bytes, path: str) -> Iterator[str]:
    asks = b"has_include" in content
    if any(word in content for word in _DEPENDS_ON_MORE) or (asks and _ASKED_FOR_BY_MACRO.search(content)):
        raise Unknowable(f"{path} depends on more than files that are included")
    for name in _ASKED_FOR.findall(content) if asks else ():
        yield name.decode(errors="surrogateescape")


def _below(path: str, folders: Iterable[str]) -> Iterator[str]:
    """How an #include may have spelled this path."""
    if not path.startswith("/"):
        yield path
    for folder in folders:
        if path.startswith(folder + "/"):
            yield path[len(folder) + 1 :]


def _steps(folder: str, path: str) -> Iterator[str]:
    """Folders that exist on the way from one to a path below it."""
    place = folder
    for part in path.split("/"):
        place = f"{place}/{part}"
        if not os.path.isdir(place):
            return
        yield place


def _note_presence(made: Reads) -> None:
    for folder in made.folders:
        made.folders[folder] = _present(folder, made.names)


def _present(folder: str, names: set[str]) -> list[str] | None:
    try:
        return sorted(names.intersection(os.listdir(folder)))
    except OSError:
        return None

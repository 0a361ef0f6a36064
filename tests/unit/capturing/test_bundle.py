"""Bundles: the same bytes each time, nothing of the machine in them, and nothing believed on import."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rocm_perf_lab.capturing.folder import open_capture, verify
from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem
from rocm_perf_lab.replaying.bundle import export_capture, import_capture

from .made_captures import IN, MadeCapture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return MadeCapture().write(tmp_path / "capture")


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_there_and_back(folder: Path, tmp_path: Path) -> None:
    done = export_capture(folder, tmp_path / "b.tar")
    content = (tmp_path / "b.tar").read_bytes()
    assert (done.bytes, done.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    back = import_capture(tmp_path / "b.tar", tmp_path / "back")
    assert back.folder == str(tmp_path / "back")
    capture = open_capture(tmp_path / "back")
    verify(capture)
    old, new = tree(folder), tree(tmp_path / "back")
    assert set(old) == set(new)
    assert {name for name in old if old[name] != new[name]} == {"dispatch.json", "manifest.json"}
    to_json(done)
    to_json(back)


def test_the_same_bytes_each_time(folder: Path, tmp_path: Path) -> None:
    first = export_capture(folder, tmp_path / "1.tar")
    for path in folder.rglob("*"):
        path.touch()
    second = export_capture(folder, tmp_path / "2.tar")
    assert first.sha256 == second.sha256
    # An imported one gives the very same bundle again.
    import_capture(tmp_path / "1.tar", tmp_path / "back")
    assert export_capture(tmp_path / "back", tmp_path / "3.tar").sha256 == first.sha256


def test_nothing_of_the_machine(folder: Path, tmp_path: Path) -> None:
    export_capture(folder, tmp_path / "b.tar")
    content = (tmp_path / "b.tar").read_bytes()
    for word in (b"secret", b"somebody", b"31337", b"0123456789abcdef", str(tmp_path).encode()):
        assert word not in content, word
    import_capture(tmp_path / "b.tar", tmp_path / "back")
    dispatch = open_capture(tmp_path / "back").dispatch
    assert dispatch.process.pid is None
    assert "left out" in dispatch.process.missing["pid"]
    assert dispatch.process.queue_count == 2
    with tarfile.open(tmp_path / "b.tar") as tar:
        assert {(one.uid, one.gid, one.uname, one.gname, one.mtime, one.mode) for one in tar} == {
            (0, 0, "", "", 0, 0o644)
        }


def test_nothing_is_overwritten(folder: Path, tmp_path: Path) -> None:
    export_capture(folder, tmp_path / "b.tar")
    with pytest.raises(UsageProblem, match="already there"):
        export_capture(folder, tmp_path / "b.tar")
    with pytest.raises(UsageProblem, match="already there"):
        import_capture(tmp_path / "b.tar", folder)
    (tmp_path / "x.partial").mkdir()
    with pytest.raises(UsageProblem, match="already there"):
        import_capture(tmp_path / "b.tar", tmp_path / "x")


def test_a_damaged_capture_is_not_exported(folder: Path, tmp_path: Path) -> None:
    file = folder / f"memory/region_{IN:016x}.bin"
    content = bytearray(file.read_bytes())
    content[5000] ^= 1
    file.write_bytes(content)
    with pytest.raises(BadInput):
        export_capture(folder, tmp_path / "b.tar")
    assert list(tmp_path.iterdir()) == [folder]


def test_nowhere_to_write(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="cannot be written"):
        export_capture(folder, tmp_path / "no" / "such" / "b.tar")


def test_the_default_name(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    export_capture(folder, Path("scale.capture.tar"))
    assert import_capture(Path("scale.capture.tar")).folder == "scale.capture"


Members = list[tuple[tarfile.TarInfo, bytes]]


def edited(source: Path, target: Path, edit: Callable[[Members], Members]) -> Path:
    """A bundle whose files somebody put together otherwise."""
    with tarfile.open(source) as tar:
        members = [(one, tar.extractfile(one).read()) for one in tar]  # type: ignore[union-attr]
    with tarfile.open(target, "w", format=tarfile.GNU_FORMAT) as tar:
        for entry, content in edit(members):
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return target


def entry(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, target
    return made


def with_index(change: Callable[[dict[str, dict[str, object]]], object]) -> Callable[[Members], Members]:
    def edit(members: Members) -> Members:
        index = json.loads(members[0][1])
        change(index)
        return [(members[0][0], json.dumps(index).encode()), *members[1:]]

    return edit


def listed(*more: tuple[tarfile.TarInfo, bytes]) -> Callable[[Members], Members]:
    """Files that the index lists, with right hashes."""

    def edit(members: Members) -> Members:
        index = json.loads(members[0][1])
        for one, content in more:
            index["files"][one.name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        return [(members[0][0], json.dumps(index).encode()), *members[1:], *more]

    return edit


def flipped(members: Members) -> Members:
    place = next(number for number, (one, _) in enumerate(members) if one.name == "kernarg.bin")
    content = bytearray(members[place][1])
    content[0] ^= 1
    members[place] = (members[place][0], bytes(content))
    return members


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (flipped, "kernarg.bin has been changed"),
        (lambda members: members[:-1], "has no memory_regions.json"),
        (lambda members: members[1:], "does not begin with bundle.json"),
        (lambda members: [*members, (entry("memory/extra.bin"), b"x")], "does not list"),
        (lambda members: [*members, members[-1]], "does not list"),
        (listed((entry("../evil"), b"x")), "which no capture has"),
        (listed((entry("/tmp/evil"), b"x")), "which no capture has"),
        (listed((entry("memory/../../evil"), b"x")), "which no capture has"),
        (listed((entry("memory/link.bin", tarfile.SYMTYPE, "/etc/passwd"), b"")), "not a plain file"),
        (listed((entry("memory/hard.bin", tarfile.LNKTYPE, "kernarg.bin"), b"")), "not a plain file"),
        (listed((entry("memory/pipe.bin", tarfile.FIFOTYPE), b"")), "not a plain file"),
        (
            with_index(lambda index: index["files"]["kernarg.bin"].update(bytes=1 << 50)),
            "more bytes than it has",
        ),
        (with_index(lambda index: index["files"]["kernarg.bin"].update(bytes=63)), "64 bytes, not 63"),
        (with_index(lambda index: index.update(version=9)), "version 9"),  # type: ignore[arg-type]
        (with_index(lambda index: index.update(format="tar")), "not of a bundle"),  # type: ignore[arg-type]
        (with_index(lambda index: index.pop("files")), "bundle.json is not a valid"),
    ],
)
def test_what_is_refused(
    folder: Path, tmp_path: Path, edit: Callable[[Members], Members], words: str
) -> None:
    export_capture(folder, tmp_path / "b.tar")
    bad = edited(tmp_path / "b.tar", tmp_path / "bad.tar", edit)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(BadInput, match=words) as caught:
        import_capture(bad, tmp_path / "new")
    assert caught.value.remedy
    assert sorted(tmp_path.iterdir()) == before  # not half a folder


def test_a_consistent_lie_is_found_by_the_capture_itself(folder: Path, tmp_path: Path) -> None:
    """Hashes of the bundle are right, and a region is not what the manifest says."""

    def edit(members: Members) -> Members:
        flipped(members)
        index = json.loads(members[0][1])
        content = {one.name: content for one, content in members}["kernarg.bin"]
        index["files"]["kernarg.bin"]["sha256"] = hashlib.sha256(content).hexdigest()
        return [(members[0][0], json.dumps(index).encode()), *members[1:]]

    export_capture(folder, tmp_path / "b.tar")
    bad = edited(tmp_path / "b.tar", tmp_path / "bad.tar", edit)
    with pytest.raises(BadInput, match="checksum is not the manifest's"):
        import_capture(bad, tmp_path / "new")
    assert not (tmp_path / "new.partial").exists()


@pytest.mark.parametrize("kept", [0, 100, 512, 3000, 20000, 100_000])
def test_truncated(folder: Path, tmp_path: Path, kept: int) -> None:
    export_capture(folder, tmp_path / "b.tar")
    (tmp_path / "cut.tar").write_bytes((tmp_path / "b.tar").read_bytes()[:kept])
    with pytest.raises(BadInput):
        import_capture(tmp_path / "cut.tar", tmp_path / "new")
    assert not list(tmp_path.glob("new*"))


def test_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        import_capture(tmp_path / "none.tar", tmp_path / "new")


def test_no_room(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export_capture(folder, tmp_path / "b.tar")
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 1000}))
    with pytest.raises(EnvironmentProblem, match="1000 are free"):
        import_capture(tmp_path / "b.tar", tmp_path / "new")

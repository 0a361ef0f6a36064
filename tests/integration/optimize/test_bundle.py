"""Bundles of accepted changes: what is in them, that they are confirmed, and that what was changed shows."""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import signal
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.integration.interrupts.conftest import Started

import vrocm
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.optimizing.building.built import code_object_of, read_built, symbol_of
from rocm_perf_lab.optimizing.bundles.read_bundle import read_bundle

from .conftest import SUMS, Optimized, Run, rocm_perf


@pytest.fixture
def bundle(optimized: Optimized) -> Path:
    (change,) = optimized.document["accepted"]
    return Path(change["bundle"])


def contents(bundle: Path) -> dict[str, bytes]:
    with tarfile.open(bundle) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar}


def remade(bundle: Path, file: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None]) -> Path:
    """With other contents, and hashes that go with them."""
    files = contents(bundle)
    index = json.loads(files.pop("bundle.json"))
    change(files, index)
    index["files"] = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    }
    with tarfile.open(file, "w") as tar:
        for name, content in {"bundle.json": json.dumps(index).encode(), **files}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return file


def results(document: dict[str, Any]) -> dict[str, str]:
    return {claim["claim"]: claim["result"] for claim in document["claims"]}


def test_what_is_in_it(optimized: Optimized, bundle: Path) -> None:
    (change,) = optimized.document["accepted"]
    assert hashlib.sha256(bundle.read_bytes()).hexdigest() == change["bundle_sha256"]
    files = contents(bundle)
    index = json.loads(files["bundle.json"])
    assert list(files)[1:] == list(index["files"])
    assert files["after/sums.hip"] == (optimized.folder / "sums.hip").read_bytes()
    assert files["source/sums.hip"] == Path(change["record"], "before").read_bytes()
    assert files["change.diff"].decode() == change["diff"]
    tried = optimized.document["tried"][change["trial"]]
    assert (index["kernel_time"], index["whole_time"]) == (tried["kernel_time"], tried["whole_time"])
    assert index["before"]["counters"]["SQ_WAVES"] == index["after"]["counters"]["SQ_WAVES"] == 1
    proof = json.loads(files["proofs/dispatch-0.json"])
    assert proof["self_replay"]["passed"]
    assert proof["negative_control"]["found_out"]
    assert proof["variant"]["byte_equal"] == proof["variant"]["runs"]
    # Whoever gets it learns nothing of the machine.
    everything = bundle.read_bytes()
    for private in (str(optimized.folder), platform.node()):
        assert private.encode() not in everything


def test_confirmed(bundle: Path, tmp_path: Path) -> None:
    done = rocm_perf(tmp_path, "verify", bundle, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    document = json.loads(done.stdout)
    assert document["verdict"] == "confirmed"
    assert set(results(document).values()) == {"confirmed"}
    assert {"output", "process time", "other states of dispatch 0"} <= set(results(document))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("number", "child"), [(signal.SIGINT, "zig"), (signal.SIGTERM, "rocm-perf-replay")])
def test_interrupted(bundle: Path, tmp_path: Path, number: signal.Signals, child: str) -> None:
    """While it builds, and while it replays: that is no claim that could not be run, and nothing is left."""
    (tmp_path / "work").mkdir()
    environment = {**os.environ, **vrocm.environment()}
    command = Started(["verify", "--json", str(bundle)], tmp_path, environment)
    try:
        command.wait_for_child(child)
        code, out, _, _ = command.interrupt(number)
        assert (code, json.loads(out)["error"]["kind"]) == (130, "interrupted")
        assert command.descendants() == {}
        assert list(command.scratch.iterdir()) == list(command.work.iterdir()) == []
    finally:
        command.close()


def test_what_differs_is_told(bundle: Path, tmp_path: Path, run: Run) -> None:
    """Claims that are not true, with hashes that are right."""
    (tmp_path / "wrong.hip").write_text(SUMS.replace("sum += expf(x[j])", "sum += expf(x[j]) * (j < 32)"))
    run("hipcc", "-O3", "wrong.hip", "-o", "wrong", cwd=tmp_path)
    symbol = symbol_of(read_built(tmp_path / "wrong"), "row_sums(float const*, float*, int)")
    assert symbol is not None
    wrong = code_object_of(tmp_path / "wrong", *symbol)

    def boast(files: dict[str, bytes], index: dict[str, Any]) -> None:
        index["kernel_time"] |= {"ratio": 0.1, "ratio_low": 0.1, "ratio_high": 0.1}
        index["after"]["counters"]["SQ_INSTS_VALU"] += 1
        files["change.diff"] = files["change.diff"].replace(b"#pragma", b"# pragma")
        files["code/after.hsaco"] = wrong
        proof = json.loads(files["proofs/dispatch-0.json"])
        proof["self_replay"]["label"] = "order-dependent"
        files["proofs/dispatch-0.json"] = json.dumps(proof).encode()

    done = rocm_perf(tmp_path, "verify", "--trust", remade(bundle, tmp_path / "b.tar", boast), "--json")
    assert done.returncode == 12, done.stdout + done.stderr
    document = json.loads(done.stdout)
    assert document["verdict"] == "differs"
    assert {name for name, result in results(document).items() if result != "confirmed"} == {
        "diff",
        "code after",
        "self-replay of dispatch 0",
        "results of dispatch 0",
        "other states of dispatch 0",
        "kernel time",
        "counters after",
    }
    assert set(results(document).values()) == {"confirmed", "differs"}


def test_what_cannot_be_run_is_neither(bundle: Path, tmp_path: Path) -> None:
    def without_compiler(files: dict[str, bytes], index: dict[str, Any]) -> None:
        index["build"] = "no-such-compiler {source} -o {output}"

    file = remade(bundle, tmp_path / "b.tar", without_compiler)
    done = rocm_perf(tmp_path, "verify", "--trust", file)
    assert done.returncode == 12, done.stdout + done.stderr
    assert "nothing differs, and not all claims could be run again" in done.stdout
    assert "no-such-compiler" in done.stdout
    assert "confirmed     self-replay of dispatch 0" in done.stdout

    def two_kernels(files: dict[str, bytes], index: dict[str, Any]) -> None:
        files["after/sums.hip"] = files["after/sums.hip"].replace(b"rows = 64", b"rows = 65")

    done = rocm_perf(
        tmp_path, "verify", "--no-run", "--json", remade(bundle, tmp_path / "c.tar", two_kernels)
    )
    assert done.returncode == 12, done.stdout + done.stderr
    document = json.loads(done.stdout)
    claims = results(document)
    assert (claims.pop("diff"), claims.pop("guard"), claims.pop("files")) == (
        "differs",
        "differs",
        "confirmed",
    )
    assert set(claims.values()) == {"not re-run"}


SPY = """
#include <fstream>
extern char** environ;
static const bool told = [] {
    std::ofstream file("seen");
    for (char** one = environ; *one; ++one) file << *one << '\\n';
    return true;
}();
"""


def test_nothing_of_a_stranger_s_is_run_unasked(bundle: Path, tmp_path: Path) -> None:
    """Its program writes down what it sees of the environment."""

    def spy(files: dict[str, bytes], index: dict[str, Any]) -> None:
        for name in ("source/sums.hip", "after/sums.hip"):
            files[name] += SPY.encode()
        index["arguments"] = ["64", "\x1b[2Jto be hidden"]

    file = remade(bundle, tmp_path / "b.tar", spy)
    done = rocm_perf(tmp_path, "verify", file, "--json")
    assert done.returncode == 13, done.stdout + done.stderr
    error = done.document["error"]
    assert error["kind"] == "not-trusted"
    for shown in ("hipcc -O3 {source} -o {output}", "64", "to be hidden", "replays of", str(tmp_path)):
        assert shown in error["cause"]
    assert "--no-run" in error["remedy"]
    assert "\x1b" not in done.stderr
    assert rocm_perf(tmp_path, "verify", "--no-run", file).returncode == 12
    assert [path.name for path in tmp_path.iterdir()] == ["b.tar"]

    secrets = ("AWS_SECRET_ACCESS_KEY", "GITHUB_PAT", "DATABASE_URL", "ROCM_PERF_LLM_KEY", "ANYTHING")
    told = dict.fromkeys(secrets, "sesame")
    done = rocm_perf(tmp_path, "verify", "--trust", file, ROCM_PERF_PASS="ANY*", **told)
    assert done.returncode == 0, done.stdout + done.stderr  # all that it claims is so
    seen = dict(line.partition("=")[::2] for line in (tmp_path / "seen").read_text().splitlines())
    assert {"PATH", "HOME", "LD_LIBRARY_PATH"} <= set(seen)
    assert set(secrets) & set(seen) == {"ANYTHING"}


def test_changed_bytes_are_found(bundle: Path, tmp_path: Path) -> None:
    whole = bundle.read_bytes()
    with tarfile.open(bundle) as tar:
        places = {member.name: member.offset_data + member.size // 2 for member in tar}
    del places["bundle.json"]
    for number, (name, place) in enumerate(places.items()):
        file = tmp_path / f"{number}.tar"
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(BadInput, match=f"{name} has been changed"):
            read_bundle(file, tmp_path / str(number))
    (tmp_path / "cut.tar").write_bytes(whole[: len(whole) // 2])
    done = rocm_perf(tmp_path, "verify", tmp_path / "cut.tar", "--json")
    assert done.returncode == 6, done.stdout + done.stderr
    assert json.loads(done.stdout)["error"]["kind"] == "bad-input"


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "a//x", "bundle.json"])
def test_names_that_lead_elsewhere(bundle: Path, tmp_path: Path, name: str) -> None:
    file = remade(bundle, tmp_path / "b.tar", lambda files, index: files.update({name: b"x"}))
    with pytest.raises(BadInput):
        read_bundle(file, tmp_path / "in" / "there")
    assert not (tmp_path / "x").exists()


def test_bundles_of_captures_are_something_else(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "c.tar").write_bytes(contents(bundle)["captures/dispatch-0.tar"])
    with pytest.raises(BadInput, match="not of a bundle like this"):
        read_bundle(tmp_path / "c.tar", tmp_path / "out")

"""rocm-perf optimize --proposer llm: the command against a local server that answers well, badly and with
malice. The key is found nowhere afterwards."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from tests.commands import Done

from .conftest import rocm_perf

_spec = importlib.util.spec_from_file_location(
    "llm_server", Path(__file__).parents[2] / "unit" / "optimizing" / "llm_server.py"
)
llm_server = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(llm_server)
Server, completion, raw = llm_server.Server, llm_server.completion, llm_server.raw

SECRET = "sk-very-secret-0123456789"
OTHER_SECRET = "ghp-another-secret-987"
BODY = """{
    const float* x = in + threadIdx.x * columns;
    float sum = 0;
    for (int j = 0; j < columns; ++j) sum += expf(x[j]);
    out[threadIdx.x] = sum;
}"""
SOURCE = (
    "#include <hip/hip_runtime.h>\n__global__ void row_sums(const float* in, float* out, int columns) "
    + BODY
    + """
int main() {
    const int rows = 64, columns = 64;
    float *in, *out, first = 0;
    (void)hipMalloc(&in, rows * columns * 4);
    (void)hipMalloc(&out, rows * 4);
    (void)hipMemset(in, 0, rows * columns * 4);
    row_sums<<<1, rows>>>(in, out, columns);
    (void)hipMemcpy(&first, out, 4, hipMemcpyDeviceToHost);
    (void)hipFree(in);
    (void)hipFree(out);
    return first != columns;
}
"""
)
BETTER = BODY.replace("    for", "    #pragma unroll 8\n    for")


def answer(body: str) -> object:
    return completion(f"Here you are:\n```cpp\n{body}\n```\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sums.hip").write_text(SOURCE)
    (tmp_path / "app").write_text("#!/bin/sh\nexit 1\n")  # what --build makes is run in its place
    (tmp_path / "app").chmod(0o755)
    return tmp_path


def optimize(folder: Path, server: object, *words: str) -> Done:
    """The command with a key; and nothing of the key is left in what it says or writes."""
    llm = ("--proposer", "llm", "--base-url", server.url, "--model", "m")  # type: ignore[attr-defined]
    build = ("--build", "hipcc -O1 {source} -o {output}")
    secrets = {"ROCM_PERF_LLM_KEY": SECRET, "X_TOKEN": OTHER_SECRET}
    done = rocm_perf(folder, "optimize", "sums.hip", "./app", *llm, *build, *words, **secrets)
    for secret in (SECRET, OTHER_SECRET):
        assert secret not in done.stdout + done.stderr
        for path in folder.rglob("*"):
            assert secret.encode() not in (path.read_bytes() if path.is_file() else b""), path
    return done


def test_a_good_answer_after_bad_ones(folder: Path) -> None:
    """Too many requests, then code that does not compile, then its repair, with the key in a comment."""
    wrong = BODY.replace("x[j]", "x[jj]")
    spying = BETTER.replace("    float sum", f"    // {SECRET}\n    float sum")
    busy = raw(429, b'{"error": {"message": "slower"}}', Retry_After="0")
    with Server(busy, answer(wrong), answer(spying)).running() as server:
        done = optimize(folder, server, "--max-iters", "1", "--yes", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    (change,) = document["accepted"]
    assert (change["place"], document["proposer"]) == ("written", "llm")
    assert (folder / "sums.hip").read_text() == SOURCE.replace(BODY, spying).replace(SECRET, "***")
    assert len(server.requests) == 3
    assert server.authorizations == [f"Bearer {SECRET}"] * 3
    assert "undeclared identifier 'jj'" in json.dumps(server.requests[2])


def test_answers_that_are_refused(folder: Path) -> None:
    """Each with its reason; then an error that repeats the key. The source stays as it was."""
    told = f'{{"error": {{"message": "Incorrect API key provided: {SECRET}"}}}}'.encode()
    answers = (
        answer("{\n#include </etc/passwd>\n" + BODY[1:]),
        answer(BODY.replace("float sum = 0;", 'float sum = 0; asm volatile("s_trap 2");')),
        answer(BODY.replace("float sum = 0;", 'float sum = 0; system("rm -rf ~");')),
        raw(401, told),
    )
    with Server(*answers).running() as server:
        done = optimize(folder, server, "--json")
    assert done.returncode == 3, done.stderr
    error = json.loads(done.stdout)["error"]
    assert "the model could not be asked" in error["cause"]
    assert "Incorrect API key provided: ***" in error["cause"]
    assert decided(folder) == [
        "forbidden-preprocessor",
        "forbidden-assembly",
        "forbidden-call",
        "endpoint-refused",
    ]
    assert (folder / "sums.hip").read_text() == SOURCE


def decided(folder: Path) -> list[str]:
    """The first reason of each refusal in the journal."""
    (journal,) = folder.rglob("journal.jsonl")
    entries = map(json.loads, journal.read_text().splitlines())
    return [
        entry["data"]["attempt"]["refusals"][0]["code"] for entry in entries if entry["event"] == "decided"
    ]


def test_an_endpoint_that_is_not_there(folder: Path) -> None:
    """That nothing improves the kernel was never found out; once somebody answers, it can be."""
    nobody = ("--proposer", "llm", "--base-url", "http://127.0.0.1:9/v1", "--model", "m")
    build = ("--build", "hipcc -O1 {source} -o {output}")
    done = rocm_perf(folder, "optimize", "sums.hip", "./app", *nobody, *build)
    assert done.returncode == 3
    assert "nothing else improves it" not in done.stdout + done.stderr
    assert "error: the model could not be asked" in done.stderr
    assert "--resume goes on" in done.stderr
    with Server(answer(BODY)).running() as server:  # its answer is the kernel as it is
        resumed = optimize(folder, server, "--resume", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["end"] == "nothing improves"
    assert decided(folder) == ["endpoint-failed", *["nothing-changed"] * 4]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--base-url", "ftp://x"], "no address of an endpoint"),
        (["--key-file", "two-words"], "one word is expected"),
        (["--key-file", "none"], "cannot be read"),
    ],
)
def test_endpoints_that_make_no_sense(folder: Path, words: list[str], says: str) -> None:
    (folder / "two-words").write_text(f"{SECRET[:5]} {SECRET[5:]}\n")
    done = optimize(folder, Server(raw(500, b"")), *words)
    assert done.returncode in (2, 6)
    assert says in done.stderr
    assert not (folder / ".rocm-perf").exists()

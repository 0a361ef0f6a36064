"""The language model's proposer, with the real client against a local server that cannot be trusted."""

from __future__ import annotations

import importlib.util
import json
import logging
import pickle
import time
from pathlib import Path

import pytest

from rocm_perf_lab.contracts.changes.proposal_prompt import PromptMessage
from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.optimizing.proposers.interface import ProposedKernel, Rejected, Situation
from rocm_perf_lab.optimizing.proposers.llm.endpoint import Endpoint, Key, ask, find_endpoint
from rocm_perf_lab.optimizing.proposers.llm.proposer import LlmProposer, take_body
from rocm_perf_lab.optimizing.refused import Refused

_spec = importlib.util.spec_from_file_location("llm_server", Path(__file__).parent / "llm_server.py")
llm_server = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(llm_server)
Server, completion, raw = llm_server.Server, llm_server.completion, llm_server.raw

SECRET = "sk-very-secret-0123456789"
QUESTION = (PromptMessage(role="user", content="faster, please"),)
SOURCE = """#include <hip/hip_runtime.h>
#define TWICE(x) (2 * (x))
#define NOTHING asm volatile("")
__device__ int counter;
__constant__ float table[4];
__device__ float helper(float x) { return x + 1; }
__global__ void scale(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = helper(in[i]);
}
__global__ void other(float* p) { p[0] = 0; }
int main() { scale<<<1, 64>>>(nullptr, nullptr, 0); }
"""
HEAD = "__global__ void scale(const float* in, float* out, int n) "
PRESENT = SOURCE[SOURCE.index(HEAD) + len(HEAD) : SOURCE.index("\n__global__ void other")]
GOOD = PRESENT.replace("if (i < n) out", "if (i >= n) return;\n    out")


def block(code: str, language: str = "cpp") -> str:
    return f"```{language}\n{code}\n```"


def body(statements: str) -> str:
    return block(
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = helper(in[i]); "
        + statements
        + " }"
    )


@pytest.fixture
def kernel(read_text):
    from rocm_perf_lab.optimizing.source.match import find_kernel

    return find_kernel(read_text(SOURCE), "scale(float const*, float*, int)")


def endpoint(url: str, **options) -> Endpoint:
    return Endpoint(url, "some-model", Key(SECRET), **{"seconds": 600.0, **options})


# ---------------------------------------------------------------- replies that are taken


@pytest.mark.parametrize(
    "reply",
    [
        block(GOOD),
        block(HEAD + GOOD),
        f"Sure! Here is a faster version:\n\n{block(HEAD + GOOD)}\n\nIt returns early; `i < n` came before.",
        HEAD + GOOD,
        GOOD,
        block(GOOD, "hip") + "\nand the same once more:\n" + block(HEAD + GOOD),
        block(SOURCE.partition("__global__ void scale")[0] + HEAD + GOOD),
        block(SOURCE.replace(PRESENT, GOOD)),
        block(HEAD.replace("float* out", "float*   out") + GOOD),
        "```\nsome shell output\n```\n" + block(GOOD),
        "~~~cpp\n" + GOOD + "\n~~~",
    ],
)
def test_a_body_is_found(kernel, reply: str) -> None:
    assert take_body(kernel, reply).text == SOURCE.replace(PRESENT, GOOD).encode()


def test_pragmas_lambdas_and_macros_of_the_file_are_fine(kernel) -> None:
    statements = """auto f = [&](float x) { return TWICE(x) + expf(x); };
        #pragma unroll 4
        for (int j = 0; j < 4; ++j) out[0] = f(in[j]);"""
    take_body(kernel, body(statements))


# ---------------------------------------------------------------- replies that are not


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("I am sorry, I cannot do that.", "reply-without-code"),
        (block("just words"), "reply-without-code"),
        ("```cpp\n" + HEAD + "{ out[0] = 1;", "reply-truncated"),
        (block(HEAD + "{ if (n) { out[0] = 1;"), "reply-truncated"),
        (block("{ if (n) { out[0] = 1; }"), "reply-truncated"),
        (HEAD + "{ out[0] = 1;", "reply-truncated"),
        (block(GOOD) + "\nor\n" + block(GOOD.replace(">=", ">")), "reply-ambiguous"),
        (block(HEAD + GOOD + "\n" + HEAD + GOOD), "reply-ambiguous"),
        (block("__global__ void other(float* p) { p[0] = 1; }"), "reply-wrong-kernel"),
        (block(HEAD.replace("scale", "scale2") + GOOD), "reply-wrong-kernel"),
        (block(HEAD.replace("int n", "int count") + GOOD), "signature-changed"),
        (block(HEAD.replace("__global__", "__device__") + GOOD), "signature-changed"),
        (body("/*" + "x" * 5000 + "*/"), "reply-too-large"),
        (block("{" * 300 + "}" * 300), "reply-too-large"),
        (block("{" + "(" * 300 + ")" * 300 + "}"), "reply-too-large"),
        (block("#include <fstream>\n" + HEAD + GOOD), "forbidden-preprocessor"),
        (block("#define helper(x) 0\n" + HEAD + GOOD), "forbidden-preprocessor"),
        (body("\n#include </etc/passwd>\n"), "forbidden-preprocessor"),
        (body("\n#define helper(x) 0\n"), "forbidden-preprocessor"),
        (body("\n # pragma clang optimize off\n"), "forbidden-preprocessor"),
        (body("\n%:define helper(x) 0\n"), "forbidden-preprocessor"),
        (body("\n/* */ #define helper(x) 0\n"), "forbidden-preprocessor"),
        (body("\n/*\n*/#include </etc/passwd>\n"), "forbidden-preprocessor"),
        (body("\n??=define helper(x) 0\n"), "forbidden-preprocessor"),
        (body('_Pragma("omp parallel")'), "forbidden-preprocessor"),
        (body("// hidden \\\nout[0] = 1;\n"), "forbidden-preprocessor"),
        (body('// hidden \r asm volatile("");\n'), "forbidden-preprocessor"),
        (body("out[0] = 1;\x00"), "forbidden-preprocessor"),
        (body('const char* s = R"(*/)";'), "forbidden-preprocessor"),
        (body("int \u0430sm = 1;"), "forbidden-preprocessor"),
        (body('asm volatile("s_endpgm");'), "forbidden-assembly"),
        (body('__asm__("s_nop 0");'), "forbidden-assembly"),
        (body("NOTHING;"), "forbidden-assembly"),
        (body("hipDeviceSynchronize();"), "forbidden-host-code"),
        (body("other<<<1, 1>>>(out);"), "forbidden-host-code"),
        (body("std::vector<int> v;"), "forbidden-host-code"),
        (body("static int calls; ++calls;"), "forbidden-global"),
        (body("extern __device__ int counter;"), "forbidden-global"),
        (body("extern __shared__ float cache[];"), "forbidden-global"),
        (body("counter++;"), "forbidden-global"),
        (body("__attribute__((cleanup(helper))) float x = 1;"), "forbidden-global"),
        (body("out[1] = *(float*)0x7f0000001000;"), "forbidden-global"),
        (body("out[1] = *reinterpret_cast<float*>(0x1000ull + 8);"), "forbidden-global"),
        (block("__device__ int mine;\n" + HEAD + GOOD), "forbidden-global"),
        (block("__device__ float extra(float x) { return x; }\n" + HEAD + GOOD), "forbidden-global"),
        (block(HEAD + GOOD + "\nint main() { return 0; }"), "forbidden-global"),
        (body('system("rm -rf /");'), "forbidden-call"),
        (body('::system("true");'), "forbidden-call"),
        (body('fopen("/etc/passwd", "r");'), "forbidden-call"),
        (body("((void (*)())in)();"), "forbidden-call"),
        (body("unknown(n);"), "forbidden-call"),
        (body('printf("x");'), "forbidden-call"),
        (body("if (n > 3) __trap();"), "forbidden-call"),
        (body("float* p = (float*)malloc(4);"), "forbidden-call"),
        (body("out[0] = clock64();"), "forbidden-call"),
        (body("__syncthreads();"), "synchronisation-changed"),
        (body("atomicAdd(out, 1.f);"), "synchronisation-changed"),
        (body("out[threadIdx.x % 32] = 1;"), "wave32-assumption"),
        (block("{ out[0] = 1; } int mine; void f() { }"), "body-not-closed"),
        (block("{ out[0] = = 1; }"), "source-unparsed"),
        (block(PRESENT), "nothing-changed"),
    ],
)
def test_a_reply_is_refused(kernel, reply: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        take_body(kernel, reply)
    assert caught.value.refusal.code == code, str(caught.value)


def test_table_of_the_file_may_be_used_where_it_is_constant(kernel) -> None:
    with pytest.raises(Refused):  # __constant__ data can be changed by the host: it is a variable
        take_body(kernel, body("out[1] = table[0];"))


# ---------------------------------------------------------------- endpoints


def asked(answer, **options) -> str:
    with Server(answer).running() as server, pytest.raises(Refused) as caught:
        ask(endpoint(server.url, **options), QUESTION)
    assert SECRET not in str(caught.value)
    return caught.value.refusal.code


def drip(handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    """Never a pause that is long, and never the end."""
    while True:
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def endless(handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    for _ in range(400):
        handler.wfile.write(b'{"choices": [' + b" " * 65536)


def silent(handler) -> None:
    """Until the other side gives up."""
    handler.rfile.read()


def hang_up(handler) -> None:
    handler.connection.close()


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (completion(""), "reply-empty"),
        (completion("  \n"), "reply-empty"),
        (completion(None), "reply-empty"),
        (completion("{ out[0] =", finish="length"), "reply-truncated"),
        (completion([{"type": "text"}]), "endpoint-failed"),
        (raw(200, b"<html>welcome</html>"), "endpoint-failed"),
        (raw(200, b'{"choices": []}'), "endpoint-failed"),
        (raw(200, b'{"choices": "no"}'), "endpoint-failed"),
        (raw(200, b"[" * 100_000), "endpoint-failed"),
        (raw(200, b""), "endpoint-failed"),
        (raw(500, b'{"error": {"message": "oh"}}'), "endpoint-failed"),
        (raw(503, b"busy"), "endpoint-failed"),
        (hang_up, "endpoint-failed"),
        (raw(400, b'{"error": {"message": "too long"}}'), "endpoint-refused"),
        (raw(401, json.dumps({"error": {"message": f"bad key {SECRET}"}}).encode()), "endpoint-refused"),
        (raw(403, b"{}"), "endpoint-refused"),
        (raw(404, b'{"error": {"message": "no such model"}}'), "endpoint-refused"),
        (endless, "reply-too-large"),
    ],
)
def test_bad_answers(answer, code: str) -> None:
    assert asked(answer) == code


@pytest.mark.parametrize("answer", [silent, drip])
def test_time_outs(answer) -> None:
    assert asked(answer, seconds=0.6) == "endpoint-timed-out"


def test_nobody_is_there() -> None:
    with pytest.raises(Refused) as caught:
        ask(endpoint("http://127.0.0.1:9/v1"), QUESTION)
    assert caught.value.refusal.code == "endpoint-failed"


def test_rate_limits_are_waited_for_as_asked() -> None:
    pauses: list[float] = []
    answers = [raw(429, b"{}", Retry_After="1.5"), raw(429, b"{}"), completion("done")]
    with Server(*answers).running() as server:
        reply = ask(endpoint(server.url, sleep=pauses.append), QUESTION)
    assert reply == "done"
    assert pauses == [1.5, 2.0]


@pytest.mark.parametrize(("wait", "requests"), [("0", 3), ("3600", 1), ("nan", 3)])
def test_rate_limits_without_end(wait: str, requests: int) -> None:
    with Server(raw(429, b"{}", Retry_After=wait)).running() as server:
        with pytest.raises(Refused) as caught:
            ask(endpoint(server.url, sleep=lambda _: None), QUESTION)
        assert caught.value.refusal.code == "endpoint-rate-limited"
        assert len(server.requests) == requests


def test_the_question_is_what_the_prompt_says() -> None:
    with Server(completion("x")).running() as server:
        ask(endpoint(server.url), QUESTION)
    assert server.requests[0]["messages"] == [{"role": "user", "content": "faster, please"}]
    assert server.requests[0]["model"] == "some-model"
    assert server.authorizations == [f"Bearer {SECRET}"]


# ---------------------------------------------------------------- the proposer


def test_refusals_go_into_the_next_question(kernel) -> None:
    answers = [completion("no idea"), completion(body('system("x");')), completion(block(GOOD))]
    with Server(*answers).running() as server:
        found = list(LlmProposer(endpoint(server.url)).propose(Situation(kernel)))
    assert [getattr(each, "refusal", None) and each.refusal.code for each in found] == [
        "reply-without-code",
        "forbidden-call",
        None,
    ]
    assert isinstance(found[-1], ProposedKernel)
    last = server.requests[-1]["messages"][-1]["content"]
    assert "[reply-without-code]" in last
    assert "[forbidden-call]" in last


def test_answers_are_limited(kernel) -> None:
    with Server(completion("no idea")).running() as server:
        found = list(LlmProposer(endpoint(server.url)).propose(Situation(kernel)))
    assert len(found) == len(server.requests) == 4


def test_an_endpoint_that_fails_is_asked_once(kernel) -> None:
    with Server(raw(401, b"{}")).running() as server:
        (found,) = LlmProposer(endpoint(server.url)).propose(Situation(kernel))
    assert isinstance(found, Rejected)
    assert found.refusal.code == "endpoint-refused"
    assert len(server.requests) == 1


def test_two_repairs_and_no_more(kernel) -> None:
    bodies = [block(GOOD.replace("return;", f"return; int a{number};")) for number in range(4)]
    with Server(*map(completion, bodies)).running() as server:
        proposer = LlmProposer(endpoint(server.url))
        situation = Situation(kernel)
        (candidate,) = proposer.propose(situation)
        for _ in range(2):
            candidate = proposer.repair(situation, candidate, "k.hip:3: error: no such thing")
            assert isinstance(candidate, ProposedKernel)
        last = proposer.repair(situation, candidate, "still")
        assert isinstance(last, Rejected)
        assert last.refusal.code == "repairs-exhausted"
        assert len(server.requests) == 3
        talk = server.requests[-1]["messages"]
    assert [message["role"] for message in talk] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert "error: no such thing" in talk[-1]["content"]


# ---------------------------------------------------------------- the key


def test_the_key_is_in_no_log_and_no_error(kernel, caplog, capfd) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    answer = raw(401, json.dumps({"error": {"message": f"the key {SECRET} is wrong"}}).encode())
    with Server(answer).running() as server:
        proposer = LlmProposer(endpoint(server.url))
        found = list(proposer.propose(Situation(kernel)))
    seen = capfd.readouterr()
    assert server.authorizations == [f"Bearer {SECRET}"]
    for text in (str(found), repr(proposer), caplog.text, seen.out, seen.err):
        assert SECRET not in text
    assert "***" in str(found)


def test_keys_do_not_print_or_travel() -> None:
    key = Key(SECRET)
    assert SECRET not in f"{key} {key!r} {vars(endpoint('http://x'))['key']}"
    with pytest.raises(TypeError):
        pickle.dumps(key)


def test_where_endpoints_come_from(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(f"{SECRET}\n")
    environment = {
        "OPENAI_API_KEY": "a",
        "ROCM_PERF_LLM_KEY": "b",
        "OPENAI_BASE_URL": "http://x/v1",
        "ROCM_PERF_LLM_MODEL": "m",
    }
    assert find_endpoint(None, None, None, environment).key.reveal() == "b"
    found = find_endpoint("https://y/v1", "n", file, environment)
    assert (found.base_url, found.model, found.key.reveal()) == ("https://y/v1", "n", SECRET)
    assert find_endpoint("http://local/v1", "m", None, {}).key.reveal() == ""


@pytest.mark.parametrize(
    ("base_url", "model", "content", "error"),
    [
        (None, "m", "k", UsageProblem),
        ("http://x", None, "k", UsageProblem),
        ("ftp://x", "m", "k", UsageProblem),
        ("http://x", "m", "", BadInput),
        ("http://x", "m", "two words", BadInput),
        ("http://x", "m", None, BadInput),
    ],
)
def test_endpoints_that_make_no_sense(
    tmp_path: Path, base_url: str | None, model: str | None, content: str | None, error: type[Exception]
) -> None:
    file = tmp_path / "key"
    if content is not None:
        file.write_text(content)
    with pytest.raises(error):
        find_endpoint(base_url, model, file, {})

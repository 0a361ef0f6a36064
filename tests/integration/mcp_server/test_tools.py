"""Tools over the protocol: documents as structured content, progress, errors with cause and remedy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client
    from mcp_types import CallToolResult

from rocm_perf_lab.contracts.all_documents import DOCUMENTS
from rocm_perf_lab.contracts.documents import from_json

from .conftest import Call

TOOLS = {
    "profile", "analyze", "explain", "whatif", "compare", "capture", "replay", "validate", "check",
    "optimize", "autotune",
}  # fmt: skip


def read(name: str, document: Any) -> Any:
    """A document, checked against its contract."""
    return from_json(DOCUMENTS[name], json.dumps(document), name)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert content.type == "text"
    return content.text


def structured(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    return result.structured_content


def test_tools_say_what_they_do(portal: BlockingPortal, client: Client) -> None:
    tools = {tool.name: tool for tool in portal.call(client.list_tools).tools}
    assert set(tools) == TOOLS
    for tool in tools.values():
        assert tool.description
        assert "ctx" not in tool.input_schema["properties"]
        # The SDK's client checks every result against it.
        assert tool.output_schema is not None
        assert tool.output_schema["type"] == "object"
        assert set(tool.output_schema["required"]) <= set(tool.output_schema["properties"])
    assert set(tools["optimize"].input_schema["required"]) == {"program", "source", "budget"}
    # Nothing by which a client could say that a change is good, or relax what the gate asks for.
    assert set(tools["optimize"].input_schema["properties"]) == {
        "program", "source", "budget", "arguments", "kernel", "max_trials", "max_changes", "write", "timeout",
    }  # fmt: skip


def test_profile(profiled: tuple[CallToolResult, list[Any]], root: Path) -> None:
    result, told = profiled
    found = structured(result)
    assert read("profile", found["profile"]).stability.runs == 2
    assert Path(found["run"]).parent == root / ".rocm-perf"
    assert (root / ".rocm-perf" / "latest").resolve() == Path(found["run"])
    assert "GPU time of one run" in text_of(result)
    figures = [progress for progress, _, _ in told]
    assert figures == sorted(set(figures))
    # On a busy machine signs of life come between them: "timing run 1 of 2, 6 s".
    steps = dict.fromkeys(message.partition(", ")[0] for _, _, message in told)
    assert [step for step in steps if step.startswith("timing")] == ["timing run 1 of 2", "timing run 2 of 2"]
    assert told[-1][1] == 2


def test_explain(call: Call, profiled: tuple[CallToolResult, list[Any]]) -> None:
    result = call("explain", run=structured(profiled[0])["run"], kernel="scale")
    found = structured(result)
    (kernel,) = found["kernels"]
    assert kernel["bottleneck"]["label"] == "under-occupied"
    evidence = kernel["bottleneck"]["evidence"][0]
    assert evidence["value"] < evidence["threshold"]
    assert evidence["statement"] in text_of(result)
    assert "not known: roofline: no counters were collected" in text_of(result)
    assert call("explain", run=found["run"], kernel="nothing").is_error


def test_whatif_and_compare(call: Call, profiled: tuple[CallToolResult, list[Any]]) -> None:
    run = structured(profiled[0])["run"]
    ranked = read("whatif", structured(call("whatif", run=run)))
    assert ranked.ranking[0].name == "scale(float*, float, int)"
    compared = call("compare", base=run, new=run, fail_on_regression=0.05)
    assert read("comparison", structured(compared)).total.verdict == "same"


def test_capture_replay_validate(call: Call, root: Path) -> None:
    captured = read("capture", structured(call("capture", program="./scale", kernel="scale", out="kept/one")))
    assert (root / captured.folder).is_dir()
    replayed = read("replay", structured(call("replay", capture=captured.folder, iterations=3)))
    assert replayed.execution.iterations == 3
    told: list[Any] = []
    judged = structured(call("validate", told, capture=str(root / captured.folder), runs=2))
    assert read("validation", judged).verdict == "passed"
    assert any("self-replay" in message for _, _, message in told)


def test_captures_of_others_are_not_run(call: Call, root: Path) -> None:
    """No client can allow it. What another content has is of others."""
    call("capture", program="./scale", kernel="scale", out="kept/another", stop=True)
    manifest = root / "kept" / "another" / "manifest.json"
    manifest.write_bytes(manifest.read_bytes() + b"\n")
    for tool in ("replay", "validate"):
        refused = call(tool, capture="kept/another")
        assert refused.is_error
        assert refused.structured_content is not None
        assert refused.structured_content["error"]["kind"] == "not-trusted"
        assert "scale" in text_of(refused)


def test_check(call: Call) -> None:
    result = call("check", program="scale", only=["out-of-bounds"])
    assert read("check", structured(result)).clean
    assert text_of(result) == "no defect was found"


def test_a_failing_program_is_an_error_with_its_cause(call: Call) -> None:
    result = call("profile", program="scale", arguments=["exit", "3"], runs=1)
    assert result.is_error
    assert result.structured_content is not None
    error = read("failure", result.structured_content).error
    assert error.kind == "program-failed"
    assert "3" in error.cause
    assert error.collected is not None
    assert error.cause in text_of(result)


@pytest.mark.parametrize(
    ("tool", "arguments", "cause"),
    [
        ("profile", {"program": "scale", "kernel": "("}, "regular expression"),
        ("check", {"program": "scale", "only": ["nonsense"]}, "nonsense"),
        ("autotune", {"space": "s.json", "budget": 1}, "either program or build_source"),
        ("autotune", {"space": "s", "budget": 1, "build_source": "k", "build_flags": ["-o"]}, "'-o' is not"),
        ("autotune", {"space": "space.json", "program": "scale", "budget": 5}, "not JSON"),
        ("optimize", {"program": "scale", "source": "space.json", "budget": 5}, "build-failed"),
        ("profile", {"program": "scale", "runs": 0}, "greater than or equal to 1"),
    ],
)  # fmt: skip
def test_arguments_that_make_no_sense(
    call: Call, root: Path, tool: str, arguments: dict[str, Any], cause: str
) -> None:
    (root / "space.json").write_text("{")
    result = call(tool, **arguments)
    assert result.is_error
    assert cause in text_of(result)
    assert all(any(run.iterdir()) for run in root.glob(".rocm-perf/2*"))  # no empty folder is left


def test_an_argument_is_never_an_option(call: Call, root: Path) -> None:
    """What follows the program is the program's, whatever it looks like."""
    result = call("profile", program="scale", arguments=["--out=stolen"], runs=1)
    assert not (root / "stolen").exists()
    if not result.is_error:  # the program may or may not like it
        assert structured(result)["profile"]["setting"]["command"][1:] == ["--out=stolen"]

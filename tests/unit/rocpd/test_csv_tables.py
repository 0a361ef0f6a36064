"""CSV tables of all generations of columns, whole and broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.read import read_trace
from rocm_perf_lab.rocpd.rows import KernelResources, LaunchKey

SIZES = "Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z,Grid_Size_X,Grid_Size_Y,Grid_Size_Z"
# Of ROCm 6.2, 6.3 and 7: fewer columns, then numbers for agents, then labels and registers.
OLDEST = (
    "Kind,Agent_Id,Queue_Id,Kernel_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp,"
    f"Private_Segment_Size,Group_Segment_Size,{SIZES}"
)
OLD = (
    "Kind,Agent_Id,Queue_Id,Thread_Id,Dispatch_Id,Kernel_Id,Kernel_Name,Correlation_Id,Start_Timestamp,"
    f"End_Timestamp,Private_Segment_Size,Group_Segment_Size,{SIZES}"
)
NEW = (
    "Kind,Agent_Id,Queue_Id,Stream_Id,Thread_Id,Dispatch_Id,Kernel_Id,Kernel_Name,Correlation_Id,"
    "Start_Timestamp,End_Timestamp,LDS_Block_Size,Scratch_Size,VGPR_Count,Accum_VGPR_Count,SGPR_Count,"
    f"{SIZES}"
)
OLD_COUNTERS = (
    "Correlation_Id,Dispatch_Id,Agent_Id,Queue_Id,Process_Id,Thread_Id,Grid_Size,Kernel_Name,Workgroup_Size,"
    "LDS_Block_Size,Scratch_Size,VGPR_Count,SGPR_Count,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp"
)
AGENTS = (
    "Node_Id,Logical_Node_Id,Agent_Type,Cu_Count,Num_Xcc,Lds_Size_In_Kb,Name,Vendor_Name,Product_Name\n"
    '0,0,"CPU",96,1,0,"EPYC","CPU","EPYC"\n'
    '4,1,"GPU",228,6,64,"gfx942","AMD","AMD Instinct MI300A"\n'
    '5,2,"GPU",228,6,64,"gfx942","AMD","AMD Instinct MI300A"\n'
)
NAME = '"void f<float, 2>(float*, int)"'
ROWS = {
    OLDEST: f'"KERNEL_DISPATCH",4,1,17,{NAME},9,100,350,16,1024,64,2,1,640,4,1',
    OLD: f'"KERNEL_DISPATCH",4,1,40021,1,17,{NAME},9,100,350,16,1024,64,2,1,640,4,1',
    NEW: f'"KERNEL_DISPATCH","Agent 4",1,3,40021,1,17,{NAME},9,100,350,1024,16,44,4,32,64,2,1,640,4,1',
}


def write(folder: Path, base: str, **tables: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in tables.items():
        (folder / f"{base}_{name}.csv").write_text(text + "\n")
    return folder


@pytest.mark.parametrize("columns", [OLDEST, OLD, NEW], ids=["6.2", "6.3", "7"])
def test_generations(tmp_path: Path, columns: str) -> None:
    folder = write(tmp_path / "out", "123", kernel_trace=f"{columns}\n{ROWS[columns]}", agent_info=AGENTS)
    trace = read_trace([folder])
    (launches,) = trace.launches
    assert launches.key == LaunchKey(
        kernel="void f<float, 2>(float*, int)",
        agent=4,
        grid=(640, 4, 1),
        workgroup=(64, 2, 1),
        lds_bytes=1024,
        scratch_bytes=16,
    )
    assert (launches.count, launches.total_ns, launches.median_ns) == (1, 250, 250.0)
    assert (trace.begin_ns, trace.end_ns) == (100, 350)
    registers = KernelResources(44, 4, 32, None, 16) if columns == NEW else KernelResources(*[None] * 5)
    assert launches.resources == registers
    assert [(agent.index, agent.cu_count, agent.lds_bytes) for agent in trace.agents] == [
        (4, 228, 65536),
        (5, 228, 65536),
    ]
    assert [process.pid for process in trace.processes] == [123]
    assert any("LDS that a launch adds" in text for text in trace.warnings) == (columns == NEW)


@pytest.mark.parametrize(
    ("label", "index"),
    [('"Agent 2"', 5), ('"Agent 5"', 5), ('"GPU 1"', 5), ('"GPU-1"', 5), ("5", 5), ("2", 2), ("9", 9)],
)
def test_ways_to_name_an_agent(tmp_path: Path, label: str, index: int) -> None:
    row = ROWS[NEW].replace('"Agent 4"', label)
    folder = write(tmp_path / "out", "1", kernel_trace=f"{NEW}\n{row}", agent_info=AGENTS)
    assert read_trace([folder]).launches[0].key.agent == index


def test_a_label_that_can_be_two_agents_is_told(tmp_path: Path) -> None:
    agents = AGENTS.replace("\n5,2,", "\n2,4,")  # node 4 is logically 1, node 2 is logically 4
    folder = write(tmp_path / "out", "1", kernel_trace=f"{NEW}\n{ROWS[NEW]}", agent_info=agents)
    trace = read_trace([folder])
    assert trace.launches[0].key.agent == 2
    assert any("Agent 4 can be two GPUs" in text for text in trace.warnings)


def counter_rows(*values: tuple[int, str, float]) -> str:
    """Dispatch n starts at 100 n and takes 50 ns."""
    rows = [
        f"1,{number},4,1,77,77,2560,{NAME},128,1024,16,44,32,{counter},{value},{number}00,{number}50"
        for number, counter, value in values
    ]
    return "\n".join([OLD_COUNTERS, *rows])


def test_counters_alone(tmp_path: Path) -> None:
    table = counter_rows((1, "SQ_WAVES", 10.0), (2, "SQ_WAVES", 5.5), (1, "TCC_HIT", 3), (2, "TCC_HIT", 4))
    trace = read_trace([write(tmp_path / "out", "1", counter_collection=table)])
    (launches,) = trace.launches
    assert (launches.count, launches.total_ns) == (2, 100)
    assert (launches.key.grid, launches.key.workgroup) == ((2560, 1, 1), (128, 1, 1))
    assert launches.counters == {"SQ_WAVES": 15.5, "TCC_HIT": 7.0}
    assert launches.counted == {"SQ_WAVES": 2, "TCC_HIT": 2}
    assert any("not their shape" in text for text in trace.warnings)
    assert any("no agent_info.csv" in text for text in trace.warnings)


def test_counters_with_a_trace_take_its_times_and_shapes(tmp_path: Path) -> None:
    table = counter_rows((1, "SQ_WAVES", 10), (1, "SQ_WAVES", 1), (8, "SQ_WAVES", 99))
    folder = write(tmp_path / "out", "1", kernel_trace=f"{OLD}\n{ROWS[OLD]}", counter_collection=table)
    for path in (folder, folder / "1_kernel_trace.csv", folder / "1_counter_collection.csv"):
        (launches,) = read_trace([path]).launches
        assert launches.key.grid == (640, 4, 1)
        assert launches.total_ns == 250
        assert launches.counters == {"SQ_WAVES": 11.0}  # two instances; dispatch 8 is not in the trace
        assert launches.counted == {"SQ_WAVES": 1}


def test_counters_that_no_launch_has_are_told(tmp_path: Path) -> None:
    table = counter_rows((1, "SQ_WAVES", 10), (1, "TCC_HIT", float("nan")))
    folder = write(tmp_path / "old", "1", kernel_trace=f"{OLDEST}\n{ROWS[OLDEST]}", counter_collection=table)
    trace = read_trace([folder])
    assert trace.launches[0].counters == {}
    assert any("2 values are not numbers or of unknown dispatches" in text for text in trace.warnings)


def test_processes_of_a_folder_are_one_execution(tmp_path: Path) -> None:
    for base in ("host/10", "host/11"):
        write(tmp_path / "host", base[5:], kernel_trace=f"{OLD}\n{ROWS[OLD]}")
    trace = read_trace([tmp_path])
    assert trace.dispatches == 2
    assert [process.pid for process in trace.processes] == [10, 11]


def test_rows_that_are_cut_off_or_broken(tmp_path: Path) -> None:
    good = ROWS[OLD]
    rows = [OLD, good, good.replace("100,350", "350,100"), good.replace("100,350", "x,350"), good[:40]]
    trace = read_trace([write(tmp_path / "out", "1", kernel_trace="\n".join(rows))])
    assert trace.dispatches == 1
    assert any("2 dispatches end before" in text for text in trace.warnings)
    assert any("1 rows are not whole" in text for text in trace.warnings)


def test_only_the_kernels_that_were_asked_for(tmp_path: Path) -> None:
    other = ROWS[OLD].replace("void f<", "void g<").replace("40021,1,", "40021,2,")
    folder = write(tmp_path / "out", "1", kernel_trace=f"{OLD}\n{ROWS[OLD]}\n{other}")
    assert [launches.key.kernel[:6] for launches in read_trace([folder], kernels="g<").launches] == ["void g"]


@pytest.mark.parametrize(
    ("name", "text", "cause"),
    [
        ("1_kernel_trace.csv", "", "is empty"),
        ("1_kernel_trace.csv", "Kind,Agent_Id\n1,2\n", "has no column Start_Timestamp"),
        ("1_kernel_trace.csv", OLD.replace("Group_Segment", "Group"), "no column Group_Segment_Size or LDS_"),
        ("1_hip_api_trace.csv", "Domain\n", "is not a table of launches"),
        ("1_kernel_trace.csv", f"{OLD}\n" + '"' + "x" * 200_000 + '"', "is not a CSV table"),
    ],
)
def test_bad_tables(tmp_path: Path, name: str, text: str, cause: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match=cause) as caught:
        read_trace([tmp_path / name])
    assert caught.value.remedy


def test_nothing_launched(tmp_path: Path) -> None:
    trace = read_trace([write(tmp_path / "out", "1", kernel_trace=OLD)])
    assert trace.launches == ()
    assert "no kernel was launched" in trace.warnings

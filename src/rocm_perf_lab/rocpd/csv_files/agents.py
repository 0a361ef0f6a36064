"""The agent table of rocprofv3, and which agent a label in the other tables means."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rocm_perf_lab.rocpd.agents import agent
from rocm_perf_lab.rocpd.csv_files.table import open_table
from rocm_perf_lab.rocpd.rows import Agent


class AgentLabels:
    def __init__(self) -> None:
        self._by_node: dict[int, int] = {}  # node id -> index
        self._by_logical: dict[int, int] = {}  # place among the agents that the process may use -> index
        self._by_type: list[int] = []  # index of GPU 0, 1, …

    def read(self, path: Path) -> list[Agent]:
        """The GPUs of an agent table."""
        found = []
        with open_table(path) as table:
            for row in table.rows():
                values = {name.lower(): _value(row[place]) for name, place in table.columns.items()}
                node, logical = values.get("node_id"), values.get("logical_node_id")
                if values.get("agent_type") != "GPU" or not isinstance(node, int):
                    continue
                found.append(agent(node, str(values.get("name")), str(values.get("product_name")), values))
                self._by_node[node] = node
                if isinstance(logical, int):
                    self._by_logical[logical] = node
                self._by_type.append(node)
        return found

    def index(self, label: str) -> tuple[int, bool]:
        """The agent's index, and whether the label could mean another one.

        Labels are a node id (ROCm 6), "Agent 1" (by rocprofv3's default the logical node id) or "GPU 0".
        """
        match = re.fullmatch(r"(?:(Agent|GPU)[\s-]*)?(\d+)", label.strip(), re.IGNORECASE)
        if match is None:
            raise ValueError(label)
        kind, number = (match[1] or "").upper(), int(match[2])
        if kind == "GPU" and number < len(self._by_type):
            return self._by_type[number], False
        logical = self._by_logical.get(number)
        if kind != "AGENT" or logical is None:
            return number, False
        return logical, number in self._by_node and logical != number


def _value(text: str) -> Any:
    """A number where it is one."""
    return int(text) if re.fullmatch(r"-?\d+", text) else text

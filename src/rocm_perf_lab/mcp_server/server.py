"""The server: its tools and resources over the protocol, on standard input and output."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import anyio.to_thread
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp_types import Resource, ResourceTemplate, Tool, ToolAnnotations

from rocm_perf_lab import __version__
from rocm_perf_lab.errors import RocmPerfError
from rocm_perf_lab.mcp_server import resources
from rocm_perf_lab.mcp_server.output_schemas import output_schema
from rocm_perf_lab.mcp_server.roots import Roots
from rocm_perf_lab.mcp_server.tools import Tools

INSTRUCTIONS = """Measures, explains and improves HIP programs for AMD GPUs.

Begin with profile on a program; explain on the run folder it names says what holds each kernel back, with
the evidence. whatif says which kernel is worth the work. capture keeps one dispatch, replay and validate run
it again by itself; validate with hsaco judges a changed kernel. check looks for defects. optimize and
autotune make programs faster and keep only what is proven. Figures have an origin: measured on hardware, or
simulated on the virtual GPU. Paths are relative to the first root; nothing outside of the roots is read,
written or run by name.
"""


class RocmPerfServer(MCPServer[Any]):
    def __init__(self, roots: Roots) -> None:
        super().__init__("rocm-perf", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
        self.roots = roots
        tools = Tools(roots)
        reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        keeps = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
        writes = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)
        offered: dict[Callable[..., Any], ToolAnnotations] = {
            # These run programs of the user, which do what they do.
            tools.profile: writes,
            tools.capture: writes,
            tools.replay: writes,
            tools.validate: writes,
            tools.check: writes,
            tools.optimize: writes,
            tools.autotune: writes,
            # These run none.
            tools.analyze: keeps,
            tools.explain: reads,
            tools.whatif: reads,
            tools.compare: reads,
        }
        for tool, hints in offered.items():
            self.add_tool(tool, annotations=hints)

    async def list_tools(self) -> list[Tool]:
        tools = await super().list_tools()
        return await anyio.to_thread.run_sync(_with_output_schemas, tools)

    async def list_resources(self) -> list[Resource]:
        return await anyio.to_thread.run_sync(resources.list_resources, self.roots)

    async def list_resource_templates(self) -> list[ResourceTemplate]:
        return [resources.TEMPLATE]

    async def read_resource(
        self, uri: Any, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents]:
        try:
            text, kind = await anyio.to_thread.run_sync(resources.read_resource, self.roots, str(uri))
        except RocmPerfError as error:
            raise ResourceError(f"{error.cause}; try: {error.remedy}") from error
        return [ReadResourceContents(content=text, mime_type=kind)]


def _with_output_schemas(tools: list[Tool]) -> list[Tool]:
    return [tool.model_copy(update={"output_schema": output_schema(tool.name)}) for tool in tools]


def serve(roots: Roots) -> None:
    """Until the client is gone."""
    os.chdir(roots.first)
    RocmPerfServer(roots).run()

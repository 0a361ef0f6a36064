"""From the log of a process to its trace: ids, names, order, and what the options leave out."""

from __future__ import annotations

from typing import TypeVar

from ...cxx_names import demangle, truncated
from ..options import Options, Period
from . import log as logged
from . import trace as traced
from .identity import Identity
from .selection import KernelSelection

# Bits of vrocm_trace_category (native/abi/vrocm/trace.h) -> kinds as rocprofiler-sdk names them.
_KINDS = {
    1 << 0: "HIP_RUNTIME_API_EXT",
    1 << 1: "HIP_COMPILER_API_EXT",
    1 << 2: "HSA_CORE_API",
    1 << 3: "HSA_AMD_EXT_API",
    1 << 4: "HSA_IMAGE_EXT_API",
    1 << 5: "HSA_FINALIZE_EXT_API",
}
_FIRST_HSA = 1 << 2
# Arguments of HSA calls that point to the program's data rather than to a variable of the caller.
_DATA = {
    (kind, name)
    for kind in ("void*", "const void*")
    for name in ("dst", "src", "ptr", "host_ptr", "agent_ptr", "address", "va", "base")
}
_CONTROL = {"roctxProfilerPause", "roctxProfilerResume"}
_NAMES = {"roctxNameOsThread", "roctxNameHsaAgent", "roctxNameHipDevice", "roctxNameHipStream"}
_ALLOCATIONS = {
    1: "MEMORY_ALLOCATION_ALLOCATE",
    2: "MEMORY_ALLOCATION_FREE",
    3: "MEMORY_ALLOCATION_VMEM_ALLOCATE",
    4: "MEMORY_ALLOCATION_VMEM_FREE",
}
_SCRATCH = {1: "SCRATCH_MEMORY_ALLOC", 2: "SCRATCH_MEMORY_FREE"}

_Event = (
    logged.Call
    | logged.LoggedMarker
    | logged.LoggedDispatch
    | logged.LoggedCopy
    | logged.LoggedAllocation
    | logged.LoggedScratch
)
Timed = TypeVar("Timed", bound=_Event)


def _marker_kind(operation: str) -> str:
    if operation in _CONTROL:
        return "MARKER_CONTROL_API"
    return "MARKER_NAME_API" if operation in _NAMES else "MARKER_CORE_RANGE_API"


class _Windows:
    """The periods in which events are collected."""

    def __init__(self, periods: tuple[Period, ...], begin: int) -> None:
        self._periods, self._begin = periods, begin

    def open_at(self, time: int) -> bool:
        if not self._periods:
            return True
        since = time - self._begin
        for period in self._periods:
            cycle = period.delay + period.duration
            turn = since // cycle
            if (period.repeat == 0 or turn < period.repeat) and since % cycle >= period.delay:
                return True
        return False


class _StackIds:
    """Numbers for calls and ranges in order of time: which thread was quicker does not show."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int], tuple[int, int, int]] = {}
        self._ids: dict[tuple[str, int], int] = {}

    def note(self, key: tuple[str, int], time: int, thread: int) -> None:
        order = (time, thread, key[1])
        self._seen[key] = min(order, self._seen.get(key, order))

    def assign(self) -> None:
        for number, key in enumerate(sorted(self._seen, key=lambda key: (self._seen[key], key)), 1):
            self._ids[key] = number

    def __call__(self, key: tuple[str, int]) -> int:
        return self._ids.get(key, 0)


class Resolver:
    def __init__(self, log: logged.ProcessLog, options: Options, identity: Identity) -> None:
        self._log, self._options, self._identity = log, options, identity
        windows = _Windows(options.periods, log.process.begin)

        def kept(events: list[Timed]) -> list[Timed]:
            return [event for event in events if windows.open_at(event.begin)]

        self._calls = kept(log.calls)
        # Markers are also logged to name kernels after them.
        self._marks = kept(log.marks) if "marker" in options.traces else []
        self._dispatches = sorted(kept(log.dispatches), key=lambda dispatch: dispatch.number)
        self._copies, self._allocations = kept(log.copies), kept(log.allocations)
        self._scratch = kept(log.scratch)
        self._agents = {agent.handle: agent.index for agent in log.agents}
        self._is_gpu = {agent.handle: agent.is_gpu for agent in log.agents}
        self._queues = {queue: rank for rank, (queue, _) in enumerate(log.queues, 1)}
        created = [stream for stream, kind in log.streams if kind != "null"]
        self._streams = {stream: rank for rank, stream in enumerate(created, 1)}
        self._parents = {call.number: call.parent for call in log.calls}
        self._threads = self._thread_ids()
        self._stack = self._stack_ids()

    def trace(self) -> traced.ProcessTrace:
        process, identity = self._log.process, self._identity
        made = traced.ProcessTrace(
            node=identity.node(),
            pid=identity.pid(process.pid),
            parent_pid=identity.parent(process.pid),
            start=self._start(),
            end=self._end(),
            ended_in_order=self._log.end is not None,
            command=process.command,
        )
        made.threads = {
            number: self._log.thread_names.get(thread, "")
            for thread, number in sorted(self._threads.items(), key=lambda item: item[1])
        }
        made.agents = [self._agent(agent) for agent in self._log.agents]
        made.code_objects = [self._code_object(item) for item in self._log.code_objects]
        made.kernels = [self._kernel(kernel) for kernel in self._log.kernels]
        made.queues = [(0, "Default Queue")] + [(rank, f"Queue {rank - 1}") for rank in self._queues.values()]
        made.streams = [(0, "Default Stream")] + [
            (rank, f"Stream {rank - 1}") for rank in self._streams.values()
        ]
        # In order of time: addresses are named as they are first mentioned.
        calls = sorted(self._calls, key=lambda call: self._stack(("call", call.number)))
        regions = [self._call(call) for call in calls] + [self._mark(mark) for mark in self._marks]
        made.regions = sorted(regions, key=lambda region: region.id)
        made.copies = sorted((self._copy(copy) for copy in self._copies), key=_by_time)
        made.allocations = sorted((self._allocation(item) for item in self._allocations), key=_by_time)
        made.scratch = sorted((self._scratch_event(item) for item in self._scratch), key=_by_time)
        self._add_dispatches(made)
        return made

    # ---- ids ---------------------------------------------------------------------------------------------

    def _thread_ids(self) -> dict[int, int]:
        events: list[_Event] = [*self._calls, *self._marks, *self._copies]
        events += [*self._allocations, *self._scratch]
        threads = {event.thread for event in events} | set(self._log.thread_names)
        threads |= {self._launch(dispatch).thread for dispatch in self._dispatches}
        threads.discard(0)
        pid = self._log.process.pid
        listed = sorted(threads)
        return {thread: self._identity.thread(pid, listed, thread) for thread in listed}

    def _thread(self, thread: int) -> int:
        return self._threads.get(thread, self._identity.pid(self._log.process.pid))

    def _launch(self, dispatch: logged.LoggedDispatch) -> logged.LoggedLaunch:
        return self._log.launches.get(dispatch.number) or logged.LoggedLaunch(0, 0, 0, dispatch.thread)

    def _outermost(self, call: int) -> int:
        """The call the program itself made: what a device operation belongs to."""
        while self._parents.get(call):
            call = self._parents[call]
        return call

    def _origin(self, call: int, otherwise: tuple[str, int]) -> tuple[str, int]:
        return ("call", self._outermost(call)) if call else otherwise

    def _stack_ids(self) -> _StackIds:
        ids = _StackIds()
        for call in self._calls:
            ids.note(("call", call.number), call.begin, self._thread(call.thread))
        for mark in self._marks:
            ids.note(("call", mark.number), mark.begin, self._thread(mark.thread))
        for dispatch in self._dispatches:
            ids.note(
                self._dispatch_origin(dispatch), dispatch.begin, self._thread(self._launch(dispatch).thread)
            )
        for number, copy in enumerate(self._copies):
            ids.note(self._origin(copy.call, ("copy", number)), copy.begin, self._thread(copy.thread))
        for number, item in enumerate(self._allocations):
            ids.note(self._origin(item.call, ("allocation", number)), item.begin, self._thread(item.thread))
        ids.assign()
        self._copy_numbers = {id(copy): number for number, copy in enumerate(self._copies)}
        self._allocation_numbers = {id(item): number for number, item in enumerate(self._allocations)}
        return ids

    def _dispatch_origin(self, dispatch: logged.LoggedDispatch) -> tuple[str, int]:
        return self._origin(self._launch(dispatch).call, ("dispatch", dispatch.number))

    # ---- things ------------------------------------------------------------------------------------------

    def _start(self) -> int:
        """The log begins with the first record, which may be of something that began before."""
        log = self._log
        events: list[_Event] = [*log.calls, *log.marks]
        return min([log.process.begin, *(event.begin for event in events)])

    def _end(self) -> int:
        if self._log.end is not None:
            return self._log.end
        log = self._log
        events: list[_Event] = [*log.calls, *log.marks, *log.dispatches, *log.copies, *log.allocations]
        return max([event.end for event in events], default=log.process.begin)

    def _agent(self, agent: logged.LoggedAgent) -> traced.TracedAgent:
        name, product, properties = agent.name, agent.product, dict(agent.properties)
        if not agent.is_gpu:
            name = product = self._identity.cpu_name(agent.name)
            properties["cpu_cores_count"] = self._identity.cpu_cores(properties.get("cpu_cores_count", 1))
        # A number for a handle: what the runtime uses means nothing outside of the process.
        return traced.TracedAgent(
            agent.index + 1,
            agent.is_gpu,
            agent.index,
            agent.type_index,
            name,
            agent.model,
            agent.vendor,
            product,
            agent.uuid,
            properties,
        )

    def _code_object(self, item: logged.LoggedCodeObject) -> traced.CodeObject:
        return traced.CodeObject(
            item.id,
            self._agents[item.agent],
            self._identity.uri(item.uri),
            item.load_base,
            item.load_size,
            item.load_delta,
            item.in_memory,
        )

    def _kernel(self, kernel: logged.KernelSymbol) -> traced.TracedKernel:
        symbol = kernel.name.removesuffix(".kd")
        demangled = demangle(symbol)
        short = truncated(demangled)
        display = demangled
        if self._options.mangled_kernels:
            display = symbol
        elif self._options.truncate_kernels:
            display = short
        return traced.TracedKernel(
            kernel.id,
            kernel.code_object,
            kernel.name,
            display,
            demangled,
            short,
            kernel.kernel_object,
            kernel.kernarg_size,
            kernel.kernarg_alignment,
            kernel.group_segment,
            kernel.private_segment,
            kernel.sgprs,
            kernel.arch_vgprs,
            kernel.accum_vgprs,
            kernel.entry_offset,
        )

    # ---- events ------------------------------------------------------------------------------------------

    def _call(self, call: logged.Call) -> traced.Region:
        hsa = call.category >= _FIRST_HSA
        arguments = tuple(
            traced.TracedArgument(position, argument.type, argument.name, self._argument_text(argument, hsa))
            for position, argument in enumerate(call.arguments)
        )
        number = self._stack(("call", call.number))
        return traced.Region(
            number,
            self._stack(("call", call.parent)) or number,
            _KINDS[call.category],
            call.name,
            "",
            self._thread(call.thread),
            call.begin,
            call.end,
            arguments,
        )

    def _argument_text(self, argument: logged.LoggedArgument, hsa: bool) -> str:
        if argument.pointer is None:
            return argument.text
        # HSA is called, mostly by the HIP runtime, with pointers to variables of the caller and with data.
        variable = hsa and argument.type.endswith(("*", ")")) and (argument.type, argument.name) not in _DATA
        named = self._identity.temporary if variable else self._identity.address
        return f"0x{named(argument.pointer):x}"

    def _mark(self, mark: logged.LoggedMarker) -> traced.Region:
        number = self._stack(("call", mark.number))
        return traced.Region(
            number,
            self._stack(("call", mark.parent)) or number,
            _marker_kind(mark.operation),
            mark.operation,
            mark.message,
            self._thread(mark.thread),
            mark.begin,
            mark.end,
        )

    def _direction(self, copy: logged.LoggedCopy) -> str:
        names = {True: "DEVICE", False: "HOST"}
        source = names[self._is_gpu.get(copy.from_agent, False)]
        return f"MEMORY_COPY_{source}_TO_{names[self._is_gpu.get(copy.to_agent, False)]}"

    def _copy(self, copy: logged.LoggedCopy) -> traced.Copy:
        return traced.Copy(
            self._stack(self._origin(copy.call, ("copy", self._copy_numbers[id(copy)]))),
            self._thread(copy.thread),
            copy.begin,
            copy.end,
            self._direction(copy),
            self._agents.get(copy.from_agent, 0),
            self._identity.address(copy.source),
            self._agents.get(copy.to_agent, 0),
            self._identity.address(copy.target),
            copy.bytes,
            self._streams.get(copy.stream, 0),
        )

    def _allocation(self, item: logged.LoggedAllocation) -> traced.Allocation:
        number = self._stack(self._origin(item.call, ("allocation", self._allocation_numbers[id(item)])))
        return traced.Allocation(
            number,
            number,
            self._thread(item.thread),
            item.begin,
            item.end,
            _ALLOCATIONS[item.operation],
            self._agents.get(item.agent),
            self._identity.address(item.address),
            item.bytes,
        )

    def _scratch_event(self, item: logged.LoggedScratch) -> traced.Scratch:
        return traced.Scratch(
            self._thread(item.thread),
            item.begin,
            item.end,
            _SCRATCH[item.operation],
            self._agents[item.agent],
            self._queues.get(item.queue, 0),
            item.bytes,
        )

    def _add_dispatches(self, made: traced.ProcessTrace) -> None:
        options = self._options
        selection = KernelSelection(options.kernel_include, options.kernel_exclude, options.kernel_iterations)
        ranges = {mark.number: mark.message for mark in self._log.marks}
        wanted = set(options.counters)
        made.collected = frozenset(dispatch.number for dispatch in self._dispatches)
        for dispatch in self._dispatches:
            event = self._dispatch(dispatch, ranges)
            counted = bool(wanted) and selection.takes(event.kernel, made.kernel(event.kernel).display_name)
            if counted:
                made.counters += [
                    traced.TracedCounterValue(
                        event.id, value.name, value.instance, value.value, value.extrapolated
                    )
                    for value in self._log.counters.get(dispatch.number, ())
                    if value.name in wanted
                ]
            if "kernel" in options.traces or counted:
                made.dispatches.append(event)

    def _dispatch(self, dispatch: logged.LoggedDispatch, ranges: dict[int, str]) -> traced.TracedDispatch:
        launch = self._launch(dispatch)
        return traced.TracedDispatch(
            dispatch.number,
            self._stack(self._dispatch_origin(dispatch)),
            self._thread(launch.thread),
            self._agents[dispatch.agent],
            dispatch.kernel,
            self._queues.get(dispatch.queue, 0),
            self._streams.get(launch.stream, 0),
            dispatch.begin,
            dispatch.end,
            dispatch.workgroup,
            dispatch.grid,
            dispatch.group_segment,
            dispatch.private_segment,
            ranges.get(launch.range, "") if self._options.kernel_rename else "",
        )


def _by_time(event: traced.Copy | traced.Allocation | traced.Scratch) -> tuple[int, int, int]:
    return event.start, event.end, event.tid


def resolve(log: logged.ProcessLog, options: Options, identity: Identity) -> traced.ProcessTrace:
    return Resolver(log, options, identity).trace()

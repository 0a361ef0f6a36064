"""The arguments of a captured kernel in terms of its source: names, types, values, what pointers point to.

Types come from debug information where there is some (a program built with -g), else from the metadata where
the compiler put them there, else from the kernel's C++ name, which has the types of all parameters. A kernel
that is extern "C" and built without -g has no types: its pointers lead to bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rocm_perf_lab.capturing.debug_types import UNNAMED, DebugParameter, parameters_of_kernel
from rocm_perf_lab.capturing.element_layout import ElementLayout, Scalar, layout_of, shown
from rocm_perf_lab.capturing.folder import Capture
from rocm_perf_lab.codeobj.arguments import arguments_of_kernel
from rocm_perf_lab.codeobj.elf import NotAnElf
from rocm_perf_lab.codeobj.metadata import NoMetadata
from rocm_perf_lab.contracts.captures.capture import CapturedArgument
from rocm_perf_lab.contracts.captures.inspection import TypeSource
from rocm_perf_lab.cxx_names import parameter_types, pointed_type

POINTER_KINDS = ("global_buffer", "dynamic_shared_pointer")
_MOST_SHOWN_BYTES = 16
_MOST_SHOWN_FIELDS = 12
NO_TYPES = 'the kernel is extern "C" and was built without -g'
OTHER_COUNT = "its name has another number of parameters than its metadata"
HIDDEN = "a hidden argument, which the source does not have"


@dataclass(frozen=True, kw_only=True)
class TypedArgument:
    index: int
    name: str | None
    type_name: str | None
    type_source: TypeSource | None
    why_no_type: str | None
    """Where type_name is None."""
    layout: ElementLayout | None
    """Of the argument itself."""
    element_name: str | None
    """What it points to, if it is a pointer; likewise element_layout (None: not known, or void)."""
    element_layout: ElementLayout | None
    raw: bytes
    """Its bytes in the kernarg segment."""
    captured: CapturedArgument

    @property
    def hidden(self) -> bool:
        return self.captured.value_kind.startswith("hidden_")

    @property
    def address(self) -> int | None:
        """Where a pointer that the application passed points to."""
        if self.captured.value_kind != "global_buffer" or len(self.raw) != 8:
            return None
        return int.from_bytes(self.raw, "little")

    @property
    def value(self) -> str:
        """For people."""
        return shown_value(self)


def typed_arguments(capture: Capture) -> list[TypedArgument]:
    """All arguments, hidden ones too, in the order of the kernarg segment."""
    kernarg, code_object = capture.kernarg(), capture.code_object()
    explicit = [one for one in capture.dispatch.arguments if not _is_hidden(one)]
    parameters, source, why_not = _parameters(
        code_object, capture.dispatch.kernel.name, capture.kernel_name, explicit
    )
    by_index = dict(zip((one.index for one in explicit), parameters, strict=True)) if parameters else {}
    return [
        _typed(one, by_index.get(one.index), source, HIDDEN if _is_hidden(one) else why_not, kernarg)
        for one in sorted(capture.dispatch.arguments, key=lambda one: one.offset)
    ]


def _is_hidden(argument: CapturedArgument) -> bool:
    return argument.value_kind.startswith("hidden_")


def _parameters(
    code_object: bytes, symbol: str, demangled: str, explicit: list[CapturedArgument]
) -> tuple[list[DebugParameter] | None, TypeSource | None, str]:
    """A parameter for each explicit argument, where they are known; else why they are not."""
    types = parameter_types(demangled) if symbol.startswith("_Z") else None
    debugged = parameters_of_kernel(code_object, symbol)
    if debugged and _agree(debugged, explicit):
        return _with_names_of(types, debugged), "debug information", ""
    told = _of_metadata(code_object, symbol, explicit)
    if told:
        return told, "metadata", ""
    if types is None:
        return None, None, NO_TYPES
    named = [_of_type(None, one) for one in types]
    if not _agree(named, explicit):
        return None, None, OTHER_COUNT
    return named, "signature", ""


def _with_names_of(types: list[str] | None, debugged: list[DebugParameter]) -> list[DebugParameter]:
    """Lambdas have no name in debug information, and functions no parameters; the kernel's name has both."""
    if types is None or len(types) != len(debugged):
        return debugged
    return [
        replace(one, type_name=name) if UNNAMED in one.type_name or "()*" in one.type_name else one
        for one, name in zip(debugged, types, strict=True)
    ]


def _of_metadata(
    code_object: bytes, symbol: str, explicit: list[CapturedArgument]
) -> list[DebugParameter] | None:
    try:
        listed = {one.offset: one for one in arguments_of_kernel(code_object, symbol)}
    except (NotAnElf, NoMetadata):
        return None
    named = [listed.get(one.offset) for one in explicit]
    if not named or any(one is None or one.type_name is None for one in named):
        return None
    parameters = [_of_type(one.name, one.type_name) for one in named if one and one.type_name]
    return parameters if _agree(parameters, explicit) else None


def _of_type(name: str | None, type_name: str) -> DebugParameter:
    pointed = pointed_type(type_name)
    return DebugParameter(
        name, type_name, layout_of(type_name), pointed, layout_of(pointed) if pointed else None
    )


def _agree(parameters: list[DebugParameter], explicit: list[CapturedArgument]) -> bool:
    """As many, and none that is known to have another size."""
    return len(parameters) == len(explicit) and all(
        parameter.layout is None or parameter.layout.stride == argument.size
        for parameter, argument in zip(parameters, explicit, strict=True)
    )


def _typed(
    argument: CapturedArgument,
    parameter: DebugParameter | None,
    source: TypeSource | None,
    why_not: str,
    kernarg: bytes,
) -> TypedArgument:
    name = argument.name.removesuffix(".coerce") if argument.name else None
    return TypedArgument(
        index=argument.index,
        name=name or (parameter.name if parameter else None),
        type_name=parameter.type_name if parameter else None,
        type_source=source if parameter else None,
        why_no_type=None if parameter else why_not,
        layout=parameter.layout if parameter else None,
        element_name=parameter.pointed_name if parameter else None,
        element_layout=parameter.pointed_layout if parameter else None,
        raw=kernarg[argument.offset : argument.offset + argument.size],
        captured=argument,
    )


def shown_value(argument: TypedArgument) -> str:
    raw, layout = argument.raw, argument.layout
    if argument.captured.value_kind in POINTER_KINDS or _is_hidden_pointer(argument):
        return f"{int.from_bytes(raw, 'little'):#x}"
    if argument.hidden:
        return str(int.from_bytes(raw, "little"))
    if layout is None or not layout.fields:
        return "{}" if layout else _readings(raw)
    if len(layout.fields) == 1 and not layout.fields[0].path:
        field = layout.fields[0]
        return shown(field.scalar, raw[: field.scalar.size]) if field.scalar.kind != "raw" else _readings(raw)
    parts = [
        f"{field.path} = {shown(field.scalar, raw[field.offset : field.offset + field.scalar.size])}"
        for field in layout.fields[:_MOST_SHOWN_FIELDS]
    ]
    rest = len(layout.fields) - len(parts)
    return "{" + ", ".join(parts) + (f", {rest} more" if rest else "") + "}"


def _is_hidden_pointer(argument: TypedArgument) -> bool:
    return (
        argument.hidden
        and len(argument.raw) == 8
        and not argument.captured.value_kind.startswith("hidden_global_offset")
    )


def _readings(raw: bytes) -> str:
    """Bytes whose type is not known; for the sizes of numbers, as which numbers they could be read."""
    if len(raw) in (4, 8):
        whole = Scalar("", "signed", len(raw))
        floating = Scalar("", "float", len(raw))
        return f"0x{raw[::-1].hex()} (integer {shown(whole, raw)}, floating {shown(floating, raw)})"
    if len(raw) in (1, 2):
        return f"0x{raw[::-1].hex()} (integer {int.from_bytes(raw, 'little', signed=True)})"
    dots = "…" if len(raw) > _MOST_SHOWN_BYTES else ""
    return f"{len(raw)} bytes {raw[:_MOST_SHOWN_BYTES].hex(' ')}{dots}"

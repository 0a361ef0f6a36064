"""From the name of a kernel in a profile to its definition in the source.

Names in profiles are mangled (``_Z7softmaxPKfPfii``), demangled (``void scale<float, 4>(float*, int)``), or
plain (extern "C"). A definition is ruled out by its name, scope, number of parameters, or a parameter whose
type cannot be the one of the profile. One that is left is the match.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.functions import split_list
from rocm_perf_lab.optimizing.source.kernel import kernel_of, macro_kernels
from rocm_perf_lab.optimizing.source.macros import expanded
from rocm_perf_lab.optimizing.source.model import SourceFunction, SourceKernel, Unit
from rocm_perf_lab.optimizing.source.tokens import code_tokens, words

_ANONYMOUS = "(anonymous namespace)"
# Spellings of one type, made equal. Demanglers write "unsigned int" and "long"; sources have more ways.
_SAME_TYPE = {
    "unsigned": "unsigned int",
    "uint": "unsigned int",
    "uint32_t": "unsigned int",
    "int32_t": "int",
    "long int": "long",
    "unsigned long int": "unsigned long",
    "size_t": "unsigned long",
    "uint64_t": "unsigned long",
    "int64_t": "long",
    "ptrdiff_t": "long",
    "uintptr_t": "unsigned long",
    "uint16_t": "unsigned short",
    "int16_t": "short",
    "uint8_t": "unsigned char",
    "int8_t": "signed char",
    "ushort": "unsigned short",
    "uchar": "unsigned char",
    "half": "__half",
    "long long int": "long long",
    "unsigned long long int": "unsigned long long",
    "dim3": "dim3",
}
_PRIMITIVE = frozenset(
    {
        "bool",
        "char",
        "int",
        "long",
        "short",
        "float",
        "double",
        "void",
        "unsigned",
        "signed",
        "__half",
        "_Float16",
        "__bf16",
    }
)


@dataclass(frozen=True)
class ProfiledName:
    scope: tuple[str, ...]
    name: str
    template_arguments: tuple[str, ...] | None
    parameters: tuple[str, ...] | None
    """None where the name says nothing of them (extern "C")."""


def parse_profiled_name(text: str) -> ProfiledName:
    name = re.sub(r"( \[clone [^\]]*\]|\.kd)$", "", text.strip())
    name = demangle(name)
    name = re.sub(r" \[clone [^\]]*\]", "", name).replace(_ANONYMOUS, "{anonymous}")
    opening = _parameters_start(name)
    parameters = None
    if opening is not None:
        inside = name[opening + 1 : name.rindex(")")]
        parameters = () if inside.strip() in ("", "void") else split_list(inside)
        name = name[:opening]
    arguments = None
    if name.endswith(">"):
        start = _matching_angle(name)
        arguments = split_list(name[start + 1 : -1])
        name = name[:start]
    name = _last_outside_angles(name)
    parts = [re.sub(r"<.*", "", part) for part in _scopes(name)]
    scope = tuple("" if part == "{anonymous}" else part for part in parts[:-1])
    return ProfiledName(scope, parts[-1].strip(), arguments, parameters)


def find_kernel(unit: Unit, profiled: str) -> SourceKernel:
    """The kernel of the main file that a profile calls ``profiled``. Raises Refused."""
    wanted = parse_profiled_name(profiled)
    named = [kernel for kernel in unit.kernels if kernel.name == wanted.name]
    left = [kernel for kernel in named if _may_be(kernel, wanted)]
    if len(left) > 1:
        left = _most_special(left, wanted)
    if len(left) == 1:
        return kernel_of(unit, left[0])
    if len(left) > 1:
        lines = ", ".join(f"line {kernel.line}" for kernel in left)
        raise Refused("kernel-ambiguous", f"{profiled}: {lines}", str(unit.main.path))
    raise _not_found(unit, profiled, wanted, bool(named))


def _not_found(unit: Unit, profiled: str, wanted: ProfiledName, named: bool) -> Refused:
    made = macro_kernels(unit)
    used = {word.text for word in words(unit.main.text)}
    makers = sorted(name for name in made if name in used or wanted.name in unit.main.macros)
    elsewhere = [
        str(file.path)
        for file in unit.includes
        for function in file.functions
        if function.is_kernel and function.name == wanted.name
    ]
    if elsewhere:
        where = f"{profiled} is defined in {elsewhere[0]}: name that file as the source"
        return Refused("kernel-not-found", where)
    if not named and _seems_defined(unit, wanted.name):
        return Refused("source-unparsed", f"the definition of {wanted.name}", str(unit.main.path))
    if makers and not named:
        return Refused(
            "kernel-in-macro", f"{profiled} may be made by {', '.join(makers)}", str(unit.main.path)
        )
    known = ", ".join(kernel.qualified_name for kernel in unit.kernels) or "none"
    return Refused("kernel-not-found", f"{profiled}; the source has: {known}", str(unit.main.path))


def _seems_defined(unit: Unit, name: str) -> bool:
    """The text has ``__global__ … name(``, though the parser made no function of it."""
    code = code_tokens(unit.main.text)
    since = False
    for token, after in itertools.pairwise(code):
        if "__global__" in expanded([token.text], unit.main.macros):
            since = True
        elif token.text in ("{", "}", ";"):
            since = False
        if since and token.text == name and after.text in ("(", "<"):
            return True
    return False


def _may_be(kernel: SourceFunction, wanted: ProfiledName) -> bool:
    if wanted.parameters is None and wanted.template_arguments is None:
        # A plain name: extern "C", or a name that was cut short on its way.
        return wanted.scope == () or wanted.scope == kernel.scope
    if kernel.is_extern_c or kernel.scope != wanted.scope:
        return False
    is_template = kernel.template_parameters is not None
    if is_template != (wanted.template_arguments is not None):
        return False
    if kernel.specialised and wanted.template_arguments is not None:
        ours = [_normal(argument) for argument in kernel.specialised]
        theirs = [_normal(argument) for argument in wanted.template_arguments[: len(ours)]]
        if kernel.template_parameters == () and not _same_arguments(ours, theirs):
            return False
    if wanted.parameters is None:
        return True
    packs = any("..." in parameter.type for parameter in kernel.parameters)
    if packs:
        return len(wanted.parameters) >= len(kernel.parameters) - 1
    if len(kernel.parameters) != len(wanted.parameters):
        return False
    return all(
        _may_be_type(parameter.type, theirs)
        for parameter, theirs in zip(kernel.parameters, wanted.parameters, strict=True)
    )


def _most_special(kernels: list[SourceFunction], wanted: ProfiledName) -> list[SourceFunction]:
    """A full specialisation is what runs where its arguments are those of the profile."""
    special = [kernel for kernel in kernels if kernel.specialised is not None]
    if len(special) == 1 and special[0].template_parameters == () and wanted.template_arguments is not None:
        return special
    exact = [kernel for kernel in kernels if _exact(kernel, wanted)]
    return exact if len(exact) == 1 else kernels


def _exact(kernel: SourceFunction, wanted: ProfiledName) -> bool:
    return wanted.parameters is not None and [_normal(each.type) for each in kernel.parameters] == [
        _normal(each) for each in wanted.parameters
    ]


def _same_arguments(ours: list[str], theirs: list[str]) -> bool:
    """Template arguments; names that may be aliases or constants decide nothing."""
    if len(ours) != len(theirs):
        return False
    return all(
        our == their or not _decides(our) or not _decides(their)
        for our, their in zip(ours, theirs, strict=True)
    )


def _decides(type_text: str) -> bool:
    """Made of built-in words and numbers alone, so that another spelling is another type."""
    return all(
        word in _PRIMITIVE or word in ("const", "volatile") or word.isdigit() or word in ("true", "false")
        for word in re.findall(r"\w+", type_text)
    )


def _may_be_type(ours: str, theirs: str) -> bool:
    our, their = _normal(ours), _normal(theirs)
    if our == their:
        return True
    if our.count("*") > their.count("*") and not _decides(their):
        return False
    return not (_decides(our) and _decides(their))


def _normal(text: str) -> str:
    """A type with one spelling: ``const float *__restrict__`` and ``float const*`` are ``float const*``."""
    plain = re.sub(r"\b(__restrict__|__restrict|restrict|struct|class|typename|std::)\b", " ", text)
    plain = re.sub(
        r"\((int|unsigned int|bool|long|unsigned long)\)(?=-?\d)", "", plain
    )  # (int)4 in arguments
    plain = re.sub(r"(?<=\d)[uUlL]+\b", "", plain)
    base, star, rest = plain.partition("*")
    found = re.findall(r"[\w:]+|[<>,&\[\]()]", base)
    if not star:  # const of a value is no part of a function's type
        found = [word for word in found if word != "const" or "&" in found]
    const = "const" in found
    name = " ".join(word for word in found if word != "const")
    name = _SAME_TYPE.get(name, name)
    if star:
        rest = re.sub(r"\s+", "", re.sub(r"\bconst\b\s*$", "", rest.strip()))
    return f"{name}{' const' if const else ''}{star}{rest}"


def _parameters_start(name: str) -> int | None:
    """The parenthesis that opens the parameters: the one that the last one closes."""
    if not name.endswith(")"):
        return None
    depth = 0
    for place in range(len(name) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(name[place], 0)
        if depth == 0:
            return place
    return None


def _matching_angle(name: str) -> int:
    depth = 0
    for place in range(len(name) - 1, -1, -1):
        depth += {">": 1, "<": -1}.get(name[place], 0)
        if depth == 0:
            return place
    return 0


def _last_outside_angles(name: str) -> str:
    """Without the return type in front."""
    depth, start = 0, 0
    for place, character in enumerate(name):
        depth += {"<": 1, ">": -1}.get(character, 0)
        if character == " " and depth == 0:
            start = place + 1
    return name[start:]


def _scopes(name: str) -> list[str]:
    parts, depth, current = [], 0, ""
    place = 0
    while place < len(name):
        depth += {"<": 1, ">": -1}.get(name[place], 0)
        if depth == 0 and name.startswith("::", place):
            parts.append(current)
            current, place = "", place + 2
            continue
        current += name[place]
        place += 1
    return [*parts, current]

"""How bytes are to be read as elements: numbers, pointers, vectors and structures of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = Literal["float", "bfloat", "signed", "unsigned", "pointer", "raw"]


@dataclass(frozen=True)
class Scalar:
    name: str
    kind: Kind
    size: int

    @property
    def floating(self) -> bool:
        return self.kind in ("float", "bfloat")

    @property
    def epsilon(self) -> float:
        """Distance from 1 to the next larger number."""
        if self.kind == "bfloat":
            return 2.0**-7
        return {2: 2.0**-10, 4: 2.0**-23, 8: 2.0**-52}[self.size]


@dataclass(frozen=True)
class Field:
    path: str
    """As one would write it behind the element: ``.x``, ``.position[2]``; empty for a plain number."""
    offset: int
    scalar: Scalar


@dataclass(frozen=True)
class ElementLayout:
    """Elements of ``stride`` bytes. Bytes that no field covers are padding, and mean nothing."""

    name: str
    stride: int
    fields: tuple[Field, ...]


def of_scalar(scalar: Scalar) -> ElementLayout:
    return ElementLayout(scalar.name, scalar.size, (Field("", 0, scalar),))


RAW = of_scalar(Scalar("byte", "raw", 1))
POINTER_BYTES = 8
_SCALARS: dict[str, tuple[Kind, int]] = {
    "float": ("float", 4),
    "double": ("float", 8),
    "_Float16": ("float", 2),
    "__half": ("float", 2),
    "half": ("float", 2),
    "__hip_bfloat16": ("bfloat", 2),
    "hip_bfloat16": ("bfloat", 2),
    "__bf16": ("bfloat", 2),
    "bool": ("unsigned", 1),
    "char": ("signed", 1),
    "signed char": ("signed", 1),
    "unsigned char": ("unsigned", 1),
    "short": ("signed", 2),
    "unsigned short": ("unsigned", 2),
    "int": ("signed", 4),
    "unsigned int": ("unsigned", 4),
    "long": ("signed", 8),
    "unsigned long": ("unsigned", 8),
    "long long": ("signed", 8),
    "unsigned long long": ("unsigned", 8),
}
# Other spellings, of sources and of demanglers.
_SAME = {
    "unsigned": "unsigned int",
    "uint": "unsigned int",
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "uchar": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "ushort": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "int64_t": "long",
    "uint64_t": "unsigned long",
    "size_t": "unsigned long",
    "ulong": "unsigned long",
    "long int": "long",
    "long unsigned int": "unsigned long",
    "short int": "short",
    "short unsigned int": "unsigned short",
    "long long int": "long long",
    "long long unsigned int": "unsigned long long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "__hip_bfloat162": "__hip_bfloat16 2",
    "__half2": "__half 2",
    "half2": "__half 2",
    "hipFloatComplex": "float 2",
    "hipDoubleComplex": "double 2",
}
_QUALIFIERS = re.compile(r"\b(?:const|volatile|struct|class|enum)\b|__restrict__|__restrict|\brestrict\b")
_HIP_VECTOR = re.compile(r"^HIP_vector_type<\s*(.+?)\s*,\s*([1-4])u?\s*>$")
_SHORT_VECTOR = re.compile(
    r"^(float|double|half|char|uchar|short|ushort|int|uint|long|ulong|longlong|ulonglong)([1-4])$"
)
_CLANG_VECTOR = re.compile(r"^(.+?)\s+(?:__)?vector(?:\[|\()(\d+)(?:\]|\))$")
_ARRAY = re.compile(r"^(.+?)\s*((?:\[\d+\])+)$")
_LETTERS = "xyzw"
_MOST_FIELDS = 1024


def layout_of(type_name: str) -> ElementLayout | None:
    """The layout of a C++ type by its name; None for one that its name does not tell, such as a structure."""
    plain = " ".join(_QUALIFIERS.sub(" ", type_name).split())
    if plain.endswith("*") or "(*" in plain:
        return of_scalar(Scalar(plain, "pointer", POINTER_BYTES))
    if plain == "dim3":
        return of_vector("dim3", Scalar("unsigned int", "unsigned", 4), 3)
    vector = _HIP_VECTOR.match(plain) or _SHORT_VECTOR.match(plain) or _CLANG_VECTOR.match(plain)
    if vector is None:
        vector = re.match(r"^(.+) (2)$", _SAME.get(plain, ""))
    if vector is not None:
        scalar = scalar_of(vector[1])
        return of_vector(type_name.strip(), scalar, int(vector[2])) if scalar else None
    array = _ARRAY.match(plain)
    if array is not None:
        element = layout_of(array[1])
        counts = [int(text) for text in re.findall(r"\d+", array[2])]
        return of_array(plain, element, counts) if element else None
    scalar = scalar_of(plain)
    return of_scalar(scalar) if scalar else None


def scalar_of(plain: str) -> Scalar | None:
    plain = _SAME.get(plain, plain)
    if plain not in _SCALARS:
        return None
    kind, size = _SCALARS[plain]
    return Scalar(plain, kind, size)


def of_vector(name: str, scalar: Scalar, count: int) -> ElementLayout:
    paths = [f".{_LETTERS[index]}" if count <= 4 else f"[{index}]" for index in range(count)]
    fields = tuple(Field(path, index * scalar.size, scalar) for index, path in enumerate(paths))
    return ElementLayout(name, count * scalar.size, fields)


def of_array(name: str, element: ElementLayout, counts: list[int]) -> ElementLayout | None:
    """``counts`` of each dimension, the first one first; None for one too long to be written out."""
    for count in reversed(counts):
        if count * len(element.fields) > _MOST_FIELDS:
            return None
        fields = tuple(
            Field(f"[{index}]{field.path}", index * element.stride + field.offset, field.scalar)
            for index in range(count)
            for field in element.fields
        )
        element = ElementLayout(name, count * element.stride, fields)
    return element


def numbers(scalar: Scalar, raw: NDArray[np.uint8]) -> NDArray[Any]:
    """Rows of ``scalar.size`` bytes as float64; of floating-point scalars only."""
    import numpy as np

    contiguous = np.ascontiguousarray(raw)
    if scalar.kind == "bfloat":
        wide = contiguous.view("<u2").reshape(-1).astype(np.uint32) << 16
        with np.errstate(invalid="ignore"):
            return wide.view(np.float32).astype(np.float64)
    with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
        return contiguous.view(f"<f{scalar.size}").reshape(-1).astype(np.float64)


def shown(scalar: Scalar, raw: bytes) -> str:
    """One value as a person would write it: enough digits to tell it from its neighbours."""
    if scalar.floating:
        import numpy as np

        bits = np.frombuffer(raw, np.uint8)[None, :]
        if scalar.kind == "bfloat":
            return f"{float(numbers(scalar, bits)[0]):.4g}"
        return str(np.frombuffer(raw, f"<f{scalar.size}")[0])
    if scalar.kind in ("pointer", "raw"):
        return f"0x{int.from_bytes(raw, 'little'):0{2 * scalar.size}x}"
    value = int.from_bytes(raw, "little", signed=scalar.kind == "signed")
    if scalar.name == "bool" and value < 2:
        return "true" if value else "false"
    return str(value)

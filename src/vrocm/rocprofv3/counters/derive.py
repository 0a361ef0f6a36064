"""Values of counters, from what the virtual GPU counted for a dispatch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import RequestRefused
from .catalogue import Catalogue, Counter
from .expression import REDUCTIONS, Reference, evaluate


@dataclass(frozen=True)
class Value:
    name: str
    value: float
    extrapolated: bool  # the dispatch was simulated in part, and this follows from the part


def values_of(
    names: Sequence[str],
    catalogue: Catalogue,
    counted: Mapping[str, Sequence[float]],
    properties: Mapping[str, float],
) -> list[Value]:
    """The counters asked for, of one dispatch on a GPU with these properties."""
    constants = {
        "CU_NUM": properties["cu_count"],
        "SIMD_NUM": properties["cu_count"] * properties["simd_per_cu"],
        "SE_NUM": properties["num_shader_banks"],
        "XCC_NUM": properties["num_xcc"],
        "MAX_WAVE_SIZE": properties["wave_front_size"],
        "MAX_WAVES_PER_CU": properties["max_waves_per_cu"],
    }
    evaluator = Evaluator(catalogue, counted, constants, names)
    partial = any(counted.get("extrapolated", ()))
    return [Value(name, evaluator.value(name), partial and catalogue.is_timed(name)) for name in names]


class Evaluator:
    """Values for one dispatch. ``counted`` has totals by name and values of instances as ``name[]``."""

    def __init__(
        self,
        catalogue: Catalogue,
        counted: Mapping[str, Sequence[float]],
        constants: Mapping[str, float],
        asked: Sequence[str] = (),
    ) -> None:
        self._catalogue, self._counted, self._constants, self._asked = catalogue, counted, constants, asked

    def value(self, name: str) -> float:
        counter = self._catalogue.counter(name)
        if counter.previous:
            return self.value(self._before(counter))
        if counter.expression:
            return evaluate(counter.expression, lambda part: self._of_counter(part, name))
        if counter.instance is not None:
            values = self._instances(counter)
            if counter.instance >= len(values):
                raise RequestRefused(f"--pmc: {name}: the block has {len(values)} instances, counted from 0")
            return values[counter.instance]
        return self._reduced(counter, "sum")

    def _before(self, counter: Counter) -> str:
        """SQ_ACCUM_PREV stands for the counter before it."""
        place = self._asked.index(counter.name) if counter.name in self._asked else 0
        before = self._asked[place - 1] if place else ""
        if "_LEVEL" not in before:
            raise RequestRefused(
                f"--pmc: {counter.name} sums up the level counter before it in the list (SQ_LEVEL_WAVES,"
                f" SQ_INST_LEVEL_…), and {before or 'nothing'} is before it"
            )
        return before

    def _of_counter(self, reference: Reference, within: str) -> float:
        part = self._catalogue.resolve(reference)
        if part is None:
            return self._constants[reference.name]
        counter = self._catalogue.counter(part.name)
        if counter.expression:
            return self.value(counter.name)
        return self._reduced(counter, part.reduction)

    def _reduced(self, counter: Counter, reduction: str) -> float:
        if reduction == "sum" and not counter.each:
            return evaluate(self._text(counter), lambda raw: self._total(raw, counter))
        return REDUCTIONS[reduction](self._instances(counter))

    def _instances(self, counter: Counter) -> list[float]:
        if counter.each:
            value = evaluate(counter.each, lambda raw: self._total(raw, counter))
            count = evaluate(
                self._catalogue.instances[counter.block], lambda name: self._constants[name.name]
            )
            return [value] * int(count)
        return [self._one(counter, place) for place in range(self._count(counter))]

    def _count(self, counter: Counter) -> int:
        return int(
            evaluate(self._catalogue.instances[counter.block], lambda name: self._constants[name.name])
        )

    def _one(self, counter: Counter, place: int) -> float:
        def raw(reference: Reference) -> float:
            if reference.name in self._constants:
                return self._constants[reference.name] / self._count(counter)
            values = self._counted.get(reference.name + "[]")
            if values is None:
                raise self._missing(counter)
            return values[place] if place < len(values) else 0.0

        return evaluate(self._text(counter), raw)

    def _text(self, counter: Counter) -> str:
        if counter.unavailable:
            raise RequestRefused(f"--pmc: {counter.name} is not available: {counter.unavailable}")
        return counter.counts

    def _total(self, reference: Reference, counter: Counter) -> float:
        if reference.name in self._constants:
            return self._constants[reference.name]
        if reference.name not in self._counted:
            raise self._missing(counter)
        return sum(self._counted[reference.name])

    def _missing(self, counter: Counter) -> RequestRefused:
        return RequestRefused(
            f"--pmc: the virtual GPU gave no value for {counter.name}"
            " (counters of time and caches need the timing model: VROCM_TIMING=off is without)"
        )

"""Work and traffic of a kernel: formulas over counters, and rates over the time of the timing runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rocm_perf_lab.arch.counters import Formula, MissingCounters, total_of
from rocm_perf_lab.arch.counters.blocks import summed
from rocm_perf_lab.arch.counters.traffic import LevelTraffic
from rocm_perf_lab.arch.counters.work import WorkFormula
from rocm_perf_lab.contracts.profiling.roofline import Ceiling, Suspect, Traffic, Work

from .counted import CountedWork
from .physics import negative_parts


@dataclass
class RooflineFigures:
    """What follows from the counters of a kernel, what is missing (figure -> why) and what cannot be."""

    counted: CountedWork
    ns: float
    """Time of the launches in a timing run."""
    roofs: Sequence[Ceiling]
    dropped: Mapping[str, str]
    """Counters that could not be collected, and why."""
    work: list[Work] = field(default_factory=list)
    traffic: list[Traffic] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    """Types of work that are not part of the sum, which stands without them, and why."""
    suspects: list[Suspect] = field(default_factory=list)
    uses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Figure -> counters that it is made of."""

    @property
    def flops(self) -> float | None:
        """All floating-point operations; None where some were not counted."""
        if any(name.startswith("work") for name in self.missing):
            return None
        return sum(one.operations for one in self.work if not one.type.startswith("i"))

    @property
    def memory(self) -> Traffic | None:
        return next((one for one in self.traffic if one.level == "hbm"), None)

    @property
    def doubtful(self) -> set[str]:
        """Figures that are suspect themselves, or made of a counter that is."""
        named = {one.figure for one in self.suspects}
        counters = {
            name.removeprefix("counter ").removesuffix("_sum")
            for name in named
            if name.startswith("counter ")
        }
        return named | {figure for figure, parts in self.uses.items() if counters.intersection(parts)}

    def lacks(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if self.counted.value(name) is None]

    def not_collected(self, names: Sequence[str]) -> str:
        """In words: which counters are missing, and why as far as that is known."""
        why = {self.dropped.get(summed(name), self.dropped.get(name, "")) for name in names} - {""}
        return f"not collected: {', '.join(names)}" + (f" ({'; '.join(sorted(why))})" if why else "")

    def add_work(self, formula: WorkFormula) -> None:
        name = f"{formula.unit} {formula.type}"
        figure = f"work {name}"
        self.uses[figure] = formula.formula.counters
        try:
            operations = total_of(formula.formula, self.counted.counters)
        except MissingCounters as problem:
            self.missing[figure] = self.not_collected(problem.names)
            return
        if operations == 0:
            return
        rate = operations / self.ns
        roof = self._roof(figure, name, rate, formula.formula)
        self.work.append(
            Work(
                type=formula.type,
                unit=formula.unit,
                operations=operations,
                gflops=rate,
                ceiling=roof.name if roof else None,
                share_of_ceiling=rate / roof.value if roof else None,
                formula=str(formula.formula),
            )
        )

    def add_traffic(self, level: LevelTraffic) -> None:
        """After all work: the intensity needs it."""
        figure = f"traffic {level.level}"
        self.uses[figure] = level.counters
        absent = self.lacks(level.counters)
        if absent:
            self.missing[figure] = self.not_collected(absent)
            return
        values = {formula: total_of(formula, self.counted.counters) for formula in level.formulas}
        whole = Formula(tuple(part for formula in level.formulas for part in formula.parts), "")
        self.suspects += negative_parts(figure, whole, self.counted)
        total, flops = sum(values.values()), self.flops
        rate = total / self.ns
        roof = self._roof(figure, level.level, rate, whole, level.upper_bound)
        self.traffic.append(
            Traffic(
                level=level.level,
                read_bytes=values[level.read] if level.read else None,
                write_bytes=values[level.write] if level.write else None,
                total_bytes=total,
                gbps=rate,
                arithmetic_intensity=flops / total if flops is not None and total > 0 else None,
                ceiling=roof.name if roof else None,
                share_of_ceiling=rate / roof.value if roof else None,
                formula=str(whole),
                upper_bound=level.upper_bound,
            )
        )

    def _roof(
        self, figure: str, name: str, rate: float, formula: Formula, upper_bound: str | None = None
    ) -> Ceiling | None:
        """The first roof that the rate is not above; where it is above all of them, the figure is suspect."""
        known = [one for one in self.roofs if one.figure == name]
        for one in known:
            if rate <= one.value:
                return one
        if known:
            highest = max(known, key=lambda one: one.value)
            why = f"above {highest.name}: {highest.value:g} {highest.unit} ({highest.source})"
            self.suspects.append(
                Suspect(
                    figure=figure,
                    value=rate,
                    why=why + (f"; the figure is an upper bound: {upper_bound}" if upper_bound else ""),
                    formula=f"({formula}) / time of the timing runs",
                    counters=self.counted.shown(formula.counters),
                )
            )
        return None

"""Work and traffic of a kernel: formulas over counters, and rates over the time of the timing runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rocm_perf_lab.arch.counters import Formula, MissingCounters, Part, total_of, value_of
from rocm_perf_lab.arch.counters.blocks import summed
from rocm_perf_lab.arch.counters.formula import part_values
from rocm_perf_lab.arch.counters.traffic import LevelTraffic
from rocm_perf_lab.arch.counters.work import WorkFormula
from rocm_perf_lab.contracts.roofline import Ceiling, Suspect, Traffic, Work


@dataclass
class Figures:
    """What was worked out, with what is missing (figure -> why) and what cannot be (suspects)."""

    work: list[Work] = field(default_factory=list)
    traffic: list[Traffic] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    suspects: list[Suspect] = field(default_factory=list)
    uses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Figure -> counters that it is made of."""
    dropped: Mapping[str, str] = field(default_factory=dict)
    """Counters that could not be collected, and why."""

    def not_collected(self, names: Sequence[str]) -> str:
        """In words: which counters are missing, and why as far as that is known."""
        why = {self.dropped.get(summed(name), self.dropped.get(name, "")) for name in names} - {""}
        return f"not collected: {', '.join(names)}" + (f" ({'; '.join(sorted(why))})" if why else "")


def roof_of(figure: str, rate: float, roofs: Sequence[Ceiling]) -> Ceiling | None:
    """The first roof that the rate is not above."""
    return next((roof for roof in roofs if roof.figure == figure and rate <= roof.value), None)


def add_work(
    into: Figures, formula: WorkFormula, counters: Mapping[str, float], ns: float, roofs: Sequence[Ceiling]
) -> None:
    name = f"{formula.unit} {formula.type}"
    figure = f"work {name}"
    into.uses[figure] = formula.formula.counters
    try:
        operations = total_of(formula.formula, counters)
    except MissingCounters as problem:
        into.missing[figure] = into.not_collected(problem.names)
        return
    into.suspects += _negative_parts(figure, formula.formula, counters)
    if operations == 0:
        return
    rate = operations / ns
    roof = roof_of(name, rate, roofs)
    into.suspects += _above(figure, name, rate, roof, roofs, str(formula.formula), formula.formula, counters)
    into.work.append(
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


def add_traffic(
    into: Figures,
    level: LevelTraffic,
    counters: Mapping[str, float],
    ns: float,
    roofs: Sequence[Ceiling],
    flops: float | None,
) -> None:
    figure = f"traffic {level.level}"
    into.uses[figure] = level.counters
    try:
        values = {formula: total_of(formula, counters) for formula in level.formulas}
    except MissingCounters:
        absent = [name for name in level.counters if value_of(name, counters) is None]
        into.missing[figure] = into.not_collected(absent)
        return
    text = " + ".join(str(formula) for formula in level.formulas)
    whole = Formula(tuple(part for formula in level.formulas for part in formula.parts), "")
    into.suspects += _negative_parts(figure, whole, counters)
    total = sum(values.values())
    rate = total / ns
    roof = roof_of(level.level, rate, roofs)
    into.suspects += _above(figure, level.level, rate, roof, roofs, text, whole, counters, level.upper_bound)
    into.traffic.append(
        Traffic(
            level=level.level,
            read_bytes=values[level.read] if level.read else None,
            write_bytes=values[level.write] if level.write else None,
            total_bytes=total,
            gbps=rate,
            arithmetic_intensity=flops / total if flops is not None and total > 0 else None,
            ceiling=roof.name if roof else None,
            share_of_ceiling=rate / roof.value if roof else None,
            formula=text,
            upper_bound=level.upper_bound,
        )
    )


def _shown(part_or_formula: Part | Formula, counters: Mapping[str, float]) -> dict[str, float]:
    if isinstance(part_or_formula, Part):
        names: tuple[str, ...] = (*part_or_formula.of, *part_or_formula.less)
    else:
        names = part_or_formula.counters
    return {name: value for name in names if (value := value_of(name, counters)) is not None}


def _negative_parts(figure: str, formula: Formula, counters: Mapping[str, float]) -> list[Suspect]:
    return [
        Suspect(
            figure=figure,
            value=part.weight * count,
            why="a number of events is negative: these counters are not of the same launches, or miscount",
            formula=str(part),
            counters=_shown(part, counters),
        )
        for part, count in part_values(formula, counters)
        if count < 0
    ]


def _above(
    figure: str,
    name: str,
    rate: float,
    roof: Ceiling | None,
    roofs: Sequence[Ceiling],
    text: str,
    formula: Formula,
    counters: Mapping[str, float],
    upper_bound: str | None = None,
) -> list[Suspect]:
    """A suspect where there are roofs and the rate is above all of them."""
    known = [one for one in roofs if one.figure == name]
    if roof is not None or not known:
        return []
    highest = max(known, key=lambda one: one.value)
    why = f"above {highest.name}: {highest.value:g} {highest.unit} ({highest.source})"
    if upper_bound:
        why += f"; the figure is an upper bound: {upper_bound}"
    return [
        Suspect(
            figure=figure,
            value=rate,
            why=why,
            formula=f"({text}) / time of the timing runs",
            counters=_shown(formula, counters),
        )
    ]

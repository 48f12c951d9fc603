"""modelDescription.xml of an FMU: variables, units, start values, states and what depends on what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from ..basics.version import __version__
from .c_interface import Variable
from .header import HeaderData

BASES = {
    "m": {"m": 1}, "rad": {"rad": 1}, "s": {"s": 1}, "N": {"kg": 1, "m": 1, "s": -2}, "N m": {"kg": 1, "m": 2, "s": -2},
    "m/s": {"m": 1, "s": -1}, "rad/s": {"rad": 1, "s": -1}, "J": {"kg": 1, "m": 2, "s": -2}, "1": {},
    "m/s2": {"m": 1, "s": -2}, "rad/s2": {"rad": 1, "s": -2}, "1/s": {"s": -1},
}  # fmt: skip
"""Units as powers of base units."""


@dataclass(frozen=True)
class FmuVariables:
    """What an FMU says of itself.

    sheet       the exported model
    asked       names of its outputs
    token       by which an importer makes sure that the file and the library belong together
    exchange    whether it can be integrated by others
    indicators  its event indicators: name, unit, meaning
    name        by which its library is called
    """

    sheet: HeaderData
    asked: Sequence[str]
    token: str
    exchange: bool
    indicators: Sequence[tuple[str, str, str]]
    name: str

    @property
    def states(self) -> list[int]:
        """Indices of the continuous states: q, v and the integrated internal states."""
        found = [i for i, one in enumerate(self.sheet.variables) if one.kind in ("q", "v", "z")]
        latched = len(self.sheet.what.loop.latched)
        first = self.sheet.first("z")
        return [i for i in found if not first <= i < first + latched]

    def causality(self, one: Variable) -> str:
        """What a variable is to an importer."""
        if one.kind == "time":
            return "independent"
        if one.kind == "input":
            return "input"
        return "output" if one.name in self.asked else "local"

    def depends(self, number: int) -> tuple[list[int], str]:
        """Indices of what the derivative of a state depends on, and how."""
        model = self.sheet.what.model
        entry = {int(j): k for k, j in enumerate(model.arrays.q_index) if j >= 0}
        if number < model.nq and number in entry:
            return [self.sheet.first("v") + entry[number]], "constant"
        return self.known(), "dependent"

    def shows(self, index: int) -> tuple[list[int], str]:
        """Indices of what an output depends on, and how."""
        return ([index], "constant") if index in self.states else (self.known(), "dependent")

    def known(self) -> list[int]:
        """Indices of time, continuous states and inputs."""
        inputs = [i for i, one in enumerate(self.sheet.variables) if one.kind == "input"]
        return [0, *self.states, *inputs]


def statement_of(found: tuple[list[int], str], exact: Collection[int] | None = None, first: int = 0) -> str:
    """Attributes that say what an unknown depends on.

    exact    where given, only those count: at the start, states that follow from others are no knowns
    first    number of the first variable
    """
    known, how = found
    kept = known if exact is None else [i for i in known if i in exact]
    words = " ".join(str(i + first) for i in kept)
    return f' dependencies="{words}" dependenciesKind="{" ".join([how] * len(kept))}"'


def rate_unit(unit: str) -> str:
    """Unit of a derivative by time; "" where it has no name here."""
    return {"m": "m/s", "rad": "rad/s", "m/s": "m/s2", "rad/s": "rad/s2", "1": "1/s"}.get(unit, "")


def _units(what: FmuVariables) -> Iterator[str]:
    used = {one.unit for one in what.sheet.variables} | {rate_unit(one.unit) for one in what.sheet.variables}
    used |= {unit for _, unit, _ in what.indicators}
    for unit in sorted(used & BASES.keys()):
        base = " ".join(f'{name}="{power}"' for name, power in BASES[unit].items())
        yield f"    <Unit name={quoteattr(unit)}><BaseUnit {base}/></Unit>"


def _unit(unit: str) -> str:
    return f" unit={quoteattr(unit)}" if unit in BASES else ""


def description(what: FmuVariables, version: int) -> str:
    """The whole file."""
    return _version3(what) if version == 3 else _version2(what)


def _version3(what: FmuVariables) -> str:
    sheet = what.sheet
    model, step, start = sheet.what.model, sheet.what.step, sheet.what.plan.start
    count = len(sheet.variables)
    common = f'modelIdentifier={quoteattr(what.name)} canGetAndSetFMUState="true" canSerializeFMUState="true" ' \
        'providesDirectionalDerivatives="true" providesAdjointDerivatives="true"'  # fmt: skip
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<fmiModelDescription fmiVersion="3.0" modelName={quoteattr(model.name)} instantiationToken="{what.token}"',
        f'  description={quoteattr(f"exported by Jourdain {__version__}")} generationTool="Jourdain {__version__}"',
        '  variableNamingConvention="flat">',
    ]
    if what.exchange:
        lines.append(f'  <ModelExchange {common} needsCompletedIntegratorStep="true"/>')
    lines.append(
        f'  <CoSimulation {common} canHandleVariableCommunicationStepSize="true" fixedInternalStepSize="{step!r}"/>'
    )
    lines += ["  <UnitDefinitions>", *_units(what), "  </UnitDefinitions>"]
    lines += ['  <LogCategories><Category name="logStatusError"/></LogCategories>']
    lines += [f'  <DefaultExperiment startTime="{start!r}" stopTime="{start + 1.0!r}" stepSize="{step!r}"/>']
    lines += ["  <ModelVariables>"]
    for i, one in enumerate(sheet.variables):
        lines.append(_variable3(what, i, one))
    for number, i in enumerate(what.states):
        one = sheet.variables[i]
        name, unit = quoteattr(f"der({one.name})"), _unit(rate_unit(one.unit))
        lines.append(
            f'    <Float64 name={name} valueReference="{count + number}" causality="local" variability="continuous" '
            f'initial="calculated" derivative="{i}"{unit}/>'
        )
    indicators = list(enumerate(what.indicators, start=count + len(what.states)))
    for number, (name, unit, stated) in indicators:
        lines.append(
            f'    <Float64 name={quoteattr(name)} valueReference="{number}" causality="local" variability="continuous" '
            f'initial="calculated" description={quoteattr(stated)}{_unit(unit)}/>'
        )
    lines += ["  </ModelVariables>", "  <ModelStructure>"]
    outputs = [i for i, one in enumerate(sheet.variables) if what.causality(one) == "output"]
    lines += [f'    <Output valueReference="{i}"{statement_of(what.shows(i))}/>' for i in outputs]
    partials = [(count + number, what.depends(number)) for number, _ in enumerate(what.states)] if what.exchange else []
    lines += [f'    <ContinuousStateDerivative valueReference="{i}"{statement_of(found)}/>' for i, found in partials]
    exact = _exact(what)
    shown = [(i, what.shows(i)) for i in outputs if sheet.variables[i].kind not in ("q", "v")]
    for i, found in [*shown, *partials]:
        lines.append(f'    <InitialUnknown valueReference="{i}"{statement_of(found, exact)}/>')
    lines += [f'    <EventIndicator valueReference="{number}"/>' for number, _ in indicators]
    lines += ["  </ModelStructure>", "</fmiModelDescription>", ""]
    return "\n".join(lines)


def _exact(what: FmuVariables) -> set[int]:
    """Indices of what is known at the start: time, coordinates, velocities, inputs."""
    return {i for i, one in enumerate(what.sheet.variables) if one.kind in ("time", "q", "v", "input")}


def _variable3(what: FmuVariables, index: int, one: Variable) -> str:
    head = f'    <Float64 name={quoteattr(one.name)} valueReference="{index}" causality="{what.causality(one)}"'
    if one.kind == "time":
        return f'{head} variability="continuous"{_unit(one.unit)}/>'
    if one.kind == "input":
        return f'{head} variability="continuous"{_unit(one.unit)} start="{one.start!r}"/>'
    if one.kind in ("q", "v"):
        return f'{head} variability="continuous" initial="exact"{_unit(one.unit)} start="{one.start!r}"/>'
    return f'{head} variability="continuous" initial="calculated"{_unit(one.unit)}/>'


def _version2(what: FmuVariables) -> str:
    sheet = what.sheet
    model, step, start = sheet.what.model, sheet.what.step, sheet.what.plan.start
    count = len(sheet.variables)
    common = f'modelIdentifier={quoteattr(what.name)} canGetAndSetFMUstate="true" canSerializeFMUstate="true" ' \
        'providesDirectionalDerivative="true"'  # fmt: skip
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<fmiModelDescription fmiVersion="2.0" modelName={quoteattr(model.name)} guid="{what.token}"',
        f'  description={quoteattr(f"exported by Jourdain {__version__}")} generationTool="Jourdain {__version__}"',
        f'  variableNamingConvention="flat" numberOfEventIndicators="{len(what.indicators)}">',
    ]
    if what.exchange:
        lines.append(f"  <ModelExchange {common}/>")
    lines.append(f'  <CoSimulation {common} canHandleVariableCommunicationStepSize="true"/>')
    lines += ["  <UnitDefinitions>", *_units(what), "  </UnitDefinitions>"]
    lines += ['  <LogCategories><Category name="logStatusError"/></LogCategories>']
    lines += [f'  <DefaultExperiment startTime="{start!r}" stopTime="{start + 1.0!r}" stepSize="{step!r}"/>']
    lines += ["  <ModelVariables>"]
    for i, one in enumerate(sheet.variables):
        lines.append(f"    <!-- {i + 1} -->")
        lines.append(_variable2(what, i, one))
    for number, i in enumerate(what.states):
        one = sheet.variables[i]
        lines.append(f"    <!-- {count + number + 1} -->")
        lines.append(
            f'    <ScalarVariable name={quoteattr(f"der({one.name})")} valueReference="{count + number}" '
            f'causality="local" variability="continuous" initial="calculated">'
            f'<Real derivative="{i + 1}"{_unit(rate_unit(one.unit))}/></ScalarVariable>'
        )
    lines += ["  </ModelVariables>", "  <ModelStructure>"]
    outputs = [i for i, one in enumerate(sheet.variables) if what.causality(one) == "output"]
    partials = [(count + number, what.depends(number)) for number, _ in enumerate(what.states)]
    exact = _exact(what)
    shown = [(i, what.shows(i)) for i in outputs]
    first = [(i, found) for i, found in [*shown, *partials] if i >= count or sheet.variables[i].kind not in ("q", "v")]
    for word, unknowns, known in (
        ("Outputs", shown, None), ("Derivatives", partials, None), ("InitialUnknowns", first, exact)
    ):  # fmt: skip
        if unknowns:
            stated = [f'      <Unknown index="{i + 1}"{statement_of(found, known, 1)}/>' for i, found in unknowns]
            lines += [f"    <{word}>", *stated, f"    </{word}>"]
    lines += ["  </ModelStructure>", "</fmiModelDescription>", ""]
    return "\n".join(lines)


def _variable2(what: FmuVariables, index: int, one: Variable) -> str:
    head = f'    <ScalarVariable name={quoteattr(one.name)} valueReference="{index}" causality="{what.causality(one)}"'
    start = f' start="{one.start!r}"'
    if one.kind == "time":
        return f'{head} variability="continuous"><Real{_unit(one.unit)}/></ScalarVariable>'
    if one.kind == "input":
        return f'{head} variability="continuous"><Real{_unit(one.unit)}{start}/></ScalarVariable>'
    if one.kind in ("q", "v"):
        return f'{head} variability="continuous" initial="exact"><Real{_unit(one.unit)}{start}/></ScalarVariable>'
    return f'{head} variability="continuous" initial="calculated"><Real{_unit(one.unit)}/></ScalarVariable>'

"""What an FMU says of itself: `modelDescription.xml` of FMI 2.0 and 3.0."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ..basics.values import suggestion
from ..files.problems import ScenarioError
from ..files.xml import Element, read_xml
from .archive import FmuError

KINDS = {
    "Real": "Float64", "Integer": "Int32", "Enumeration": "Int32", "Boolean": "Boolean", "String": "String",
    "Float64": "Float64", "Float32": "Float32", "Int8": "Int8", "UInt8": "UInt8", "Int16": "Int16",
    "UInt16": "UInt16", "Int32": "Int32", "UInt32": "UInt32", "Int64": "Int64", "UInt64": "UInt64",
    "Binary": "Binary", "Clock": "Clock",
}  # fmt: skip
"""Types of variables, as FMI 3.0 calls them; an enumeration of FMI 3.0 is Int64."""
MOST_INDICATORS = 100_000
"""Event indicators that an FMU may have; the number is given, and not counted."""
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")


@dataclass(frozen=True)
class FmuVariable:
    """A variable of an FMU.

    reference      its number in calls
    kind           type, as FMI 3.0 calls it
    causality      "input", "output", "parameter", "local" ...
    start          what it begins with, as the file has it; None where that is computed
    derivative     name or number of the variable that it is the derivative of, None for others
    array          whether it is more than one number
    """

    name: str
    reference: int
    kind: str
    causality: str
    variability: str
    start: str | None
    unit: str
    derivative: int | None
    array: bool


@dataclass(frozen=True)
class FmuInterface:
    """How an FMU can be run, by co-simulation or by model exchange, and what it can do there."""

    identifier: str
    keeps_state: bool
    any_step: bool
    every_step: bool


@dataclass(frozen=True)
class FmuDescription:
    """What is read of `modelDescription.xml`.

    version       2 or 3
    states        references of the continuous states, in their order
    indicators    how many event indicators there are
    """

    file: str
    version: int
    name: str
    token: str
    variables: dict[str, FmuVariable]
    states: tuple[int, ...]
    rates: tuple[int, ...]
    indicators: int
    exchange: FmuInterface | None
    cosimulation: FmuInterface | None
    step: float | None

    def variable(self, name: str) -> FmuVariable:
        """The variable of a name; an error says which there are."""
        if name not in self.variables:
            raise FmuError(f"{self.file}: there is no variable {name!r}; {suggestion(name, self.variables)}")
        return self.variables[name]

    def way(self, name: str) -> FmuInterface:
        """How it runs in "co-simulation" or "model exchange"; an error where it does not."""
        found = self.cosimulation if name == "co-simulation" else self.exchange
        if found is None:
            other = "model exchange" if name == "co-simulation" else "co-simulation"
            raise FmuError(f'{self.file}: it has no {name}; use mode="{other}"')
        return found


def read_description(raw: bytes, file: str) -> FmuDescription:
    """The description in the bytes of `modelDescription.xml`; file is the FMU's name in errors."""
    try:
        root = read_xml(raw, file)
    except ScenarioError as error:
        raise FmuError(f"modelDescription.xml of {error}") from error
    if root.tag != "fmiModelDescription":
        raise FmuError(f"{file}: modelDescription.xml begins with <{root.tag[:60]}>; give an FMU")
    said = (root.get("fmiVersion") or "").strip()
    version = {"2": 2, "3": 3}.get(said.split(".")[0], 0)
    if not version:
        raise FmuError(f"{file}: has FMI {said[:20]!r}; versions 2.0 and 3.0 are read")
    reader = _DescriptionReader(root, file, version)
    variables = reader.variables()
    states, rates = reader.states(variables)
    experiment = root.first("DefaultExperiment")
    step = None if experiment is None else experiment.get("stepSize")
    return FmuDescription(
        file=file,
        version=version,
        name=root.get("modelName") or "",
        token=root.get("guid" if version == 2 else "instantiationToken") or "",
        variables={one.name: one for one in variables},
        states=states,
        rates=rates,
        indicators=reader.indicators(),
        exchange=reader.way("ModelExchange"),
        cosimulation=reader.way("CoSimulation"),
        step=None if step is None else reader.number(step, "stepSize"),
    )


class _DescriptionReader:
    def __init__(self, root: Element, file: str, version: int) -> None:
        self.root, self.file, self.version = root, file, version

    def wrong(self, what: str) -> FmuError:
        return FmuError(f"{self.file}: modelDescription.xml: {what}")

    def whole(self, text: str | None, what: str) -> int:
        """A number from 0 to 2^32."""
        if text is None or not re.fullmatch(r"\s*\+?\d{1,10}\s*", text) or int(text) >= 2**32:
            raise self.wrong(f"{what} is {str(text)[:40]!r}; a whole number is due")
        return int(text)

    def number(self, text: str, what: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.wrong(f"{what} is {text[:40]!r}; a finite number is due")
        return value

    def way(self, tag: str) -> FmuInterface | None:
        found = self.root.first(tag)
        if found is None:
            return None
        identifier = found.get("modelIdentifier") or ""
        if not IDENTIFIER.fullmatch(identifier):
            raise self.wrong(f"{tag}: modelIdentifier is {identifier[:60]!r}; letters, digits and underscores are due")
        if found.get("needsExecutionTool") == "true":
            raise FmuError(f"{self.file}: it needs the program that made it to run beside it, which is not supported")
        state = found.get("canGetAndSetFMUstate" if self.version == 2 else "canGetAndSetFMUState")
        if self.version == 2:
            every = found.get("completedIntegratorStepNotNeeded") != "true"
        else:
            every = found.get("needsCompletedIntegratorStep") != "false"
        return FmuInterface(
            identifier, state == "true", found.get("canHandleVariableCommunicationStepSize") == "true", every
        )

    def variables(self) -> list[FmuVariable]:
        section = self.root.first("ModelVariables")
        found: list[FmuVariable] = []
        names: set[str] = set()
        for element in [] if section is None else section.children:
            inner = element
            if self.version == 2:
                if element.tag != "ScalarVariable":
                    continue
                inner = next((one for one in element.children if one.tag in KINDS), element)
            if inner.tag not in KINDS:
                raise self.wrong(f"variable {element.get('name')!r} has no known type")
            name = element.get("name") or ""
            if not name or name in names:
                raise self.wrong(f"a variable {name[:60]!r} has no name, or one that was there already")
            names.add(name)
            derivative = inner.get("derivative")
            kind = "Int64" if self.version == 3 and inner.tag == "Enumeration" else KINDS[inner.tag]
            found.append(
                FmuVariable(
                    name,
                    self.whole(element.get("valueReference"), f"valueReference of {name[:60]!r}"),
                    kind,
                    element.get("causality") or "local",
                    element.get("variability") or "continuous",
                    inner.get("start"),
                    inner.get("unit") or "",
                    None if derivative is None else self.whole(derivative, f"derivative of {name[:60]!r}"),
                    element.first("Dimension") is not None,
                )
            )
        return found

    def states(self, variables: list[FmuVariable]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """References of the states and of their derivatives, as the order of the model structure has them."""
        structure = self.root.first("ModelStructure")
        rates: list[FmuVariable] = []
        if structure is not None and self.version == 2:
            section = structure.first("Derivatives")
            for one in [] if section is None else section.every("Unknown"):
                index = self.whole(one.get("index"), "index of a derivative")
                if not 1 <= index <= len(variables):
                    raise self.wrong(f"a derivative has index {index}; there are {len(variables)} variables")
                rates.append(variables[index - 1])
        elif structure is not None:
            known = {one.reference: one for one in variables}
            for one in structure.every("ContinuousStateDerivative"):
                reference = self.whole(one.get("valueReference"), "reference of a derivative")
                if reference not in known:
                    raise self.wrong(f"there is no variable {reference} that a derivative could be")
                rates.append(known[reference])
        states = []
        for rate in rates:
            if rate.derivative is None:
                raise self.wrong(f"{rate.name[:60]!r} is listed as a derivative and does not say of what")
            if self.version == 3:
                states.append(rate.derivative)
            elif 1 <= rate.derivative <= len(variables):
                states.append(variables[rate.derivative - 1].reference)
            else:
                raise self.wrong(f"{rate.name[:60]!r} is the derivative of {rate.derivative}, which is not there")
        return tuple(states), tuple(one.reference for one in rates)

    def indicators(self) -> int:
        if self.version == 2:
            said = self.root.get("numberOfEventIndicators")
            count = 0 if said is None else self.whole(said, "numberOfEventIndicators")
            if count > MOST_INDICATORS:
                raise self.wrong(f"numberOfEventIndicators is {count}; {MOST_INDICATORS} is the most")
            return count
        structure = self.root.first("ModelStructure")
        return 0 if structure is None else sum(1 for _ in structure.every("EventIndicator"))

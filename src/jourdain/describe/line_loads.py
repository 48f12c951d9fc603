"""Forces along a cable or a beam: loads a length, and that of a magnetic field on the current in it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError, Problem
from ..basics.value_types import Number, ValueType
from ..basics.values import as_number, shown, suggestion
from .force_elements import ForceElement
from .laws import BoundLaw, ControlLaw, Law, as_law

if TYPE_CHECKING:
    from .system import Force, System


@checked
@dataclass(frozen=True)
class Electrodynamic(ForceElement):
    """Force of the magnetic field on the current along a cable or a beam, in an orbit:
    ``system.force("drag", at="tether", force=jd.Electrodynamic(current=2.0))``.

    On a piece ds of the deformed line acts  I t x B ds,  B being the field of the attracting body's tilted dipole,
    which turns with it (`Orbit.dipole`, `node`, `spin`). The emf is that of the motion through this field, from root to
    tip; a current along it takes the power emf times current from the motion, one against it gives that.

    current       from root to tip [A]: a number; or a law that adds it to effort[0], whose last sensed number s[-1] is
                  the emf [V]; None where a resistance is given
    resistance    of the whole circuit [ohm]: the current is (emf + supply) / resistance
    supply        voltage of a source in that circuit, towards the tip [V]
    """

    current: Any = None
    resistance: float | None = None
    supply: float = 0.0
    kind: ClassVar[str] = "electrodynamic"
    along: ClassVar[bool] = True
    field_types: ClassVar[Mapping[str, ValueType]] = {"current": Number()}
    if TYPE_CHECKING:

        def __init__(
            self, current: float | Law | BoundLaw | None = None, resistance: float | None = None, supply: float = 0.0
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        for what in ("current", "resistance", "supply"):
            given = getattr(self, what)
            if given is not None and not (what == "current" and self.is_code):
                put(self, what, as_number(given, f"electrodynamic: {what}"))

    @property
    def is_code(self) -> bool:  # type: ignore[override]
        """Whether the current is given by a law of the user's own, which no description holds."""
        return bool(getattr(self.current, "is_law", False))

    @property
    def name(self) -> str:
        """Of its law."""
        return str(self.current.name) if self.is_code else "conducted"

    def law(self, name: str, at: str) -> BoundLaw:
        """The law of the current, for the force of that name."""
        if self.is_code:
            given = as_law(self.current, name)
            law = given.with_parameters(given.parameters)
        else:
            from ..kernels.control.line_load_laws import CircuitParameters, conducted

            if self.resistance is None:
                own = CircuitParameters.packed(current=self.current)
            else:
                own = CircuitParameters.packed(conductance=1.0 / self.resistance, voltage=self.supply)
            law = BoundLaw(ControlLaw("conducted", conducted), own)
        law.more = 1
        return law

    def problems(self, address: str) -> list[Problem]:
        """Everything wrong with it, reported at an address."""
        if (self.current is None) == (self.resistance is None):
            both = "neither" if self.current is None else "both"
            return [Problem(address, f"current and resistance: got {both}; give one of them")]
        found = []
        for what, unit in (("current", "A"), ("resistance", "ohm"), ("supply", "V")):
            given = getattr(self, what)
            if given is None or (what == "current" and self.is_code):
                continue
            if not math.isfinite(given) or (what == "resistance" and given <= 0.0):
                allowed = "a number above 0" if what == "resistance" else "a finite number"
                found.append(Problem(address, f"{what} is {shown(given)} {unit}; give {allowed}", what))
        if self.resistance is None and self.supply != 0.0:
            found.append(
                Problem(address, "supply is the voltage of a circuit with a resistance; give resistance= too", "supply")
            )
        return found


def line_problems(system: System, force: Force) -> list[Problem]:
    """Everything wrong with a force along a body."""
    address = str(force.name)
    known = [str(body.name) for body in system.bodies]
    if force.body not in known:
        return [Problem(address, f"at={shown(force.at)}: there is no such body; {suggestion(force.body, known)}", "at")]
    if force.at != force.body:
        return [
            Problem(address, f"at={shown(force.at)}: it acts along a whole body; give its name, {force.body}", "at")
        ]
    problems = []
    if isinstance(force.law, ForceElement) and not force.law.along:
        words = f"a {type(force.law).__name__} acts at a frame, not along a body; leave out along=True"
        problems.append(Problem(address, words))
    if isinstance(force.law, Electrodynamic):
        problems += force.law.problems(address)
        if system.environment is None:
            words = "the magnetic field is that of an orbit, and the system is in none"
            problems.append(Problem(address, f"{words}; give System(..., environment=jd.Orbit(...))"))
        if force.axes != "world":
            problems.append(Problem(address, f'axes is "{force.axes}"; the field has its own, leave it alone', "axes"))
    body = system.body(force.body)
    try:
        if not body.check():
            body.load_points()
    except ModelError as error:
        problems += [Problem(address, problem.message) for problem in error.problems]
    return problems


def line_frames(system: System, body: str) -> list[str]:
    """Addresses of the points that forces along a body act at."""
    return [f"{body}.{name}" for name in system.body(body).load_points()[0]]


def line_law(law: Any, name: str, at: str, wrench: np.ndarray) -> BoundLaw:
    """The law of a force along a body; of a constant one (moment, force) a length, (6,)."""
    if law is None:
        from ..kernels.control.line_load_laws import uniform

        return BoundLaw(ControlLaw("uniform", uniform), wrench)
    return law.law(name, at) if isinstance(law, ForceElement) else as_law(law, name)


def line_numbers(system: System, force: Force, markers: list[int]) -> np.ndarray:
    """What the kernels read of the line that a force acts along, as `kernels.tree.line_loads` has it."""
    from ..kernels.tree.line_loads import Line

    _, weights = system.body(force.body).load_points()
    points = np.stack([markers, weights], axis=1).ravel()
    orbit = system.environment
    if not isinstance(force.law, Electrodynamic) or orbit is None:
        return np.concatenate([Line.packed(count=len(weights)), points])
    looks = force.law.is_code or force.law.resistance is not None
    head = Line.packed(
        conducts=True, count=len(weights), sensed=looks, dipole=orbit.dipole, spin=orbit.spin, node=orbit.node
    )
    return np.concatenate([head, points])

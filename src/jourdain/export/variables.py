"""What of an exported model has a name: time, states, inputs, and outputs that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..basics.errors import ModelError, Problem
from ..basics.values import suggestion
from ..model.linear.signals import MOTION, WRENCH, at_address, listed
from ..model.selection import internal_entries, members

if TYPE_CHECKING:
    from ..model.model import Model

ENERGIES = ("kinetic", "gravity", "strain", "contact", "dissipated", "work", "total")
CONTACT_OUTPUTS = {"force": 0, "torque": 3, "normal_force": 9, "depth": 10, "slip": 11, "sites": 12, "energy": 13}
"""What a contact measures, and its column in `Workspace.contact_wrenches`; force and torque are vectors."""
CONTACT_UNITS = {
    "force": "N",
    "torque": "N m",
    "normal_force": "N",
    "depth": "m",
    "slip": "m/s",
    "sites": "1",
    "energy": "J",
}
MOTION_UNITS = ("m",) * 3 + ("1",) * 4 + ("rad/s",) * 3 + ("m/s",) * 3
WRENCH_UNITS = ("N m",) * 3 + ("N",) * 3


@dataclass(frozen=True)
class Input:
    """A number that is set from outside: an effort on entry `where` of v, a component of a wrench on a marker, or a
    command that a controller takes, parameter `where` of the laws."""

    name: str
    unit: str
    kind: str
    where: int
    part: int = 0


@dataclass(frozen=True)
class Output:
    """A number that follows from the state: what it is, of which entry, contact or marker, and which component.

    kind    "dv", "effort", "energy", "contact_wrench" (and "contact_wrench magnitude"), "motion" (and "motion
            magnitude"); of a state "q", "v" or "z", where it is asked for as an output
    """

    name: str
    unit: str
    kind: str
    where: int
    part: int = 0


def driven_entries(model: Model) -> list[int]:
    """Entries of v that belong to joints and motors, and not to the deformation of bodies."""
    internal = internal_entries(model)
    return [k for k in range(model.nv) if k not in internal]


def read_inputs(model: Model, names: Any, held: Sequence[int]) -> list[Input]:
    """Inputs by name; None for the efforts of all joints whose motion is not prescribed."""
    units = model.units.effort
    if names is None:
        own = [k for k in driven_entries(model) if k not in held]
        return [Input(f"effort:{model.names.v[k]}", units[k], "effort", k) for k in own]
    out: list[Input] = []
    problems = []
    for name in listed(names, "inputs"):
        asked = name.removeprefix("effort:")
        own = members(model, model.names.v, asked)
        found = at_address(model, asked, WRENCH)
        if own:
            fixed = [model.names.v[k] for k in own if k in held]
            if fixed:
                problems.append(Problem(fixed[0], "inputs: its motion is prescribed, so that an effort does nothing"))
            out += [Input(f"effort:{model.names.v[k]}", units[k], "effort", k) for k in own]
        elif found and asked == name:
            out.append(Input(name, WRENCH_UNITS[found[1]], "wrench", *found))
        else:
            known = [*(f"effort:{one}" for one in model.index.v), *model.index.v]
            known += [f"{address}.{part}" for address in model.markers for part in WRENCH]
            problems.append(Problem(name, f"inputs: no such input; {suggestion(name, known)}"))
    seen: set[str] = set()
    for one in out:
        if one.name in seen:
            problems.append(Problem(one.name, "inputs: named twice; name it once"))
        seen.add(one.name)
    if problems:
        raise ModelError(problems)
    return out


def standing_outputs(model: Model) -> list[Output]:
    """Outputs that every exported model has: accelerations, efforts, energies, what contacts do."""
    rates = model.units.v
    out = [Output(f"dv:{name}", f"{unit}2" if unit else "", "dv", k)
           for k, (name, unit) in enumerate(zip(model.names.v, rates, strict=True))]  # fmt: skip
    out += [Output(f"supplied:{name}", unit, "effort", k)
            for k, (name, unit) in enumerate(zip(model.names.v, model.units.effort, strict=True))]  # fmt: skip
    out += [Output(f"energy:{name}", "J", "energy", i) for i, name in enumerate(ENERGIES)]
    pairs = len(model.description["contacts"])
    for c, contact in enumerate(model.contacts.names[:pairs]):
        for word, column in CONTACT_OUTPUTS.items():
            unit = CONTACT_UNITS[word]
            if word in ("force", "torque"):
                out.append(Output(f"contact:{contact}.{word}", unit, "contact_wrench magnitude", c, column))
                out += [Output(f"contact:{contact}.{word}.{axis}", unit, "contact_wrench", c, column + i)
                        for i, axis in enumerate("xyz")]  # fmt: skip
            else:
                out.append(Output(f"contact:{contact}.{word}", unit, "contact_wrench", c, column))
    return out


def read_outputs(model: Model, names: Any, states: Sequence[str]) -> list[Output]:
    """Outputs by name, as `jd.quantity` has them: standing ones, states, and motions of frames."""
    standing = {one.name: one for one in standing_outputs(model)}
    standing |= {one.name.replace("supplied:", "effort:"): one for one in standing.values()}
    units = model.units.q
    rates = model.units.v
    out: list[Output] = []
    problems = []
    for name in listed(names, "outputs"):
        kind, colon, rest = name.partition(":")
        frame = at_address(model, name, MOTION)
        speed = at_address(model, name, ("spin", "speed"))
        if name in standing:
            out.append(standing[name])
        elif colon and kind == "v" and members(model, model.names.v, rest):
            own = members(model, model.names.v, rest)
            out += [Output(f"v:{model.names.v[k]}", rates[k], "v", k) for k in own]
        elif colon and kind == "z" and rest in states:
            out.append(Output(name, "", "z", list(states).index(rest)))
        elif not colon and members(model, model.names.q, name):
            out += [Output(model.names.q[j], units[j], "q", j) for j in members(model, model.names.q, name)]
        elif frame:
            out.append(Output(name, MOTION_UNITS[frame[1]], "motion", *frame))
        elif speed:
            unit = ("rad/s", "m/s")[speed[1]]
            out.append(Output(name, unit, "motion magnitude", speed[0], (7, 10)[speed[1]]))
        else:
            known = [*standing, *model.names.q, *(f"v:{one}" for one in model.names.v), *(f"z:{one}" for one in states)]
            known += [f"{address}.{part}" for address in model.markers for part in (*MOTION, "speed", "spin")]
            problems.append(Problem(name, f"outputs: no such output; {suggestion(name, known)}"))
    if problems:
        raise ModelError(problems)
    return list({one.name: one for one in out}.values())

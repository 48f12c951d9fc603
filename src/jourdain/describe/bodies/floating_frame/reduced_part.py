"""What is left of a reduced part: its integrals, its frames, and what its coordinates are.

A simulation and a run file need no more: no matrices and no nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ....basics.errors import ModelError
from ....basics.values import expect_keys, expect_text, shown
from .interfaces import DIRECTIONS, IN_PLANE, WAYS
from .modal_tables import Modal, ModalStation, numbers_of

if TYPE_CHECKING:
    from ....model.model import Model
    from ....model.state import State

UNITS = ("m", "rad")


@dataclass(frozen=True, eq=False)
class ReducedPart:
    """A reduced part.

    modal         its integrals
    stations      a place for every frame but the origin
    interfaces    names with the directions of their coordinates, of `DIRECTIONS`, the held one first
    mode_units    of the normal modes: "m", or "rad" where nodes only turn
    """

    modal: Modal
    stations: dict[str, ModalStation]
    interfaces: dict[str, tuple[int, ...]]
    mode_units: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        modes = len(self.mode_units)
        constraints = len(self.modal.P) - modes
        return (*(f"constraint[{i}]" for i in range(constraints)), *(f"mode[{i}]" for i in range(modes)))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Units of the coordinates."""
        free = list(self.interfaces.values())[1:]
        return (*(UNITS[k // 3] for ways in free for k in ways), *self.mode_units)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """What each coordinate is: interface, direction and unit, or the frequency and unit of the normal mode."""
        out = []
        for name, ways in list(self.interfaces.items())[1:]:
            out += [f"{name} {DIRECTIONS[k]}" for k in ways]
        b = len(out)
        squares = np.diag(self.modal.K)[b:] / np.diag(self.modal.M)[b:]
        out += [f"normal mode at {w:.6g} Hz, interfaces fixed" for w in np.sqrt(squares) / (2.0 * np.pi)]
        return tuple(f"{what} [{unit}]" for what, unit in zip(out, self.units, strict=True))

    def loads(self, name: str, model: Model, state: State, acceleration: np.ndarray) -> dict[str, np.ndarray]:
        """Moment and force (6,) at each interface of the body `name`; see `ReducedBody.interface_loads`."""
        R = model.pose(f"{name}.origin", state).rotation
        q = [model.index.q[f"{name}.{one}"] for one in self.names]
        v = [model.index.v[f"{name}.{one}"] for one in self.names]
        e = state.q[q]
        motion, pull = model.body_motion(name, state, acceleration)
        moment, force, efforts = self.modal.forces(e, state.v[v], acceleration[v], *(motion @ R))
        moment, force, efforts = moment - pull[:3] @ R, force - pull[3:6] @ R, efforts - pull[6 : 6 + len(e)]
        loads, at = {}, 0
        for interface, ways in list(self.interfaces.items())[1:]:
            place, psi, theta = self.stations[interface]
            here = np.zeros(6)
            here[list(ways)] = efforts[at : at + len(ways)]
            turn = np.linalg.solve(tangent(e @ theta).T, here[3:]) if np.any(here[3:]) else np.zeros(3)
            loads[interface] = np.concatenate([turn, here[:3]])
            moment = moment - turn - np.cross(place + e @ psi, here[:3])
            force = force - here[:3]
            at += len(ways)
        return {next(iter(self.interfaces)): np.concatenate([moment, force])} | loads

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers."""
        places = [
            [name, {key: value.tolist() for key, value in one._asdict().items()}] for name, one in self.stations.items()
        ]
        return {
            "interfaces": [
                [name, len(ways) if ways in WAYS.values() else list(ways)] for name, ways in self.interfaces.items()
            ],
            "n": len(self.modal.P),
            "units": dict(zip(self.names, self.units, strict=True)),
            "modal": self.modal.to_dict(),
            "stations": places,
        }

    @classmethod
    def from_dict(cls, data: Any, address: str) -> ReducedPart:
        """The part that `to_dict` wrote."""
        n = data["n"]
        if isinstance(n, bool) or not isinstance(n, int) or n < 0:
            raise ModelError.at(f"{address}.n", f"got {shown(n)}; give the number of coordinates")
        given = dict(_pairs(data["interfaces"], f"{address}.interfaces"))
        interfaces = {name: _directions(count) for name, count in given.items()}
        counts = [len(ways) for ways in interfaces.values()]
        if not counts or not all(counts) or sum(counts[1:]) > n:
            raise ModelError.at(
                f"{address}.interfaces",
                f"got {shown(given)} for {n} coordinates; give 3 or 6 each, or [0, 1] or [0, 1, 5] of a plane part",
            )
        stations = {}
        for name, place in _pairs(data["stations"], f"{address}.stations"):
            where = f"{address}.stations.{name}"
            place = expect_keys(place, where, ModalStation._fields)
            shapes = {"position": (3,), "psi": (n, 3), "theta": (n, 3)}
            stations[name] = ModalStation(
                *(numbers_of(place[key], shapes[key], f"{where}.{key}") for key in ModalStation._fields)
            )
        if any(name not in stations for name in interfaces):
            raise ModelError.at(f"{address}.stations", f"got {shown(list(stations))}; every interface needs one")
        modal = Modal.from_dict(data["modal"], n, f"{address}.modal")
        if not modal.mass > 0.0:
            raise ModelError.at(f"{address}.modal.mass", f"got {modal.mass:g}; it must be positive")
        modes = [f"mode[{i}]" for i in range(n - sum(counts[1:]))]
        names = (*(f"constraint[{i}]" for i in range(sum(counts[1:]))), *modes)
        units = expect_keys(data["units"], f"{address}.units", names)
        if any(unit not in UNITS for unit in units.values()):
            raise ModelError.at(f"{address}.units", f"got {shown(dict(units))}; a unit is {' or '.join(UNITS)}")
        return cls(modal, stations, interfaces, tuple(units[name] for name in modes))


def _directions(given: Any) -> tuple[int, ...]:
    """Directions of an interface, as `ReducedPart.to_dict` wrote them; none where they are not such."""
    if isinstance(given, int) and not isinstance(given, bool):
        return WAYS.get(given, ())
    ways = tuple(given) if isinstance(given, list | tuple) else ()
    return ways if ways in (IN_PLANE, IN_PLANE[:2]) else ()


def _pairs(value: Any, address: str) -> list[tuple[str, Any]]:
    """Names with what belongs to them, in order."""
    if not isinstance(value, list | tuple) or any(not isinstance(one, list | tuple) or len(one) != 2 for one in value):
        raise ModelError.at(address, f"got {shown(value)}; give a list of names with what belongs to them")
    return [(expect_text(name, address), what) for name, what in value]


def tangent(theta: np.ndarray) -> np.ndarray:
    """Map from the rate of a rotation vector to its angular velocity, 1 + a theta~ + b theta~^2."""
    x = float(np.linalg.norm(theta))
    t = np.cross(np.eye(3), theta)
    if x < 1e-3:
        return np.eye(3) + (0.5 - x * x / 24.0) * t + (1.0 / 6.0 - x * x / 120.0) * t @ t
    return np.eye(3) + (1.0 - np.cos(x)) / x**2 * t + (x - np.sin(x)) / x**3 * t @ t

"""What the wheels of a wheelset on a track did during a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..describe.contact.rolling import RollingPatch
from ..describe.contact.wheel_rail import Wheelset
from .named_results import history

if TYPE_CHECKING:
    import xarray as xr

    from ..model.law_forces import LawForce
    from ..model.model import Model
    from .run import Run

WHEEL = {"force": "N", "torque": "N m", "normal_force": "N", "slip": "m/s", "creepage": "1", "sliding": "1"} | {
    "rolling_radius": "m",
    "contact_angle": "rad",
    "pressure": "Pa",
    "depth": "m",
}
"""What a wheel on a rail tells, and its unit."""
CREEPAGES = ("longitudinal", "lateral", "spin")
"""Parts of `creepage`: the first two without unit, spin [1/m]."""


def wheels(model: Model) -> dict[str, tuple[LawForce, int]]:
    """Wheels on rails by the names of their contacts: the force of the wheelset; 0 for the left, 1 for the right."""
    found: dict[str, tuple[LawForce, int]] = {}
    for force in model.law_forces:
        if isinstance(force.given, Wheelset):
            found |= {name: (force, side) for name, side in force.given.contacts(force.name).items()}
    return found


class WheelHistory:
    """One wheel on its rail over time; forces act on the wheel, in world axes."""

    def __init__(self, run: Run, name: str) -> None:
        self.name = name
        self._run = run
        self._force, self._side = wheels(run.model)[name]

    @cached_property
    def _values(self) -> np.ndarray:
        """(nt, columns of `kernels.control.wheelsets`)."""
        from ..kernels.control.wheelsets import WHEEL_REPORTED, wheel_contacts

        run, law = self._run, self._force.law
        path = run.model.frame_path(law.markers[0], run.record.q, run.record.v)
        out = np.zeros((len(path), 2 * WHEEL_REPORTED))
        wheel_contacts(law.parameters, np.ascontiguousarray(path), out)
        return out[:, self._side * WHEEL_REPORTED : (self._side + 1) * WHEEL_REPORTED]

    def plain(self, what: str) -> np.ndarray:
        """The numbers of `force`, `creepage` and the like without labels, which take long to import."""
        from ..kernels.control.wheelsets import WheelReport

        one, columns = self._values, WheelReport.columns
        steady = {"normal_force": self.wheelset.load, "pressure": self.patch.peak, "depth": self.patch.depth}
        if what in steady:
            return np.full(len(one), steady[what])
        if what == "slip":
            return np.hypot(one[:, columns.slip_along], one[:, columns.slip_across])
        if what == "contact_angle":
            return np.arctan(one[:, columns.slope])
        return one[:, getattr(columns, {"rolling_radius": "radius"}.get(what, what))]

    def _array(self, what: str, unit: str, **labels: list[str]) -> xr.DataArray:
        return history(self._run, f"{self.name}.{what}", self.plain(what), unit, **labels)

    @property
    def wheelset(self) -> Wheelset:
        """The force element that it is a wheel of."""
        given: Wheelset = self._force.given
        return given

    @property
    def at(self) -> str:
        """Address of the frame in the middle of the wheelset."""
        return str(self._force.law.markers[0])

    @property
    def patch(self) -> RollingPatch:
        """Where it presses on the rail: half length and half width, depth and largest pressure, of the centred
        position."""
        return self.wheelset.rolling

    @property
    def force(self) -> xr.DataArray:
        """Force on the wheel, load and creep together, (time, axis) [N]."""
        return self._array("force", "N", axis=list("xyz"))

    @property
    def torque(self) -> xr.DataArray:
        """Torque of that force about the middle of the wheelset, (time, axis) [N m]."""
        return self._array("torque", "N m", axis=list("xyz"))

    @property
    def point(self) -> xr.DataArray:
        """Where it touches the rail, (time, axis) [m]."""
        return self._array("point", "m", axis=list("xyz"))

    @property
    def creepage(self) -> xr.DataArray:
        """Speed of its surface against the rail forwards and along the axle, and its turning about the normal [1/m],
        over the speed of rolling, (time, direction)."""
        return self._array("creepage", "1", direction=list(CREEPAGES))

    @property
    def slip(self) -> xr.DataArray:
        """Speed of its surface against the rail, both directions together [m/s]."""
        return self._array("slip", "m/s")

    @property
    def sliding(self) -> xr.DataArray:
        """Part of the patch that slips, 0 to 1."""
        return self._array("sliding", "1")

    @property
    def normal_force(self) -> xr.DataArray:
        """The load [N]."""
        return self._array("normal_force", "N")

    @property
    def pressure(self) -> xr.DataArray:
        """Largest pressure of the patch [Pa]."""
        return self._array("pressure", "Pa")

    @property
    def depth(self) -> xr.DataArray:
        """By which undeformed surfaces overlap [m]."""
        return self._array("depth", "m")

    @property
    def rolling_radius(self) -> xr.DataArray:
        """Of the wheel where it touches [m]."""
        return self._array("rolling_radius", "m")

    @property
    def contact_angle(self) -> xr.DataArray:
        """Between the plane of contact and the axle [rad]."""
        return self._array("contact_angle", "rad")

    def __repr__(self) -> str:
        return f"<contact {self.name!r} of a wheel on a rail: {', '.join(WHEEL)}, point, patch>"

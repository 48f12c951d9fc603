"""Where a system is: the orbit that its world moves on."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..basics.errors import ModelError, Problem
from ..basics.fields import Described
from ..basics.values import as_number, number_problems, readonly, shown

EARTH_RADIUS = 6378137.0
"""Equatorial radius of the Earth [m]."""
EARTH_MU = 3.986004418e14
"""Gravitational parameter of the Earth [m^3/s^2]."""


class OrbitalFrame(NamedTuple):
    """The orbital frame at one time.

    radius          of its origin from the attracting centre [m]
    radius_rate     [m/s]
    rate            angular velocity, about z [rad/s]
    rate_rate       angular acceleration [rad/s^2]
    true_anomaly    angle from perigee, in (-pi, pi] [rad]; in a circular orbit not reduced
    position        of the origin, (3,) [m], in axes that do not turn: x to perigee, z along the orbit normal
    velocity        of the origin, (3,), in those axes [m/s]
    rotation        (3, 3) from the frame's axes to those
    """

    radius: float
    radius_rate: float
    rate: float
    rate_rate: float
    true_anomaly: float
    position: np.ndarray
    velocity: np.ndarray
    rotation: np.ndarray


@dataclass(frozen=True)
class Orbit(Described):
    """A Keplerian orbit: ``System(..., environment=Orbit(altitude=400e3))``.

    The world is then the orbital frame: its origin moves on the orbit; x is outward along the local vertical, y
    horizontal towards the motion, z along the orbit normal. All coordinates and velocities are relative to it, and
    small, so that nothing is lost beside an Earth radius over many orbits. The orbit is that of the frame. A body on a
    `Free` joint finds its own way beside it, its orbit and its attitude coupled; one on a `Spherical` joint has the
    prescribed orbit.

    Every body feels point-mass gravity, exact at its centre of mass and with a potential to second order in its size
    over the radius (force, torque, and the forces on its internal coordinates, deformation included), and the
    centrifugal, Coriolis and Euler forces of the frame. `energy.gravity` is the potential of gravity, less that of the
    falling frame, and of the centrifugal force, so that in a circular orbit `energy.total` is the Jacobi integral. In
    an elliptic one the frame works on the system, with the power  -Omega' . L + dV/dt  (`jourdain.kernels.tree.orbit`),
    which the run counts as work: the balance closes there too.

    altitude               of the perigee over `radius` [m]
    eccentricity           0 for a circle, less than 1
    true_anomaly           of the frame at time zero, angle from perigee [rad]
    mu                     gravitational parameter [m^3/s^2]
    radius                 equatorial radius of the attracting body [m]
    J2                     its oblateness, 1.08262668e-3 for the Earth; 0 for none. It acts on the bodies, to the
                           same order, and not on the frame, which stays Keplerian: bodies leave it by some
                           kilometres an orbit. The field turns under the frame, and its work is counted as the
                           frame's
    inclination            of the orbit to the equator [rad]; matters with J2
    argument_of_perigee    angle of the perigee from the ascending node [rad]; matters with J2
    """

    altitude: float
    eccentricity: float = 0.0
    true_anomaly: float = 0.0
    mu: float = EARTH_MU
    radius: float = EARTH_RADIUS
    J2: float = 0.0
    inclination: float = 0.0
    argument_of_perigee: float = 0.0
    kind: ClassVar[str] = "orbit"

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, as_number(getattr(self, field.name), f"orbit: {field.name}"))

    @property
    def semi_major_axis(self) -> float:
        """[m]."""
        return (self.radius + self.altitude) / (1.0 - self.eccentricity)

    @property
    def mean_motion(self) -> float:
        """Mean angular rate n [rad/s]: n^2 a^3 = mu."""
        return math.sqrt(self.mu / self.semi_major_axis) / self.semi_major_axis

    @property
    def period(self) -> float:
        """Time of one revolution [s]."""
        return 2.0 * math.pi / self.mean_motion

    def frame(self, time: float = 0.0) -> OrbitalFrame:
        """The orbital frame at a time [s]."""
        from ..kernels.tree.orbit import orbital_frame

        out = np.empty(5)
        orbital_frame(np.concatenate([np.zeros(3), self.numbers()]), float(time), out)
        radius, radius_rate, rate, rate_rate, anomaly = out.tolist()
        c, s = math.cos(anomaly), math.sin(anomaly)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        velocity = turn @ (radius_rate, radius * rate, 0.0)
        return OrbitalFrame(radius, radius_rate, rate, rate_rate, anomaly, turn[:, 0] * radius, velocity, turn)

    def numbers(self) -> np.ndarray:
        """What the kernels read behind uniform gravity, as `kernels.layout` names it, read-only."""
        e, half = self.eccentricity, 0.5 * self.true_anomaly
        E = 2.0 * math.atan2(math.sqrt(1.0 - e) * math.sin(half), math.sqrt(1.0 + e) * math.cos(half))
        mean = E - e * math.sin(E) if e else self.true_anomaly
        oblateness = self.J2 * self.radius**2
        first = (self.mu, self.semi_major_axis, e, mean, self.mean_motion)
        return readonly(np.array([*first, oblateness, self.inclination, self.argument_of_perigee]))

    def check(self, address: str = "orbit") -> list[Problem]:
        """Everything wrong with the orbit, reported at ``address``."""
        problems = number_problems(self.mu, address, "orbit: mu [m^3/s^2]", above=0.0)
        problems += number_problems(self.radius, address, "orbit: radius [m]", above=0.0)
        for what in ("altitude", "true_anomaly", "J2", "inclination", "argument_of_perigee"):
            problems += number_problems(getattr(self, what), address, f"orbit: {what}")
        if self.altitude <= 0.0:
            problems.append(
                Problem(
                    address,
                    f"orbit: altitude is {self.altitude:g} m, which is below the surface; give the perigee's height "
                    f"over {self.radius:g} m [m]",
                )
            )
        if not 0.0 <= self.eccentricity < 1.0:
            problems.append(
                Problem(
                    address,
                    f"orbit: eccentricity is {self.eccentricity:g}; give one from 0 (a circle) to less than 1",
                )
            )
        return problems

    @classmethod
    def from_dict(cls, data: Any, address: str = "environment") -> Orbit:
        if isinstance(data, dict) and data.get("kind") != cls.kind:
            raise ModelError.at(f"{address}.kind", f'got {shown(data.get("kind"))}; the environments are: "orbit"')
        return super().from_dict(data, address)

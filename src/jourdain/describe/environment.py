"""Where a system is: the orbit that its world moves on."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError, Problem
from ..basics.fields import Described
from ..basics.pose import as_vector
from ..basics.types import VectorLike
from ..basics.values import as_number, finite_problems, number_problems, readonly, shown

EARTH_RADIUS = 6378137.0
"""Equatorial radius of the Earth [m]."""
EARTH_MU = 3.986004418e14
"""Gravitational parameter of the Earth [m^3/s^2]."""


EARTH_SPIN = 7.292115e-5
"""Rate of the Earth about its pole [rad/s]."""
EARTH_DIPOLE = (-3.752331e14, 1.203234e15, -7.604698e15)
"""(g_1^1, h_1^1, g_1^0) of IGRF-13 at 2020.0, (-1450.9, 4652.5, -29404.8) nT, times the cube of its radius of
6371.2 km (Alken et al. 2021) [T m^3]: it points to the south, 9.4 degrees off the axis."""


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


@checked
@dataclass(frozen=True)
class Orbit(Described):
    """A Keplerian orbit: ``System(..., environment=Orbit(altitude=400e3))``.

    The world is then the orbital frame: its origin moves on the orbit; x is outward along the local vertical, y
    horizontal towards the motion, z along the orbit normal. All coordinates and velocities are relative to it, and
    small, so that nothing is lost beside an Earth radius over many orbits. The orbit is that of the frame. A body on a
    `Free` joint finds its own way beside it, its orbit and its attitude coupled; one on a `Spherical` joint has the
    prescribed orbit.

    Point-mass gravity acts on every body, exact at its centre of mass and with a potential to second order in its size
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
    inclination            of the orbit to the equator [rad]; matters with J2 and in the magnetic field
    argument_of_perigee    angle of the perigee from the ascending node [rad]; the same
    node                   longitude of the ascending node at time zero [rad]; matters in the magnetic field
    dipole                 magnetic dipole of the attracting body, mu_0 m / (4 pi), in axes that turn with it: z its
                           north pole, x through longitude zero, (3,) [T m^3]; that of the Earth unless given
    spin                   rate of the attracting body about its pole [rad/s]; that of the Earth unless given
    """

    altitude: float
    eccentricity: float = 0.0
    true_anomaly: float = 0.0
    mu: float = EARTH_MU
    radius: float = EARTH_RADIUS
    J2: float = 0.0
    inclination: float = 0.0
    argument_of_perigee: float = 0.0
    node: float = 0.0
    dipole: tuple[float, float, float] = EARTH_DIPOLE
    spin: float = EARTH_SPIN
    kind: ClassVar[str] = "orbit"
    optional_fields: ClassVar[tuple[str, ...]] = ("node", "dipole", "spin")

    def __post_init__(self) -> None:
        for field in fields(self):
            given, what = getattr(self, field.name), f"orbit: {field.name}"
            value = tuple(as_vector(given, what).tolist()) if field.name == "dipole" else as_number(given, what)
            object.__setattr__(self, field.name, value)

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
        return OrbitalFrame(
            radius=radius,
            radius_rate=radius_rate,
            rate=rate,
            rate_rate=rate_rate,
            true_anomaly=anomaly,
            position=turn[:, 0] * radius,
            velocity=velocity,
            rotation=turn,
        )

    def magnetic_field(self, time: float = 0.0, position: VectorLike = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Field of the dipole [T], (3,) in the axes of the orbital frame, at a time [s] and a place in it [m]."""
        now = self.frame(time)
        node = self.node - self.spin * time
        u, i = self.argument_of_perigee + now.true_anomaly, self.inclination
        d = np.array(self.dipole)
        for angle, (a, b) in ((node, (0, 1)), (i, (1, 2)), (u, (0, 1))):
            c, s = math.cos(angle), math.sin(angle)
            d[a], d[b] = c * d[a] + s * d[b], c * d[b] - s * d[a]
        r = np.array([now.radius, 0.0, 0.0]) + as_vector(position, "position")
        square = float(r @ r)
        return (3.0 * (d @ r) / square * r - d) / square**1.5

    def numbers(self) -> np.ndarray:
        """What the kernels read behind uniform gravity, as `kernels.model_arrays` names it, read-only."""
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
        for what in ("altitude", "true_anomaly", "J2", "inclination", "argument_of_perigee", "node", "spin"):
            problems += number_problems(getattr(self, what), address, f"orbit: {what}")
        problems += finite_problems(np.array(self.dipole), address, "orbit: dipole [T m^3]")
        if self.altitude <= 0.0:
            problems.append(
                Problem(
                    address,
                    f"orbit: altitude is {self.altitude:g} m, which is below the surface; give the perigee's height "
                    f"over {self.radius:g} m [m]",
                    "altitude",
                )
            )
        if not 0.0 <= self.eccentricity < 1.0:
            problems.append(
                Problem(
                    address,
                    f"orbit: eccentricity is {self.eccentricity:g}; give one from 0 (a circle) to less than 1",
                    "eccentricity",
                )
            )
        return problems

    @classmethod
    def from_dict(cls, data: Any, address: str = "environment") -> Orbit:
        if isinstance(data, dict) and data.get("kind") != cls.kind:
            raise ModelError.at(f"{address}.kind", f'got {shown(data.get("kind"))}; the environments are: "orbit"')
        return super().from_dict(data, address)

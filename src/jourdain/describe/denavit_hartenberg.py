"""Systems from tables of modified Denavit-Hartenberg parameters, extended to joints of several degrees of freedom and
to trees.

After Bernier, Dequidt and Valdes, "Symbolic and systematic multibody modelling for mechatronic design", who extend the
convention of Khalil and Kleinfinger (1986) by an intermediate frame in each joint. A body i hangs on a body k by

    kT_i = C L_i,
    C    = Rot_x(alpha) Trans_x(d)                                          on the main branch of k (C_k,0),
    C    = Trans_z(epsilon) Rot_z(gamma) Trans_x(d) Rot_x(alpha)            on a side branch (C_k,1),
    L_i  = Rot_z(theta*) Trans_z(r*) Rot_x(alpha*) Trans_x(d*) Rot_z(theta) Trans_z(r),     d* = 0.

Which of the joint's parameters are coordinates depends on its kind; the others are constants.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError, Problem
from ..basics.pose import Pose, quaternion_from_matrix
from ..basics.types import VectorLike
from ..basics.values import as_number, shown, suggestion
from .bodies import RigidBody
from .bodies.body import Body
from .joints import Cylindrical, Joint, Prismatic, Revolute, Spherical, Universal, Weld
from .system import System

KINDS = (
    "revolute", "prismatic", "cylindrical", "universal", "spherical", "prismatic-spherical", "spherical-prismatic",
    "fixed",
)  # fmt: skip


def rot_x(angle: float) -> Pose:
    """Rot_x(angle)."""
    c, s = math.cos(angle), math.sin(angle)
    return Pose(rotation=np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]))


def rot_z(angle: float) -> Pose:
    """Rot_z(angle)."""
    c, s = math.cos(angle), math.sin(angle)
    return Pose(rotation=np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))


@checked
@dataclass(frozen=True, eq=False)
class Pair:
    """A row of the table: a body, the joint that holds it, and its place on the body inboard of it.

    body          it; its own axes are those of the frame R_i. A name alone is a body without mass
    kind          "revolute" (theta is the coordinate), "prismatic" (r), "cylindrical" (theta, r), "universal" (theta*,
                  theta), "spherical" (all three turns; the coordinate is a quaternion, see `rotation`),
                  "prismatic-spherical" (r* and the turns), "spherical-prismatic" (the turns and r), "fixed"
    to            name of the body inboard of it; None for the row above, the world for the first
    alpha, d      shape of the body inboard of it [rad], [m]
    epsilon, gamma    of a side branch [m], [rad]; None for both: the main branch
    theta, r      constants of the joint, added to its coordinates [rad], [m]
    theta_star, r_star, alpha_star    of its intermediate frame [rad], [m], [rad]; alpha_star is pi/2 unless given
    joint         name of the joint, and of its coordinates; None for "q" and the body's name
    options       of a revolute or prismatic joint, as `Revolute` takes them: damping, limits, drive ...
    """

    body: Body | str
    kind: str = "revolute"
    to: str | None = None
    alpha: float = 0.0
    d: float = 0.0
    epsilon: float | None = None
    gamma: float | None = None
    theta: float = 0.0
    r: float = 0.0
    theta_star: float = 0.0
    r_star: float = 0.0
    alpha_star: float | None = None
    joint: str | None = None
    options: Any = None
    NUMBERS: ClassVar[tuple[str, ...]] = ("alpha", "d", "theta", "r", "theta_star", "r_star")

    @property
    def name(self) -> str:
        """Name of the body."""
        return self.body if isinstance(self.body, str) else self.body.name

    @property
    def shape(self) -> Pose:
        """C: where the joint sits on the body inboard of it."""
        if self.epsilon is None and self.gamma is None:
            return rot_x(self.alpha) @ Pose((self.d, 0.0, 0.0))
        rise = Pose((0.0, 0.0, self.epsilon or 0.0)) @ rot_z(self.gamma or 0.0)
        return rise @ Pose((self.d, 0.0, 0.0)) @ rot_x(self.alpha)

    @staticmethod
    def rotation(phi: float, theta: float, psi: float) -> np.ndarray:
        """The quaternion (w, x, y, z) of Rot_z(phi) Rot_x(theta) Rot_z(psi), for the coordinate of a spherical pair.

        The angles are those of the paper. They have no inverse where sin(theta) = 0, the quaternion always has.
        """
        return quaternion_from_matrix((rot_z(phi) @ rot_x(theta) @ rot_z(psi)).rotation)

    def check(self) -> list[Problem]:
        """Everything wrong with the row by itself."""
        problems = []
        if self.kind not in KINDS:
            problems.append(
                Problem(self.name, f"kind is {shown(self.kind)}; {suggestion(str(self.kind), KINDS)}", "kind")
            )
        given = [(name, getattr(self, name)) for name in (*self.NUMBERS, "epsilon", "gamma", "alpha_star")]
        for name, value in given:
            if value is None and name in ("epsilon", "gamma", "alpha_star"):
                continue
            if not math.isfinite(as_number(value, f"{self.name}: {name}")):
                problems.append(Problem(self.name, f"{name} is {value}; give a finite number"))
        if self.alpha_star is not None and self.kind != "universal":
            problems.append(Problem(self.name, f"alpha_star is for a universal pair, this one is {self.kind}"))
        turns = "spherical" in self.kind
        if turns and any((self.theta, self.theta_star)):
            problems.append(
                Problem(self.name, "theta and theta_star of a spherical pair are its coordinates; leave them")
            )
        if self.r != 0.0 and self.kind in ("spherical", "prismatic-spherical"):
            problems.append(Problem(self.name, f"r of a {self.kind} pair is 0; give d or r of the next one"))
        if self.options and self.kind not in ("revolute", "prismatic"):
            problems.append(
                Problem(self.name, f"options are for revolute and prismatic pairs, this one is {self.kind}")
            )
        return problems

    def joints(self) -> list[tuple[Joint, Pose]]:
        """The joints in a row, each with where it sits after C or the one before; all but the last hold bodies without
        mass."""
        name = self.joint or f"q{self.name}"
        options = dict(self.options or {})
        before = rot_z(self.theta_star) @ Pose((0.0, 0.0, self.r_star))
        rise = Pose((0.0, 0.0, self.r))
        own = rot_z(self.theta) @ rise
        if self.kind == "revolute":
            return [(Revolute(name, "z", **options), before @ own)]
        if self.kind == "prismatic":
            return [(Prismatic(name, "z", **options), before @ own)]
        if self.kind == "cylindrical":
            return [(Cylindrical(name, "z"), before @ own)]
        if self.kind == "fixed":
            return [(Weld(name), before @ own)]
        if self.kind == "universal":
            # Rot_z(a) B Rot_z(b) with B constant is B times the same two turns about axes seen from B
            twist = rot_x(math.pi / 2 if self.alpha_star is None else self.alpha_star) @ rot_z(self.theta)
            turns: list[tuple[Joint, Pose]] = [
                (Universal(name, (twist.rotation[2], (0.0, 0.0, 1.0))), before @ twist)
            ]  # fmt: skip
            return turns if self.r == 0.0 else [*turns, (Weld(f"{name}_rise"), rise)]
        turning, sliding = Spherical(name), Prismatic(f"{name}_slide", "z")
        if self.kind == "spherical":
            return [(turning, before)]
        if self.kind == "prismatic-spherical":
            return [(sliding, before), (turning, Pose())]
        return [(turning, before), (sliding, rise)]


@checked
def from_dh(name: str, pairs: Iterable[Pair], gravity: VectorLike = (0.0, 0.0, 0.0)) -> System:
    """A system from a table of modified Denavit-Hartenberg parameters, one `Pair` a body.

    name       of the system
    pairs      the rows; a row may name any other, or "world", as the body inboard of it
    gravity    in world axes [m/s^2]

    A loop is cut at a joint: both branches end in a frame there, by a last row of kind "fixed" where needed, and
    `System.connect` requires that they are one.
    """
    system = System(name, gravity=gravity)
    rows = list(pairs)
    for i, pair in enumerate(rows):
        if not isinstance(pair, Pair):
            raise ModelError.at(name, f"row {i + 1} of the table is {shown(pair)}; give jd.mechanism.Pair(...)")
    problems = [one for pair in rows for one in pair.check()]
    known = {"world", *(pair.name for pair in rows)}
    problems += [
        Problem(pair.name, f'to="{pair.to}" is no row of the table; {suggestion(pair.to, known)}', "to")
        for pair in rows
        if pair.to is not None and pair.to not in known
    ]
    if problems:
        raise ModelError(problems)
    last = "world"
    for pair in rows:
        to = last if pair.to is None else pair.to
        address, place = "world" if to == "world" else f"{to}.origin", pair.shape
        steps = pair.joints()
        for i, (joint, sits) in enumerate(steps):
            whole = i == len(steps) - 1
            body = pair.body if whole else f"{pair.name}_{joint.name}"
            if isinstance(body, str):
                body = RigidBody(body, mass=0.0)
            place = place @ sits
            system.add(body, joint, to=address, position=place.position, rotation=place.rotation)
            address, place = f"{body.name}.origin", Pose()
        last = pair.name
    return system

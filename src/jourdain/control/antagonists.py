"""Impedance of joints: by feedback, and by two tendons that pull against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import ByName, Goal, Joints, StartLike
from ..describe.laws import BoundLaw, ControlLaw
from ..describe.motions import Motion
from .controller import Controller
from .gearing import through_gears
from .parameters import begins, coordinates, motion, per_name, profiles
from .pid import PID

if TYPE_CHECKING:
    from ..model.model import Model


@checked
class JointImpedance(PID):
    """A joint that answers its surroundings with a stiffness and a damping: K (phi_r - phi) + B (phi_r' - phi').

    Kostadinov & Boiadjiev 2002, eq. 8: (J_equipment + J) phi'' = K (phi_r - phi) + B (phi_r' - phi') + T_e.

    joints       names of the coordinates
    stiffness    K [N m/rad or N/m]: one for all, a list, or a dict
    damping      B [N m s/rad or N s/m]
    options      reference, feedforward, model, limit, start: as in `PID`
    """

    def __init__(
        self, joints: Joints, stiffness: ByName, damping: ByName, *, name: str = "joint impedance", **options: Any
    ) -> None:
        super().__init__(joints, stiffness, damping, name=name, **options)


@checked
class Antagonists(Controller):
    """Two hardening tendons on a pulley: co-contraction sets the joint's stiffness and makes no torque.

    Each pulls with linear d + quadratic d^2 when stretched by d, and not at all when slack. Stretched by
    co_contraction +- radius (reference - angle), they give the stiffness 2 radius^2 (linear + 2 quadratic
    co_contraction): tendons without the quadratic term cannot change it.

    joint            the coordinate
    radius           of the pulley [m]
    linear           [N/m], and `quadratic` [N/m^2] of a tendon
    co_contraction   stretch of both [m]: a number or a motion
    damping          B of the joint [N m s/rad]
    reference        angle, a motion or a number; None holds the start
    """

    binds_at_once = True

    def __init__(
        self,
        joint: str,
        radius: float,
        linear: float,
        quadratic: float,
        co_contraction: Goal,
        damping: float = 0.0,
        *,
        reference: Goal | None = None,
        start: StartLike | None = None,
        name: str = "antagonists",
    ) -> None:
        self.name, self.joint = name, joint
        given = {"radius": radius, "linear": linear, "quadratic": quadratic, "damping": damping}
        self.numbers = {what: float(per_name(x, [joint], what, name)[0]) for what, x in given.items()}
        if self.numbers["radius"] == 0.0:
            raise ModelError.at(name, "radius is zero; a tendon needs an arm to pull at", "radius")
        if not isinstance(co_contraction, Motion):
            per_name(co_contraction, [joint], "co_contraction", name)
        self.co_contraction, self.reference, self.start = co_contraction, reference, start

    def stiffness(self, co_contraction: float) -> float:
        """Stiffness of the joint about its reference [N m/rad] while both tendons are taut."""
        p = self.numbers
        return 2.0 * p["radius"] ** 2 * (p["linear"] + 2.0 * p["quadratic"] * co_contraction)

    def bind(self, model: Model) -> BoundLaw:
        from ..kernels.control import joint_control as k

        (entry,) = coordinates(model, [self.joint], self.name)
        value = begins(model, self.start, self.name).q[entry.q]
        wanted = value if self.reference is None else self.reference
        reference, co_contraction = profiles(
            (
                motion(wanted, value, f"{self.name}: reference"),
                motion(self.co_contraction, 0.0, f"{self.name}: co_contraction"),
            )
        )
        p = k.TendonParameters.packed(
            q=entry.q, v=entry.v, reference=reference, co_contraction=co_contraction, **self.numbers
        )
        return through_gears(model, [entry], BoundLaw(ControlLaw(self.name, k.antagonists), p))

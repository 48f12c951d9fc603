"""The flexible problem of `precision.py`: the large arm with its payload is turned by a constant torque."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import flexible_models
import numpy as np
from precision import Problem, Series, halved, tolerances

import jourdain as jd

TORQUE, UNTIL = 5e3, 2.0
"""About the axis of the shoulder [N m], and its time [s]."""
Run = Callable[[float], np.ndarray]


@jd.law(states=0)
def drive(t, q, v, z, s, p, effort, dz):
    effort[0] += p[0]


def arm() -> jd.Model:
    """Seven joints and two booms, without gravity, without foreshortening as in Exudyn."""
    system = jd.System("slew")
    for link in flexible_models.arm_27():
        body = replace(link.body, fidelity="inconsistent") if isinstance(link.body, jd.Beam) else link.body
        joint = jd.Revolute(f"{body.name}_joint", axis=link.axis) if link.axis else jd.Weld(f"{body.name}_weld")
        system.add(body, joint, to="world" if link.to == "world" else f"{link.to}.tip")
    return system.compile()


def ours(model: jd.Model, method: Any) -> Run:
    """The payload's tip by a step or, for methods that choose theirs, by a tolerance."""
    law = drive(TORQUE)

    def run(setting: float) -> np.ndarray:
        adaptive = method in ("dop853", "dopri5", "radau", "bdf")
        options = {"rtol": setting, "atol": setting} if adaptive else {"step": setting}
        made = jd.simulate(
            model, model.state(), until=UNTIL, method=method, output=UNTIL, controller=law, progress=False, **options
        )
        return model.pose("payload.tip", made.state()).position

    return run


def exudyn(penalty: bool) -> Run:
    """Floating-frame bodies in joints; explicitly, these are stiff springs."""
    import exudyn as exu
    from exudyn.itemInterface import LoadTorqueVector
    from exudyn_flexible import SOLVERS, ExudynArm

    class Slewing(ExudynArm):
        gravity = (0.0, 0.0, 0.0)

        def _close(self, tips: dict[str, int]) -> None:
            self.system.AddLoad(LoadTorqueVector(markerNumber=tips["shoulder1"], loadVector=[0.0, 0.0, TORQUE]))

    peer = Slewing(flexible_models.arm_27(), penalty)
    method = exu.DynamicSolverType.RK44 if penalty else None

    def run(step: float) -> np.ndarray:
        return peer.run(round(UNTIL / step), step, method, SOLVERS["its fastest solver"])

    return run


def slew() -> Problem:
    """Where the payload's tip is in the end."""
    model = arm()
    exact, other = ours(model, "dop853")(1e-12), ours(model, "radau")(1e-11)
    trust = float(np.max(np.abs(exact - other)))
    no_beams = "no modal beams: segments of rigid bodies would be another model"
    rough, steps = tolerances(2, 12), halved(0.04, 10)
    series = [
        Series("Jourdain", "dop853", ours(model, "dop853"), rough),
        Series("Jourdain", "rk4", ours(model, "rk4"), steps),
        Series("Jourdain", "radau", ours(model, "radau"), rough),
        Series("Jourdain", "bdf", ours(model, "bdf"), rough),
        Series("Jourdain", "generalized-alpha", ours(model, "generalized-alpha"), steps),
        Series("Exudyn", "generalized alpha", exudyn(False), steps),
        Series("Exudyn", "RK4, joints as stiff springs", exudyn(True), steps),
    ]
    known = (
        "The large arm with its payload, 7 joints and 20 coordinates of two booms, is turned from rest by "
        f"{TORQUE:g} N m for {UNTIL:g} s; the payload's tip. Reference: dop853 at 1e-12; radau at 1e-11 ends "
        f"{trust:.0e} m beside it."
    )
    absent = dict.fromkeys(("MuJoCo", "Drake", "Pinocchio with SciPy"), no_beams)
    return Problem("slew", "Flexible slew", exact, known, trust, 1e-6, "m", series, absent)

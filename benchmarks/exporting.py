"""Exported models: what a step costs from C, against one inside the compiled loop of a simulation."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import models
import numpy as np
from exported import Instance, Library
from results import Limit
from scipy.spatial.transform import Rotation
from timing import in_rounds

import jourdain as jd
from jourdain.run.loop import loop
from jourdain.run.plan import Plan
from jourdain.study.demo import shipped

SHARE = 0.10
"""How much of one core a model at 1 kHz may take."""


def step_times(
    model: jd.Model, state: jd.State, step: float, steps: int, rounds: int, **options
) -> tuple[float, float]:
    """Seconds of a step from C and of one inside the loop of a simulation, the same steps."""
    from jourdain.kernels.integrate.loop_records import tape

    with tempfile.TemporaryDirectory() as folder:
        jd.export.c(model, folder, state=state, step=step, target="native", inputs=(), **options)
        one = Instance(Library(Path(folder)))

    def from_c() -> float:
        begun = time.process_time()
        one.lib.init(one.self)
        assert one.step(steps) == 0
        return time.process_time() - begun

    def in_loop() -> float:
        plan = Plan(model, state, state.time + steps * step, step, method="rk4", **options).prepare()
        run = loop(plan, plan.workspace())
        run = run._replace(tape=tape(2, model.nq, model.nv, len(model.names.z) + plan.laws.states))
        go = plan.stepper.ready(model.features).python
        begun = time.process_time()
        go(run, plan.start, plan.step, 0, steps, 2**62, 2**62, 0)
        return time.process_time() - begun

    best = in_rounds({"c": from_c, "python": in_loop}, rounds)
    return best["c"] / steps, best["python"] / steps


def station() -> tuple[jd.Model, jd.State]:
    """A platform with four panels and an arm of seven joints and two booms, whose payload touches a plate."""
    system = jd.System("station", gravity=(0, 0, 0))
    ports = {f"port{i}": jd.Pose(rotation=Rotation.from_euler("z", 90 * i, degrees=True)) for i in range(4)}
    craft = jd.RigidBody("craft", 2e4, (0, 0, 0), (5e4, 6e4, 7e4), frames=ports | {"root": (0, 0, 2.0)})
    system.add(craft, jd.Free("flight"))
    modes = jd.Modes(bending=4, torsion=1)
    for i in range(4):
        panel = jd.Beam(f"panel{i}", 12.0, 4.0, 1e7, 2e5, 1e5, modes=jd.Modes(bending=3, torsion=1), damping=0.01)
        system.add(panel, jd.Weld(f"hold{i}"), to=f"craft.port{i}")
    at = "craft.root"
    for i, axis in enumerate("zyyxyzx"):
        if i in (2, 3):
            link = jd.Beam(f"link{i}", 6.0, 10.0, 1e8, 5e5, 5e5, modes=modes, damping=0.01)
        else:
            link = jd.RigidBody(f"link{i}", 50.0, (0.2, 0, 0), (1.0, 2.0, 2.0), frames={"tip": (0.4, 0, 0)})
        system.add(link, jd.Revolute(f"joint{i}", axis=axis, damping=5.0), to=at)
        at = f"link{i}.tip"
    ball = jd.Sphere(0.3)
    system.add(jd.RigidBody.from_shape("payload", ball, mass=500.0), jd.Weld("grip"), to=at)
    start = system.compile()
    place = start.pose("payload.origin", start.state().q).position
    law = jd.HertzContact(stiffness=1e6, restitution=0.6)
    system.contact("plate", ball.at("payload.origin"), jd.Plane((0, 0, 1), place[2] - 0.2999).at("craft.origin"), law)
    model = system.compile()
    return model, model.state(v={"joint1": 0.01})


def limits(quick: bool) -> list[Limit]:
    """The 7-axis arm and the demonstration: flexible arm in orbit, contact, impedance, loop that damps its links."""
    rounds, steps = (5, 2000) if quick else (30, 10_000)
    arm = models.arm()
    mine, theirs = step_times(arm, arm.state(v=np.full(7, 0.1)), 1e-4, steps, rounds)
    one = shipped("flagship")
    whole, inside = step_times(one.model, one.state, 1e-3, steps // 4, rounds, controller=one.controller)
    large, state = station()
    most, _ = step_times(large, state, 1e-3, steps // 8, rounds)
    return [
        Limit("an RK4 step of the arm from C, over one inside a simulation", mine / theirs, "", 1.02),
        Limit("an RK4 step of the demonstration from C, over one inside a simulation", whole / inside, "", 1.02),
        Limit("an RK4 step of the arm from C", mine, "s"),
        Limit("an RK4 step of the demonstration from C, of 1 ms", whole, "s", SHARE * 1e-3),
        Limit(f"an RK4 step of a station with {large.nv} velocities from C, of 1 ms", most, "s", SHARE * 1e-3),
        *operation_limits(),
    ]


def operation_limits() -> list[Limit]:
    """Products and sums of our C source of a 7-axis arm over those of CasADi's code of an independent formulation."""
    try:
        from peers.with_casadi import function, links, operations, ours
    except ImportError:
        return []
    chain, names = links(7), ["inverse_dynamics", "forward_dynamics", "forward_derivatives"]
    with tempfile.TemporaryDirectory() as folder:
        mine = {name: sum(counts[:2]) for name, counts in ours(chain, folder, names).items()}
    ratios = {name: mine[name] / sum(operations(function(name, chain))[:2]) for name in names}
    most = {"forward_derivatives": 1.0}
    return [
        Limit(
            f"products and sums of {name.replace('_', ' ')} as C source, over CasADi's code", ratio, "", most.get(name)
        )
        for name, ratio in ratios.items()
    ]


if __name__ == "__main__":
    for limit in limits(quick=True):
        print(" | ".join(limit.cells()))

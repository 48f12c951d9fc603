"""Volumetric contact: Gonthier 2007, section 5.2, with the re-runs. Its volumes are voxels; ours are exact."""

import numpy as np

import jourdain as jd
from jourdain.study.published import paper, rerun


def ball_over_table(step: float, until: float) -> jd.Run:
    """Tables 5.5 and 5.6: 2 kg, 0.1 m, dropped from 0.2 m with a push and a spin; the table ends at y = 0.3 m."""
    system = jd.System("ball on a table", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.008, 0.008, 0.008)), jd.Free("free"))
    friction = jd.BristleFriction(0.08, 0.05, stiffness=1e5, damping=np.sqrt(1e5), stribeck=1e-3, dwell=0.3)
    normal = jd.VolumetricContact(stiffness=1e7, restitution=0.5, slow_speed=1e-3, relaxation=1.0, normal="inertia")
    table = jd.shapes.Edge((0, 0, 1), (0, 1, 0)).at("world", position=(0, 0.3, 0))
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), table, normal=normal, friction=friction)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((0, 0, 0.2))}, v={"free": (0, 0, 3.0, 0, 0.3, 0)})
    return jd.simulate(model, state, until=until, method="rk3", step=step, output=1e-3, step_check="warn")


def at(run: jd.Run, values: np.ndarray, time: float) -> np.ndarray:
    """The sample at a time."""
    return values[np.searchsorted(run.record.time, time - 1e-9)]


def numbers_ball_over_the_edge():
    """Gonthier 2007, 5.2.1: a ball bounces, rolls ever slower and leaves a table, steps of 50 us."""
    run = ball_over_table(5e-5, 5.0)
    ball, touch, time = run.frame("ball.origin"), run.contact["touch"], run.record.time
    v, w, on = ball.velocity.values, ball.angular_velocity.values, touch.sites.values > 0
    switches = time[1:][on[1:] != on[:-1]]
    yield rerun("contact begins or ends", "s", [0.1428, 0.1738, 0.2946, 0.3451, 0.3624, 4.356], switches, 1.5e-3)
    yield rerun("speed after the first bounce", "m/s", 0.2078, at(run, v, 0.25)[1], 1e-4)
    yield rerun("spin after the first bounce", "rad/s", -1.930, at(run, w, 0.25)[0], 1e-3)
    yield paper("speed at 0.35 s", "m/s", 0.197, at(run, v, 0.35)[1], 5e-4)
    speeds = {0.35: 0.1969, 0.5: 0.1749, 1.0: 0.1073, 1.5: 0.0653, 2.0: 0.0395, 3.0: 0.0145}
    ours = [at(run, v, one)[1] for one in speeds]
    yield rerun("speed", "m/s", list(speeds.values()), ours, 1e-4, at=[f"{one:g} s" for one in speeds])
    yield rerun("largest force", "N", 437.4, touch.force.values[:, 2].max(), 0.5)
    yield rerun("spin all but stopped", "s", 1.889, time[np.argmax(w[:, 2] < 0.02)], 2e-3)
    yield paper("spin stops", "s", 1.9, time[np.argmax(w[:, 2] < 0.0)], 5e-3)
    dwells = {1.90: 0.127, 2.0: 0.374, 2.5: 0.882}
    ours = [at(run, run.z["touch.dwell"].values, one) for one in dwells]
    yield rerun("dwell", "", list(dwells.values()), ours, 2e-3, at=[f"{one:g} s" for one in dwells])
    tilts = {4.0: 88.0, 4.1: 86.0, 4.2: 80.3, 4.3: 41.0}
    tilt = np.degrees(np.arcsin(touch.patch.normal.values[:, 2]))
    ours = [at(run, tilt, one) for one in tilts]
    yield rerun("tilt of the normal", "deg", list(tilts.values()), ours, 0.3, at=[f"{one:g} s" for one in tilts])
    slips = time[(time > 3.0) & (run.z["touch.dwell"].values < 0.5)][0]
    yield paper("slips over the edge", "s", 4.3, slips, 0.05)
    total = run.energy["total"].values
    after = run.energy["kinetic"].values[-1] + run.energy["gravity"].values[-1]
    ours = [at(run, total, 0.35), at(run, total, 2.5), after]
    yield rerun("energy", "J", [2.046, 1.930, 1.900], ours, 1e-3, at=("0.35 s", "2.5 s", "after leaving"))
    yield rerun("elastic work left over at the edge", "J", -0.0144, float(touch.remained[-1]), 1e-4)


def numbers_longer_steps():
    """Gonthier 2007, 5.2.1: the same at longer steps: when it leaves the table."""
    leaves = []
    for step in (2.5e-4, 1e-3, 5e-5):
        run = ball_over_table(step, 5.0)
        leaves.append(run.record.time[np.flatnonzero(run.contact["touch"].sites.values > 0)[-1]])
    yield rerun("leaves, 250 us", "s", 4.029, leaves[0], 0.002)
    yield rerun("leaves, 1 ms", "s", 3.746, leaves[1], 0.005, known=3.714,
                reason="Steps of 1 ms are beyond what friction bears; leaving is an instability, and the re-run's "
                       "method is another.")  # fmt: skip
    yield paper("sooner at 250 us than at 50 us", "s", 0.2, leaves[2] - leaves[0], 0.02, known=0.328,
                reason="The ball creeps over the edge, an instability; the thesis's voxels of 0.2 mm decide when it "
                       "begins.")  # fmt: skip


def tippe_top(spin: float, factor: float, contensou: str = "ansatz") -> tuple[jd.Run, np.ndarray]:
    """Tables 5.7 and 5.8: two spheres on one body; returns the run and the tilt of its axis."""
    system = jd.System("tippe-top", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("top", mass=6e-3, inertia=(8e-7, 8e-7, 7e-7)), jd.Free("free"))
    friction = jd.BristleFriction(0.3, 0.3, stiffness=1e5, damping=np.sqrt(1e5), stribeck=1e-3, dwell=0.01)
    normal = jd.VolumetricContact(
        stiffness=1.798e10, restitution=0.975, relaxation=1.0, spin_factor=factor, contensou=contensou, normal="inertia"
    )
    for name, radius, height in (("body", 0.015, 0.003), ("stem", 0.005, 0.016)):
        sphere = jd.Sphere(radius).at("top.origin", position=(0, 0, height))
        system.contact(name, sphere, jd.Plane((0, 0, 1)).at("world"), normal=normal, friction=friction)
    model = system.compile()
    c, s = np.cos(0.1), np.sin(0.1)
    pose = jd.Pose((0, 0, 0.015 - 0.003 * c - 8.34e-6), [[1, 0, 0], [0, c, -s], [0, s, c]])
    state = model.state(q={"free": pose}, v={"free": (0, 0, spin, 0, 0, 0)})
    run = jd.simulate(model, state, until=6.0, step=2e-5, output=1e-3)
    x, y = run.q["free.qx"].values, run.q["free.qy"].values
    return run, np.arccos(np.clip(1.0 - 2.0 * (x**2 + y**2), -1.0, 1.0))


VOXELS = (
    "The thesis's voxels of 20 um are coarser than the cap is deep (8 um), which makes the spinning torque too large."
)


def turned(run: jd.Run, tilt: np.ndarray) -> float:
    """When the top is all but upside down [s]."""
    return float(run.record.time[np.argmax(tilt > 0.95 * np.pi)])


def numbers_tippe_top():
    """Gonthier 2007, 5.2.2: the tippe-top at 200 rad/s turns over."""
    run, tilt = tippe_top(200.0, 1.0)
    time = run.record.time
    yield paper("most upright", "s", 0.15, time[np.argmin(tilt[time < 0.5])], 0.005, reason=VOXELS, known=0.128)
    yield paper("inverted", "s", 1.6, turned(run, tilt), 0.05, reason=VOXELS, known=1.66)
    yield rerun("inverted, as re-run", "s", 1.66, turned(run, tilt), 0.01)
    spin = run.frame("top.origin").angular_velocity.values[:, 2]
    ours = [at(run, spin, one) for one in (1.0, 2.0, 4.0)]
    yield rerun("spin", "rad/s", [142, 111, 100], ours, 1.0, at=("1 s", "2 s", "4 s"))
    down = time[(time > 3.0) & (tilt < 0.8 * np.pi)]
    yield paper("falls (6 s: not before)", "s", 4.0, down[0] if len(down) else 6.0, 0.3, reason=VOXELS, known=6.0)


def numbers_slower_tippe_tops():
    """Gonthier 2007, 5.2.2: the tippe-top at 185 rad/s with 0.65 of the torque, at 180 rad/s with all of it."""
    run, tilt = tippe_top(185.0, 0.65)
    yield rerun("185 rad/s, 0.65 of the torque: inverted", "s", 1.51, turned(run, tilt), 0.01)
    run, tilt = tippe_top(180.0, 1.0)
    time = run.record.time
    yield rerun("180 rad/s: inverted", "s", 1.47, turned(run, tilt), 0.01)
    yield rerun("180 rad/s: falls", "s", 5.4, time[(time > 3.0) & (tilt < 0.8 * np.pi)][0], 0.3)

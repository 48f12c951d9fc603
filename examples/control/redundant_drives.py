"""
Predictive control of four drives for three degrees of freedom
==============================================================

Belda, Bohm and Valasek (NATO ASI, part A, section 2) control a redundant parallel robot by prediction: the loops are
reduced to the tool's coordinates, R^T M R x'' + ... = R^T T u, linearised at each sample, and a quadratic criterion
over the next samples gives generalised forces, which are then shared among the drives. Here that is a platform on four
legs of two links, all its loops in the simulation. The share of least norm and one that keeps every torque's sign,
against backlash, move it alike: what differs is in the null space of R^T T.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

PERIOD, HORIZON, LEAST = 0.01, 10, 1.0
TOOL, DRIVES = ("platform.x", "platform.y", "platform.angle"), tuple(f"drive{i}" for i in range(4))
model = jd.mechanism.planar_robot(4).compile()
driven = [model.index.v[name] for name in DRIVES]


def wanted(t):
    """A circle of 8 cm in two seconds about a point off the middle, and a turn there and back."""
    s = np.clip(np.asarray(t) / 2.0, 0.0, 1.0)
    phase = 2 * np.pi * (s - np.sin(2 * np.pi * s) / (2 * np.pi))
    return np.stack([0.08 * np.cos(phase), 0.08 * np.sin(phase), 0.1 * (1 - np.cos(phase))], axis=-1)


def controller(least):
    """Generalised predictive control in the tool's coordinates; it keeps the torques that it gave."""
    torques = []

    def control(t, q, v):
        state = jd.State(t, q.copy(), v.copy())
        reduced = jd.constraints.reduce_to_independent(model, state, TOOL)
        R, u = reduced.R, v[:3]
        M = R.T @ model.mass_matrix(state) @ R
        h = R.T @ (model.bias(state) + model.mass_matrix(state) @ (reduced.R_rate @ u))
        slope = np.eye(6, k=3)
        force = np.vstack([np.zeros((3, 3)), np.linalg.inv(M)])
        drift = np.concatenate([u, -np.linalg.solve(M, h)])
        A, both = jd.control.discretize(slope, np.column_stack([force, drift]), PERIOD)
        gpc = jd.control.GPC(A, both[:, :3], np.eye(3, 6), HORIZON, 1e-9, "qr")
        ahead = wanted(t + PERIOD * np.arange(1, HORIZON + 1)) - q[:3]
        push = gpc.move(np.zeros(6), ahead, affine=both[:, 3])
        torques.append(jd.control.allocate(R[driven].T, push, least=least, signs=signs))
        return dict(zip(DRIVES, torques[-1]))

    return control, torques


rough = {f"drive{i}": np.pi / 2 * (i + 0.5) + 2.2 for i in range(4)} | {f"elbow{i}": 1.5 for i in range(4)}
middle = model.assemble(model.state(rough), hold=("platform",))
middle.q[:3] = wanted(0.0) + (0.005, 0.0, 0.0)
start = model.assemble(middle, hold=("platform",))
signs = np.sign(
    np.linalg.svd(jd.mechanism.transmission(model, start, DRIVES, "platform").J.T)[2][-1]
)  # of the null space
runs, shares = {}, {}
for name, least in (("least norm", None), ("signs kept", LEAST)):
    control, shares[name] = controller(least)
    runs[name] = jd.simulate(model, start, 2.2, step=1e-3, controller=jd.control.Sampled(control, PERIOD))
shares = {name: np.array(one) for name, one in shares.items()}
late = runs["least norm"].record.time > 0.5
off = {name: np.max(np.abs(run.record.q[:, :3] - wanted(run.record.time))[late], axis=0) for name, run in runs.items()}
apart = np.max(np.abs(runs["least norm"].record.q[:, :3] - runs["signs kept"].record.q[:, :3]))
gap = max(np.max(np.abs(model.constraints.residual(run.state(-1).q))) for run in runs.values())

figure, (left, mid, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
left.plot(*wanted(np.linspace(0, 2, 200))[:, :2].T, "k", lw=4, alpha=0.25)
left.plot(*runs["least norm"].record.q[:, :2].T)
left.set(
    aspect="equal", xlabel="x [m]", ylabel="y [m]", title=f"tool, off by {1e3 * off['least norm'][:2].max():.2g} mm"
)
for panel, (name, one) in zip((mid, right), shares.items()):
    panel.step(PERIOD * np.arange(len(one)), one, where="post")
    panel.set(xlabel="time [s]", ylabel="torque [N m]", title=f"drives, {name}", ylim=(-6, 6))
plt.show()

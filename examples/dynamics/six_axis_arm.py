"""
Recursive Newton-Euler dynamics of a six-axis arm
=================================================

Georgiev and Ivanova (NATO ASI, Prague 2002) simulate a robot cell by Newton-Euler recursion alone, T = A q'' + H: H
is the recursion at q'' = 0, and each column of A is the recursion at a unit acceleration (Walker and Orin 1982). The
force that assembly puts on the tool is where the inward recursion begins, and it enters H as J^T w. The paper
gives no numbers; this arm is of PUMA type, with masses and lengths of our choice.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

# mass, centre of mass, inertia, axis of the joint, where the next joint sits
LINKS = [
    (12.0, (0.0, 0.0, -0.2), (0.30, 0.30, 0.10), "z", (0.0, 0.0, 0.0)),
    (17.4, (0.2, 0.0, 0.10), (0.13, 0.52, 0.54), "y", (0.43, 0.0, 0.15)),
    (4.8, (0.0, 0.0, 0.15), (0.07, 0.09, 0.02), "y", (0.0, 0.0, 0.43)),
    (0.82, (0.0, 0.0, -0.02), (0.002, 0.002, 0.001), "z", (0.0, 0.0, 0.0)),
    (0.34, (0.0, 0.0, 0.01), (0.0003, 0.0004, 0.0003), "y", (0.0, 0.0, 0.0)),
    (0.09, (0.0, 0.0, 0.03), (0.00015, 0.00015, 0.00004), "z", (0.0, 0.0, 0.10)),
]
WRENCH = np.array([0.5, -0.3, 0.8, 10.0, -5.0, 20.0])  # moment [N m], force [N] on the tool, world axes


def arm(wrench):
    """The model, with a constant wrench on its tool."""
    system = jd.System("six-axis arm", gravity=(0, 0, -9.81))
    for i, (mass, com, inertia, axis, tip) in enumerate(LINKS):
        body = jd.RigidBody(f"link{i + 1}", mass=mass, com=com, inertia=inertia, frames={"tip": tip})
        system.add(body, joint=jd.Revolute(f"q{i + 1}", axis=axis), to=f"link{i}.tip" if i else "world")
    system.force("assembly", at="link6.tip", force=wrench[3:], moment=wrench[:3])
    return system.compile()


model, free = arm(WRENCH), arm(np.zeros(6))


def walker_orin(state):
    """A and H of T = A q'' + H, by seven recursions."""
    H = model.inverse_dynamics(state)
    return np.column_stack([model.inverse_dynamics(state, unit) - H for unit in np.eye(6)]), H


# %%
# At random states: A is symmetric and positive definite, the wrench enters as J^T w, and there and back is an identity.

rng = np.random.default_rng(13)
symmetry = round_trip = wrench_error = 0.0
for q, v, T in rng.normal(size=(50, 3, 6)):
    state, T = model.state(q, v), 20.0 * T
    A, H = walker_orin(state)
    symmetry = max(symmetry, np.max(np.abs(A - A.T)) / np.max(np.abs(A)))
    np.linalg.cholesky(A)  # which only a positive definite matrix has
    back = model.inverse_dynamics(state, model.forward_dynamics(state, T))
    round_trip = max(round_trip, np.max(np.abs(back - T)) / np.max(np.abs(T)))
    entered = free.inverse_dynamics(state) - H - model.jacobian("link6.tip", state).T @ WRENCH
    wrench_error = max(wrench_error, np.max(np.abs(entered)))

# %%
# A move of all six axes against that wrench: what the simulation reports as effort is A q'' + H.

goal = (0.8, -0.6, 1.2, 0.5, -0.9, 1.5)
motions = {f"q{i + 1}": jd.Cycloid(to=x, duration=1.5) for i, x in enumerate(goal)}
run = jd.simulate(model, model.state(), until=2.0, output=0.02, motions=motions)
rise = 2 * np.pi / 1.5**2 * np.sin(2 * np.pi * run.record.time / 1.5) * (run.record.time < 1.5)
pairs = (walker_orin(run.state(i)) for i in range(len(run)))
recursion = np.array([A @ (rate * np.array(goal)) + H for (A, H), rate in zip(pairs, rise)])
effort_error = np.max(np.abs(recursion - run.record.effort)) / np.max(np.abs(recursion))

figure, axes = plt.subplots(2, 3, figsize=(10, 5), layout="constrained", sharex=True)
for i, panel in enumerate(axes.flat):
    panel.plot(run.time, run.effort[f"q{i + 1}"], label="simulated effort")
    panel.plot(run.record.time[::5], recursion[::5, i], "k.", ms=5, label="A q'' + H")
    panel.set(title=f"axis {i + 1}", ylabel="[N m]" if i % 3 == 0 else None, xlabel="time [s]" if i > 2 else None)
axes[0, 0].legend(frameon=False)
plt.show()

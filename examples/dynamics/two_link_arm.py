"""
Free fall of a two-link arm
===========================

Describe, compile, simulate, look: an arm with a payload at its tip falls from a raised pose, while a law brakes its
elbow. The energy that is lost must all have gone into the brake.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

# %%
# Bodies hang on joints, joints on frames. Only the upper arm's tip and the fore arm's tip need names.

arm = jd.System("two-link arm", gravity=(0.0, 0.0, -9.81))
arm.add(
    jd.RigidBody("upper", mass=5.0, com=(0.5, 0, 0), inertia=(0.02, 0.42, 0.42), frames={"tip": (1.0, 0, 0)}),
    joint=jd.Revolute("shoulder", axis="y"),
)
arm.add(
    jd.RigidBody("fore", mass=1.6, com=(1.0, 0, 0), inertia=(0.001, 0.534, 0.534), frames={"tip": (2.0, 0, 0)}),
    joint=jd.Revolute("elbow", axis="y"),
    to="upper.tip",
)
arm.add(jd.RigidBody("payload", mass=20.0, inertia=(1, 1, 1)), joint=jd.Weld("grapple"), to="fore.tip")
model = arm.compile()

# %%
# The model functions work on plain arrays: here the two torques that would hold the arm where it starts.

state = model.state(q={"shoulder": -0.6, "elbow": -0.9})
holding = model.inverse_dynamics(state)
residual = model.mass_matrix(state) @ model.forward_dynamics(state, holding) + model.bias(state) - holding

# %%
# A law is ordinary Python that runs inside the compiled loop.

ELBOW = model.index.v["elbow"]


@jd.law
def brake(t, q, v, z, s, p, effort, dz):
    effort[ELBOW] -= p[0] * v[ELBOW]


run = jd.simulate(model, state, until=8.0, step=2e-4, method="rk4", output=0.01, controller=brake(60.0))
balance = run.energy.error
braked = -float(run.energy["work"][-1])

# %%
# What a joint carries is a result too. The shoulder's bearing changes the momentum of the whole arm, less its weight:
# model functions take all samples of a run at once.

bearing = run.reaction["shoulder"].force
momentum = model.momentum(run.states).linear
peak = float(np.max(np.linalg.norm(bearing, axis=1)))

# %%
# The arm every 0.1 s of its first swing, the path of the payload, and where the energy went.

figure, (view, energies) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained", width_ratios=(1, 1.2))
points = np.stack([run.frame(f).position.values[:, [0, 2]] for f in ("upper.origin", "fore.origin", "payload.origin")])
view.plot(*points[2].T, lw=0.8, color="C1", label="payload")
for i in range(0, 130, 10):
    view.plot(*points[:, i].T, "-o", color="C0", alpha=0.25 + 0.005 * i, lw=1.5, ms=3)
view.set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title="the first swing, every 0.1 s")
view.legend(loc="upper left", frameon=False)
start = run.energy["gravity"][0]
energies.plot(run.time, run.energy["gravity"] - start, label="gravity")
energies.plot(run.time, run.energy["kinetic"], label="kinetic")
energies.plot(run.time, -run.energy["work"], label="taken by the brake")
energies.plot(run.time, run.energy["total"] - run.energy["work"] - start, "k--", lw=1, label="sum")
energies.set(xlabel="time [s]", ylabel="energy [J]", title=f"balanced to {balance:.0e} of the energy that moves")
energies.legend(frameon=False, ncols=2)
plt.show()

"""
The heavy top
=============

A top of 15 kg spins at 150 rad/s about an axis that starts out horizontal, 1 m from its pivot: the benchmark of Brüls,
Cardona and Arnold (2012) for integration on rotations. Here it is a body on a spherical joint; its quaternion is
advanced on the group, so that every method keeps its order.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

top = jd.System("heavy top", gravity=(0, 0, -9.81))
body = jd.RigidBody(
    "top", mass=15.0, com=(0, 1, 0), inertia=(0.234375, 0.46875, 0.234375), frames={"centre": (0, 1, 0)}
)
top.add(body, joint=jd.Spherical("pivot"))
model = top.compile()
state = model.state(v={"pivot": (0.0, 150.0, -4.61538)})

# %%
# Published values at 2 s: how far the centre of mass has moved from its start, and the quaternion. They are 1.2e-6 off
# ours, while an independent integration agrees with ours to 1e-12, so the difference is read as their own error.

DISPLACEMENT = np.array([-0.150416985652933, -1.724164450779749, -0.673023460701136])
QUATERNION = np.array([0.122947275600560, -0.491079359219981, 0.350430794926147, -0.787986857972906])

run = jd.simulate(model, state, until=2.0, output=2e-3, rtol=1e-13, atol=1e-13)
centre = run.frame("top.centre").position.values
displacement, quaternion = centre[-1] - centre[0], run.record.q[-1]
published = max(
    np.max(np.abs(displacement - DISPLACEMENT)),
    np.max(np.abs(quaternion * np.sign(quaternion @ QUATERNION) - QUATERNION)),
)

# %%
# The error of the place of the centre after 0.2 s, against the step: orders 2 to 5 on a rotation.

truth = run.frame("top.centre").position.values[100]
steps = 0.2 / np.array([125, 250, 500, 1000])
errors = {method: [] for method in ("heun", "rk3", "rk4", "rk5")}
for method, found in errors.items():
    for step in steps:
        rough = jd.simulate(model, state, until=0.2, step=step, method=method, output=0.2)
        found.append(np.max(np.abs(rough.frame("top.centre").position.values[-1] - truth)))
orders = {method: np.log2(found[-2] / found[-1]) for method, found in errors.items()}

figure = plt.figure(figsize=(10, 4.2), layout="constrained")
view = figure.add_subplot(1, 2, 1, projection="3d")
u, w = np.mgrid[0 : 2 * np.pi : 40j, 0 : np.pi : 20j]
sphere = np.cos(u) * np.sin(w), np.sin(u) * np.sin(w), np.cos(w)
view.plot_wireframe(*sphere, color="0.85", lw=0.4)
view.plot(*centre.T, color="C0", lw=1.2)
for i, name in ((0, "start"), (-1, "2 s")):
    view.scatter(*centre[i], s=30, depthshade=False, color=f"C{i + 2}", label=name)
view.legend(frameon=False, loc="upper left")
view.set(box_aspect=(1, 1, 1), xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", title="path of the centre of mass")
view.view_init(elev=20, azim=35)
panel = figure.add_subplot(1, 2, 2)
for method, found in errors.items():
    panel.loglog(steps, found, "-o", ms=4, label=f"{method}: order {orders[method]:.2f}")
panel.set_xticks(steps, [f"{1e6 * step:.0f}" for step in steps])
panel.minorticks_off()
panel.set(xlabel="step [µs]", ylabel="error at 0.2 s [m]", title=f"published values met to {published:.1e}")
panel.grid(alpha=0.3)
panel.legend(frameon=False)
plt.show()

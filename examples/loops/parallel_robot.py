"""
A planar parallel robot with redundant actuation
================================================

A platform of three degrees of freedom on four legs, each with one drive: redundantly actuated, as Belda, Valasek and
Sika build them. The fourth leg takes the singular poses away and shares the load. Position analysis leads the platform
along a path; the drives' torques of least norm follow from the platform's generalised force, u = (R^T T)^+ F. (The
papers' dimensions are lost; these are ours.)
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import PLATFORM, parallel_robot, parallel_robot_pose, transmission

import jourdain as jd

RADIUS, PERIOD = 0.15, 1.0

times = np.linspace(0.0, PERIOD, 101)
turns = times / PERIOD - np.sin(2 * np.pi * times / PERIOD) / (2 * np.pi)
path = np.column_stack(
    [RADIUS * np.cos(2 * np.pi * turns), RADIUS * np.sin(2 * np.pi * turns), 0.2 * np.sin(2 * np.pi * turns)]
)

# %%
# Round a circle, with three legs and with four.

motions = {name: jd.Table(times, path[:, i]) for i, name in enumerate(PLATFORM)}
torques, results = {}, {}
for legs in (3, 4):
    model = parallel_robot(legs).compile()
    start = model.state(q=parallel_robot_pose(legs, *path[0]))
    found = jd.mechanism.positions(model, motions, times, start, reactions=True)
    by_triangles = np.array([parallel_robot_pose(legs, *pose)[f"drive{legs - 1}"] for pose in path])
    results[legs] = found
    torques[legs] = np.array(
        [np.linalg.lstsq(transmission(model, q).T, force, rcond=None)[0] for q, force in zip(found.q, found.effort)]
    )
    off = np.max(np.abs(np.unwrap(by_triangles) - found.q[:, model.index.q[f"drive{legs - 1}"]]))

# %%
# The same motion by dynamics: the platform's coordinates are prescribed, and the efforts must be those of the analysis.

run = jd.simulate(model, results[4].state(0), until=PERIOD, step=1e-3, method="rk4", output=0.01, motions=motions)
dynamic = np.column_stack([run.effort[name] for name in PLATFORM])
agree = np.max(np.abs(dynamic - results[4].effort)[2:-2]) / np.max(np.abs(results[4].effort))

# %%
# How well the drives hold the platform, turned by 0.4 rad, over the workspace: the smallest singular value of the
# transmission. Where it is zero the platform can move though all drives stand still. Three lines of force meet in a
# point along a curve of the workspace, four only in single points.

TURNED = 0.4
grid = np.linspace(-0.3, 0.3, 31)
hold = {}
for legs in (3, 4):
    model = results[legs].model
    start = model.state(q=parallel_robot_pose(legs, 0.0, 0.0, TURNED))
    area = {"platform.x": grid, "platform.y": grid}
    hold[legs] = jd.mechanism.map(model, area, [f"drive{i}" for i in range(legs)], start, ("hold",))["hold"].T
least = {legs: float(np.nanmin(values)) for legs, values in hold.items()}

figure, panels = plt.subplots(1, 3, figsize=(13, 3.9), layout="constrained")
for legs, panel in zip((3, 4), panels[:2]):
    image = panel.contourf(grid, grid, hold[legs], levels=np.linspace(0.0, 0.24, 13), extend="max")
    panel.plot(*path[:, :2].T, "w", lw=1)
    panel.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title=f"{legs} legs, least hold {least[legs]:.3f}")
figure.colorbar(image, ax=panels[1])
for legs, style in ((3, "--"), (4, "-")):
    panels[2].plot(times, np.linalg.norm(torques[legs], axis=1), style, label=f"{legs} legs")
panels[2].set(xlabel="time [s]", ylabel="norm of the torques [N m]", title="round the circle in a second")
panels[2].legend(frameon=False)
plt.show()

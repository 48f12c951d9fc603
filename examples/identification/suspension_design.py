"""
A suspension by pairwise comparison and by gradient
===================================================

Kovalev (NATO ASI, part A, section 18) scans a grid of parameters, takes numbers of every run, and weighs them by
Saaty's pairwise comparison: comfort matters three times as much as the travel of the spring, and five times as much
as that of the wheel. That comparison has the weights 0.636986, 0.258285 and 0.104729, and contradicts itself by 3.3
%. Here a car body of 300 kg on a wheel of 40 kg runs over a bump. The grid of 4 x 4 springs and dampers is his way;
`jd.optimise_design` goes on from the best of its points with gradients through the compiled loop, and ends at the
softest spring that is allowed.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

UNTIL = 2.0
compared = jd.study.priorities([[1, 3, 5], [1 / 3, 1, 3], [1 / 5, 1 / 3, 1]])


def car(stiffness=15e3, damping=1000.0):
    """Road, wheel on its tyre, and body on its spring, one above the other."""
    system = jd.System("quarter of a car")
    system.add(jd.RigidBody("patch", 1.0, inertia=(1, 1, 1)), jd.Prismatic("road", axis="z"))
    tyre = jd.Prismatic("tyre", axis="z", stiffness=180e3, damping=100.0)
    system.add(jd.RigidBody("wheel", 40.0, inertia=(1, 1, 1)), tyre, to="patch.origin")
    spring = jd.Prismatic("spring", axis="z", stiffness=stiffness, damping=damping)
    system.add(jd.RigidBody("body", 300.0, inertia=(1, 1, 1)), spring, to="wheel.origin")
    return system.compile()


bump = {"road": jd.Cycloid(to=0.05, duration=0.15)}
kinds = [jd.study.Criterion(*one) for one in (("body.origin.vz", "rms"), ("spring", "peak"), ("tyre", "peak"))]
first = car()
settled = jd.simulate(first, first.state(), UNTIL, output=0.005, motions=bump)
scales = np.array([one.of(settled)[0] for one in kinds])


def score(model):
    """The weighted sum of what a run shows, each over that of the first design."""
    run = jd.simulate(model, model.state(), UNTIL, output=0.005, motions=bump)
    return float(compared.weights @ (np.array([one.of(run)[0] for one in kinds]) / scales))


stiffnesses, dampings = np.geomspace(5e3, 60e3, 4), np.geomspace(300.0, 6000.0, 4)
grid = np.array([[score(car(k, c)) for c in dampings] for k in stiffnesses])
i, j = np.unravel_index(np.argmin(grid), grid.shape)

# %%
# From the best point of the grid on.

start = car(stiffnesses[i], dampings[j])
best = jd.optimise_design(
    start, start.state(), UNTIL, {"spring.stiffness": (5e3, 60e3), "spring.damping": (300.0, 6000.0)},
    cost=list(zip(compared.weights / scales, kinds, strict=True)), motions=bump, output=0.005,
)  # fmt: skip

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
shown = left.contourf(dampings, 1e-3 * stiffnesses, grid, 12)
fig.colorbar(shown, ax=left)
left.plot(dampings[j], 1e-3 * stiffnesses[i], "wo", label=f"best of the grid: {grid[i, j]:.4f}")
left.plot(best.values["spring.damping"], 1e-3 * best.values["spring.stiffness"], "r*", ms=12, label=f"{best.cost:.4f}")
left.set(xscale="log", yscale="log", xlabel="damping [N s/m]", ylabel="stiffness [kN/m]", title="score")
left.legend()
for name, run in (("first design", settled), ("best design", best.run)):
    right.plot(run.time, 1e3 * (run.q["spring"] + run.q["tyre"] + run.q["road"]), label=name)
right.set(xlabel="time [s]", ylabel="[mm]", title="height of the body over the bump")
right.legend()
plt.show()

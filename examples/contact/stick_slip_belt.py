"""
Stick-slip on a belt
====================

Bowden and Leben's experiment: a block held by a spring rides on a belt until the spring pulls harder than friction
holds, slips back, and sticks again. The first breakaway always takes mu_S m g. The later ones take less the faster the
belt runs, for the contact has had less time to settle: that is the state "dwell" (Gonthier 2007, section 5.1.2).
The belt runs along 45 degrees, which a friction law for each axis would get wrong.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

system = jd.System("Bowden and Leben", gravity=(0, 0, -10.0))
system.add(jd.RigidBody("belt", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("run", axis=(1, 1, 0)))
nothing = {"mass": 0.0, "inertia": (0, 0, 0)}
system.add(jd.RigidBody("rail", **nothing), joint=jd.Prismatic("x", axis="x", stiffness=2.0))
system.add(jd.RigidBody("slide", **nothing), joint=jd.Prismatic("y", axis="y", stiffness=2.0), to="rail.origin")
block = jd.RigidBody("block", mass=1.0, inertia=(1, 1, 1))
system.add(block, joint=jd.Prismatic("z", axis="z"), to="slide.origin")
system.contact(
    "rub",
    jd.Sphere(0.05).at("block.origin"),
    jd.Plane((0, 0, 1)).at("belt.origin"),
    normal=jd.HertzContact(stiffness=1e6, restitution=0.5),
    friction=jd.BristleFriction(
        static=0.15, kinetic=0.1, stiffness=1e4, damping=31.62, viscous=0.01, stribeck=1e-3, dwell=2.0
    ),
)
model = system.compile()

# %%
# The block starts on the belt, moving with it, after a long rest.
height = 0.05 - (10.0 / 1e6) ** (2 / 3)  # where the contact bears the weight
fig, (upper, lower) = plt.subplots(2, 1, figsize=(8, 6), sharex=True, layout="constrained")
peaks, breakaway = {}, {}
for speed in (0.05, 0.10, 0.15):
    along = speed / np.sqrt(2.0)
    state = model.state(q={"z": height}, v={"run": speed, "x": along, "y": along}, z={"rub.dwell": 1.0})
    motions = {"run": jd.Polynomial((0.0, speed))}
    run = jd.simulate(model, state, until=30.0, motions=motions, rtol=1e-7, atol=1e-9, output=2e-3)
    time, away = run.record.time, np.hypot(run.q["x"].values, run.q["y"].values)
    pull = np.linalg.norm(run.contact["rub"].force.values[:, :2], axis=1)
    tops = [k for k in range(1, len(time) - 1) if away[k - 1] < away[k] >= away[k + 1] and away[k] > 0.6]
    peaks[speed] = [(float(time[k]), float(away[k])) for k in tops]
    breakaway[speed] = [float(pull[max(k - 500, 0) : k + 500].max()) for k in tops]
    upper.plot(time, away, label=f"{speed:.2f} m/s")
    lower.plot(time, pull, lw=1)
balance = run.energy.error

upper.set(ylabel="displacement of the block [m]")
upper.legend(title="belt", loc="lower right", fontsize=8)
lower.set(xlabel="time [s]", ylabel="friction [N]")
lower.axhline(1.5, color="k", ls=":", lw=1)
plt.show()

"""
A rover climbs a ledge
======================

Six driven wheels on two rockers and two bogies: a differential turns one rocker as far down as the other one up, so
that the body pitches by the mean of the two, and every wheel keeps its share of the weight. Wheels are cylinders that
press into the ground by volume; the ellipses in the replay are the surfaces on which they stand.
"""

import matplotlib.pyplot as plt
import numpy as np
from rover_parts import BOGIE, FRONT, PIVOT, RADIUS, WIDTH, build

import jourdain as jd

# %%
# Ground, and a ledge of 0.12 m in the way of the left wheels.
LEDGE, AHEAD, LONG = 0.12, 1.5, 0.7
ground = {
    "normal": jd.VolumetricContact(stiffness=1e7, restitution=0.3, slow_speed=0.05),
    "friction": jd.CoulombFriction(kinetic=0.8, transition_speed=0.05),
}
upright = (np.cos(np.pi / 4), np.sin(np.pi / 4), 0.0, 0.0)  # a cylinder's axis along y
rover, wheels = build()
for name in wheels:
    tyre = jd.Cylinder(RADIUS, WIDTH).at(f"{name} wheel.origin", rotation=upright)
    rover.contact(f"{name} on ground", tyre, jd.Plane((0, 0, 1)).at("world"), **ground)
    if name.startswith("left"):
        step = jd.Box((LONG, 0.5, 2 * LEDGE)).at("world", position=(AHEAD + LONG / 2, 0.65, 0.0))
        rover.contact(f"{name} on ledge", tyre, step, **ground)
model = rover.compile()

# %%
# It settles for 2 s and drives 4 m; the wheels follow their commands, and the head looks around.
drive = {name: jd.Cycloid(to=4.0 / RADIUS, duration=16.0, start=2.0) for name in wheels}
look_around = {"pan": jd.Sine(amplitude=0.4, frequency=0.08, phase=-np.pi / 2)}
start = model.state(q={"f.z": PIVOT - 0.05 - 0.0018})
run = jd.simulate(model, start, until=19.0, step=5e-4, method="rk4", output=0.02, motions=drive | look_around)

# %%
# On the flat, levers give the loads: the wheels of a bogie share alike, and all that a rocker bears balances about it.
weight = 3.71 * (150.0 + 6.0 + 2 * (6.0 + 4.0 + 3 * 8.0)) / 2
# N_front + 2 N = weight, and FRONT N_front + 2 BOGIE N = 3.71 * sum(m x): moments about the pivot, x ahead of it
moment = 3.71 * (6.0 * 0.25 + 4.0 * BOGIE + 8.0 * (FRONT + 2 * BOGIE))
mast_moment = 3.71 * 6.0 * 0.4 / 2
front, each = np.linalg.solve([[1.0, 2.0], [FRONT, 2 * BOGIE]], [weight, moment + mast_moment])
expected = {name: front if "front" in name else each for name in wheels}
resting = (run.time > 1.0) & (run.time < 2.0)
felt = {name: float(run.contact[f"{name} on ground"].force[resting, 2].mean()) for name in wheels}

pitch = -2.0 * np.arctan2(run.q["f.qy"], run.q["f.qw"])
rise = {name: run.frame(f"{name} wheel.origin").position[:, 2] - RADIUS for name in wheels[:3]}

fig, axes = plt.subplots(2, 1, sharex=True, figsize=(8, 5), layout="constrained")
for name, height in rise.items():
    axes[0].plot(run.time, 1e3 * height, label=name)
axes[1].plot(run.time, np.degrees(pitch), label="body")
axes[1].plot(run.time, np.degrees(pitch - run.q["left rocking"]), label="left rocker")
axes[0].set(ylabel="wheels above ground [mm]"), axes[1].set(xlabel="time [s]", ylabel="pitch, nose up [deg]")
axes[0].legend(), axes[1].legend()
plt.show()

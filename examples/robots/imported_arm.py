"""
A URDF arm made flexible presses on a table
===========================================

``arm.urdf`` is read as it is: inertias, limits, damping, and the rotors behind their gears as armature. One line puts a
beam in the place of its upper link. Its own collision ball then touches a table, which the file knows nothing of.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

try:
    here = Path(__file__).parent
except NameError:  # in the gallery
    here = Path.cwd()

arm = jd.System.load(here / "arm.urdf")
rigid = arm.compile()
beam = jd.Beam(
    "upper", length=1.0, mass_per_length=5.0, EA=2e7, EI=(9e3, 9e3), GJ=7e3, modes=jd.Modes(bending=1), damping=0.01
)
arm.make_flexible("upper", beam)
arm.contact(
    "table",
    arm.imported.named_shapes["ball"],
    jd.Plane((0, 0, 1), 0.3).at("world"),
    normal=jd.HertzContact(stiffness=1e7, restitution=0.5),
    friction=jd.BristleFriction(static=0.3, kinetic=0.2, stiffness=1e4, damping=50.0, stribeck=5e-3),
)
model = arm.compile()

# %%
# The motors of 1e-4 kg m^2 behind 80 to 1 weigh as much as the whole fore arm does at the elbow.
start = {"shoulder": np.deg2rad(-40.0), "elbow": np.deg2rad(95.0)}
felt = rigid.mass_matrix(rigid.state(q=start))[rigid.index.v["elbow"], rigid.index.v["elbow"]]
armature = 80.0**2 * 1e-4

# %%
# Down onto the table in a second, with stiff joints.
state = model.state(q=start)
lower = jd.control.PD(
    ("pan", "shoulder", "elbow"),
    kp=(5e3, 2e4, 8e3),
    kd=(300.0, 700.0, 250.0),
    reference={
        "shoulder": jd.Cycloid(to=np.deg2rad(-30.0), duration=1.0),
        "elbow": jd.Cycloid(to=np.deg2rad(89.6), duration=1.0),
    },
    start=state,
)
run = jd.simulate(model, state, until=2.0, step=1e-4, method="rk4", output=5e-3, controller=lower)
force = run.contact["table"].force.values[:, 2]
bend = 1e3 * run.q["upper.bending_z[0]"].values
pressed, touched = float(force[-1]), float(run.time[np.argmax(force > 0.0)])
balance = run.energy.error

fig, (upper, below) = plt.subplots(2, 1, figsize=(8, 6), sharex=True, layout="constrained")
upper.plot(run.time, force)
upper.set(ylabel="force of the table [N]")
below.plot(run.time, bend)
below.set(xlabel="time [s]", ylabel="bending of the upper link [mm]")
plt.show()

"""
A peg on a compliant wrist
==========================

A peg of 1 kg and 20 mm is pushed into a hole that is 0.05 mm wider, two degrees askew, by a wrist that yields in all
directions. It touches at its tip and at the rim of the hole. Whether it goes in is decided there: a peg that touches on
both sides within the depth mu D of the rim can wedge (Whitney 1982, J. Dyn. Sys. Meas. Control 104). At two degrees
that happens 1.4 mm below the rim: with mu = 0.05 the peg cannot wedge, with mu = 0.3 it can.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, DEPTH, TILT = 0.06, 0.04, np.radians(2.0)
SITE = jd.worksites.peg_in_hole(diameter=0.02, clearance=5e-5, depth=DEPTH, length=LENGTH, chamfer=0.002)


def pushed(mu: float) -> jd.Run:
    system = jd.System("peg")
    start = (LENGTH * np.sin(TILT), 0, LENGTH * np.cos(TILT) + DEPTH + 5e-4)
    small = {"mass": 0.1, "inertia": (1e-4, 1e-4, 1e-4)}
    yields = {"stiffness": 2e3, "damping": 50.0}
    turns = {"stiffness": 1.0, "damping": 0.02}
    system.add(jd.RigidBody("arm", mass=1.0), jd.Prismatic("feed", (0, 0, -1)), position=start)
    system.add(jd.RigidBody("stage z", **small), jd.Prismatic("z", (0, 0, 1), **yields), to="arm.origin")
    system.add(jd.RigidBody("stage x", **small), jd.Prismatic("x", (1, 0, 0), **yields), to="stage z.origin")
    system.add(jd.RigidBody("stage y", **small), jd.Prismatic("y", (0, 1, 0), **yields), to="stage x.origin")
    system.add(jd.RigidBody("ring", **small), jd.Revolute("roll", (1, 0, 0), **turns), to="stage y.origin")
    peg = jd.RigidBody(
        "peg", mass=1.0, com=(0, 0, 0.03), inertia=(3.25e-4, 3.25e-4, 5e-5), frames={"grip": (0, 0, LENGTH)}
    )
    system.add(peg, jd.Revolute("pitch", (0, 1, 0), rest=TILT, **turns), to="ring.origin", at="grip")
    normal = jd.VolumetricContact(stiffness=1e11, restitution=0.3, slow_speed=0.1)
    friction = jd.BristleFriction(kinetic=mu, stiffness=1e5, stribeck=1e-2)
    system.contact("fit", SITE.peg.at("peg.origin"), SITE.block.at("world"), normal=normal, friction=friction)
    model = system.compile()
    motions = {"feed": jd.Cycloid(0.02, 1.0)}
    return jd.simulate(model, model.state(q={"pitch": TILT}), until=1.2, step=2.5e-4, output=2e-3, motions=motions)


runs = {mu: pushed(mu) for mu in (0.05, 0.3)}
inserted = {mu: 1e3 * (DEPTH - run.frame("peg.origin").position.values[:, 2]) for mu, run in runs.items()}
deepest = {mu: 1e6 * float(run.contact["fit"].patch.depth.max()) for mu, run in runs.items()}

# %%
# The peg that wedges stands still while the wrist is pushed on: the contact carries all that the wrist can push.
fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
for mu, run in runs.items():
    time = run.record.time
    left.plot(time, inserted[mu], label=f"friction {mu:g}")
    middle.plot(time, np.degrees(run.q["pitch"].values))
    right.plot(time, run.contact["fit"].force.values[:, 2])
left.set(xlabel="time [s]", ylabel="inserted [mm]")
left.legend(fontsize=8)
middle.set(xlabel="time [s]", ylabel="tilt [degrees]")
right.set(xlabel="time [s]", ylabel="force along the hole [N]")
plt.show()

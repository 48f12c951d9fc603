"""
Peg in hole: insertion and wedging
==================================

A compliant wrist pushes a peg of 20 mm into a hole that is 0.05 mm wider, two degrees askew. Whether it goes in is a
matter of friction: a peg of diameter D that touches on both sides less than μ D below the rim can wedge (Whitney 1982,
J. Dyn. Sys. Meas. Control 104). The two places are two parts of one volumetric contact, found as they come.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

diameter, clearance, chamfer, depth, length = 0.02, 5e-5, 0.002, 0.04, 0.06
askew = np.radians(2.0)
kit = jd.worksites.peg_in_hole(diameter, clearance, depth, length, chamfer)


def push(friction: float) -> jd.Run:
    """Feed the wrist by 30 mm in 1.2 s, in steps of a quarter of a millisecond."""
    system = jd.System("peg in a hole")
    small = {"mass": 0.1, "inertia": (1e-4, 1e-4, 1e-4)}
    aside, turns = {"stiffness": 2e3, "damping": 50.0}, {"stiffness": 0.3, "damping": 0.012}
    above = (length * np.sin(askew), 0, length * np.cos(askew) + 0.5 * diameter * np.sin(askew) + depth + 5e-4)
    system.add(jd.RigidBody("arm", mass=1.0, inertia=(1e-3,) * 3), jd.Prismatic("feed", (0, 0, -1)), position=above)
    ahead = jd.Prismatic("z", "z", stiffness=500.0, damping=25.0)
    system.add(jd.RigidBody("stage_z", **small), ahead, to="arm.origin")
    system.add(jd.RigidBody("stage_x", **small), jd.Prismatic("x", "x", **aside), to="stage_z.origin")
    system.add(jd.RigidBody("stage_y", **small), jd.Prismatic("y", "y", **aside), to="stage_x.origin")
    ring = jd.RigidBody("ring", mass=0.02, inertia=(1e-5,) * 3)
    system.add(ring, jd.Revolute("roll", "x", **turns), to="stage_y.origin")
    held = {"com": (0, 0, 0.5 * length), "frames": {"grip": (0, 0, length)}}
    peg = jd.RigidBody("peg", mass=1.0, inertia=(3.25e-4, 3.25e-4, 5e-5), **held)
    system.add(peg, jd.Revolute("pitch", "y", rest=askew, **turns), to="ring.origin", at="grip")
    system.contact(
        "fit",
        kit.peg.at("peg.origin"),
        kit.block.at("world"),
        normal=jd.VolumetricContact(stiffness=5e12, restitution=0.3, slow_speed=0.1),
        friction=jd.BristleFriction(kinetic=friction, stiffness=1e5, damping=20.0, stribeck=1e-2),
    )
    model = system.compile()
    motions = {"feed": jd.Cycloid(0.03, 1.2)}
    return jd.simulate(model, model.state(q={"pitch": askew}), until=1.3, step=2.5e-4, output=1e-3, motions=motions)


runs = {friction: push(friction) for friction in (0.05, 0.3)}

# %%
# The peg slides off the chamfer and comes to bear on both sides. With little friction it straightens and goes in. With
# more it stands, and the wrist only bends: pushing harder does not help. The overlaps stay below 10 um.
twice = clearance / np.tan(askew)  # below the chamfer: here the second side can first touch
inserted = {mu: depth - chamfer - run.frame("peg.origin").position.values[:, 2] for mu, run in runs.items()}
ends = {mu: float(below[-1]) for mu, below in inserted.items()}
deepest = max(float(run.contact["fit"].depth.max()) for run in runs.values())
balance = max(run.energy.error for run in runs.values())

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
for mu, run in runs.items():
    time, fit = run.record.time, run.contact["fit"]
    left.plot(time, 1e3 * inserted[mu], label=f"friction {mu:g}")
    middle.plot(1e3 * inserted[mu], np.degrees(run.q["pitch"]), label=f"friction {mu:g}")
    right.plot(time, fit.force[:, 2], label=f"friction {mu:g}")
left.axhline(1e3 * 0.3 * diameter, color="gray", linestyle=":", label="0.3 D")
left.set(xlabel="time [s]", ylabel="inserted, below the chamfer [mm]")
middle.axvline(1e3 * twice, color="gray", linestyle=":", label="can touch twice")
middle.set(xlabel="inserted, below the chamfer [mm]", ylabel="misalignment [degrees]")
right.set(xlabel="time [s]", ylabel="force against the push [N]")
for panel in (left, middle, right):
    panel.legend(fontsize=8)
plt.show()

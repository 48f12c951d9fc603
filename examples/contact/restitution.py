"""
Coefficient of restitution: asked for and measured
==================================================

A ball strikes a plane, without gravity. Damping in proportion to the elastic force, k x^1.5 (1 + a rate), loses the
same share of the speed whatever the mass, the stiffness and the speed. How large must a be for a restitution e?
Hunt and Crossley, and Lankarani and Nikravesh, gave formulas that hold near e = 1. Gonthier solved the equation of the
impact exactly, so what is asked for is what is delivered, down to e = 0.01 (Gonthier 2007, sections 3.2.1 and 5.1.1).
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

MASS, STIFFNESS, SPEED = 0.454, 3.4e6, 1.0
LASTS = 3.2181 * (MASS**2 / (STIFFNESS**2 * SPEED)) ** 0.2  # an impact without loss, after Hertz [s]


def impact(law, until):
    """One impact at 1 m/s under a law."""
    system = jd.System("ball")
    system.add(jd.RigidBody("ball", mass=MASS, inertia=(1, 1, 1)), joint=jd.Free("free"))
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((0, 0, 0.1001))}, v={"free": (0, 0, 0, 0, 0, -SPEED)})
    return jd.simulate(model, state, until=until)


# %%
# What three laws deliver.
asked = np.array([0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99])
laws = {
    "Gonthier": jd.HertzContact,
    "Hunt and Crossley": jd.contact.HuntCrossleyContact,
    "Lankarani and Nikravesh": jd.contact.LankaraniNikraveshContact,
}
delivered = {}
for name, law in laws.items():
    runs = [impact(law(stiffness=STIFFNESS, restitution=e), until=LASTS * (2 + 1.5 / e)) for e in asked]
    delivered[name] = np.array([run.v["free.vz"].values[-1] / SPEED for run in runs])
worst = np.abs(delivered["Gonthier"] - asked).max()

# %%
# Force over indentation: near e = 1 the loop is symmetric; a small e loses nearly all on the way in.
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.plot([0, 1], [0, 1], "k:", lw=1)
for name, e in delivered.items():
    left.plot(asked, e, "o-", ms=3, label=name)
left.set(xlabel="restitution asked", ylabel="restitution delivered")
left.legend(loc="lower right", fontsize=8)
deepest, largest = {}, {}
for e in (0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
    law = jd.HertzContact(stiffness=STIFFNESS, restitution=e)
    touch = impact(law, until=LASTS * (2 + 1.5 / e)).contact["touch"]
    deepest[e], largest[e] = float(touch.depth.max()), float(touch.normal_force.max())
    right.plot(1e3 * touch.depth, touch.normal_force, label=f"e = {e}")
right.set(xlabel="indentation [mm]", ylabel="force [N]")
right.legend(fontsize=8)
plt.show()

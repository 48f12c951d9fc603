"""
Stick-slip of a block by bristle friction
=========================================

The test of friction in S.-W. Kim's thesis (McGill 1999, section 4.2.4): a block of 0.1 kg lies on a table and is
dragged by a spring of 100 N/m, whose other end moves on at 2 mm/s. It holds 0.25 N, and slides under 0.2 N. The block
sticks for 1.25 s, then slips by 1.2146 mm within 0.1073 s, half a period of the spring; the next slip is 0.6073 s
after. Nothing is said about a speed that counts as rest: each step asks which force would stop the block in it, and
whether friction has that much (`jd.contact.MultiplierContact`).
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

MASS, SPRING, PULL, GRAVITY = 0.1, 100.0, 0.002, 9.81
HOLDS, RUBS = 0.25, 0.20

system = jd.System("stick and slip", gravity=(0, -GRAVITY, 0))
system.add(jd.RigidBody("driver", mass=1.0), joint=jd.Prismatic("drive", axis="x"), position=(1, 0, 0))
feet = {"left": (-0.05, 0, 0), "right": (0.05, 0, 0)}
block = jd.RigidBody("block", mass=MASS, inertia=(1e-3, 1e-3, 1e-3), frames=feet)
system.add(block, joint=jd.Planar("move"))
system.connect(jd.constraints.Spring("spring", stiffness=SPRING), "driver.origin", "block.origin")
weight = MASS * GRAVITY
friction = jd.CoulombFriction(static=HOLDS / weight, kinetic=RUBS / weight, transition_speed=1e-6)
for foot in feet:
    system.contact(foot, jd.shapes.Point().at(f"block.{foot}"), jd.Plane((0, 1, 0)).at("world"),
                   normal=jd.contact.MultiplierContact(), friction=friction)  # fmt: skip
model = system.compile()
run = jd.simulate(model, model.state(v={"drive": PULL}), until=3.2, step=2.5e-4, method="generalized-alpha",
                  motions={"drive": jd.Polynomial([0.0, PULL])})  # fmt: skip

# %%
# When slips begin and how far they go, against the closed form: with w^2 = k / m, the block moves by
# 2 (0.25 - 0.20) / k of a cosine, and by what the spring's end does meanwhile.

time, x = run.record.time, run.q["move.x"].values
sliding = run.contact["left"].state.values[:, 0] > 1
begins, ends = (np.flatnonzero(one) + 1 for one in (sliding[1:] & ~sliding[:-1], ~sliding[1:] & sliding[:-1]))
slips, lasted = time[begins], time[ends][:3] - time[begins][:3]
length = x[ends][:3] - x[begins][:3]
pulled = SPRING * (PULL * time - x)

w, drop = np.sqrt(SPRING / MASS), HOLDS - RUBS
half = 2.0 * (np.pi - np.arctan(drop * w / (SPRING * PULL))) / w
slip_length = 2.0 * drop / SPRING + PULL * half
theory = HOLDS / (SPRING * PULL) + np.arange(4) * slip_length / PULL
for given, found in zip(theory, slips):
    print(f"slips at {found:.4f} s, theory {given:.4f} s")
print(f"for {lasted.mean():.4f} s ({half:.4f}) by {1e3 * length.mean():.4f} mm ({1e3 * slip_length:.4f})")

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
left.plot(time, pulled, label="in the spring")
left.plot(time, -sum(run.contact[foot].force.sel(axis="x").values for foot in feet), lw=1, label="of friction")
for given in theory:
    left.axvline(given, color="k", lw=0.8, ls=":")
left.set(xlabel="time [s]", ylabel="force [N]", title="dotted: slips of theory", ylim=(0, 0.3))
left.legend(loc="lower right")
right.plot(1e3 * x, 1e3 * run.v["move.x"].values)
right.axhline(1e3 * PULL, color="k", lw=0.8, ls=":", label="spring's end")
right.set(xlabel="place [mm]", ylabel="speed [mm/s]", title=f"the block; {1e3 * length.mean():.3f} mm a slip")
right.legend()
plt.show()

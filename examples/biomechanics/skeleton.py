"""
A skeleton from height and mass, inertia of meshes
==================================================

Hyncik (NATO ASI, part A, section 15) builds an occupant of rigid segments and organs, whose inertias come from their
surfaces by the theorem of Gauss and Ostrogradsky. His tables are not printed: `jd.human.skeleton` takes those of de
Leva (1996), and a ball stands for an organ, whose mesh tends to 2/5 m r^2. A man and a woman of the same height and
mass stand and crouch; whoever bends hips and knees lowers the centre of mass.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

people = {sex: jd.human.skeleton(1.74, 70.0, sex) for sex in ("male", "female")}
models = {sex: system.compile() for sex, system in people.items()}
counts = {sex: (len(system.bodies), models[sex].nv) for sex, system in people.items()}
masses = {sex: sum(body.mass for body in system.bodies) for sex, system in people.items()}


def posture(model, bend):
    """Hips and knees bent, the feet level."""
    half = 0.5 * bend
    forward = jd.Pose((0, 0, 0), (np.cos(half / 2), 0.0, -np.sin(half / 2), 0.0))  # thighs forward
    both = {f"hip_{s}": forward.rotation for s in "lr"} | {f"knee_{s}": bend for s in "lr"}
    return model.state(q=both | {f"ankle_{s}.a": -half for s in "lr"})


def height(model, state):
    """Of the centre of mass over the sole [m], by the energy of weight."""
    sole = model.pose("foot_l.sole", state).position[2]
    return model.energy(state).gravity / (masses["male"] * 9.81) - sole


bends = np.linspace(0.0, 2.0, 9)
heights = {sex: [height(model, posture(model, bend)) for bend in bends] for sex, model in models.items()}

# %%
# A ball of 1000 kg/m^3 from points on its surface: mass and inertia against theory.

points, misses = (50, 100, 200, 400, 800), []
for count in points:
    k = np.arange(count) + 0.5
    polar, turn = np.arccos(1 - 2 * k / count), np.pi * (1 + 5**0.5) * k
    places = 0.05 * np.column_stack([np.cos(turn) * np.sin(polar), np.sin(turn) * np.sin(polar), np.cos(polar)])
    organ = jd.RigidBody.from_shape("organ", jd.shapes.ConvexMesh(places), density=1000.0)
    misses.append(1.0 - organ.inertia[0, 0] / (0.4 * 1000.0 * 4 / 3 * np.pi * 0.05**5))

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained")
for sex, color, shift in (("male", "C0", 0.0), ("female", "C3", 1.2)):
    for bend, style in ((0.0, "-"), (1.5, ":")):
        model, state = models[sex], posture(models[sex], bend)
        at = {
            name: model.pose(name, state).position for name in ("pelvis.end", "thorax.end", "head.top", "pelvis.origin")
        }
        low = model.pose("foot_l.sole", state).position[2]
        spine = np.array([at[name] for name in ("pelvis.origin", "pelvis.end", "thorax.end", "head.top")])
        left.plot(spine[:, 0] + shift, spine[:, 2] - low, style, color=color, marker="o", ms=3)
        for chain in (
            ("thigh_l.origin", "shank_l.origin", "foot_l.origin", "foot_l.toe"),
            ("upper_arm_l.origin", "forearm_l.origin", "hand_l.end"),
        ):
            line = np.array([model.pose(name, state).position for name in chain])
            left.plot(line[:, 0] + shift, line[:, 2] - low, style, color=color, marker="o", ms=3)
left.set(aspect="equal", ylabel="[m]", title="standing and crouching")
for sex, values in heights.items():
    middle.plot(np.degrees(bends), values, "o-", label=sex)
middle.set(xlabel="knees [deg]", ylabel="height of the centre of mass [m]")
middle.legend()
right.loglog(points, misses, "o-")
right.minorticks_off()
right.set(xticks=points, xticklabels=points, xlabel="points of the mesh", ylabel="inertia that is missing, of 2/5 m r²")
plt.show()

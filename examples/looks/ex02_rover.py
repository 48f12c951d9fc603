"""
A rover climbs a ledge with its left wheels
===========================================

Six driven wheels on two rockers and two bogies: a differential turns one rocker as far down as the other one up, so
that the body pitches by the mean of the two, and every wheel keeps its share of the weight. Wheels are cylinders that
press into the ground by volume; the ellipses in the replay are the surfaces on which they stand.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd
from jourdain.describe.shapes import Looks, Paint
from jourdain.describe.shapes.tessellation import rod

# %%
# What it looks like: boxes, rods and wheels with grousers, each with its paint.
GREY, WHITE = Paint((0.35, 0.36, 0.38, 1.0), roughness=0.6), Paint((0.88, 0.87, 0.84, 1.0))
GOLD, DARK = Paint((0.8, 0.6, 0.25, 1.0)), Paint((0.1, 0.1, 0.12, 1.0), roughness=0.2)


def look(*pieces):
    """Meshes with their paints, ((vertices, triangles), paint), as one look."""
    paints = list(dict.fromkeys(paint for _, paint in pieces))
    starts = np.cumsum([0, *(len(mesh[0]) for mesh, _ in pieces)])
    triangles = np.concatenate([mesh[1] + start for (mesh, _), start in zip(pieces, starts)])
    painted = np.concatenate([np.full(len(mesh[1]), paints.index(paint)) for mesh, paint in pieces])
    return Looks(np.concatenate([mesh[0] for mesh, _ in pieces]), triangles, paints, painted)


def block(size, middle, turn=0.0):
    """A box, turned about its y axis."""
    c, s = np.cos(turn), np.sin(turn)
    vertices, triangles = jd.Box(size).to_mesh()
    return vertices @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]).T + middle, triangles


def bar(start, end, radius=0.03):
    return rod(np.array(start, float), np.array(end, float), radius, segments=20)


RADIUS, WIDTH = 0.25, 0.2
rim = bar((0, -0.51 * WIDTH, 0), (0, 0.51 * WIDTH, 0), 1.012 * RADIUS)
turns = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
grousers = [block((0.02, WIDTH, 0.02), RADIUS * np.array([np.sin(a), 0.0, np.cos(a)]), a) for a in turns]
wheel = look((rim, GREY), *((one, DARK) for one in grousers), (bar((0, -0.13, 0), (0, 0.13, 0), 0.09), GOLD))
chassis = look(
    (block((1.1, 0.8, 0.26), (0, 0, 0.1)), WHITE), (block((1.0, 0.7, 0.03), (0, 0, 0.245)), GREY),
    (bar((-0.5, 0, 0.2), (-0.9, 0, 0.45), 0.14), GREY), (bar((0.0, -0.65, 0.05), (0.0, 0.65, 0.05), 0.04), GOLD),
    (bar((0.0, 0.3, 0.26), (0.0, 0.3, 0.42)), GREY), (bar((0.0, 0.3, 0.42), (0.02, 0.3, 0.44), 0.22), WHITE),
)  # fmt: skip
eyes = [(bar((0.05, y, 0.62), (0.12, y, 0.62), 0.035), DARK) for y in (-0.1, 0.1)]
mast = look((bar((0, 0, 0), (0, 0, 0.6)), GREY), (block((0.12, 0.36, 0.14), (0, 0, 0.62)), WHITE), *eyes)

# %%
# The tree: a body, and on each side a rocker with the front wheel and a bogie with the two others. x is ahead.
FRONT, BOGIE, HALF, PIVOT = (
    1.0,
    -0.5,
    0.5,
    0.7,
)  # places along x of wheel and pivots, half a bogie, height of pivots [m]
DROP = RADIUS - PIVOT
rover = jd.System("rover", gravity=(0.0, 0.0, -3.71))
sides = {"left": 0.65, "right": -0.65}
places = {side: (0.0, y, 0.05) for side, y in sides.items()} | {"mast": (0.4, 0.0, 0.24)}
rover.add(
    jd.RigidBody("body", 150.0, com=(0, 0, 0.05), inertia=(14, 18, 25), frames=places, shape=chassis), jd.Free("f")
)
head = jd.RigidBody(
    "mast", 6.0, com=(0, 0, 0.5), inertia=(0.3, 0.3, 0.05), frames={"camera": (0.12, 0, 0.62)}, shape=mast
)
rover.add(head, jd.Revolute("pan", axis="z"), to="body.mast")
rim_inertia = 8.0 * np.array([RADIUS**2 / 4 + WIDTH**2 / 12, RADIUS**2 / 2, RADIUS**2 / 4 + WIDTH**2 / 12])
wheels = []
for side in sides:
    legs = [(bar((0, 0, 0), (FRONT, 0, DROP)), WHITE), (bar((0, 0, 0), (BOGIE, 0, 0.4 * DROP)), WHITE)]
    frames = {"front": (FRONT, 0, DROP), "bogie": (BOGIE, 0, 0.4 * DROP)}
    rocker = jd.RigidBody(
        f"{side} rocker", 6.0, com=(0.25, 0, -0.15), inertia=(0.3, 0.8, 0.6), frames=frames, shape=look(*legs)
    )
    rover.add(rocker, jd.Revolute(f"{side} rocking", axis="y"), to=f"body.{side}")
    frames = {"middle": (HALF, 0, 0.6 * DROP), "rear": (-HALF, 0, 0.6 * DROP)}
    legs = [(bar((0, 0, 0), place), GOLD) for place in frames.values()]
    bogie = jd.RigidBody(f"{side} bogie", 4.0, inertia=(0.05, 0.3, 0.3), frames=frames, shape=look(*legs))
    rover.add(bogie, jd.Revolute(f"{side} bogie turn", axis="y"), to=f"{side} rocker.bogie")
    for name, holder in (("front", "rocker"), ("middle", "bogie"), ("rear", "bogie")):
        wheels.append(f"{side} {name}")
        body = jd.RigidBody(f"{side} {name} wheel", 8.0, inertia=rim_inertia, shape=wheel)
        rover.add(body, jd.Revolute(f"{side} {name}", axis="y"), to=f"{side} {holder}.{name}")
rover.couple("differential", {"left rocking": 1.0, "right rocking": 1.0})

# %%
# Ground, and a ledge of 0.12 m in the way of the left wheels.
LEDGE, AHEAD, LONG = 0.12, 1.5, 0.7
ground = {
    "normal": jd.VolumetricContact(stiffness=1e7, restitution=0.3, slow_speed=0.05),
    "friction": jd.CoulombFriction(kinetic=0.8, transition_speed=0.05),
}
upright = (np.cos(np.pi / 4), np.sin(np.pi / 4), 0.0, 0.0)  # a cylinder's axis along y
for name in wheels:
    tyre = jd.Cylinder(RADIUS, WIDTH).at(f"{name} wheel.origin", rotation=upright)
    rover.contact(f"{name} on ground", tyre, jd.Plane((0, 0, 1)).at("world"), **ground)
    if name.startswith("left"):
        step = jd.Box((LONG, 0.5, 2 * LEDGE)).at("world", position=(AHEAD + LONG / 2, 0.65, 0.0))
        rover.contact(f"{name} on ledge", tyre, step, **ground)
model = rover.compile()

# %%
# It settles for 2 s and drives 4 m; the wheels turn as they are told, and the head looks around.
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

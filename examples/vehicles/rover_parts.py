"""
Model of the rover
==================
"""

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
# Places along x of the front wheel and the bogie's pivot, half a bogie, height of the rockers' pivots [m]
FRONT, BOGIE, HALF, PIVOT = 1.0, -0.5, 0.5, 0.7
DROP = RADIUS - PIVOT


def build():
    """The rover, and the names of its wheels."""
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
    return rover, wheels

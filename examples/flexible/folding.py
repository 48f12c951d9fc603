"""
Model of the folding truss
==========================

A folding truss: a hexagonal net of belts about a hub, each rod of two halves with a spring drive and a latch.

Nodes are bodies in a plane, the hub rides on a base that can be shaken: a slide, or a Stewart platform that carries the
plane with it. A rod has its first half on one node, the second half on the first by the hinge of its drive, and a loop
closes it on the other node. The hinge turns from
-2 acos(f), where the net is folded to the part f of its size, to 0, where the rod is straight.
"""

from typing import NamedTuple

import numpy as np

import jourdain as jd

LENGTH, NODE, HALF = 1.0, 0.3, 0.1  # m of a rod, kg of a node and of half a rod
TORQUE, SLOPE = 0.6, 0.25  # N m of a drive when folded by half a turn, and what part is left when it is straight
LATCH, DAMPING, WINDOW = 60.0, 0.35, 0.06  # N m/rad, N m s/rad, rad before straight in which a latch catches
MESH, SLACK = 40.0, 0.97  # N/m of the net along a rod, and the part of its length at which that becomes taut
CATCH = 5e-3  # s in which a latch closes
FOLDED, STOP = -2.9, 60.0  # rad at which the halves of a rod meet, and N m/rad of that
LEGS = {"base": 1.0, "platform": 0.6, "height": 0.9, "apart": 0.35}  # m and rad of the legs of a Stewart platform


class Net(NamedTuple):
    """Places of nodes (n, 2) [m], the hub first, and rods (m, 2) between them."""

    places: np.ndarray
    rods: np.ndarray


def net(cells):
    """Nodes of a triangular grid by their whole numbers (i, j), and all rods between neighbours."""
    across, up = np.array([1.0, 0.0]), np.array([0.5, np.sqrt(0.75)])
    at = {cell: k for k, cell in enumerate(cells)}
    ways = ((1, 0), (0, 1), (-1, 1))
    rods = [(k, at[i + a, j + b]) for (i, j), k in at.items() for a, b in ways if (i + a, j + b) in at]
    return Net(np.array([i * across + j * up for i, j in cells]) * LENGTH, np.array(rods))


def belts(count):
    """Belts of cells about the hub, six triangles in the first."""
    some = range(-count, count + 1)
    cells = [(i, j) for i in some for j in some if abs(i + j) <= count]
    return net(sorted(cells, key=lambda c: max(abs(c[0]), abs(c[1]), abs(c[0] + c[1]))))


def mast(cells):
    """So many triangles in a row."""
    return net([(k // 2, k % 2) for k in range(cells + 2)])


def truss(shape, friction=0.0, brake=0.0, legs=False):
    """The model of a truss; friction [N m] and brake [N m s/rad] of every drive. legs: its hub is the platform of six
    legs, "leg0" to "leg5", and the plane of its nodes moves with that."""
    if legs:
        system, hub, plane = jd.mechanism.hexapod(**LEGS, mass=50.0, inertia=(9, 9, 9)), "platform", "platform.origin"
        system.gravity = (0, 0, 0)
    else:
        system, hub, plane = jd.System(f"truss of {len(shape.rods)} rods"), "base", "world"
        system.add(jd.RigidBody("base", mass=50.0, inertia=(9, 9, 9)), joint=jd.Prismatic("base", axis="x"))
    names = [hub, *(f"node{k}" for k in range(1, len(shape.places)))]
    for name in names[1:]:
        system.add(jd.RigidBody(name, mass=NODE, inertia=(1e-3, 1e-3, 1e-3)), joint=jd.Planar(name), to=plane)
    spin = HALF * LENGTH**2 / 48
    half = {"com": (LENGTH / 4, 0, 0), "inertia": (1e-5, spin, spin), "frames": {"end": (LENGTH / 2, 0, 0)}}
    for r, (a, b) in enumerate(shape.rods):
        foot = jd.Revolute(f"foot{r}", axis="z")
        hinge = jd.Revolute(f"hinge{r}", axis="z", friction=friction, damping=brake)
        system.add(jd.RigidBody(f"in{r}", mass=HALF, **half), joint=foot, to=f"{names[a]}.origin")
        system.add(jd.RigidBody(f"out{r}", mass=HALF, **half), joint=hinge, to=f"in{r}.end")
        system.connect(jd.Revolute(f"pin{r}", axis="z"), f"out{r}.end", f"{names[b]}.origin")
    return system.compile()


def stowed(model, shape, folded=0.15):
    """The truss at rest, all of it at a part of its size."""
    fold = np.arccos(folded)
    q = {f"node{k}": (*(folded * place), 0.0) for k, place in enumerate(shape.places) if k}
    for r, (a, b) in enumerate(shape.rods):
        way = shape.places[b] - shape.places[a]
        q[f"foot{r}"], q[f"hinge{r}"] = np.arctan2(way[1], way[0]) + fold, -2.0 * fold
    return model.state(q=q)


def drives(model, shape):
    """Springs, stops, latches and mesh of all hinges as one law, and its numbers: of each hinge where it is in q, then
    where it is in v, then what its spring is to the others'. A latch is a state that grows to 1 once the rod is within
    its window, and never opens."""
    rods = len(shape.rods)

    def law(t, q, v, z, s, p, effort, dz):
        n = len(z)
        for i in range(n):
            k = int(p[n + i])
            x, rate = q[int(p[i])], v[k]
            torque = TORQUE * (SLOPE - (1.0 - SLOPE) * x / np.pi) * p[2 * n + i]
            if x < FOLDED:
                torque += STOP * (FOLDED - x)
            taut = LENGTH * (np.cos(0.5 * x) - SLACK)
            if taut > 0.0:
                torque += MESH * taut * 0.5 * LENGTH * np.sin(0.5 * x)
            effort[k] += torque - z[i] * (LATCH * x + DAMPING * rate)
            dz[i] = (1.0 - z[i]) / CATCH if x > -WINDOW else 0.0

    hinges = [float(index[f"hinge{r}"]) for index in (model.index.q, model.index.v) for r in range(rods)]
    return jd.law(states=rods)(law), np.concatenate([hinges, np.ones(rods)])


def shaken(model, shake):
    """Motions of the base, of an amplitude along x [m] at 4 Hz: of its slide, or of the legs of a platform, each by its
    own share in a small displacement."""
    shares = {"base": 1.0}
    if "leg0" in model.index.v:
        low, high = jd.mechanism.hexapod_joints(LEGS["base"], LEGS["platform"], LEGS["apart"])
        along = high + [0, 0, LEGS["height"]] - low
        shares = {f"leg{i}": x for i, x in enumerate(along[:, 0] / np.linalg.norm(along, axis=1))}
    return {name: jd.Sine(shake * share, 4.0, phase=0.5 * np.pi) for name, share in shares.items()}


def deployed(model, shape, samples, scatter=0.05, until=8.0, shake=0.0, seed=0):
    """Many deployments with scattered springs; the base shaken by an amplitude [m] at 4 Hz."""
    law, numbers = drives(model, shape)
    rods = len(shape.rods)
    many = np.tile(numbers, (samples, 1))
    many[:, -rods:] *= 1.0 + scatter * np.random.default_rng(seed).standard_normal((samples, rods))
    options = {"until": until, "method": "dopri5", "rtol": 1e-6, "atol": 1e-8, "output": 0.02}
    options["motions"] = shaken(model, shake)
    return jd.simulate_many(model, stowed(model, shape), controller=law(*numbers), parameters=many, **options)


def latching(many, shape):
    """When each rod latched (samples, rods) [s]; infinite where it did not."""
    closed = many.record.z[:, :, -len(shape.rods) :] > 0.5
    first = np.argmax(closed, axis=1)
    return np.where(closed.any(axis=1), many.time[first], np.inf)

"""Helpers for volumetric contact: what acts in a state, and direct integration over a patch."""

import numpy as np

import jourdain as jd


def system_of(shape, ground, normal, friction=None, mass=2.0, gravity=0.0):
    """A free body of a shape over some ground, known as "touch"."""
    system = jd.System("patch", gravity=(0, 0, -gravity))
    body = jd.RigidBody("body", mass=mass, inertia=(0.008, 0.008, 0.008))
    system.add(body, jd.Free("free"))
    system.contact("touch", shape.at("body.origin"), ground, normal=normal, friction=friction)
    return system.compile()


def acting(model, pose, w=(0.0, 0.0, 0.0), v=(0.0, 0.0, 0.0)):
    """The patch at the start of a run from a pose and a velocity of the body's origin, both in world axes."""
    R = np.asarray(pose.rotation)
    state = model.state(q={"free": pose}, v={"free": [*(R.T @ np.array(w)), *(R.T @ np.array(v))]})
    run = jd.simulate(model, state, until=1e-9, step=1e-9, energy_tolerance=np.inf)  # nothing moves
    patch = run.contact["touch"].patch
    names = ("force", "torque", "point", "normal", "volume", "area", "depth", "normal_force", "pressure")
    return {name: getattr(patch, name).values[0] for name in (*names, "peak_pressure", "stick")}


def disc(radius, rings=400, angles=720):
    """Points (n, 2) and weights of a disc, Gauss in the squared radius."""
    x, weight = np.polynomial.legendre.leggauss(rings)
    rho = radius * np.sqrt(0.5 * (x + 1.0))
    turn = (np.arange(angles) + 0.5) * 2.0 * np.pi / angles
    points = np.stack(np.broadcast_arrays(rho[:, None] * np.cos(turn), rho[:, None] * np.sin(turn)), axis=-1)
    weights = np.broadcast_to(0.5 * weight[:, None] * np.pi * radius**2 / angles, points.shape[:2])
    return points.reshape(-1, 2), weights.ravel()


def rectangle(a, b, n=600):
    """Points (n, 2) and weights of a rectangle a x b."""
    x = (np.arange(n) + 0.5) / n - 0.5
    points = np.stack(np.meshgrid(a * x, b * x, indexing="ij"), axis=-1).reshape(-1, 2)
    return points, np.full(len(points), a * b / n**2)


def coulomb(points, load, v, w):
    """Force over mu N along the slip v (2,), and moment over mu N, of Coulomb friction with pressures `load`."""
    u = np.asarray(v) + w * np.stack([-points[:, 1], points[:, 0]], axis=1)
    u = u / np.linalg.norm(u, axis=1, keepdims=True)
    share = load / load.sum()
    moment = np.sum(share * (points[:, 0] * u[:, 1] - points[:, 1] * u[:, 0]))
    return (share[:, None] * u).sum(axis=0), moment


def elastic(model, places, rotations):
    """(forces, torques about the body's origin, energies) of "touch" where the body stands still, world axes.

    places (n, 3); rotations of `scipy.spatial.transform.Rotation`, n of them.
    """
    from jourdain.results.patches import patch_values

    q = np.hstack([places, np.atleast_2d(rotations.as_quat(scalar_first=True))])
    z = np.tile(model.state().z, (len(q), 1))
    rows = patch_values(model, q, np.zeros((len(q), 6)), z)
    force, torque, point = rows[:, :, 0:3], rows[:, :, 3:6], rows[:, :, 6:9]
    torque = torque + np.cross(point - np.asarray(places)[:, None], force)
    return force.sum(axis=1), torque.sum(axis=1), rows[:, :, 21].sum(axis=1)

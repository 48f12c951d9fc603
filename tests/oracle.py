"""Forward dynamics in maximal coordinates: free bodies, joints as constraints, one dense linear system.

An independent formulation to hold the recursions against. It knows no recursion and no motion columns: only where each
joint puts the frame that it holds, as a function of its coordinates. Everything else is differentiated, first
derivatives by complex step, the second along the motion by central differences of fourth order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import jourdain as jd
from jourdain.describe.joints import Joint, PoseTable, plane_axes, unit

STEP = 1e-3
"""Of the central differences [s]; the motions they are taken of are of the order of one."""


def skew(a: np.ndarray) -> np.ndarray:
    """The matrix of the cross product with a."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def vee(A: np.ndarray) -> np.ndarray:
    """The vector of a skew matrix."""
    return np.array([A[2, 1], A[0, 2], A[1, 0]])


def axis_turn(axis: np.ndarray, angle: complex) -> np.ndarray:
    """Rodrigues' rotation."""
    K = skew(unit(axis))
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def quaternion_turn(q: np.ndarray) -> np.ndarray:
    """Rotation of a quaternion; divided by its length, so that it is one off the unit sphere too."""
    w, u = q[0], q[1:]
    return np.eye(3) + (2 * w * skew(u) + 2 * skew(u) @ skew(u)) / (q @ q)


def cubics(table: PoseTable, z: np.ndarray) -> np.ndarray:
    """Position and quaternion by Lagrange's polynomials through the first four values of each input."""
    f = np.concatenate([table.position, table.rotation], axis=-1)
    for grid, x in zip(table.grids, z, strict=True):
        a = grid[:4]
        weights = [np.prod([(x - b) / (c - b) for b in a if b != c]) for c in a]
        f = np.tensordot(weights, f[:4], 1)
    return f


def joint_pose(joint: Joint, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotation and position of the held frame in the fixed one; analytic in q."""
    none, still = np.zeros(3), np.eye(3)
    match joint.kind:
        case "weld":
            return still, none
        case "revolute":
            return axis_turn(joint.axis, q[0]), none
        case "prismatic":
            return still, q[0] * unit(joint.axis)
        case "screw":
            return axis_turn(joint.axis, q[0]), joint.pitch * q[0] * unit(joint.axis)
        case "cylindrical":
            return axis_turn(joint.axis, q[0]), q[1] * unit(joint.axis)
        case "universal":
            return axis_turn(joint.axes[0], q[0]) @ axis_turn(joint.axes[1], q[1]), none
        case "spherical":
            return quaternion_turn(q), none
        case "planar":
            x, y = plane_axes(joint.normal)
            return axis_turn(joint.normal, q[2]), q[0] * x + q[1] * y
        case "tabled":
            # tables of the random trees are those of cubic polynomials, which their splines meet everywhere
            n = len(joint.table.grids)
            f = cubics(joint.table, q[:n])
            if joint.table.compliance is None:
                return quaternion_turn(f[3:]), f[:3]
            # one compliance everywhere: a place moves by C s, and (1, t / 2) Q turns by t to the second order
            give = np.asarray(joint.table.compliance) @ q[n:]
            t, Q = give[:3] / 2, f[3:]
            Q = np.concatenate([[Q[0] - t @ Q[1:]], Q[1:] + t * Q[0] + np.cross(t, Q[1:])])
            return quaternion_turn(Q), f[:3] + give[3:]
        case "free":
            return quaternion_turn(q[3:]), q[:3]
    raise AssertionError(joint.kind)


def rates(joint: Joint, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Derivatives of the joint's coordinates at velocity v."""

    def turning(p: np.ndarray, w: np.ndarray) -> np.ndarray:
        return 0.5 * np.concatenate([[-p[1:] @ w], p[0] * w + np.cross(p[1:], w)])

    if joint.kind == "spherical":
        return turning(q, v)
    if joint.kind == "free":
        return np.concatenate([quaternion_turn(q[3:]) @ v[3:], turning(q[3:], v[:3])])
    if joint.kind == "tabled":
        return np.concatenate([v, np.zeros(len(q) - len(v))])
    return v


def joint_velocity(joint: Joint, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Velocity (angular, linear) of the held frame against the fixed one, in the fixed one's axes."""
    R, p = joint_pose(joint, q + 1e-30j * rates(joint, q, v))
    return np.concatenate([vee((R.imag / 1e-30) @ R.real.T), p.imag / 1e-30])


def displaced(joint: Joint, q: np.ndarray, v: np.ndarray, h: float) -> np.ndarray:
    """Coordinates after a time h at the constant velocity v, to fifth order."""
    k1 = rates(joint, q, v)
    k2 = rates(joint, q + 0.5 * h * k1, v)
    k3 = rates(joint, q + 0.5 * h * k2, v)
    k4 = rates(joint, q + h * k3, v)
    return q + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def velocity_products(joint: Joint, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """What is left of the derivative of `joint_velocity` at constant v."""
    V = {i: joint_velocity(joint, displaced(joint, q, v, i * STEP), v) for i in (-2, -1, 1, 2)}
    return (8 * (V[1] - V[-1]) - (V[2] - V[-2])) / (12 * STEP)


class Link(NamedTuple):
    """A body in motion, world axes; the held frame's place relative to the centre of mass is `arm`."""

    R: np.ndarray  # rotation of the body's own axes
    p: np.ndarray  # position of its own origin
    w: np.ndarray  # angular velocity
    v: np.ndarray  # velocity of its own origin


def point(link: Link, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Arm from the body's origin, and velocity, of a point given in body axes."""
    arm = link.R @ place
    return arm, link.v + np.cross(link.w, arm)


def passive(joint: Joint, x: float, rate: float) -> float:
    """Effort of spring, damper and limits."""
    if joint.kind not in ("revolute", "prismatic", "screw"):
        return 0.0
    effort = -joint.stiffness * (x - joint.rest) - joint.damping * rate
    if joint.limits is not None:
        for sign, depth in ((-1.0, x - joint.limits[1]), (1.0, joint.limits[0] - x)):
            if depth > 0.0:
                push = joint.limit_stiffness * depth * (1.0 - joint.limit_damping * sign * rate)
                effort += sign * max(push, 0.0)
    return effort


class Solution(NamedTuple):
    """Accelerations of all entries of v, and of every body's origin (angular, linear) by name; what every joint does to
    the body that it holds (moment, force), world axes, at the held frame, by the joint's name."""

    acceleration: np.ndarray
    bodies: dict[str, np.ndarray]
    reactions: dict[str, np.ndarray]


def forward_dynamics(system: jd.System, model: jd.Model, state: jd.State, effort: np.ndarray) -> Solution:
    """Solve [M 0 -G^T; 0 0 S^T; G -S 0] (A, a, lambda) = (forces, efforts, velocity products)."""
    items = list(system.attachments)
    number = {item.body.name: i for i, item in enumerate(items)}
    links: dict[str, Link] = {"world": Link(np.eye(3), *np.zeros((3, 3)))}
    n, nv = len(items), model.nv
    size = 6 * n + nv + 6 * n
    K, rhs = np.zeros((size, size)), np.zeros(size)
    waiting = items[:]
    while waiting:
        item = waiting.pop(0)
        if item.parent not in links:
            waiting.append(item)
            continue
        joint, body, i = item.joint, item.body, number[item.body.name]
        parent = links[item.parent]
        name, _, frame = item.to.partition(".")
        fixed = (jd.Pose() if name == "world" else system.body(name).frame(frame)) @ item.pose
        held = body.frame(item.at)
        iq = [model.index.q[entry] for entry in joint.q_names()]
        iv = [model.index.v[entry] for entry in joint.v_names()]
        q, v = state.q[iq], state.v[iv]

        R_WF = parent.R @ fixed.rotation
        r_F, v_F = point(parent, fixed.position)
        R_FH, d = joint_pose(joint, q)
        relative = joint_velocity(joint, q, v) if iv else np.zeros(6)
        w_J, u_J, r = R_WF @ relative[:3], R_WF @ relative[3:], R_WF @ d
        w = parent.w + w_J
        v_H = v_F + np.cross(parent.w, r) + u_J
        R = R_WF @ R_FH @ held.rotation.T
        r_H = R @ held.position
        links[body.name] = Link(R, parent.p + r_F + r - r_H, w, v_H - np.cross(w, r_H))

        # Accelerations are those of each body's centre of mass, so that the mass matrix is block diagonal.
        a, l = 6 * i, 6 * n + nv + 6 * i
        c = R @ body.com
        arm = r_H - c
        inertia = R @ body.inertia @ R.T
        K[a : a + 3, a : a + 3] = inertia
        K[a + 3 : a + 6, a + 3 : a + 6] = body.mass * np.eye(3)
        rhs[a : a + 3] = -np.cross(w, inertia @ w)
        rhs[a + 3 : a + 6] = body.mass * system.gravity
        G = np.zeros((6, 6 * n))
        G[:3, a : a + 3] = G[3:, a + 3 : a + 6] = np.eye(3)
        G[3:, a : a + 3] = -skew(arm)
        turning = np.cross(parent.w, w_J)
        linear = np.cross(parent.w, np.cross(parent.w, r)) + 2 * np.cross(parent.w, u_J)
        linear = linear - np.cross(w, np.cross(w, arm))
        if name != "world":
            b = 6 * number[name]
            to_joint = r_F + r - parent.R @ system.body(name).com
            G[:3, b : b + 3] = G[3:, b + 3 : b + 6] = -np.eye(3)
            G[3:, b : b + 3] = skew(to_joint)
            linear = linear + np.cross(parent.w, np.cross(parent.w, to_joint - r))
        own = velocity_products(joint, q, v) if iv else np.zeros(6)
        rhs[l : l + 6] = np.concatenate([turning + R_WF @ own[:3], linear + R_WF @ own[3:]])
        S = np.zeros((6, nv))
        for k, column in zip(iv, np.eye(len(iv))):
            S[:, k] = np.kron(np.eye(2), R_WF) @ joint_velocity(joint, q, column)
            rhs[6 * n + k] = effort[k]
        if len(iv) == 1:
            rhs[6 * n + iv[0]] += passive(joint, q[0], v[0])
        rows, columns = slice(l, l + 6), slice(6 * n, 6 * n + nv)
        K[rows, : 6 * n], K[: 6 * n, rows] = G, -G.T
        K[rows, columns], K[columns, rows] = -S, S.T
    for force in system.forces:
        name, _, frame = force.at.partition(".")
        body, link, a = system.body(name), links[name], 6 * number[name]
        axes = link.R if force.axes == "body" else np.eye(3)
        pull = axes @ force.force
        lever = link.R @ (body.frame(frame).position - body.com)
        rhs[a : a + 3] += axes @ force.moment + np.cross(lever, pull)
        rhs[a + 3 : a + 6] += pull
    x = np.linalg.solve(K, rhs)
    origins = {}
    for name, i in number.items():
        alpha, centre, link = x[6 * i : 6 * i + 3], x[6 * i + 3 : 6 * i + 6], links[name]
        c = link.R @ system.body(name).com
        origins[name] = np.concatenate([alpha, centre - np.cross(alpha, c) - np.cross(link.w, np.cross(link.w, c))])
    multipliers = x[6 * n + nv :].reshape(n, 6)
    reactions = {item.joint.name: multipliers[number[item.body.name]] for item in items}
    return Solution(x[6 * n : 6 * n + nv], origins, reactions)

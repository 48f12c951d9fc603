"""Chains of revolute joints in CasADi's expressions: an independent formulation, and what its code would cost.

Newton and Euler's recursion as in Luh, Walker & Paul 1980 and articulated bodies as in Featherstone 2008, table 7.1, in
the axes of the bodies, with spatial vectors (angular, linear): what Pinocchio's algorithms do on CasADi's scalars.
CasADi leaves out products with zeros and ones, and `cse` finds what stands twice.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import casadi as ca
import numpy as np

import jourdain as jd

GRAVITY = 9.81
AXES = {"x": 0, "y": 1, "z": 2}
PRODUCTS, SUMS = (ca.OP_MUL, ca.OP_SQ), (ca.OP_ADD, ca.OP_SUB, ca.OP_NEG, ca.OP_TWICE)
DIVISIONS, NOTHING = (ca.OP_DIV, ca.OP_INV), (ca.OP_CONST, ca.OP_INPUT, ca.OP_OUTPUT)


class Link(NamedTuple):
    """A body behind its joint: axis, where the joint is on the one before, inertia about the centre of mass."""

    axis: str
    at: tuple[float, float, float]
    mass: float
    com: tuple[float, float, float]
    inertia: tuple[float, float, float]
    damping: float
    stiffness: float


def links(count: int) -> list[Link]:
    """An arm in which nothing is zero that need not be."""
    at = (0.0, 0.1, 0.4)
    return [
        Link("zy"[i % 2], at if i else (0.0, 0.0, 0.0), 1.0 + i, (0.1, 0.02, 0.3), (0.1, 0.12, 0.13), 0.1 * i, 2.0)
        for i in range(count)
    ]


def model(chain: list[Link]) -> jd.Model:
    """The same in Jourdain."""
    system = jd.System("arm", gravity=(0, 0, -GRAVITY))
    for i, one in enumerate(chain):
        after = chain[i + 1].at if i + 1 < len(chain) else (0.0, 0.1, 0.4)
        body = jd.RigidBody(f"l{i}", one.mass, one.com, one.inertia, frames={"tip": after})
        joint = jd.Revolute(f"j{i}", axis=one.axis, damping=one.damping, stiffness=one.stiffness)
        system.add(body, joint, to="world" if i == 0 else f"l{i - 1}.tip")
    return system.compile()


def turned(axis: str, angle: ca.SX) -> ca.SX:
    """From the axes of a body to those of the one before."""
    c, s = ca.cos(angle), ca.sin(angle)
    rows = {
        "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
        "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }[axis]
    return ca.vertcat(*(ca.horzcat(*row) for row in rows))


def unit(axis: str) -> ca.DM:
    out = ca.DM.zeros(3)
    out[AXES[axis]] = 1
    return ca.sparsify(out)


def passive(chain: list[Link], q: ca.SX, v: ca.SX) -> ca.SX:
    """Efforts of springs and dampers."""
    return ca.vertcat(*(-one.stiffness * q[i] - one.damping * v[i] for i, one in enumerate(chain)))


def inverse(chain: list[Link], q: ca.SX, v: ca.SX, a: ca.SX) -> ca.SX:
    """Efforts by the recursion of Newton and Euler."""
    w, dw, acc = ca.SX(3, 1), ca.SX(3, 1), ca.SX(3, 1)
    acc[2] = GRAVITY
    forces = []
    for i, one in enumerate(chain):
        R, z, p, c = turned(one.axis, q[i]), unit(one.axis), ca.sparsify(ca.DM(one.at)), ca.DM(one.com)
        acc = R.T @ (acc + ca.cross(dw, p) + ca.cross(w, ca.cross(w, p)))
        carried = R.T @ w
        dw = R.T @ dw + z * a[i] + ca.cross(carried, z * v[i])
        w = carried + z * v[i]
        I = ca.diag(ca.DM(one.inertia))
        force = one.mass * (acc + ca.cross(dw, c) + ca.cross(w, ca.cross(w, c)))
        forces.append((R, p, z, force, I @ dw + ca.cross(w, I @ w) + ca.cross(c, force)))
    F, N, out = ca.SX(3, 1), ca.SX(3, 1), []
    for R, p, z, force, torque in reversed(forces):
        F, N = force + F, torque + N
        out.insert(0, ca.dot(z, N))
        F, N = R @ F, R @ N
        N = N + ca.cross(p, F)
    return ca.vertcat(*out) - passive(chain, q, v)


def spatial_inertia(one: Link) -> ca.DM:
    c = ca.skew(ca.DM(one.com))
    top = ca.horzcat(ca.diag(ca.DM(one.inertia)) + one.mass * c @ c.T, one.mass * c)
    return ca.vertcat(top, ca.horzcat(one.mass * c.T, one.mass * ca.DM.eye(3)))


def forward(chain: list[Link], q: ca.SX, v: ca.SX, effort: ca.SX) -> ca.SX:
    """Accelerations by articulated bodies."""
    tau = effort + passive(chain, q, v)
    speed, found = ca.SX(6, 1), []
    for i, one in enumerate(chain):
        R, p = turned(one.axis, q[i]), ca.sparsify(ca.DM(one.at))
        X = ca.vertcat(ca.horzcat(R.T, ca.SX(3, 3)), ca.horzcat(-R.T @ ca.skew(p), R.T))
        S = ca.vertcat(unit(one.axis), ca.DM(3, 1))
        joint = S * v[i]
        speed = X @ speed + joint
        w, u = speed[:3], speed[3:]
        crossed = ca.vertcat(ca.cross(w, joint[:3]), ca.cross(u, joint[:3]) + ca.cross(w, joint[3:]))
        I = ca.SX(spatial_inertia(one))
        h = I @ speed
        found.append([X, S, crossed, I, ca.vertcat(ca.cross(w, h[:3]) + ca.cross(u, h[3:]), ca.cross(w, h[3:]))])
    solved = []
    for i in range(len(chain) - 1, -1, -1):
        X, S, crossed, I, bias = found[i]
        U = I @ S
        d, left = ca.dot(S, U), tau[i] - ca.dot(S, bias)
        solved.insert(0, (U, d, left))
        if i:
            over = U / d
            Ia = I - over @ U.T
            lower = ca.tril(Ia)  # symmetric: one half is computed
            Ia = ca.tril2symm(lower)
            pushed = bias + Ia @ crossed + over * left
            found[i - 1][3] += ca.tril2symm(ca.tril(X.T @ Ia @ X))
            found[i - 1][4] += X.T @ pushed
    a, out = ca.SX(6, 1), []
    a[5] = GRAVITY
    for (X, S, crossed, _, _), (U, d, left) in zip(found, solved, strict=True):
        a = X @ a + crossed
        out.append((left - ca.dot(U, a)) / d)
        a = a + S * out[-1]
    return ca.vertcat(*out)


def function(name: str, chain: list[Link]) -> ca.Function:
    """A model function of the chain: "inverse_dynamics", "forward_dynamics" or "forward_derivatives"."""
    n = len(chain)
    q, v, given = (ca.SX.sym(letter, n) for letter in "qva")
    if name == "inverse_dynamics":
        results = [inverse(chain, q, v, given)]
    else:
        a = forward(chain, q, v, given)
        results = [a] if name == "forward_dynamics" else [ca.jacobian(a, one) for one in (q, v, given)]
    return ca.Function(name, [q, v, given], ca.cse(results))


def operations(made: ca.Function) -> tuple[int, int, int, int]:
    """Products, sums, divisions and functions of mathematics that a function's code has."""
    count = Counter(made.instruction_id(k) for k in range(made.n_instructions()))
    known = [sum(count[op] for op in ops) for ops in (PRODUCTS, SUMS, DIVISIONS, NOTHING)]
    return known[0], known[1], known[2], made.n_instructions() - sum(known)


def ours(chain: list[Link], folder, names: list[str]) -> dict[str, list[int]]:
    """The same of what `jd.export.source` writes, with choices at the end."""
    readme = (jd.export.source(model(chain), folder, functions=names) / "README.md").read_text()
    rows = [line for line in readme.splitlines() if "`" in line and line.startswith("|")]
    return {line.split("`")[1].removeprefix("jd_"): [int(n) for n in line.split("|")[3:8]] for line in rows}


def agreement(name: str, chain: list[Link]) -> float:
    """Largest difference of the two formulations, relative to the largest number."""
    one, rng = model(chain), np.random.default_rng(5)
    q, v, given = rng.standard_normal((3, len(chain)))
    state = one.state(q=q, v=v)
    theirs = [np.array(x) for x in function(name, chain).call([q, v, given])]
    if name == "forward_derivatives":
        mine = [np.asarray(x) for x in one.forward_dynamics_derivatives(state, given)]
    else:
        mine = [getattr(one, name)(state, given)[:, None]]
    return max(np.max(np.abs(a - b)) / np.max(np.abs(b)) for a, b in zip(mine, theirs, strict=True))

"""Overconstrained single loops, and their motion in one coordinate by screws alone.

A linkage is n hinges (places and directions in a closed reference pose) between n - 1 links and the world. With q = 0
there, the hinges' screws are S_i = (axis, place x axis), turned by the hinges before them, and a closed loop moves as
q' = s(q) w with sum of S_i s_i = 0, s_1 = 1 and w the speed of the first hinge. The screws turn with each other,
S_i' = sum over j < i of s_j [S_j, S_i], so that s' solves sum of S_i s_i' = -sum of S_i' s_i. With V_b = sum of S_i s_i
over the hinges before link b, the links' momenta give

    m w' + c w^2 = f,    m = sum of V_b^T I_b V_b,    c = sum of V_b^T I_b V_b',    f = sum of V_b . weight_b - spring.

No row of a constraint, no mass matrix of a tree and no choice of coordinates is in it. Twists and wrenches are about
the world's origin (Featherstone 2008, chapters 2 and 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

import jourdain as jd

G = np.array([0.0, -2.0, -9.0])
"""Gravity along no axis of any linkage [m/s^2]."""


@dataclass(frozen=True)
class Linkage:
    """Hinges of a closed pose; the world's origin is at the last one.

    places, axes    (n, 3)
    speed           of the first hinge at the start [rad/s]
    stiffness       of a spring there, at rest in the closed pose [N m/rad]
    """

    name: str
    places: np.ndarray
    axes: np.ndarray
    speed: float
    stiffness: float = 0.0

    @property
    def links(self) -> list[tuple[float, np.ndarray, np.ndarray]]:
        """Mass [kg], centre of mass from the world's origin [m] and inertia about it (3, 3), world axes, of each."""
        out = []
        for i in range(len(self.places) - 1):
            start, end = self.places[i], self.places[i + 1]
            J = np.diag([0.02, 0.03, 0.04]) * (1.0 + 0.3 * i) + 0.005
            out.append((1.0 + 0.2 * i, 0.5 * (start + end) + 0.05 * self.axes[i], J))
        return out

    def system(self) -> jd.System:
        """The same for the package: a tree of all hinges but the last, which is a constraint."""
        system = jd.System(self.name, gravity=tuple(G))
        before, to = np.zeros(3), "world"
        for i, (mass, com, J) in enumerate(self.links):
            at = self.places[i]
            inertia = (*np.diag(J), J[0, 1], J[0, 2], J[1, 2])
            frames = {"end": tuple(self.places[i + 1] - at)}
            body = jd.RigidBody(f"link{i + 1}", mass, tuple(com - at), inertia, frames=frames)
            spring = self.stiffness if i == 0 else 0.0
            joint = jd.Revolute(f"hinge{i + 1}", axis=tuple(self.axes[i]), stiffness=spring)
            system.add(body, joint=joint, to=to, position=tuple(at - before) if i == 0 else (0, 0, 0))
            before, to = self.places[i + 1], f"link{i + 1}.end"
        system.connect(jd.Revolute("closure", axis=tuple(self.axes[-1])), to, "world")
        return system

    def start(self, model: jd.Model) -> jd.State:
        """The closed pose, moving."""
        _, s, _ = self.screws(np.zeros(len(self.places)))
        v = {f"hinge{i + 1}": self.speed * s[i] for i in range(len(s) - 1)}
        return model.state(v=v)

    def screws(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
        """Screws at the angles q (n, 6), s (n,), and rotation and place of the frame behind each hinge."""
        R, p = np.eye(3), np.zeros(3)
        S, frames = [], []
        for place, axis, angle in zip(self.places, self.axes, q, strict=True):
            a, r = R @ axis, R @ place + p
            S.append(np.concatenate([a, np.cross(r, a)]))
            turn = rotation(axis, angle)
            R, p = R @ turn, p + R @ (place - turn @ place)
            frames.append((R, p))
        S = np.array(S)
        s = np.concatenate([[1.0], np.linalg.lstsq(S[1:].T, -S[0], rcond=1e-9)[0]])
        return S, s, frames

    def rates(self, t: float, y: np.ndarray) -> np.ndarray:
        """Of (q, w)."""
        q, w = y[:-1], y[-1]
        S, s, frames = self.screws(q)
        n = len(q)
        turned = np.array([bracket(s[:i] @ S[:i], S[i]) if i else np.zeros(6) for i in range(n)])
        rate = np.concatenate([[0.0], np.linalg.lstsq(S[1:].T, -(s @ turned), rcond=1e-9)[0]])
        V, V_rate = np.cumsum(S * s[:, None], axis=0), np.cumsum(S * rate[:, None] + turned * s[:, None], axis=0)
        m, c, f = 0.0, 0.0, -self.stiffness * q[0]
        for b, (mass, com, J) in enumerate(self.links):
            R, p = frames[b]
            x = R @ com + p
            tilde = cross_matrix(x)
            inertia = np.block([[R @ J @ R.T - mass * tilde @ tilde, mass * tilde], [-mass * tilde, mass * np.eye(3)]])
            m += V[b] @ inertia @ V[b]
            c += V[b] @ inertia @ V_rate[b]
            f += V[b] @ np.concatenate([np.cross(x, mass * G), mass * G])
        return np.concatenate([s * w, [(f - c * w**2) / m]])

    def motion(self, *times: float) -> np.ndarray:
        """Angles of all hinges but the last at the times (times, n - 1); error below 1e-11."""
        return _motion(self.name, times)


@cache
def _motion(name: str, times: tuple[float, ...]) -> np.ndarray:
    one = LINKAGES[name]
    y = np.concatenate([np.zeros(len(one.places)), [one.speed]])
    found = solve_ivp(one.rates, (0.0, times[-1]), y, "DOP853", t_eval=times, rtol=1e-13, atol=1e-14)
    return found.y[: len(one.places) - 1].T


def cross_matrix(x: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def bracket(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """A x B of two twists."""
    return np.concatenate([np.cross(A[:3], B[:3]), np.cross(A[:3], B[3:]) + np.cross(A[3:], B[:3])])


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    tilde = cross_matrix(axis)
    return np.eye(3) + np.sin(angle) * tilde + (1.0 - np.cos(angle)) * tilde @ tilde


def bennett_frames(a: float, b: float, alpha: float, beta: float, angle: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """Frames (R, p) of the four hinges, their z the axis: Denavit & Hartenberg with lengths a, b, a, b, twists alpha,
    beta, alpha, beta and no offsets. Closed where a sin beta = b sin alpha and the angles of neighbours obey
    tan(x / 2) tan(y / 2) = sin((alpha + beta) / 2) / sin((alpha - beta) / 2) (Bennett 1903), opposite ones x, -x."""
    other = 2.0 * np.arctan(np.sin(0.5 * (beta + alpha)) / np.sin(0.5 * (beta - alpha)) / np.tan(0.5 * angle))
    R, p = np.eye(3), np.zeros(3)
    out = []
    for x, length, twist in ((angle, a, alpha), (other, b, beta), (-angle, a, alpha), (-other, b, beta)):
        out.append((R, p))
        R = R @ rotation(np.array([0.0, 0.0, 1.0]), x)
        p = p + R @ [length, 0.0, 0.0]
        R = R @ rotation(np.array([1.0, 0.0, 0.0]), twist)
    assert np.allclose(R, np.eye(3), atol=1e-12) and np.allclose(p, 0.0, atol=1e-12)
    return out


def linkage(name: str, places: object, axes: object, speed: float, stiffness: float = 0.0) -> Linkage:
    places = np.array(places, float)
    return Linkage(name, places - places[-1], np.array(axes, float), speed, stiffness)


def bennett() -> Linkage:
    """Bennett's linkage, twists 35 and 70 degrees: the only four hinges that move though no axes are parallel or meet.
    It turns round and round."""
    alpha, beta = np.radians(35.0), np.radians(70.0)
    frames = bennett_frames(0.6, 0.6 * np.sin(beta) / np.sin(alpha), alpha, beta, 2.2)
    return linkage("Bennett", [p for _, p in frames], [R[:, 2] for R, _ in frames], 3.0)


def bricard() -> Linkage:
    """Bricard's linkage with hinges along six edges of a cube: each axis across the one before."""
    places = [[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]]
    axes = [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    return linkage("Bricard", places, axes, 1.0)


def sarrus() -> Linkage:
    """Sarrus' linkage: three hinges along x, three along y; the plate between them rises straight. A
    spring keeps it from falling flat, where it is singular."""
    lean = 0.9
    c, s = np.cos(lean), np.sin(lean)
    places = [[0, 1, 0], [0, 1 + c, s], [0, 1, 2 * s], [1, 0, 2 * s], [1 + c, 0, s], [1, 0, 0]]
    axes = [[1, 0, 0]] * 3 + [[0, 1, 0]] * 3
    return linkage("Sarrus", places, axes, 2.0, 300.0)


def goldberg() -> Linkage:
    """Goldberg's linkage of five hinges: two of Bennett's with a link in common, which is then left out, and the links
    that meet at one of its ends made one."""
    alpha, beta, gamma = np.radians(40.0), np.radians(75.0), np.radians(110.0)
    a = 0.6
    one = bennett_frames(a, a * np.sin(beta) / np.sin(alpha), alpha, beta, 1.1)
    two = bennett_frames(a, a * np.sin(gamma) / np.sin(alpha), alpha, gamma, -1.4)
    # hinges 0 and 1 of both are the ends of the common link: the second is moved there, its link over the first's
    ends = [frames[1][1] - frames[0][1] for frames in (one, two)]
    bases = []
    for frames, end in zip((one, two), ends, strict=True):
        x, z = end / np.linalg.norm(end), frames[0][0][:, 2]
        bases.append(np.column_stack([x, np.cross(z, x), z]))
    turn = bases[0] @ bases[1].T
    moved = [(turn @ R, one[0][1] + turn @ (p - two[0][1])) for R, p in two]
    hinges = [one[3], moved[3], moved[2], one[1], one[2]]
    return linkage("Goldberg", [p for _, p in hinges], [R[:, 2] for R, _ in hinges], 4.0)


LINKAGES = {one.name: one for one in (bennett(), bricard(), sarrus(), goldberg())}

"""Inertias that are always physical: the log-Cholesky coordinates of the pseudo-inertia.

Ten numbers of a rigid body, mass, first moments and inertia, belong to some distribution of mass where its 4 x 4
pseudo-inertia

    P = [[S, h], [h', m]],    S = tr(I) / 2 - I about the origin,    h = m c

is positive definite (Wensing, Kim & Slotine 2018). With P = U U', U upper triangular,

    U = exp(a) [[exp(d1), s12, s13, t1], [0, exp(d2), s23, t2], [0, 0, exp(d3), t3], [0, 0, 0, 1]],

any ten numbers (a, d1, d2, d3, s12, s23, s13, t1, t2, t3) are a body (Rucker & Wensing 2022, IEEE RA-L 7(2), eq. 17).
"""

from __future__ import annotations

import numpy as np

from ...basics.errors import ModelError

WORDS = ("mass", "com.x", "com.y", "com.z") + tuple(f"inertia.{ij}" for ij in ("xx", "xy", "xz", "yy", "yz", "zz"))
"""Names of a body's ten inertial parameters; inertia is about the centre of mass."""


def pseudo_inertia(mass: float, com: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """P (4, 4) of a body with this inertia (3, 3) about its centre of mass."""
    about = inertia + mass * (com @ com * np.eye(3) - np.outer(com, com))
    out = np.empty((4, 4))
    out[:3, :3] = 0.5 * np.trace(about) * np.eye(3) - about
    out[:3, 3] = out[3, :3] = mass * com
    out[3, 3] = mass
    return out


def to_coordinates(mass: float, com: np.ndarray, inertia: np.ndarray, name: str = "body") -> np.ndarray:
    """Log-Cholesky coordinates (10,) of a body; one without volume, whose P is singular, is refused."""
    P = pseudo_inertia(mass, np.asarray(com, float), np.asarray(inertia, float))
    # the upper triangular factor is the lower one of the matrix turned round
    try:
        U = np.linalg.cholesky(P[::-1, ::-1])[::-1, ::-1]
    except np.linalg.LinAlgError:
        raise ModelError.at(
            name, "its inertia is that of no body with a volume (a triangle inequality is an equality); start elsewhere"
        ) from None
    a = np.log(U[3, 3])
    V = U / U[3, 3]
    return np.array([a, *np.log(np.diag(V)[:3]), V[0, 1], V[1, 2], V[0, 2], *V[:3, 3]])


def from_coordinates(x: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass (3,) and inertia (3, 3) about it of log-Cholesky coordinates."""
    a, d1, d2, d3, s12, s23, s13, t1, t2, t3 = x
    rows = [[np.exp(d1), s12, s13, t1], [0.0, np.exp(d2), s23, t2], [0.0, 0.0, np.exp(d3), t3], [0.0, 0.0, 0.0, 1.0]]
    U = np.exp(a) * np.array(rows)
    P = U @ U.T
    mass, com = P[3, 3], P[:3, 3] / P[3, 3]
    about = np.trace(P[:3, :3]) * np.eye(3) - P[:3, :3]
    return float(mass), com, about - mass * (com @ com * np.eye(3) - np.outer(com, com))


def numbers(x: np.ndarray) -> np.ndarray:
    """The ten numbers of a body in the order of `WORDS`."""
    mass, com, inertia = from_coordinates(x)
    return np.array([mass, *com, *inertia[np.triu_indices(3)]])

"""Packing of modal bodies: inertia integrals and stations in the order that kernels/bodies/modal_body.py reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ....basics.errors import ModelError
from ....basics.pose import Pose
from ....basics.values import as_array, expect_keys
from ....kernels.kind_registry import MODAL
from ..body import BodyData


def axial(G: np.ndarray) -> np.ndarray:
    """``int a x b dm`` from ``G = int a b^T dm``, over leading axes."""
    return np.stack([G[..., 1, 2] - G[..., 2, 1], G[..., 2, 0] - G[..., 0, 2], G[..., 0, 1] - G[..., 1, 0]], axis=-1)


def turning(G: np.ndarray) -> np.ndarray:
    """``int 2 (a.b) 1 - a b^T - b a^T dm`` from ``G = int a b^T dm``, over leading axes."""
    trace = np.trace(G, axis1=-2, axis2=-1)[..., None, None]
    return 2.0 * trace * np.eye(3) - G - np.swapaxes(G, -1, -2)


def _six(tensors: np.ndarray) -> np.ndarray:
    """xx, yy, zz, xy, xz, yz of symmetric tensors, over leading axes."""
    return tensors[..., [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


class ModalStation(NamedTuple):
    """A place in a body and how its n internal coordinates move it, in body axes.

    position    undeformed, (3,) [m]
    psi         displacement for a unit of each coordinate, (n, 3)
    theta       rotation for a unit of each coordinate, (n, 3) [rad]
    """

    position: np.ndarray
    psi: np.ndarray
    theta: np.ndarray

    def numbers(self, held: Pose) -> np.ndarray:
        """What the kernels read, in the kernel frame."""
        R = held.rotation
        shapes = np.concatenate([self.psi @ R, self.theta @ R], axis=1)
        return np.concatenate([R.T @ (self.position - held.position), shapes.ravel()])


class ModalForces(NamedTuple):
    """What it takes to move a body: moment about its origin [N m], force [N], efforts of its coordinates (n,)."""

    moment: np.ndarray
    force: np.ndarray
    efforts: np.ndarray


@dataclass(frozen=True, eq=False)
class Modal:
    """Constants of a body with linear shapes psi_k, about its origin and in its axes; n coordinates.

    mass        [kg]
    moment      int r dm, (3,) [kg m]
    inertia     int r.r 1 - r r^T dm, and rotary inertia, (3, 3) [kg m^2]
    P           int psi_k dm, (n, 3)
    H           int r x psi_k dm, and rotary inertia, (n, 3)
    first       int r psi_k^T dm, (n, 3, 3)
    second      int psi_k psi_l^T dm, (n, n, 3, 3); second[l, k] is the transpose of second[k, l]
    M, K, C     mass, stiffness and damping matrix of the coordinates, (n, n)
    deformed    whether the mass matrix of frame and coordinates is that of the deformed body
    gyroscopic  whether centrifugal and Coriolis forces act on the coordinates
    """

    mass: float
    moment: np.ndarray
    inertia: np.ndarray
    P: np.ndarray
    H: np.ndarray
    first: np.ndarray
    second: np.ndarray
    M: np.ndarray
    K: np.ndarray
    C: np.ndarray
    deformed: bool = True
    gyroscopic: bool = True

    @property
    def D(self) -> np.ndarray:
        """Slope of the inertia by each coordinate at zero, (n, 3, 3)."""
        return turning(self.first)

    @property
    def B(self) -> np.ndarray:
        """Second derivatives of the inertia by the coordinates, (n, n, 3, 3)."""
        return turning(self.second)

    @property
    def nu(self) -> np.ndarray:
        """Slope of H_k by e_l, int psi_l x psi_k dm, (n, n, 3)."""
        return -axial(self.second)

    def about(self, place: np.ndarray) -> Modal:
        """The same about a place that moves with the body's frame (3,) [m]: with r = place + s,

        int s.s 1 - s s^T = int r.r 1 - r r^T - (2 p.c 1 - p c^T - c p^T) + m (p.p 1 - p p^T),
        int s x psi = int r x psi - p x int psi,    int s psi^T = int r psi^T - p int psi^T.
        """
        p, c, m = place, self.moment, self.mass
        both, one = np.outer(p, c), np.eye(3)
        inertia = self.inertia - 2.0 * (p @ c) * one + both + both.T + m * ((p @ p) * one - np.outer(p, p))
        return replace(
            self,
            moment=c - m * p,
            inertia=inertia,
            H=self.H - np.cross(p, self.P),
            first=self.first - p[None, :, None] * self.P[:, None, :],
        )

    def data(self, held: Pose) -> BodyData:
        """The data of the body in its kernel frame, whose origin is the one of what the joint holds."""
        if np.any(held.position):
            return self.about(held.position).data(Pose(rotation=held.rotation))
        R = held.rotation
        D, B = R.T @ self.D @ R, R.T @ self.B @ R
        one = np.concatenate([self.P @ R, self.H @ R, _six(D)], axis=1)
        two = np.concatenate([_six(B), self.nu @ R], axis=2)
        choices = np.array([self.deformed, self.gyroscopic], float)
        floats = np.concatenate(
            [part.ravel() for part in (self.K, self.C, self.M, one, two, choices, rows_left(self.M))]
        )
        inertia = R.T @ self.inertia @ R
        com = R.T @ self.moment / self.mass
        return BodyData(MODAL, self.mass, com, 0.5 * (inertia + inertia.T), np.zeros(0, np.int64), floats)

    def forces(
        self,
        e: np.ndarray,
        rates: np.ndarray,
        accelerations: np.ndarray,
        omega: np.ndarray,
        alpha: np.ndarray,
        a: np.ndarray,
    ) -> ModalForces:
        """What it takes to move the body so, by the equations of kernels/bodies/modal_body.py, in body axes.

        omega, alpha    angular velocity and acceleration of the frame, (3,)
        a               acceleration of its origin, gravity taken off, (3,) [m/s^2]
        """
        slope = self.D + np.einsum("klab,l->kab", self.B, e)
        H = self.H + np.einsum("kla,l->ka", self.nu, e)
        c = self.moment + e @ self.P
        J = self.inertia + 0.5 * np.einsum("k,kab->ab", e, self.D + slope)
        momentum = J @ omega + rates @ H
        J_m, c_m, H_m = (J, c, H) if self.deformed else (self.inertia, self.moment, self.H)
        moment = J_m @ alpha + np.cross(c_m, a) + accelerations @ H_m + np.cross(omega, momentum)
        moment = moment + np.einsum("k,kab,b->a", rates, slope, omega)
        swing = np.cross(omega, c) + 2.0 * rates @ self.P
        force = self.mass * a + np.cross(alpha, c_m) + accelerations @ self.P + np.cross(omega, swing)
        efforts = self.P @ a + H_m @ alpha + self.M @ accelerations + self.K @ e + self.C @ rates
        if not self.gyroscopic:
            return ModalForces(moment, force, efforts)
        efforts = efforts - 0.5 * np.einsum("a,kab,b->k", omega, slope, omega)
        efforts = efforts + 2.0 * np.einsum("kla,l,a->k", self.nu, rates, omega)
        return ModalForces(moment, force, efforts)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, of `second` one triangle."""
        n = len(self.P)
        rows = {name: getattr(self, name).tolist() for name in ("moment", "inertia", "P", "H", "first", "M", "K", "C")}
        return {"mass": self.mass, **rows, "second": self.second[np.tril_indices(n)].tolist()}

    @classmethod
    def from_dict(cls, data: Any, n: int, address: str) -> Modal:
        """The constants that `to_dict` wrote, for n coordinates."""
        square = (n, n)
        shapes: dict[str, tuple[int, ...]] = {
            "mass": (),
            "moment": (3,),
            "inertia": (3, 3),
            "P": (n, 3),
            "H": (n, 3),
            "first": (n, 3, 3),
            "second": (n * (n + 1) // 2, 3, 3),
            "M": square,
            "K": square,
            "C": square,
        }
        data = expect_keys(data, address, shapes)
        arrays: dict[str, Any] = {
            name: numbers_of(data[name], shape, f"{address}.{name}") for name, shape in shapes.items()
        }
        second = np.zeros((n, n, 3, 3))
        rows, columns = np.tril_indices(n)
        second[columns, rows] = np.swapaxes(arrays["second"], 1, 2)
        second[rows, columns] = arrays["second"]
        return cls(**(arrays | {"mass": float(arrays["mass"]), "second": second}))


def rows_left(M: np.ndarray) -> np.ndarray:
    """Row k has what is left of row k of a mass matrix when all coordinates behind k have been eliminated, and the
    inverse of its entry on the diagonal there; zero above. As `kernels/tree/flexible.py` would find it."""
    left, out = M.copy(), np.zeros_like(M)
    for k in range(len(M) - 1, -1, -1):
        row = left[k, :k].copy()
        out[k, :k], out[k, k] = row, 1.0 / left[k, k]
        moved = np.flatnonzero(row)
        left[np.ix_(moved, moved)] -= out[k, k] * np.outer(row[moved], row[moved])
    return out


def natural_frequencies(M: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Natural frequencies of a mass and a stiffness matrix, rising [rad/s]."""
    if not len(M):
        return np.zeros(0)
    return np.sqrt(np.maximum(np.linalg.eigvalsh(_by_unit_masses(np.linalg.cholesky(M), K)), 0.0))


def damping_matrix(M: np.ndarray, K: np.ndarray, damping: Any) -> np.ndarray:
    """alpha M + beta K of a pair (alpha [1/s], beta [s]), or M V diag(2 ratio omega) V^T M with the modes V."""
    if isinstance(damping, tuple):
        return damping[0] * M + damping[1] * K
    if damping == 0.0 or not len(M):
        return np.zeros_like(M)
    L = np.linalg.cholesky(M)
    squares, Y = np.linalg.eigh(_by_unit_masses(L, K))
    MV = L @ Y
    return (MV * (2.0 * damping * np.sqrt(np.maximum(squares, 0.0)))) @ MV.T


def _by_unit_masses(L: np.ndarray, K: np.ndarray) -> np.ndarray:
    """inv(L) K inv(L)^T, M = L L^T: with y = L^T x, K x = w^2 M x becomes this matrix y = w^2 y."""
    half = np.linalg.solve(L, K)
    whole = np.linalg.solve(L, half.T)
    return 0.5 * (whole + whole.T)


def numbers_of(value: Any, shape: tuple[int, ...], address: str) -> np.ndarray:
    """Finite numbers of a shape, from lists; a list that should be empty may have lost its shape."""
    array = as_array(value, address) if np.size(value) else np.zeros(0)
    if array.size == 0 and 0 in shape:
        return np.zeros(shape)
    if array.shape != shape or not np.all(np.isfinite(array)):
        raise ModelError.at(address, f"got numbers of shape {array.shape}; give finite numbers of shape {shape}")
    return array

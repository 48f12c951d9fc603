"""How accurately a machine places its tool: errors of a pose from tolerances, linear and by an ensemble.

A small error of the joints dq moves the tool by dr = A dq and turns it by dtheta = L dq (Boiadjiev & Vassileva 2002,
eqs. 1 and 2). With errors of unit size the places are in an ellipsoid whose squared semi-axes are the eigenvalues of
(B - lambda C) x = 0, B = A^T A, C a metric on the errors of the joints. Errors that are random and independent have the
covariance G diag(sigma^2) G^T, where G has a column for every coordinate and every number of the description.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import as_vector, is_number, random_from, shown, suggestion
from .transmission import closed, following

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State

KERNEL = 1e-12
"""Eigenvalue over the largest that counts as zero."""
PART = 1e-2
"""Of its tolerance by which a number of the description is moved for its derivative."""


@checked
class Ellipsoid(NamedTuple):
    """Directions of joint errors and how far they lead, largest first.

    values        (n,) squared semi-axes
    directions    (n, n) joint errors of unit length in the metric, in columns
    kernel        (n, k) those that lead nowhere: self-motions
    """

    values: np.ndarray
    directions: np.ndarray
    kernel: np.ndarray


@checked
def error_ellipsoid(jacobian: ArrayLike, metric: ArrayLike | None = None) -> Ellipsoid:
    """The generalised eigenproblem (J^T J - lambda C) x = 0 of Boiadjiev & Vassileva 2002.

    jacobian    (m, n), of places or of rotations
    metric      C (n, n), symmetric and positive definite; the identity unless given
    """
    from scipy.linalg import eigh

    J = np.atleast_2d(np.asarray(jacobian, float))
    if J.ndim != 2 or not J.size:
        raise ModelError.at("jacobian", f"got shape {J.shape}; give (m, n), m errors of a pose by n joints")
    C = np.eye(J.shape[1]) if metric is None else np.asarray(metric, float)
    if C.shape != (J.shape[1],) * 2:
        raise ModelError.at(
            "metric", f"got shape {C.shape}; give ({J.shape[1]}, {J.shape[1]}), as the jacobian has columns"
        )
    values, vectors = eigh(J.T @ J, C)
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    return Ellipsoid(values, vectors, vectors[:, values <= KERNEL * max(values[0], 1e-300)])


@checked
@dataclass(frozen=True, eq=False)
class PoseErrors:
    """Errors of the pose of a frame: three of its orientation [rad], three of its place [m], world axes.

    names         what has a tolerance
    jacobian      (6, n) of the pose by each of them
    covariance    (6, 6), by linearisation
    mean          (6,) of the ensemble; None without one
    sampled       (6, 6) covariance of the ensemble; None without one
    samples       (samples, 6) errors of its members
    """

    names: tuple[str, ...]
    jacobian: np.ndarray
    covariance: np.ndarray
    mean: np.ndarray | None = None
    sampled: np.ndarray | None = None
    samples: np.ndarray | None = None

    def ellipsoid(self, what: str = "place", sampled: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Standard deviations along the principal axes (3,), largest first, and these axes in columns.

        what       "place" [m] or "orientation" [rad]
        sampled    of the ensemble instead of the linearisation
        """
        if what not in ("place", "orientation"):
            raise ModelError.at("what", f'got {shown(what)}; give "place" or "orientation"')
        full = self.sampled if sampled else self.covariance
        if full is None:
            raise ModelError.at("sampled", "there is no ensemble; give samples= to pose_errors")
        part = full[3:, 3:] if what == "place" else full[:3, :3]
        values, axes = np.linalg.eigh(part)
        return np.sqrt(np.maximum(values[::-1], 0.0)), axes[:, ::-1]

    def work(self, force: ArrayLike = (0, 0, 0), moment: ArrayLike = (0, 0, 0)) -> float:
        """Standard deviation of the work F . dr + M . dtheta of a wrench at the tool [J] (eq. 3, alpha)."""
        wrench = np.concatenate([as_vector(moment, "moment"), as_vector(force, "force")])
        return float(np.sqrt(max(wrench @ self.covariance @ wrench, 0.0)))


@checked
def pose_errors(
    model: Model,
    state: State,
    address: str,
    tolerances: Mapping[str, float],
    hold: Iterable[str] = (),
    samples: int = 0,
    seed: int = 0,
    orientation: str = "rotation",
) -> PoseErrors:
    """Errors of the pose of a frame from tolerances of joints and of numbers of the description.

    state          where; with loops it must be closed
    address        of the frame: "tool.tip"
    tolerances     standard deviations by name: of velocities, {"elbow": 1e-3} [rad, m], and of parameters by address,
                   {"elbow.position.x": 1e-4}
    hold           with loops: velocities that stay, so that with those of the tolerances all others follow
    samples        members of an ensemble, each with normal errors, loops closed again; none where 0
    seed           of the ensemble
    orientation    "rotation": rotation vector between right and wrong. "sine": sin(psi) u of the rotation matrix
                   itself, as Boiadjiev & Vassileva measure it; it vanishes where psi = pi / 2
    """
    names, sigma, joints = _given(model, tolerances)
    if orientation not in ("rotation", "sine"):
        raise ModelError.at("orientation", f'got {shown(orientation)}; give "rotation" or "sine"')
    hold = (hold,) if isinstance(hold, str) else tuple(hold)
    coordinates = [name for name in names if joints[name]]
    exact = hold if model.constraints.rows else tuple(name for name in model.names.v if name not in coordinates)
    R = following(model, state.q, (*coordinates, *exact), state.time)
    first = model.pose(address, state)

    def off(errors: np.ndarray) -> np.ndarray:
        """(6,) the pose's errors where the named things are wrong by `errors`."""
        wrong = {n: e for n, e in zip(names, errors, strict=True) if not joints[n] and e}
        other = model if not wrong else model.with_parameters({n: model.parameters[n] + e for n, e in wrong.items()})
        moved = R[:, : len(coordinates)] @ errors[[names.index(n) for n in coordinates]]
        there = closed(other, state.q, moved, (*coordinates, *exact), state.time)
        if there is None:
            raise ModelError.at("tolerances", "with these errors the loops cannot be closed; give smaller ones")
        pose = other.pose(address, other.state(q=there))
        return np.concatenate([_turned(first.rotation, pose.rotation, orientation), pose.position - first.position])

    jacobian = np.zeros((6, len(names)))
    J = model.jacobian(address, state)
    if orientation == "sine":
        J[:3] = 0.5 * (np.trace(first.rotation) * np.eye(3) - first.rotation) @ J[:3]
    for k, name in enumerate(names):
        if joints[name]:
            jacobian[:, k] = J @ R[:, coordinates.index(name)]
        elif sigma[k]:
            h = PART * sigma[k] * np.eye(len(names))[k]
            jacobian[:, k] = (off(h) - off(-h)) / (2.0 * h[k])
    covariance = (jacobian * sigma**2) @ jacobian.T
    if not samples:
        return PoseErrors(names, jacobian, covariance)
    drawn = random_from(seed).normal(size=(samples, len(names))) * sigma
    members = np.array([off(errors) for errors in drawn])
    return PoseErrors(names, jacobian, covariance, members.mean(axis=0), np.cov(members.T), members)


def _given(model: Model, tolerances: Mapping[str, float]) -> tuple[tuple[str, ...], np.ndarray, dict[str, bool]]:
    """Names, standard deviations, and which of the names are velocities."""
    if not isinstance(tolerances, Mapping) or not tolerances:
        raise ModelError.at(
            "tolerances", f'got {shown(tolerances)}; give standard deviations by name, {{"elbow": 1e-3}}'
        )
    problems, joints = [], {}
    for name, size in tolerances.items():
        joints[name] = name in model.index.v
        if not joints[name] and name not in model.parameters:
            known = [*model.index.v, *model.parameters]
            problems.append(Problem(str(name), f"neither a velocity nor a parameter; {suggestion(str(name), known)}"))
        if not is_number(size) or not size >= 0.0 or not np.isfinite(size):
            problems.append(Problem(str(name), f"got {shown(size)}; give a standard deviation of 0 or more"))
    if problems:
        raise ModelError(problems)
    return tuple(tolerances), np.array([float(size) for size in tolerances.values()]), joints


def _turned(right: np.ndarray, wrong: np.ndarray, orientation: str) -> np.ndarray:
    """Error of an orientation (3,), world axes."""
    if orientation == "sine":
        between = 0.5 * ((wrong - wrong.T) - (right - right.T))
        return np.array([between[2, 1], between[0, 2], between[1, 0]])
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(wrong @ right.T).as_rotvec()

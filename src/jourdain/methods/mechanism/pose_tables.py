"""A mechanism of one or two degrees of freedom as a table of poses, for a joint in its place
(`describe.joints.TableJoint`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_array, shown
from ...describe.joints import PoseTable
from ...describe.motions import Polynomial
from .motion import positions
from .transmission import following

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State


@checked
def pose_table(
    model: Model,
    frame: str,
    inputs: Mapping[str, ArrayLike],
    start: State | None = None,
    base: str = "world",
    soft: Sequence[str] = (),
) -> PoseTable:
    """Where a frame goes when the coordinates of a mechanism run over a grid, loops closed at each point.

    frame     address of the frame whose pose is tabulated
    inputs    one or two coordinates that drive the mechanism, with their values, increasing: with those of `soft` as
              many as it has degrees of freedom
    start     a rough guess near the first value of each; None for the zero configuration
    base      address of the frame in whose axes poses are given: that to which the joint will be added
    soft      coordinates of joints with a stiffness, rubber say, that are at rest in the table and give the frame its
              compliance: J diag(1 / k) J^T of the motion J of the frame by unit rates of them, inputs held

    Along each line of the grid loops are followed as `positions` does, each line from the beginning of the one before,
    so that the table stays on one branch. Where the mechanism locks on the way a `LockUp` says so.
    """
    if not isinstance(inputs, Mapping) or len(inputs) not in (1, 2):
        raise ModelError.at("inputs", f"got {shown(inputs)}; give one or two coordinates with their values")
    names = list(inputs)
    grids = [as_array(values, f"inputs: {name}") for name, values in inputs.items()]
    for name, grid in zip(names, grids, strict=True):
        if grid.ndim != 1 or len(grid) < 4 or not np.all(np.diff(grid) > 0.0):
            raise ModelError.at(f"inputs: {name}", f"has the shape {grid.shape}; give 4 values at least, increasing")
    stiff = _stiffnesses(model, soft)
    lines, guess, gives = [], start, []
    for value in grids[1] if len(grids) == 2 else [None]:
        drivers: dict = {names[0]: Polynomial([0.0, 1.0])} | {one: rest for one, (_, rest) in stiff.items()}
        if value is not None:
            drivers[names[1]] = float(value)
        # the drivers' time is the first input itself
        line = positions(model, drivers, grids[0], guess)
        guess = line.state(0)
        lines.append([_relative(model, frame, base, q) for q in line.q])
        gives.append([_gives(model, frame, base, q, names, stiff) for q in line.q] if stiff else [])
    poses, C = (np.array(one).swapaxes(0, 1) for one in (lines, gives))
    if len(grids) == 1:
        poses, C = poses[:, 0], C[:, 0] if stiff else C
    return PoseTable(grids, poses[..., :3], poses[..., 3:], C if stiff else None)


def _stiffnesses(model: Model, soft: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Stiffness and rest of coordinates, by name."""
    out = {}
    rows = zip(model.arrays.spring_entries, model.arrays.joint_springs, strict=True)
    springs = {entry.v: row for entry, row in rows}
    for name in (soft,) if isinstance(soft, str) else soft:
        row = springs.get(model.index.v.get(name, -1))
        if row is None or row.stiffness <= 0.0:
            raise ModelError.at(f"soft: {name}", "is no coordinate of a joint with a stiffness; give stiffness= to one")
        out[name] = float(row.stiffness), float(row.rest)
    return out


def _gives(
    model: Model, frame: str, base: str, q: np.ndarray, names: Sequence[str], stiff: Mapping[str, tuple[float, float]]
) -> np.ndarray:
    """Compliance (6, 6) of a frame, in the axes of another one, at its own origin."""
    R = following(model, q, [*names, *stiff])[:, len(names) :]
    J = model.jacobian(frame, q) @ R
    back = model.pose(base, q).rotation.T
    J = np.vstack([back @ J[:3], back @ J[3:]])
    return J @ np.diag([1.0 / k for k, _ in stiff.values()]) @ J.T


def _relative(model: Model, frame: str, base: str, q: np.ndarray) -> np.ndarray:
    """Position and quaternion of a frame in another one."""
    pose = model.pose(base, q).inverse() @ model.pose(frame, q)
    return np.concatenate([pose.position, pose.quaternion])

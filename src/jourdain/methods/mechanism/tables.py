"""A mechanism of one or two freedoms as a table of poses, for a joint in its place (`describe.joints.TableJoint`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...basics.errors import ModelError
from ...basics.values import as_array, shown
from ...describe.joints import PoseTable
from ...describe.motions import Polynomial
from .motion import positions

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State


def pose_table(
    model: Model, frame: str, inputs: Mapping[str, ArrayLike], start: State | None = None, base: str = "world"
) -> PoseTable:
    """Where a frame goes when the coordinates of a mechanism run over a grid, loops closed at each point.

    frame     address of the frame whose pose is tabulated
    inputs    one or two coordinates that drive the mechanism, with their values, increasing: as many as it has freedoms
    start     a rough guess near the first value of each; None for the zero configuration
    base      address of the frame in whose axes poses are given: that to which the joint will be added

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
    lines, guess = [], start
    for value in grids[1] if len(grids) == 2 else [None]:
        drivers: dict = {names[0]: Polynomial([0.0, 1.0])}
        if value is not None:
            drivers[names[1]] = float(value)
        # the drivers' time is the first input itself
        line = positions(model, drivers, grids[0], guess)
        guess = line.state(0)
        lines.append([_relative(model, frame, base, q) for q in line.q])
    poses = np.array(lines).swapaxes(0, 1)
    if len(grids) == 1:
        poses = poses[:, 0]
    return PoseTable(grids, poses[..., :3], poses[..., 3:])


def _relative(model: Model, frame: str, base: str, q: np.ndarray) -> np.ndarray:
    """Position and quaternion of a frame in another one."""
    pose = model.pose(base, q).inverse() @ model.pose(frame, q)
    return np.concatenate([pose.position, pose.quaternion])

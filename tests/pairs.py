"""Two shapes at given places, as the kernels of contact see them, without a model."""

from typing import NamedTuple

import numpy as np
from blank_records import blank

from jourdain.basics.pose import Pose
from jourdain.kernels.contact.contact_rows import ContactEntries, ShapeEntries, ShapeState
from jourdain.kernels.contact.contact_rows import Site as SiteRow
from jourdain.kernels.model_arrays import ModelArrays, Workspace
from jourdain.kernels.rows import Table
from jourdain.kernels.tree.tree_rows import TreeNode


class Site(NamedTuple):
    role: int
    gap: float
    normal: np.ndarray
    point: np.ndarray


def lay_out(shapes, data=None) -> ModelArrays:
    """The tables of some shapes; `data` stands for their own contact data."""
    data = [shape.contact_data() for shape in shapes] if data is None else data
    index = np.zeros((len(shapes), ShapeEntries.size), np.int64)
    integers, floats = [np.zeros(0, np.int64)], [np.zeros(0)]
    for row, shape, (ints, numbers) in zip(Table(index, ShapeEntries), shapes, data, strict=True):
        row.code = shape.code
        row.integers, row.floats = sum(map(len, integers)), sum(map(len, floats))
        integers.append(ints)
        floats.append(numbers)
    return blank(
        ModelArrays,
        tree=np.zeros((1, TreeNode.size)),
        shapes=index,
        shape_floats=np.concatenate(floats),
        shape_integers=np.concatenate(integers),
        contacts=np.zeros((0, ContactEntries.size)),
    )


def scratch(poses, sites=64) -> Workspace:
    """A workspace with the shapes at their poses."""
    ws = blank(Workspace, shapes=np.zeros((len(poses), ShapeState.size)), sites=np.full((sites, SiteRow.size), np.nan))
    place(ws, poses)
    return ws


def place(ws: Workspace, poses) -> None:
    """Put the shapes at other poses."""
    for shape, pose in zip(ws.shapes, poses, strict=True):
        shape.R_WS, shape.p_WS = pose.rotation.ravel(), pose.position


def read(ws: Workspace, count: int) -> list[Site]:
    """The sites that a finder wrote."""
    rows = [ws.sites[k] for k in range(count)]
    return [Site(row.role, row.gap, np.array(row.normal), np.array(row.point)) for row in rows]


def sites(finder, a, b, pose_a=None, pose_b=None, data=None) -> list[Site]:
    """The sites of a pair."""
    model, ws = lay_out([a, b], data), scratch([pose_a or Pose(), pose_b or Pose()])
    return read(ws, finder(model, ws, 0, 1))

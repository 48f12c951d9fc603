"""Two shapes at given places, as the kernels of contact see them, without a model."""

from typing import NamedTuple

import numpy as np

from jourdain.basics.pose import Pose
from jourdain.kernels.contact.contact_layout import (
    GAP,
    ROLE,
    SHAPE_CODE,
    SHAPE_FLOATS,
    SHAPE_INTEGERS,
    SHAPE_P,
    SHAPE_R,
    SHAPE_TABLE,
    SHAPE_WORK,
    SITE,
    SITE_NORMAL,
    SITE_POINT,
)


class Shapes(NamedTuple):
    """What the kernels read of a model."""

    shape_index: np.ndarray
    shape_floats: np.ndarray
    shape_integers: np.ndarray


class Sites(NamedTuple):
    """What they read and write of a workspace."""

    shapes: np.ndarray
    sites: np.ndarray


class Site(NamedTuple):
    role: int
    gap: float
    normal: np.ndarray
    point: np.ndarray


def lay_out(shapes, data=None) -> Shapes:
    """The tables of some shapes; `data` stands for their own contact data."""
    data = [shape.contact_data() for shape in shapes] if data is None else data
    index = np.zeros((len(shapes), SHAPE_TABLE), np.int64)
    integers, floats = [np.zeros(0, np.int64)], [np.zeros(0)]
    for row, (shape, (ints, numbers)) in enumerate(zip(shapes, data, strict=True)):
        index[row, SHAPE_CODE] = shape.code
        index[row, SHAPE_INTEGERS] = sum(map(len, integers))
        index[row, SHAPE_FLOATS] = sum(map(len, floats))
        integers.append(ints)
        floats.append(numbers)
    tables = Shapes(index, np.concatenate(floats), np.concatenate(integers))
    for table in tables:
        table.setflags(write=False)
    return tables


def scratch(poses, sites=64) -> Sites:
    """A workspace with the shapes at their poses."""
    ws = Sites(np.zeros((len(poses), SHAPE_WORK)), np.full((sites, SITE), np.nan))
    place(ws, poses)
    return ws


def place(ws: Sites, poses) -> None:
    """Put the shapes at other poses."""
    for row, pose in enumerate(poses):
        ws.shapes[row, SHAPE_R : SHAPE_R + 9] = pose.rotation.ravel()
        ws.shapes[row, SHAPE_P : SHAPE_P + 3] = pose.position


def read(ws: Sites, count: int) -> list[Site]:
    """The sites that a finder wrote."""
    rows = ws.sites[:count]
    return [
        Site(int(r[ROLE]), r[GAP], r[SITE_NORMAL : SITE_NORMAL + 3].copy(), r[SITE_POINT : SITE_POINT + 3].copy())
        for r in rows
    ]


def sites(finder, a, b, pose_a=None, pose_b=None, data=None) -> list[Site]:
    """The sites of a pair."""
    model, ws = lay_out([a, b], data), scratch([pose_a or Pose(), pose_b or Pose()])
    return read(ws, finder(model, ws, 0, 1))

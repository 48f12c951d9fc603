"""Connections that come and go: a model as it is while some of its connections are closed and others open.

What an event connects and disconnects changes rows of constraints and springs, and nothing else: coordinates, bodies
and contacts stay. So a run goes on in another model of the same names. A joint that an event closes holds its second
frame as it is at that moment: the marker there is placed anew, on the first frame. On a body that deforms a marker is
where the material is, and the place beside it is a displacement in the axes of the marker that does not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.pose import Pose

if TYPE_CHECKING:
    from ..kernels.constraints.constraint_layout import Constraint
    from ..kernels.tree.tree_rows import Strut
    from .model import Model

Closing = dict[str, list[float]]
"""What was found out where a connection was closed: "position" and "rotation" of the first frame in the second one,
"length", or nothing."""


class Connections(NamedTuple):
    """All connections and couplings of a system, open ones too, as the arrays of a model have them.

    ways        of every connection: "pose", "length" or "" (`describe.constraints.connections.Connection.way`)
    closed      connections that are closed, each with what it found where an event closed it
    names       of the constraints, and of the springs, in the order of the rows
    """

    ways: dict[str, str]
    closed: dict[str, Closing]
    names: tuple[str, ...]
    springs: tuple[str, ...]
    constraints: np.ndarray
    strut_markers: np.ndarray
    strut_parameters: np.ndarray


def chosen_rows(all_of: Connections, closed: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays of the constraints and springs that are there, and the names of both."""
    from ..kernels.constraints.constraint_layout import Constraint
    from ..kernels.rows import Table

    kept = [i for i, name in enumerate(all_of.names) if name in closed or name not in all_of.ways]
    table = Table(all_of.constraints[kept], Constraint)
    table.columns.row[:] = np.cumsum(table.columns.rows) - table.columns.rows
    acting = [i for i, name in enumerate(all_of.springs) if name in closed]
    return {
        "constraints": table.array,
        "strut_markers": all_of.strut_markers[acting].copy(),
        "strut_parameters": all_of.strut_parameters[acting].copy(),
        "names": tuple(all_of.names[i] for i in kept),
        "springs": tuple(all_of.springs[i] for i in acting),
    }


def connected(model: Model, closed: Mapping[str, Closing]) -> Model:
    """The model while these connections are closed, each as it was; coordinates and names are those of `model`."""
    from ..kernels.constraints.constraint_layout import Constraint
    from ..kernels.tree.tree_rows import Strut

    arrays, all_of = model.arrays, model.connections
    found = chosen_rows(all_of, closed)
    names, springs = found.pop("names"), found.pop("springs")
    floats, markers = list(arrays.constraint_floats), _Markers(arrays)
    for row, name in zip(found["constraints"], names, strict=True):
        if closed.get(name):
            _close(Constraint(row), closed[name], floats, markers)
    for row, name in zip(found["strut_parameters"], springs, strict=True):
        _stretch(Strut(row), closed[name])
    found |= {"constraint_floats": np.array(floats, float)} | markers.arrays()
    for array in found.values():
        array.flags.writeable = False
    return model.varied(arrays._replace(**found), names, springs, all_of._replace(closed=dict(closed)))


class _Markers:
    """The markers of a model, and those that closed connections add."""

    def __init__(self, arrays: Any) -> None:
        self.tree, self.index, self.pose = arrays.tree, list(arrays.markers.array), list(arrays.marker_poses.array)

    def on_first(self, marker: int, seen: Pose) -> tuple[int, np.ndarray | None]:
        """A marker turned as the first frame is, `seen` from this one; and where that is in its axes, None where the
        marker itself is there."""
        pose = Pose(self.pose[marker][9:], self.pose[marker][:9].reshape(3, 3))
        rigid = self.tree[self.index[marker][0]].ne == 0
        pose = pose @ (seen if rigid else Pose((0.0, 0.0, 0.0), seen.rotation))
        self.index.append(self.index[marker])
        self.pose.append(np.concatenate([pose.rotation.ravel(), pose.position]))
        return len(self.index) - 1, None if rigid else seen.rotation.T @ seen.position

    def arrays(self) -> dict[str, np.ndarray]:
        return {"markers": np.array(self.index, np.int64), "marker_poses": np.array(self.pose, float)}


def _close(one: Constraint, closing: Closing, floats: list[float], markers: _Markers) -> None:
    """Lays a constraint as it was closed; floats and markers grow."""
    from ..describe.motions import Polynomial
    from ..kernels.constraints.constraint_layout import MOVES

    if "length" in closing:
        one.floats = len(floats)
        floats.extend(closing["length"])
        return
    seen = Pose(closing["position"], np.reshape(closing["rotation"], (3, 3)))
    one.marker_B, beside = markers.on_first(one.marker_B, seen)
    if beside is None:
        return
    pairs: list[float] = []
    for x in beside:
        pairs += [float(Polynomial.code), float(len(floats))]
        floats.extend(Polynomial([float(x)]).numbers(float(x), "").tolist())
    one.motion, one.motion_floats = MOVES, len(floats)
    floats.extend(pairs)


def _stretch(spring: Strut, closing: Closing) -> None:
    """Gives a spring the free length that it was connected with."""
    if "length" in closing:
        spring.length = closing["length"][0]


def closing_at(model: Model, name: str, q: np.ndarray) -> Closing:
    """What a connection finds where it is closed at q."""
    way = model.connections.ways[name]
    if not way:
        return {}
    first, second = (_pose(model, marker, q) for marker in _ends(model, name))
    seen = second.inverse() @ first
    if way == "length":
        return {"length": [float(np.linalg.norm(seen.position))]}
    return {"position": seen.position.tolist(), "rotation": seen.rotation.ravel().tolist()}


def spring_energy(model: Model, name: str, closing: Closing, q: np.ndarray) -> float:
    """What a spring holds at q, 1/2 k (l - l0)^2 [J]; 0 of a constraint."""
    from ..kernels.tree.tree_rows import Strut

    all_of = model.connections
    if name not in all_of.springs:
        return 0.0
    spring = Strut(all_of.strut_parameters[all_of.springs.index(name)].copy())
    _stretch(spring, closing)
    first, second = (_pose(model, marker, q) for marker in _ends(model, name))
    stretch = float(np.linalg.norm(second.position - first.position)) - spring.length
    return 0.5 * float(spring.stiffness) * stretch * stretch


def _ends(model: Model, name: str) -> tuple[int, int]:
    """Numbers of the markers of a connection as it was told."""
    from ..kernels.constraints.constraint_layout import Constraint

    all_of = model.connections
    if name in all_of.springs:
        first, second = all_of.strut_markers[all_of.springs.index(name)]
    else:
        one = Constraint(all_of.constraints[all_of.names.index(name)])
        first, second = one.marker_A, one.marker_B
    return int(first), int(second)


def _pose(model: Model, marker: int, q: np.ndarray) -> Pose:
    there = model.frame_path(marker, q[None], np.zeros((1, model.nv)))[0]
    return Pose(there[:3], there[3:7])

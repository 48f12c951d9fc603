"""Maps over the workspace of a machine, closed or open: where it can go, and how well it does there.

Sika, Valasek, Bauma & Vampola 2002 design parallel robots by such maps: reach, collision, dexterity, stiffness, natural
frequency, what the drives can accelerate, how they share a load. Points are closed one from the next, outwards from a
start, so that the machine stays in the way of assembly that it is in.

Boxes on bodies: how far they are apart, by separating axes. For collisions over a workspace.

Two boxes do not overlap where some axis has their shadows apart; fifteen axes are enough, the three of either and the
nine products of two edges (Gottschalk, Lin & Manocha 1996). Sika et al. 2002 test edges of one against faces of the
other, which is the same question.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_array, shown, suggestion
from ...describe.shapes.shape import Placed
from ...describe.shapes.solids import Box
from .transmission import AXES, Transmission, closed, transmission_at, velocities

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...model.model import Model
    from ...model.state import State


DIRECTIONS = 24
"""Along which speed and acceleration are looked at."""
TITLES = {
    "reach": "reached",
    "clearance": "clearance [m]",
    "dexterity": "dexterity, 1 / cond",
    "hold": "smallest singular value",
    "stiffness": "least stiffness [N/m]",
    "frequency": "lowest frequency [Hz]",
    "force": "largest drive force at rest [N, N m]",
    "speed": "speed in every direction",
    "acceleration": "acceleration in every direction",
}
"""What a map can show, with its title in figures."""


@checked
@dataclass(frozen=True, eq=False)
class Drives:
    """The drives of a machine.

    names        of the velocities that are driven
    stiffness    of each, or one number for all [N/m, N m/rad]; for maps of stiffness and frequency
    force        largest [N, N m]; for maps of acceleration
    speed        largest [m/s, rad/s]; for maps of speed
    """

    names: Sequence[str]
    stiffness: ArrayLike | None = None
    force: ArrayLike | None = None
    speed: ArrayLike | None = None


@checked
@dataclass(frozen=True, eq=False)
class WorkspaceMap:
    """A map over the workspace.

    axes      names of the coordinates that vary, with their values
    values    arrays over them, by quantity; not a number where the machine cannot be
    q         (..., nq) coordinates of all points
    places    (..., n) entries of the task there, where it is a frame; None otherwise
    """

    axes: dict[str, np.ndarray]
    values: dict[str, np.ndarray]
    q: np.ndarray
    places: np.ndarray | None = None

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.values:
            raise ModelError.at(str(name), f"not in this map; {suggestion(str(name), self.values)}")
        return self.values[name]

    def plot(self, name: str, axes: Axes | None = None, **options: Any) -> Axes:
        """Draw one quantity over two coordinates (over the tool's place, where the task is a frame) or over one.

        axes       to draw in; a new figure otherwise
        options    of matplotlib's pcolormesh
        """
        import matplotlib.pyplot as plt

        values = self[name].astype(float)
        if values.ndim > 2:
            raise ModelError.at(
                name, f"the map has {values.ndim} coordinates; two at most can be drawn, take a slice of it"
            )
        panel = plt.subplots(layout="constrained")[1] if axes is None else axes
        names, grids = list(self.axes), list(self.axes.values())
        if values.ndim == 1:
            panel.plot(grids[0], values)
            panel.set(xlabel=names[0], title=TITLES[name])
            return panel
        x, y = np.meshgrid(*grids, indexing="ij")
        if self.places is not None and self.places.shape[-1] >= 2:
            x, y, names = self.places[..., 0], self.places[..., 1], ["tool, first axis", "tool, second axis"]
            seen = np.isfinite(x)  # pcolormesh wants places everywhere; those without are not drawn
            x, y = np.where(seen, x, np.nanmean(x)), np.where(seen, y, np.nanmean(y))
        image = panel.pcolormesh(
            x, y, values, shading="gouraud" if np.all(np.isfinite(values)) else "nearest", **options
        )
        panel.figure.colorbar(image, ax=panel)
        panel.set(aspect="equal", xlabel=names[0], ylabel=names[1], title=TITLES[name])
        return panel


@checked
def map(  # noqa: A001 - jd.mechanism.map, as users say it
    model: Model,
    over: Mapping[str, ArrayLike],
    drives: Drives | Sequence[str],
    start: State,
    show: Sequence[str] = ("reach", "dexterity"),
    task: str | Sequence[str] | None = None,
    axes: Sequence[str] = ("x", "y", "z"),
    length: float = 1.0,
    parts: Sequence[Placed] = (),
) -> WorkspaceMap:
    """Quantities over the workspace of a machine.

    over      coordinates that vary, with their values, one to three: {"platform.x": np.linspace(-0.3, 0.3, 31), ...}
    drives    a `Drives`, or names of the velocities that are driven
    start     a closed state; coordinates of the task that do not vary stay as they are there
    show      some of "reach" (1 or 0), "clearance" [m], "dexterity", "hold", "stiffness", "frequency" [Hz], "force",
              "speed" and "acceleration"; `Transmission` says what they are
    task      names of velocities of which all others follow, or of their joint: by default the joints of `over`; or the
              address of a frame, "hand.tip", and then `over` are as many coordinates as there are degrees of freedom
    axes      of such a frame, the ones that are the task
    length    radius at which angles of the task count as ways [m]
    parts     boxes on bodies, for the clearance: [jd.Box((0.4, 0.05, 0.05)).at("upper0.origin"), ...]

    Points that the loops do not reach are not a number. Speed and acceleration are those that are possible in every
    direction of the coordinates that vary (of a frame's places).
    """
    drives = drives if isinstance(drives, Drives) else Drives(tuple(drives))
    grids = _grids(model, over)
    show = _shown(show, drives, parts)
    frame = isinstance(task, str) and task in model.markers
    named = _joints(model, over) if task is None or frame else ((task,) if isinstance(task, str) else tuple(task))
    points = _closures(model, grids, named, start)
    shape = points.shape[:-1]
    values = {name: np.full(shape, 0.0 if name == "reach" else np.nan) for name in show}
    places = np.full((*shape, len(axes)), np.nan) if frame else None
    boxes = Boxes(model, parts) if "clearance" in show else None
    looked: np.ndarray | None = None
    for at in np.argwhere(np.isfinite(points[..., 0])):
        where, q = tuple(at), points[tuple(at)]
        if places is not None:
            places[where] = _tool(model, str(task), axes, q)
        if boxes is not None:
            values["clearance"][where] = boxes.clearance(q)
        if "reach" in show:
            values["reach"][where] = 1.0
        if set(show) <= {"reach", "clearance"}:
            continue
        here = transmission_at(model, q, start.time, drives.names, str(task) if frame else named, axes)
        looked = _directions(here, grids, frame) if looked is None else looked
        for name in show:
            if name not in ("reach", "clearance"):
                values[name][where] = MEASURES[name](here, drives, length, looked)
    return WorkspaceMap(grids, values, points, places)


def _every_speed(here: Transmission, drives: Drives, length: float, looked: np.ndarray) -> float:
    return min(here.speed(one, drives.speed) for one in looked)  # type: ignore[arg-type]


MEASURES: dict[str, Callable[[Transmission, Drives, float, np.ndarray], float]] = {
    "dexterity": lambda here, drives, length, looked: here.dexterity(length),
    "hold": lambda here, drives, length, looked: here.hold(length),
    "stiffness": lambda here, drives, length, looked: here.least_stiffness(drives.stiffness, length),  # type: ignore
    "frequency": lambda here, drives, length, looked: float(here.frequencies(drives.stiffness)[0]),  # type: ignore
    "force": lambda here, drives, length, looked: float(np.max(np.abs(here.forces()))),
    "speed": _every_speed,
    "acceleration": lambda here, drives, length, looked: float(np.min(here.accelerations(looked, drives.force))),  # type: ignore
}
"""Quantities of a map from the transmission at a point."""
NEEDS = {"stiffness": "stiffness", "frequency": "stiffness", "speed": "speed", "acceleration": "force"}
"""What of `Drives` a quantity is made of."""


def _shown(show: Sequence[str], drives: Drives, parts: Sequence[Placed]) -> tuple[str, ...]:
    show = (show,) if isinstance(show, str) else tuple(show)
    for name in show:
        if name not in TITLES:
            raise ModelError.at("show", f"got {shown(name)}; {suggestion(str(name), TITLES)}")
        need = NEEDS.get(name)
        if need and getattr(drives, need) is None:
            raise ModelError.at(
                "drives", f'"{name}" is made of their {need}; give jd.mechanism.Drives(names, {need}=...)'
            )
        if name == "clearance" and not parts:
            raise ModelError.at(
                "parts", 'the clearance is that of boxes; give parts=[jd.Box(...).at("body.frame"), ...]'
            )
    return show


def _grids(model: Model, over: Mapping[str, ArrayLike]) -> dict[str, np.ndarray]:
    if not isinstance(over, Mapping) or not 1 <= len(over) <= 3:
        raise ModelError.at("over", "give one to three coordinates with their values, as a dict")
    grids = {}
    for name, values in over.items():
        if name not in model.index.q or _velocity(model, name) is None:
            raise ModelError.at(
                f"over {name}", f"no coordinate that can vary alone; {suggestion(str(name), model.index.q)}"
            )
        grids[name] = as_array(values, f"over {name}")
        if grids[name].ndim != 1 or len(grids[name]) < 1 or not np.all(np.isfinite(grids[name])):
            raise ModelError.at(f"over {name}", f"got shape {grids[name].shape}; give a row of finite numbers")
    return grids


def _velocity(model: Model, name: str) -> int | None:
    """The velocity of which a coordinate is the integral; None of quaternions."""
    if name in model.index.v:
        return model.index.v[name]
    joint, _, last = name.rpartition(".")
    return model.index.v.get(f"{joint}.v{last}") if last in ("x", "y", "z") else None


def _joints(model: Model, over: Mapping[str, ArrayLike]) -> tuple[str, ...]:
    """Velocities of the joints that the coordinates are of."""
    own: list[str] = []
    for name in over:
        joint = name.rpartition(".")[0] or name
        own += [one for one in model.names.v if (one == joint or one.startswith(f"{joint}.")) and one not in own]
    return tuple(own)


def _closures(model: Model, grids: Mapping[str, np.ndarray], named: Sequence[str], start: State) -> np.ndarray:
    """Coordinates (..., nq) of all points, outwards from the one nearest to the start; not a number where none are."""
    shape = tuple(len(one) for one in grids.values())
    out = np.full((*shape, model.nq), np.nan)
    places = [model.index.q[name] for name in grids]
    moving = [k for name in grids if (k := _velocity(model, name)) is not None]
    hold = sorted({model.names.v[k] for k in velocities(model, named, "task")} | {model.names.v[k] for k in moving})

    def reach(q: np.ndarray, goal: np.ndarray, parts: int = 1) -> np.ndarray | None:
        for k in range(parts):
            step = np.zeros(model.nv)
            step[moving] = (goal - q[places]) / (parts - k)
            there = closed(model, q, step, hold, start.time)
            if there is None:
                return reach(q, goal, 8) if parts == 1 else None
            q = there
        return q

    goals = np.stack(np.meshgrid(*grids.values(), indexing="ij"), axis=-1)
    first = tuple(int(np.argmin(np.abs(one - start.q[k]))) for one, k in zip(grids.values(), places))
    q = reach(np.asarray(start.q, float), goals[first], 4)
    if q is None:
        raise ModelError.at(
            "start", "the point of the grid nearest to it cannot be closed; give a closed state in the grid"
        )
    out[first] = q
    queue = deque([first])
    while queue:
        here = queue.popleft()
        for axis in range(len(shape)):
            for side in (-1, 1):
                there = (*here[:axis], here[axis] + side, *here[axis + 1 :])
                if 0 <= there[axis] < shape[axis] and not np.isfinite(out[there][0]):
                    q = reach(out[here], goals[there])
                    if q is not None:
                        out[there] = q
                        queue.append(there)
    return out


def _directions(here: Transmission, grids: Mapping[str, np.ndarray], frame: bool) -> np.ndarray:
    """Unit directions (k, n) of the task: of the coordinates that vary, or of a frame's places."""
    rates = [name if name in here.task else ".v".join(name.rsplit(".", 1)) for name in grids]
    own = [k for k, turns in enumerate(here.turns) if not turns] if frame else [here.task.index(one) for one in rates]
    if len(own) == 1:
        rows = np.array([[1.0], [-1.0]])
    elif len(own) == 2:
        angle = 2.0 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
        rows = np.column_stack([np.cos(angle), np.sin(angle)])
    else:  # Fibonacci's spiral on the sphere
        k = np.arange(2 * DIRECTIONS) + 0.5
        z, angle = 1.0 - k / DIRECTIONS, np.pi * (1.0 + np.sqrt(5.0)) * k
        rows = np.column_stack([np.sqrt(1 - z**2) * np.cos(angle), np.sqrt(1 - z**2) * np.sin(angle), z])
    out = np.zeros((len(rows), len(here.task)))
    out[:, own] = rows
    return out


def _tool(model: Model, address: str, axes: Sequence[str], q: np.ndarray) -> np.ndarray:
    """The tool's place along axes; of angles nothing."""
    position = model.pose(address, q).position
    return np.array([position["xyz".index(one)] if one in "xyz" else np.nan for one in axes if one in AXES])


class Boxes:
    """Boxes on the frames of a model, and the pairs of them that may collide.

    parts    ``[jd.Box((0.4, 0.05, 0.05)).at("upper0.origin", position=(0.2, 0, 0)), ...]``, several to a body

    Boxes of one body, and of two moving bodies that a joint or a connection holds together, are no pair; boxes in the
    world are obstacles to all.
    """

    def __init__(self, model: Model, parts: Sequence[Placed]) -> None:
        wrong = [one for one in parts if not isinstance(one, Placed) or not isinstance(one.shape, Box)]
        if wrong:
            raise ModelError.at("parts", f'got {shown(wrong[0])}; give boxes on bodies, jd.Box(...).at("body.frame")')
        self.model, self.parts = model, list(parts)
        owners = [_body(one.address) for one in parts]
        joined = _joined(model.description)
        self.pairs = [
            (i, j)
            for i in range(len(parts))
            for j in range(i + 1, len(parts))
            if owners[i] != owners[j] and frozenset((owners[i], owners[j])) not in joined
        ]
        self.half = np.array([0.5 * np.array(one.shape.lengths) for one in parts if isinstance(one.shape, Box)])

    def clearance(self, q: np.ndarray) -> float:
        """Least of the pairs' distances [m]: below zero the depth of an overlap, above at most the distance."""
        if not self.pairs:
            return np.inf
        places = [_place(self.model, one, q) for one in self.parts]
        centre = np.array([one[0] for one in places])
        turn = np.array([one[1] for one in places])
        a, b = np.array(self.pairs).T
        return float(np.min(box_distance(centre[a], turn[a], self.half[a], centre[b], turn[b], self.half[b])))


def box_distance(
    first: np.ndarray, turn: np.ndarray, half: np.ndarray, second: np.ndarray, other: np.ndarray, halves: np.ndarray
) -> np.ndarray:
    """Distances of boxes (k,) along the best of the fifteen axes; below zero where two overlap.

    first, turn, half    centres (k, 3), rotations (k, 3, 3), half lengths (k, 3) of the ones; then of the others
    """
    U, V = np.swapaxes(turn, 1, 2), np.swapaxes(other, 1, 2)  # edges in rows
    crossed = np.cross(U[:, :, None, :], V[:, None, :, :]).reshape(len(U), 9, 3)
    size = np.linalg.norm(crossed, axis=2, keepdims=True)
    crossed = np.where(size > 1e-9, crossed / np.maximum(size, 1e-300), U[:, :1])  # parallel edges: an axis again
    axes = np.concatenate([U, V, crossed], axis=1)
    reach = np.einsum("kae,ke->ka", np.abs(np.einsum("kai,kei->kae", axes, U)), half)
    reach += np.einsum("kae,ke->ka", np.abs(np.einsum("kai,kei->kae", axes, V)), halves)
    return np.max(np.abs(np.einsum("kai,ki->ka", axes, second - first)) - reach, axis=1)


def _place(model: Model, part: Placed, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    own = part.pose
    if part.address == "world":
        return np.asarray(own.position), np.asarray(own.rotation)
    frame = model.pose(part.address, q)
    return frame.position + frame.rotation @ own.position, frame.rotation @ own.rotation


def _body(address: str) -> str:
    return address.partition(".")[0]


def _joined(description: dict[str, Any]) -> set[frozenset[str]]:
    """Pairs of moving bodies that a joint or a connection holds together."""
    pairs = [(item["body"]["name"], item["to"]) for item in description.get("bodies", ())]
    pairs += [(item["first"], item["second"]) for item in description.get("connections", ())]
    return {frozenset((_body(a), _body(b))) for a, b in pairs if "world" not in (a, b)}

"""What is between bodies: springs, rods, joints that close loops, rails, and the sensors of controllers.

A spring or a rod has two bones of its own, one at each end, both along the line between the ends. Its surface is bound
to them by where it is along the line, so it stretches with the ends as any other surface follows its bones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics import quaternions as Q
from ..describe.bodies.appearance.bones import Surface
from ..describe.constraints.connections import Connection
from ..describe.joints import joint_from_dict
from ..describe.shapes import Sphere
from ..describe.shapes.tessellation import box, ring, rod, tube
from .sampling import nearest
from .scene_parts import SurfacePart, joined

if TYPE_CHECKING:
    from .scene import Builder

COLOURS = {"spring": "#5b7fb5", "rod": "#8793a3", "joint": "#d9a03c", "rail": "#4b5563"}
COLOURS |= {"sensor": "#1fa39a", "view": "#1fa39a"}
SEEN, CONE = 0.22, 0.36
"""Opacity of the cone that a camera sees, and its radius over the distance."""
THICK = 0.0035
"""Radius of a rod, over the size of everything."""
COIL = 0.014
"""Largest radius of a spring, over the size of everything."""
MARK = 0.011
"""Radius of the mark of a joint or a sensor, over the size of everything."""
TURNS, WIRE = 9, 0.16
"""Turns of a spring, and the radius of its wire over that of a turn."""


@dataclass(frozen=True, eq=False)
class Span:
    """A spring or a rod between two of its own bones.

    kind      "spring", "damper", "pull" or "rod"
    first     its first bone; the second one is behind it
    length    that its surface is made with [m]
    shown     whether it is connected at the times of the scene (nt,); None for always
    """

    name: str
    kind: str
    first: int
    length: float
    shown: np.ndarray | None


class Links:
    """The links of a run: their bones are added at once, their surfaces when the size of everything is known."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        described = builder.model.description
        stated = [Connection.from_dict(one, "connections") for one in described.get("connections", [])]
        self.joints = [one for one in stated if one.element.closes]
        spans = [one for one in stated if one.element.kind in ("rod", "spring")]
        self.spans = self._add_spans(spans)

    def _add_spans(self, spans: list[Connection]) -> list[Span]:
        """Two bones of each; the second end of one whose frame `moves` is drawn at the frame."""
        b = self.builder
        if not spans:
            return []
        ends = b.model.frame_path(
            [one.first for one in spans] + [one.second for one in spans], b.q, np.zeros((len(b.q), b.model.nv))
        )
        first, second = ends[:, : len(spans), :7], ends[:, len(spans) :, :7]
        places = np.array([np.concatenate([one.place.position, one.place.quaternion]) for one in spans])
        second = Q.compose(second, places)
        way = second[..., :3] - first[..., :3]
        turns = along(way)
        lengths = np.linalg.norm(way, axis=2).mean(axis=0)
        out = []
        for k, one in enumerate(spans):
            at = len(b.names)
            length = max(float(lengths[k]), 1e-9)
            ends_of_one = [np.concatenate([end[:, k, :3], turns[:, k]], axis=1) for end in (first, second)]
            b.add_bones(one.name, [b.bone(one.first), b.bone(one.second)], (0.0, length), ends_of_one)
            out.append(Span(one.name, _sort(one.element), at, length, self._connected(one)))
        return out

    def _connected(self, one: Connection) -> np.ndarray | None:
        """Whether events have it connected, at the times of the scene; None where none changes that."""
        run, times = self.builder.run, self.builder.times
        phases = run.phases
        there = [one.name in (*model.constraints.names, *model.springs) for _, model in phases]
        if all(there):
            return None
        begins = [first for first, _ in phases]
        return np.array(there)[np.searchsorted(begins, nearest(run.record.time, times), side="right") - 1]

    def parts(self, size: float) -> list[SurfacePart]:
        """Surfaces of all of them; size: that of everything [m]."""
        b, out = self.builder, []
        for span in self.spans:
            colour = COLOURS["rod" if span.kind == "rod" else "spring"]
            made = _span_surfaces(span, size)
            out.append(joined(span.name, span.name, made, span.first, colour, 1.0, "link", span.shown))
        marks = [(one.name, one.first, _joint_mark(one.element, MARK * size), "joint") for one in self.joints]
        shown = {one.name: self._connected(one) for one in self.joints}
        marks += self._sensors(MARK * size)
        for name, at, (vertices, faces), kind in marks:
            bone = b.bone(at)
            pose = Q.compose(np.concatenate(b.bound)[bone], b.frame_in_bone(at))
            surface = Surface.rigid(Q.rotate(pose[3:], vertices) + pose[:3], faces, bone)
            clear = SEEN if kind == "view" else 1.0
            out.append(joined(name, name, [surface], 0, COLOURS[kind], clear, "link", shown.get(name)))
        return out + self._rails(size)

    def _sensors(self, radius: float) -> list[tuple[str, str, tuple[np.ndarray, np.ndarray], str]]:
        """Name, address, mark and sort of sensors: a ring around the axis of a joint that is read, one about z for what
        measures a force, and for what reads a pose a camera and the cone that it sees, along x."""
        held = {item["joint"]["name"]: item for item in self.builder.described.values()}
        out = []
        for kind, at in self.builder.run.options.get("sensors") or ():
            if kind == "joint":
                item = held[at]
                mark = _ring_about(joint_from_dict(item["joint"], at), 2.2 * radius)
                out.append((f"sensor of {at}", f"{item['body']['name']}.{item['at']}", mark, "sensor"))
                continue
            out.append((f"sensor of {at}", at, _sensor_mark(kind, radius), "sensor"))
            if kind == "pose":
                stations = np.array([0.7, 12.0]) * radius
                out.append((f"view of {at}", at, tube(stations, np.outer(stations, [CONE, CONE]), 24), "view"))
        return out

    def _rails(self, size: float) -> list[SurfacePart]:
        """Two bars beside a body along which others travel, as far as they can."""
        b, out = self.builder, []
        for item in b.described.values():
            if item["joint"]["kind"] != "rail":
                continue
            name, parent = item["joint"]["name"], item.get("to", "world").partition(".")[0]
            if parent not in b.bodies:
                continue
            own = np.concatenate([one.vertices for one in b.bodies[parent].surfaces(size)] or [np.zeros((1, 3))])
            low, high = b.model.ranges.get(name, (own[:, 0].min(), own[:, 0].max()))
            low, high = max(low, own[:, 0].min()), min(high, own[:, 0].max())
            if not high > low:
                continue
            aside, radius = np.abs(own[:, 1]).max() + THICK * size, THICK * size
            found = b.skeletons[parent].bound[:, :3]
            bars = []
            for side in (-aside, aside):
                start, end = np.array([low, side, 0.0]), np.array([high, side, 0.0])
                vertices, faces = rod(start, end, radius, stations=49, segments=8)
                bars.append(along_x(vertices, faces, found))
            out.append(joined(name, name, bars, b.first[parent], COLOURS["rail"], 1.0, "link"))
        return out


def along(way: np.ndarray) -> np.ndarray:
    """Quaternions (nt, n, 4) that turn x along vectors (nt, n, 3), each by the shortest turn from the one before."""
    size = np.linalg.norm(way, axis=2, keepdims=True)
    unit = np.where(size > 1e-12, way / np.where(size > 1e-12, size, 1.0), 0.0)
    out = np.zeros((*way.shape[:2], 4))
    last, turn = np.tile([1.0, 0.0, 0.0], (way.shape[1], 1)), np.tile(Q.IDENTITY[3:], (way.shape[1], 1))
    for i, now in enumerate(unit):
        now = np.where(np.any(now != 0.0, axis=1, keepdims=True), now, last)
        half = np.concatenate([1.0 + np.einsum("ij,ij->i", last, now)[:, None], np.cross(last, now)], axis=1)
        back = half[:, 0] < 1e-9  # straight back: half a turn about what is across
        half[back] = np.concatenate([np.zeros((int(back.sum()), 1)), _across(last[back])], axis=1)
        turn = Q.normalised(Q.multiply(Q.normalised(half), turn))
        out[i], last = turn, now
    return out


def _across(x: np.ndarray) -> np.ndarray:
    """A unit vector across each of some (n, 3)."""
    found = np.cross(x, np.eye(3)[np.argmin(np.abs(x), axis=1)])
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def along_x(vertices: np.ndarray, faces: np.ndarray, places: np.ndarray) -> Surface:
    """A surface bound to bones at places (nb, 3) along x: each vertex to the two that it is between.

    With weights 3 s^2 - 2 s^3 it has the slopes of the bones where they are, and bends smoothly between.
    """
    order = np.argsort(places[:, 0], kind="stable")
    order = order[np.append(True, np.diff(places[order, 0]) > 1e-9)]  # of two at one place the first
    if len(order) < 2:
        return Surface.rigid(vertices, faces, int(order[0]))
    x = places[order, 0]
    k = np.clip(np.searchsorted(x, vertices[:, 0], side="right") - 1, 0, len(x) - 2)
    s = np.clip((vertices[:, 0] - x[k]) / (x[k + 1] - x[k]), 0.0, 1.0)
    w = s * s * (3.0 - 2.0 * s)
    return Surface(vertices, faces, np.stack([order[k], order[k + 1]], axis=1), np.stack([1.0 - w, w], axis=1))


def _sort(element: Any) -> str:
    """How a spring or a rod is drawn."""
    if element.kind == "rod":
        return "rod"
    return "spring" if element.stiffness > 0.0 else "damper" if element.damping > 0.0 else "pull"


def _span_surfaces(span: Span, size: float) -> list[Surface]:
    """Along x from 0 to its length, carried by bones 0 and 1."""
    length, thick = span.length, THICK * size
    x, z = np.zeros(3), np.array([length, 0.0, 0.0])
    knob = Sphere(1.7 * thick).to_mesh(12)
    ends = [Surface.rigid(knob[0] + place, knob[1], bone) for bone, place in ((0, x), (1, z))]
    if span.kind == "spring":
        return [_stretched(*coil(length, min(COIL * size, 0.12 * length)), length), *ends]
    if span.kind == "damper":
        pot = rod(x, 0.6 * z, 2.4 * thick)
        return [Surface.rigid(*pot, 0), Surface.rigid(*rod(0.4 * z, z, thick), 1), *ends]
    bar = tube(np.linspace(0.0, length, 2), np.full((2, 2), thick if span.kind == "rod" else 0.5 * thick), 12)
    return [_stretched(*bar, length), *ends]


def _stretched(vertices: np.ndarray, faces: np.ndarray, length: float) -> Surface:
    share = np.clip(vertices[:, 0] / length, 0.0, 1.0)
    return Surface(vertices, faces, np.tile([0, 1], (len(vertices), 1)), np.stack([1.0 - share, share], axis=1))


def coil(length: float, radius: float, segments: int = 6, steps: int = 14) -> tuple[np.ndarray, np.ndarray]:
    """The wire of a spring along x: straight ends, and turns between them."""
    n = TURNS * steps + 1
    angle = np.linspace(0.0, 2.0 * np.pi * TURNS, n)
    grow = np.minimum(np.minimum(angle, angle[::-1]) / np.pi, 1.0)  # half a turn out, half a turn in
    x = np.linspace(0.1, 0.9, n) * length
    line = np.column_stack([x, radius * grow * np.cos(angle), radius * grow * np.sin(angle)])
    line = np.concatenate([[[0.0, 0.0, 0.0]], line, [[length, 0.0, 0.0]]])
    tangent = np.gradient(line, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    outwards = np.concatenate(
        [[[0.0, 1.0, 0.0]], np.column_stack([0 * angle, np.cos(angle), np.sin(angle)]), [[0, 1, 0]]]
    )
    side = np.cross(tangent, outwards)
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(side, tangent)
    around = 2.0 * np.pi * np.arange(segments) / segments
    rings = line[:, None] + WIRE * radius * (
        np.cos(around)[None, :, None] * up[:, None] + np.sin(around)[None, :, None] * side[:, None]
    )
    here = np.arange(segments)
    there = (here + 1) % segments
    k = segments * np.arange(len(line) - 1)[:, None]
    a, b, c, d = (np.ravel(k + one) for one in (here, there, segments + here, segments + there))
    faces = np.concatenate([np.column_stack([a, d, b]), np.column_stack([a, c, d])])
    return rings.reshape(-1, 3), faces


def _joint_mark(joint: Any, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """A joint by how it lets move: a pin that turns, a ball, a block that slides, a small block that does neither."""
    motion = joint.motion_subspace()
    turning = motion[:3][:, np.any(motion[:3] != 0.0, axis=0)]
    sliding = motion[3:][:, ~np.any(motion[:3] != 0.0, axis=0)]
    if turning.shape[1] > 1:
        return Sphere(radius).to_mesh(20)
    axis = turning[:, 0] if turning.shape[1] else sliding[:, 0] if sliding.shape[1] else np.array([0.0, 0.0, 1.0])
    axis = axis / np.linalg.norm(axis)
    if turning.shape[1]:
        return rod(-1.8 * radius * axis, 1.8 * radius * axis, 0.8 * radius, segments=20)
    side = _across(axis[None])[0]
    long = 2.4 if sliding.shape[1] else 1.4
    return box(
        (long * radius, 1.4 * radius, 1.4 * radius), np.zeros(3), np.column_stack([axis, side, np.cross(axis, side)])
    )


def _ring_about(joint: Any, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """A thin ring around the first axis that a joint turns about or slides along."""
    motion = joint.motion_subspace()
    axis = motion[:3, 0] if np.any(motion[:3, 0] != 0.0) else motion[3:, 0]
    axis = axis / np.linalg.norm(axis)
    side = _across(axis[None])[0]
    thick = 0.12 * radius
    vertices, faces = ring([(radius - thick, -thick), (radius, -thick), (radius, thick), (radius - thick, thick)], 32)
    return vertices @ np.column_stack([side, np.cross(axis, side), axis]).T, faces


def _sensor_mark(kind: str, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """A camera that looks along x for what reads a pose; a ring about z for what measures a force."""
    if kind == "force":
        return ring(
            [
                (1.0 * radius, -0.4 * radius),
                (1.6 * radius, -0.4 * radius),
                (1.6 * radius, 0.4 * radius),
                (1.0 * radius, 0.4 * radius),
            ],
            24,
        )
    vertices, faces = box((1.6 * radius, 1.2 * radius, 1.2 * radius), np.array([-0.8 * radius, 0.0, 0.0]), np.eye(3))
    lens, sides = rod(np.zeros(3), np.array([0.7 * radius, 0.0, 0.0]), 0.45 * radius, segments=16)
    return np.concatenate([vertices, lens]), np.concatenate([faces, sides + len(vertices)])

"""Everything that is drawn of a run, plain NumPy: for the player in reports and for the live viewer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics import quaternions as Q
from ..describe.bodies import Body, body_from_dict
from ..describe.bodies.appearance.bones import Skeleton
from ..describe.shapes import Placed, placed_from_dict
from ..describe.shapes.tessellation import mesh_of
from ..model.bodies import body_of
from ..results.surface_names import frame_names
from .colouring import SurfaceField, fields
from .connection_shapes import Links
from .forces import Arrow, arrows
from .sampling import coordinates_at, picture_times
from .scene_parts import Bones, SurfacePart, alike, by_paint, fingerprint, joined

if TYPE_CHECKING:
    from ..results.run import Run

RIGID_COLOURS = ("#c3cad4", "#8d9db3", "#d9c48f", "#a9b8a4", "#b7a3b9", "#9fb7c4")
"""Colours of bodies that do not deform, in turn."""
ELASTIC_COLOURS = ("#e0893a", "#4a8ecb", "#4fa776", "#c35f86", "#8a76c6", "#b3943f")
"""Colours of bodies that do."""
CONTACT_COLOUR, WORLD_COLOUR = "#d8574a", "#7f8a98"
SMALL = 0.004
"""Radius of what stands for a body without a shape among meshes, over the size of everything."""
GROUND = 1.6
"""Side of what is drawn of a plane, over the size of everything else."""


@dataclass(frozen=True, eq=False)
class FrameMark:
    """A frame by its address, and its pose (7,) in the bone that carries it."""

    name: str
    bone: int
    pose: np.ndarray


@dataclass(frozen=True, eq=False)
class Scene:
    """What a run looks like.

    name      of the model
    time      (nt,) [s]: even times, and those at which something happens
    up        direction that is up in world axes (3,): against gravity, outward in an orbit, otherwise z
    fields    numbers over surfaces of solids, that these can be coloured by
    orbit     None, or radius of the orbit, altitude and earth_radius [m] at the first time, and the direction of the
              Earth's centre in world axes
    """

    name: str
    time: np.ndarray
    bones: Bones
    parts: list[SurfacePart]
    arrows: list[Arrow]
    frames: list[FrameMark]
    up: np.ndarray
    orbit: dict[str, Any] | None = None
    fields: list[SurfaceField] = field(default_factory=list)
    _motion: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        b = self.bones
        local = b.poses.copy()
        held = b.parent >= 0
        for i in range(0, len(local), 256):  # some samples at a time: the products take several times their memory
            some = b.poses[i : i + 256]
            local[i : i + 256, held] = Q.relative(some[:, b.parent[held]], some[:, held])
        object.__setattr__(self, "_motion", local)

    def magnified(self, factor: float, samples: slice = slice(None)) -> np.ndarray:
        """Poses of all bones (nt, nb, 7) in world axes with deflections drawn `factor` times as large.

        An elastic bone's displacement from rest, and the rotation vector of its rotation, in the bone that carries it,
        are multiplied; every other bone stays where it is in the bone that carries it, and so moves with it.
        """
        b = self.bones
        local = self._motion[samples]
        if factor != 1.0 and np.any(b.elastic):
            local = local.copy()
            rest = b.rest[b.elastic]
            here = local[:, b.elastic]
            turn = Q.logarithm(Q.multiply(Q.conjugate(rest[:, 3:]), here[..., 3:]))
            local[:, b.elastic, :3] = rest[:, :3] + factor * (here[..., :3] - rest[:, :3])
            local[:, b.elastic, 3:] = Q.multiply(rest[:, 3:], Q.exponential(factor * turn))
        elif factor == 1.0:
            return b.poses[samples]
        out = local.copy()
        for generation in _generations(b.parent):
            out[:, generation] = Q.compose(out[:, b.parent[generation]], local[:, generation])
        return out

    def skinned(self, part: SurfacePart, poses: np.ndarray) -> np.ndarray:
        """Vertices (..., n, 3) of a part in world axes, for poses (..., nb, 7) of all bones: the weighted mean of where
        its two bones carry each."""
        used, place = np.unique(part.bones, return_inverse=True)
        carried = Q.compose(poses[..., used, :], Q.inverse(self.bones.bound[used]))
        if len(used) == 1:
            return Q.rotate(carried[..., 3:], part.vertices) + carried[..., :3]
        place = place.reshape(part.bones.shape)
        points = [
            part.weights[:, k, None]
            * (Q.rotate(carried[..., place[:, k], 3:], part.vertices) + carried[..., place[:, k], :3])
            for k in range(2)
        ]
        return points[0] + points[1]

    def bounds(self, samples: slice | int = slice(None)) -> tuple[np.ndarray, np.ndarray]:
        """Corners (3,) of a box in world axes that holds all bodies at these samples; what is fixed is left out where
        there is a body."""
        parts = [part for part in self.parts if part.kind != "world"] or self.parts
        poses = self.bones.poses[samples].reshape(-1, len(self.bones.name), 7)
        return _bounds(poses, self.bones.bound, [(p.vertices, p.bones) for p in parts])

    def frame_poses(self, mark: FrameMark, poses: np.ndarray | None = None) -> np.ndarray:
        """Poses of a frame (nt, 7) in world axes; of magnified bones where their poses are given."""
        poses = self.bones.poses if poses is None else poses
        return Q.compose(poses[..., mark.bone, :], mark.pose)


def _generations(parent: np.ndarray) -> list[np.ndarray]:
    """Generations of bones: those on bones that nothing carries, then those on these, and so on; so that each comes
    behind the one that carries it. The first of all, which nothing carries, are left out."""
    depth = np.zeros(len(parent), np.int64)
    for i, carrier in enumerate(parent):
        depth[i] = 0 if carrier < 0 else depth[carrier] + 1
    return [np.flatnonzero(depth == d) for d in range(1, int(depth.max(initial=0)) + 1)]


def _bounds(
    poses: np.ndarray, bound: np.ndarray, surfaces: list[tuple[np.ndarray, np.ndarray]]
) -> tuple[np.ndarray, np.ndarray]:
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for vertices, bones in surfaces:
        for bone in np.unique(bones[:, 0]):
            local = Q.inverse(bound[bone])
            mine = Q.rotate(local[3:], np.asarray(vertices[bones[:, 0] == bone], float)) + local[:3]
            centre = 0.5 * (mine.min(axis=0) + mine.max(axis=0))
            reach = np.max(np.linalg.norm(mine - centre, axis=1))
            where = poses[:, bone, :3] + Q.rotate(poses[:, bone, 3:], centre)
            low = np.minimum(low, where.min(axis=0) - reach)
            high = np.maximum(high, where.max(axis=0) + reach)
    return low, high


class Builder:
    """Puts a scene together, body by body."""

    def __init__(self, run: Run, times: np.ndarray) -> None:
        self.run, self.times = run, times
        self.model = run.model
        self.q = coordinates_at(run, times)
        self.described = {item["body"]["name"]: item for item in self.model.description["bodies"]}
        self.bodies: dict[str, Body] = {}
        self.skeletons: dict[str, Skeleton] = {}
        self.first: dict[str, int] = {"world": 0}
        self.names, self.owners = ["world"], ["world"]
        self.parent: list[int] = [-1]
        self.elastic: list[bool] = [False]
        self.rest, self.bound = [Q.IDENTITY[None]], [Q.IDENTITY[None]]
        self.poses = [np.tile(Q.IDENTITY, (len(times), 1, 1))]

    @cached_property
    def origins(self) -> dict[str, np.ndarray]:
        """Poses (nt, 7) of the origins of all bodies."""
        rest = np.zeros((len(self.q), self.model.nv))
        paths = self.model.frame_path([f"{name}.origin" for name in self.described], self.q, rest)
        return {name: paths[:, i, :7] for i, name in enumerate(self.described)}

    def bone(self, address: str) -> int:
        """The bone that carries a frame."""
        name, _, frame = address.partition(".")
        return 0 if name == "world" else self.first[name] + self._own_bone(name, frame or "origin")

    def _own_bone(self, name: str, frame: str) -> int:
        """Which of a body's bones carries a frame: its own, or of a node the nearest."""
        found = self.skeletons[name]
        if frame in found.frames:
            return found.frames[frame]
        place = self.bodies[name].frame(frame).position
        return int(np.argmin(np.linalg.norm(found.bound[:, :3] - place, axis=1)))

    def frame_in_bone(self, address: str) -> np.ndarray:
        """Pose (7,) of a frame in the bone that carries it."""
        name, _, frame = address.partition(".")
        if name == "world":
            return Q.IDENTITY
        pose = self.bodies[name].frame(frame or "origin")
        bound = self.skeletons[name].bound[self._own_bone(name, frame or "origin")]
        return Q.relative(bound, np.concatenate([pose.position, pose.quaternion]))

    def add_body(self, name: str) -> None:
        """The bones of a body; that which carries it is there already."""
        item = self.described[name]
        body = self.bodies[name] = body_of(self.model, name) or body_from_dict(item["body"], name)
        index = self.model.index.q
        e = self.q[:, [index[one] for one in body.coordinate_names()]]
        turned = {frame: self.q[:, index[f"{name}.{frame}.qw"] :][:, :4] for frame in body.paths}
        found = self.skeletons[name] = body.skeleton(e, turned)
        own = self.origins[name][:, None]
        first = self.first[name] = len(self.names)
        # what travels along a body is not at one of its bones
        to = item.get("to", "world")
        carrier = self.first[to.partition(".")[0]] if item["joint"]["kind"] == "rail" else self.bone(to)
        self.names += [name if i == 0 else f"{name}[{i}]" for i in range(len(found.rest))]
        self.owners += [name] * len(found.rest)
        self.parent += [carrier if i < 0 else first + i for i in found.parent.tolist()]
        self.elastic += found.elastic.tolist()
        self.rest.append(found.rest)
        self.bound.append(found.bound)
        self.poses.append(Q.compose(own, found.poses))

    def add_bones(self, name: str, carriers: list[int], along: tuple[float, ...], poses: list[np.ndarray]) -> None:
        """Bones of their own for what is between bodies: carried by others, bound at places along x, poses (nt, 7)."""
        self.names += [f"{name}[{i}]" for i in range(len(carriers))]
        self.owners += [name] * len(carriers)
        self.parent += carriers
        self.elastic += [False] * len(carriers)
        bound = np.tile(Q.IDENTITY, (len(carriers), 1))
        bound[:, 0] = along
        self.rest.append(bound)
        self.bound.append(bound)
        self.poses.append(np.stack(poses, axis=1))

    def bones(self) -> Bones:
        return Bones(
            self.names,
            self.owners,
            np.array(self.parent),
            np.array(self.elastic),
            np.concatenate(self.rest),
            np.concatenate(self.bound),
            np.concatenate(self.poses, axis=1),
        )

    def body_parts(self, size: float) -> list[SurfacePart]:
        parts, rigid, elastic = [], 0, 0
        known: dict[bytes, SurfacePart] = {}
        meshes = any(body.likeness == "mesh" for body in self.bodies.values())
        for name, body in self.bodies.items():
            if meshes and body.likeness == "none":
                continue
            if np.any(self.skeletons[name].elastic):
                colour, elastic = ELASTIC_COLOURS[elastic % len(ELASTIC_COLOURS)], elastic + 1
            else:
                colour, rigid = RIGID_COLOURS[rigid % len(RIGID_COLOURS)], rigid + 1
            for paint, surfaces in by_paint(body.surfaces(size)):
                own, clear = (colour, 1.0) if paint is None else (paint.hex, paint.colour[3])
                parts.append(alike(known, name, surfaces, self.first[name], own, clear))
        return parts

    def stand_ins(self, size: float, drawn: list[SurfacePart]) -> list[SurfacePart]:
        """Small balls for bodies of which nothing says how they look, among others that are drawn by meshes."""
        shown = {part.body for part in drawn}
        made = {name: body.stand_in(SMALL * size) for name, body in self.bodies.items() if name not in shown}
        return [joined(one, one, made[one], self.first[one], WORLD_COLOUR, 1.0, "body") for one in made if made[one]]

    def contact_parts(self, size: float, centre: np.ndarray, drawn: list[SurfacePart]) -> list[SurfacePart]:
        """Shapes that touch, but those that a body shows already."""
        from ..describe.bodies.appearance.bones import Surface

        described = self.model.description
        named: list[tuple[str, Any]] = []
        stated: set[str] = set()
        for one in described.get("contacts", []):
            name = one.get("group", one["name"])
            if name in stated:  # a further node of a surface, with the same shape
                continue
            stated.add(name)
            named += [
                (f"{name}: {one[which]['address']}", one[which])
                for which in ("first", "second")
                if "group" not in one or one[which]["shape"]["kind"] not in ("point", "skin", "strand")
            ]
        for pile in described.get("piles", []):
            shown = [shape for shape in pile["shapes"] if shape["shape"]["kind"] != "strand"]
            named += [(f"{pile['name']}: {shape['address']}", shape) for shape in shown]
        parts: list[SurfacePart] = []
        seen: set[bytes] = {fingerprint(part) for part in drawn}
        for name, data in named:
            placed: Placed = placed_from_dict(data, name)
            bone = self.bone(placed.address)
            pose = np.concatenate([placed.pose.position, placed.pose.quaternion])
            pose = Q.compose(np.concatenate(self.bound)[bone], Q.compose(self.frame_in_bone(placed.address), pose))
            body = self.owners[bone]
            middle = Q.inverse(pose)[:3] + Q.rotate(Q.conjugate(pose[3:]), centre) if bone == 0 else None
            vertices, faces = mesh_of(placed.shape, size, centre=middle)
            surface = Surface.rigid(Q.rotate(pose[3:], vertices) + pose[:3], faces, bone)
            fixed = bone == 0
            colour, kind = (WORLD_COLOUR, "world") if fixed else (CONTACT_COLOUR, "contact")
            part = joined(name, body, [surface], 0, colour, 1.0, kind)
            print_ = fingerprint(part)
            if print_ not in seen:
                seen.add(print_)
                parts.append(part)
        return parts

    def fields(self, parts: list[SurfacePart]) -> list[SurfaceField]:
        """Fields over the bodies whose vertices are nodes."""
        drawn = {}
        for part in parts:
            if part.nodes is not None:
                body, index = self.bodies[part.body], self.model.index.q
                e = self.q[:, [index[one] for one in body.coordinate_names()]]
                drawn[part.body] = (body, e, part.nodes)
        return fields(self.run, self.times, drawn)

    def frames(self) -> list[FrameMark]:
        return [FrameMark(name, self.bone(name), self.frame_in_bone(name)) for name in frame_names(self.model)]


def scene(
    run: Run,
    frames_per_second: float = 30.0,
    limit: int = 1500,
    also: Iterable[float] = (),
    times: np.ndarray | None = None,
) -> Scene:
    """What a run looks like, at even times and where something happens: touchdowns, peaks, ends of contact, events.

    frames_per_second    how many pictures a second of the run
    limit                most pictures
    also                 further times that get a picture of their own [s]
    times                just these, in place of all others (nt,) [s]
    """
    builder = Builder(run, picture_times(run, frames_per_second, limit, also) if times is None else times)
    for name in run.model.bodies:
        builder.add_body(name)
    links = Links(builder)
    bones = builder.bones()
    parts = builder.body_parts(1.0)
    low, high = _bounds(bones.poses, bones.bound, [(part.vertices, part.bones) for part in parts])
    size = float(np.linalg.norm(high - low))
    parts += builder.stand_ins(size, parts)
    parts += builder.contact_parts(GROUND * size, 0.5 * (low + high), parts)
    parts += links.parts(size)
    orbit = None
    environment = run.model.description.get("environment")
    gravity = np.array(run.model.description["gravity"], float)
    up = -gravity / np.linalg.norm(gravity) if np.any(gravity) else np.array([0.0, 0.0, 1.0])
    if environment is not None:
        from ..describe.environment import Orbit

        given = Orbit.from_dict(environment)
        radius = given.frame(float(builder.times[0])).radius
        up = np.array([1.0, 0.0, 0.0])
        orbit = {
            "radius": radius,
            "altitude": radius - given.radius,
            "earth_radius": given.radius,
            "direction": [-1.0, 0.0, 0.0],
        }
    shown = arrows(run, builder.bone)
    return Scene(
        name=run.model.name,
        time=builder.times,
        bones=bones,
        parts=parts,
        arrows=shown,
        frames=builder.frames(),
        up=up,
        orbit=orbit,
        fields=builder.fields(parts),
    )

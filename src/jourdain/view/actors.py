"""A scene on viser's stage: surfaces, contact forces, frames and names, put where they are at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics import quaternions as Q
from ..basics.pose import Pose
from ..describe.shapes.tessellation import SEGMENTS, rod
from .colouring import palette
from .drawing import LEAST_PATCH, picture_of
from .forces import Arrow, highest_pressure
from .painting import Painted, wanted
from .sampling import nearest

if TYPE_CHECKING:
    from viser import ViserServer

    from .scene import Scene
    from .scene_parts import SurfacePart

ARROW = 0.35
"""Length of the arrow of the largest contact force, over the size of the scene."""
CLOSE = 0.15
"""How large arrows and discs are drawn where the camera rides on a frame, over their size from afar."""
SHAFT, HEAD, HEAD_LENGTH = 0.005, 0.013, 0.036
"""Radii of arrows and length of their heads, over the size of the scene."""
PATCH = 0.028
"""Radius of the disc of the largest contact force, over the size of the scene; its area is as the force."""
FORCE_COLOUR = (226, 62, 48)
EARTH_COLOUR, AIR_COLOUR = (18, 58, 122), (96, 165, 245)
AIR = ((10e3, 0.30), (22e3, 0.18), (40e3, 0.10))
"""Heights [m] and opacities of the haze around the Earth."""
EARTH_DISTANCE = 60.0
"""How far the ground is drawn below the scene, over the scene's size: the Earth is scaled about the scene, which leaves
what one sees of it as it is."""


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of "#rrggbb"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def between(poses: np.ndarray, place: float) -> np.ndarray:
    """Poses (nb, 7) at a place between two samples, counted in samples."""
    i = int(np.clip(np.floor(place), 0, len(poses) - 1))
    s = place - i
    if s <= 1e-9 or i + 1 >= len(poses):
        return poses[i]
    a, b = poses[i], poses[i + 1]
    position = a[:, :3] + s * (b[:, :3] - a[:, :3])
    return np.concatenate([position, Q.slerp(a[:, 3:], b[:, 3:], np.full(len(a), s))], axis=1)


class _Rigid:
    """A surface that one bone carries."""

    def __init__(self, server: ViserServer, name: str, part: SurfacePart) -> None:
        self.bone = int(part.bones[0, 0])
        picture = picture_of(part)
        self.handle: Any
        if picture is not None:
            self.handle = server.scene.add_mesh_trimesh(name, _textured(part, picture))
            return
        self.handle = server.scene.add_mesh_simple(
            name,
            part.vertices,
            part.faces,
            color=rgb(part.colour),
            opacity=None if part.opacity >= 1.0 else part.opacity,
        )

    def place(self, carried: np.ndarray, poses: np.ndarray) -> None:
        self.handle.position = carried[self.bone, :3]
        self.handle.wxyz = carried[self.bone, 3:]


def _textured(part: SurfacePart, picture: Any) -> Any:
    """A surface with its picture, as viser takes it (of trimesh, which viser needs)."""
    from trimesh import Trimesh
    from trimesh.visual.material import PBRMaterial
    from trimesh.visual.texture import TextureVisuals

    assert part.paint is not None
    paint = part.paint
    material = PBRMaterial(
        baseColorTexture=picture,
        baseColorFactor=[round(255 * one) for one in paint.colour],
        roughnessFactor=paint.roughness,
        metallicFactor=paint.metalness,
    )
    return Trimesh(part.vertices, part.faces, visual=TextureVisuals(uv=part.uv, material=material), process=False)


class _Bent:
    """A surface that follows several bones; its own frame moves with the first bone of its body."""

    def __init__(self, server: ViserServer, name: str, part: SurfacePart, scene: Scene) -> None:
        self.bones = np.unique(part.bones)
        self.root = scene.bones.body.index(part.body)
        weights = np.zeros((len(part.vertices), len(self.bones)), np.float32)
        rows = np.arange(len(part.vertices))
        for k in range(2):
            np.add.at(weights, (rows, np.searchsorted(self.bones, part.bones[:, k])), part.weights[:, k])
        bound = scene.bones.bound[self.bones]
        self.handle = server.scene.add_mesh_skinned(
            name,
            part.vertices,
            part.faces,
            bone_wxyzs=bound[:, 3:],
            bone_positions=bound[:, :3],
            skin_weights=weights,
            color=rgb(part.colour),
            opacity=None if part.opacity >= 1.0 else part.opacity,
        )

    def place(self, carried: np.ndarray, poses: np.ndarray) -> None:
        root = poses[self.root]
        self.handle.position, self.handle.wxyz = root[:3], root[3:]
        local = Q.relative(root, poses[self.bones])
        for bone, pose in zip(self.handle.bones, local, strict=True):
            bone.position, bone.wxyz = pose[:3], pose[3:]


class Actors:
    """Everything that moves, and what it stands in."""

    def __init__(self, server: ViserServer, scene: Scene) -> None:
        self.server, self.scene = server, scene
        self.size = _size(scene)
        self.surfaces: list[tuple[SurfacePart, _Rigid | _Bent]] = []
        for i, part in enumerate(scene.parts):
            name = f"/parts/{i}"
            one = bool(np.all(part.bones == part.bones[0, 0]))
            self.surfaces.append((part, _Rigid(server, name, part) if one else _Bent(server, name, part, scene)))
        self.painted = {
            i: Painted(server, f"/painted/{i}", part) for i, part in enumerate(scene.parts) if part.nodes is not None
        }
        self.field, self.hurried, self.show_links = "", False, True
        self.highest = highest_pressure(scene.arrows)
        self._forces()
        self._marks()
        self.surroundings = self._surroundings()
        self.force_scale, self.close = 1.0, False

    def _forces(self) -> None:
        s = self.server.scene
        disc = rod(np.array([-0.03, 0.0, 0.0]), np.array([0.03, 0.0, 0.0]), 1.0, segments=SEGMENTS)
        self.arrows, self.patches = [], []
        for i, _ in enumerate(self.scene.arrows):
            points = np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]])
            arrow = s.add_arrows(
                f"/forces/{i}", points, FORCE_COLOUR, visible=False,
                shaft_radius=SHAFT * self.size, head_radius=HEAD * self.size, head_length=HEAD_LENGTH * self.size,
            )  # fmt: skip
            patch = s.add_mesh_simple(f"/patches/{i}", *disc, color=(250, 196, 60), visible=False, cast_shadow=False)
            self.arrows.append(arrow)
            self.patches.append(patch)

    def _marks(self) -> None:
        marks = self.scene.frames
        n = len(marks)
        self.show_axes = self.show_names = False
        self.axes = self.server.scene.add_batched_axes(
            "/frames",
            np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)),
            np.zeros((n, 3)),
            axes_length=0.08 * self.size,
            axes_radius=0.0025 * self.size,
            visible=False,
        )
        self.groups: list[list[int]] = []
        self.names: list[Any] = []

    def _name(self) -> None:
        """Labels, made when they are first asked for; frames at one place share one."""
        marks = self.scene.frames
        self.groups = _coincident(self.scene, 1e-6 * self.size)
        self.names = [
            self.server.scene.add_label(f"/names/{i}", ", ".join(marks[k].name for k in group), font_screen_scale=0.8)
            for i, group in enumerate(self.groups)
        ]

    def _surroundings(self) -> list[Any]:
        """The Earth below an orbit; a grid below what stands on one in gravity."""
        s, scene = self.server.scene, self.scene
        low, high = scene.bounds()
        if scene.orbit is not None:
            from ..describe.shapes import Sphere

            scale = EARTH_DISTANCE * self.size / scene.orbit["altitude"]
            centre = 0.5 * (low + high) + scale * scene.orbit["radius"] * np.array(scene.orbit["direction"])
            vertices, faces = Sphere(1.0).to_mesh(192)
            out = []
            layers: list[tuple[str, float, tuple[int, int, int], float | None]] = [("earth", 0.0, EARTH_COLOUR, None)]
            layers += [(f"air/{i}", height, AIR_COLOUR, haze) for i, (height, haze) in enumerate(AIR)]
            for name, height, colour, opacity in layers:
                out.append(
                    s.add_mesh_simple(
                        f"/{name}",
                        scale * (scene.orbit["earth_radius"] + height) * vertices,
                        faces,
                        color=colour,
                        opacity=opacity,
                        position=centre,
                        cast_shadow=False,
                        receive_shadow=False,
                    )
                )
            return out
        if any(part.kind == "world" for part in scene.parts):
            return []
        turn = _turned_up(scene.up)
        centre = 0.5 * (low + high)
        floor = centre - scene.up * (0.55 * float(np.abs(scene.up) @ (high - low)))
        cell = 10.0 ** np.floor(np.log10(max(self.size, 1e-6)))
        return [
            s.add_grid(
                "/grid", 6.0 * self.size, 6.0 * self.size, plane="xy", cell_size=0.1 * cell, section_size=cell,
                cell_color=(222, 226, 231), section_color=(196, 202, 210), fade_distance=8.0 * self.size,
                position=floor, wxyz=turn,
            )
        ]  # fmt: skip

    def place(self, poses: np.ndarray, sample: int, time: float) -> None:
        """Everything at poses (nb, 7) of the bones, near a picture; forces as recorded nearest to a time [s]."""
        carried = Q.compose(poses, Q.inverse(self.scene.bones.bound))
        for part, surface in self.surfaces:
            if part.kind != "world":
                surface.place(carried, poses)
            if part.kind == "link":
                there = self.show_links and (part.shown is None or bool(part.shown[sample]))
                if surface.handle.visible != there:
                    surface.handle.visible = there
        self._paint(poses, time)
        self._place_forces(poses, sample, time)
        if self.show_names and not self.names:
            self._name()
        if self.show_axes or self.show_names:
            found = np.array([self.scene.frame_poses(mark, poses) for mark in self.scene.frames])
            if self.show_axes:
                self.axes.batched_positions, self.axes.batched_wxyzs = found[:, :3], found[:, 3:]
            if self.show_names:
                for label, group in zip(self.names, self.groups, strict=True):
                    label.position = found[group[0], :3]
        if self.axes.visible != self.show_axes:
            self.axes.visible = self.show_axes
        for label in self.names:
            if label.visible != self.show_names:
                label.visible = self.show_names

    def _paint(self, poses: np.ndarray, time: float) -> None:
        """Solids in the colours of the field that is asked for, or in their own."""
        field = wanted(self.scene, self.field)
        picture = float(np.interp(time, self.scene.time, np.arange(len(self.scene.time))))
        for i, painted in self.painted.items():
            part, own = self.surfaces[i][0], self.surfaces[i][1].handle
            if field is None:
                painted.clear()
            else:
                painted.paint(self.scene.skinned(part, poses), field.shares(part.body, picture), self.hurried)
            if own.visible != (field is None):
                own.visible = field is None

    def _place_forces(self, poses: np.ndarray, sample: int, time: float) -> None:
        largest = max((float(np.linalg.norm(one.force, axis=1).max()) for one in self.scene.arrows), default=0.0)
        for one, arrow, patch in zip(self.scene.arrows, self.arrows, self.patches, strict=True):
            i = int(nearest(one.time, time))
            force = one.force[i]
            shift = Q.compose(poses[one.bone], Q.inverse(self.scene.bones.poses[sample, one.bone]))
            point = shift[:3] + Q.rotate(shift[3:], one.point[i])
            size = float(np.linalg.norm(force))
            shown = bool(one.active[i]) and size > 1e-6 * largest > 0.0 and self.force_scale > 0.0
            if shown:
                share = size / largest
                along = force / size
                scale = self.size * (CLOSE if self.close else 1.0)
                if arrow.shaft_radius != SHAFT * scale:
                    arrow.shaft_radius, arrow.head_radius = SHAFT * scale, HEAD * scale
                    arrow.head_length = HEAD_LENGTH * scale
                length = self.force_scale * ARROW * scale * share
                arrow.points = np.array([[point, point + length * along]])
                radius = PATCH * scale * np.sqrt(share)
                patch.position, patch.wxyz, patch.scale = point, _along(along), radius
                if one.patches:
                    self._pressed(one, patch, i, shift)
                if one.darts:
                    arrow.points = self._darts(one, poses, sample, i, length / share)
            for handle in (arrow, patch):
                there = shown and (handle is arrow or not one.darts)
                if handle.visible != there:
                    handle.visible = there

    def _pressed(self, one: Arrow, handle: Any, i: int, shift: np.ndarray) -> None:
        """The largest part of a volumetric contact as an ellipse of its area, coloured by its pressure."""
        part = max(one.patches, key=lambda patch: patch.radius[i])
        handle.position = shift[:3] + Q.rotate(shift[3:], part.point[i])
        long, short = part.half_axes(i, LEAST_PATCH * self.size)
        sizes = float(np.linalg.norm(long)), float(np.linalg.norm(short))
        turn = Pose((0.0, 0.0, 0.0), np.column_stack([part.normal[i], long / sizes[0], short / sizes[1]]))
        handle.wxyz = Q.multiply(shift[3:], turn.quaternion)
        handle.scale = (sizes[1], *sizes)
        handle.color = tuple(palette()[int(np.rint(255.0 * part.share(self.highest)[i]))].tolist())

    def _darts(self, one: Arrow, poses: np.ndarray, sample: int, i: int, longest: float) -> np.ndarray:
        """Ends (n, 2, 3) of the arrows of a surface, the largest of the run half as long as that of a whole force."""
        largest = max(float(np.linalg.norm(dart.force, axis=1).max()) for dart in one.darts)
        out = np.zeros((len(one.darts), 2, 3))
        for k, dart in enumerate(one.darts):
            shift = Q.compose(poses[dart.bone], Q.inverse(self.scene.bones.poses[sample, dart.bone]))
            out[k] = shift[:3] + Q.rotate(shift[3:], dart.point[i])
            out[k, 1] += 0.5 * longest * dart.force[i] / largest * dart.active[i]
        sizes = np.linalg.norm(out[:, 1] - out[:, 0], axis=1)
        return out[sizes > 0.02 * sizes.max()]

    def show_contacts(self, visible: bool) -> None:
        """Shapes that only touch, shown or not."""
        for part, surface in self.surfaces:
            if part.kind == "contact":
                surface.handle.visible = visible

    def show_surroundings(self, visible: bool) -> None:
        """Earth or grid, shown or not."""
        for handle in self.surroundings:
            handle.visible = visible


def _size(scene: Scene) -> float:
    """A typical length of what is drawn at one time [m]."""
    spans = [scene.bounds(i) for i in np.linspace(0, len(scene.time) - 1, min(len(scene.time), 9)).astype(int)]
    return max(float(np.linalg.norm(high - low)) for low, high in spans) or 1.0


def _coincident(scene: Scene, slack: float) -> list[list[int]]:
    """Frames in groups that are at one place at the first, the middle and the last time."""
    some = scene.bones.poses[[0, len(scene.time) // 2, -1]]
    places = [scene.frame_poses(mark, some)[:, :3] for mark in scene.frames]
    groups: list[list[int]] = []
    for i, place in enumerate(places):
        for group in groups:
            if np.max(np.abs(places[group[0]] - place)) <= slack:
                group.append(i)
                break
        else:
            groups.append([i])
    return groups


def _along(direction: np.ndarray) -> np.ndarray:
    """The quaternion of the shortest turn from x to a direction."""
    w = 1.0 + direction[0]
    if w < 1e-9:
        return np.array([0.0, 0.0, 0.0, 1.0])
    return Q.normalised(np.array([w, 0.0, -direction[2], direction[1]]))


def _turned_up(up: np.ndarray) -> np.ndarray:
    """The quaternion of the shortest turn from z to a direction."""
    w = 1.0 + up[2]
    if w < 1e-9:
        return np.array([0.0, 1.0, 0.0, 0.0])
    return Q.normalised(np.array([w, -up[1], up[0], 0.0]))

"""Pictures of a scene without a browser: triangles with their distances, in the light of the sun."""

from __future__ import annotations

import io
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics import quaternions as Q
from ..basics.errors import ModelError
from ..kernels.rasterizer import fill_triangles, shrink
from .colouring import palette
from .forces import Arrow, Patch, highest_pressure
from .sampling import nearest
from .staging import camera

if TYPE_CHECKING:
    from .scene import Scene
    from .scene_parts import SurfacePart


_ARROW_COLOURS = ("#ff5a36", "#ffb000", "#e0409a", "#35c4b5")
_ARROW_REACH = 0.16
"""Length of an arrow of the usual force, over the size of the scene; as in the player."""
LEAST_PATCH = 0.004
"""Radius that a patch is drawn with at least, over the size of the scene; as in the player."""
_SHADOW = 0.86
"""Of the floor's light in a shadow."""
_GRID_REACH = 1.6
"""How far the grid goes, over the size of the scene."""


class Painter:
    """Draws a scene, sample by sample.

    scene     what is drawn
    staged    how it is looked at: what `jourdain.view.staging.stage` says of it
    width, height    of the pictures [px]
    """

    def __init__(self, scene: Scene, staged: dict[str, Any], width: int, height: int) -> None:
        self.scene, self.staged = scene, staged
        self.camera = camera(staged, width / height)
        self.wide, self.high = 2 * width, 2 * height
        self.sun = np.array(staged["sun"])
        self._picture = np.zeros((self.high, 3 * self.wide), np.uint8)
        self._nearest = np.zeros((self.high, self.wide), np.float32)
        self._out = np.zeros((height, 3 * width), np.uint8)
        parts = [_finer(part, staged["size"]) for part in scene.parts]
        self._parts = [(part, _normals(part), vertex_colours(part, _colour(part.colour))) for part in parts]
        self._sky = self._background()
        self._grid = None if staged["floor"] is None else _grid(staged)
        self._highest = highest_pressure(scene.arrows)
        self._references = [_reference(arrow) for arrow in scene.arrows]

    def draw(self, sample: int) -> np.ndarray:
        """The picture (height, width, 3) of bytes; the next one takes its place."""
        scene, staged = self.scene, self.staged
        poses = scene.magnified(staged["magnify"], slice(sample, sample + 1 or None))[0]
        shift = poses[staged["follow"], :3] - np.array(staged["home"]) if staged["follow"] >= 0 else np.zeros(3)
        self._picture[:], self._nearest[:] = self._sky, 0.0
        turns = Q.multiply(poses[:, 3:], Q.conjugate(scene.bones.bound[:, 3:]))
        placed = [(part, scene.skinned(part, poses), normals, own) for part, normals, own in self._parts]
        if self._grid is not None:
            self._floor([(p, x) for p, x, _, _ in placed if p.kind not in ("world", "link")], shift)
        for solid in (True, False):
            for part, points, normals, own in placed:
                if (part.opacity >= 1.0) == solid and (part.shown is None or part.shown[sample]):
                    self._surface(part, points, Q.rotate(turns[part.bones[:, 0]], normals), own, sample, shift)
            if solid:
                for k, arrow in enumerate(scene.arrows):
                    self._arrow(arrow, k, sample, shift)
        shrink(self._picture, self._out)
        return self._out.reshape(len(self._out), -1, 3)

    def _surface(
        self, part: SurfacePart, points: np.ndarray, facing: np.ndarray, own: np.ndarray, i: int, shift: np.ndarray
    ) -> None:
        """A part, lit: sky light from above, the sun, and a little of its glare."""
        if self.scene.fields and part.columns is not None:
            shares = self.scene.fields[0].shares(part.body, i)[part.columns]
            own = palette()[np.rint(255.0 * shares).astype(int)].astype(float)
        half = self.camera.axes[2] + self.sun  # as for a camera far away
        half /= np.linalg.norm(half)
        bright = np.clip(facing @ self.sun, 0.0, 1.0)
        sky = 0.5 + 0.5 * (facing @ np.array(self.staged["up"]))
        dim = 0.5 if self.staged["orbit"] is not None else 1.0
        light = dim * (0.26 + 0.26 * sky) + (1.0 - 0.42 * dim) * bright
        glare = 60.0 * np.clip(facing @ half, 0.0, 1.0) ** 24 * (bright > 0.0)
        self._fill(points, np.minimum(light[:, None] * own + glare[:, None], 255.0), part.faces, part.opacity, shift)

    def _floor(self, bodies: list[tuple[SurfacePart, np.ndarray]], shift: np.ndarray) -> None:
        """The shadows of bodies on the floor, and the grid over them."""
        up, floor = np.array(self.staged["up"]), np.array(self.staged["floor"])
        rise = float(self.sun @ up)
        if rise > 0.05:
            for part, points in bodies:
                height = (points - floor) @ up
                fallen = (
                    points - np.outer(np.maximum(height, 0.0) / rise, self.sun) - np.outer(np.minimum(height, 0.0), up)
                )
                dark = np.tile(_SHADOW * self._sky_at_middle, (len(fallen), 1))
                both = np.concatenate([part.faces, part.faces[:, ::-1]])
                self._fill(fallen, dark, both, 1.0, shift)
        assert self._grid is not None
        points, strength, faces = self._grid
        ink = self._sky_at_middle * (1.0 - strength[:, None]) + np.array([51.0, 65.0, 85.0]) * strength[:, None]
        self._fill(points, ink, faces, 1.0, shift)

    def _arrow(self, arrow: Arrow, k: int, sample: int, shift: np.ndarray) -> None:
        """The force of a contact at the recorded sample that is nearest, or of a surface those on its parts."""
        shown = arrow.darts or [arrow]
        reference = self._references[k]
        for patch in arrow.patches:
            i = int(nearest(arrow.time, self.scene.time[sample]))
            if patch.radius[i] > 0.0:
                self._patch(patch, i, shift)
        for one in shown:
            i = int(nearest(one.time, self.scene.time[sample]))
            size = float(np.linalg.norm(np.nan_to_num(one.force[i])))
            if not one.active[i] or size < 1e-3 * reference:
                continue
            reach = _ARROW_REACH * self.staged["size"] * (0.5 if arrow.darts else 1.0)
            points, facing, faces = _pointer(
                one.point[i], one.force[i] / size, reach * min(size / reference, 3.0), 0.05 * reach
            )
            light = 0.65 + 0.35 * np.clip(facing @ self.sun, 0.0, 1.0)
            self._fill(points, light[:, None] * _colour(_ARROW_COLOURS[k % 4]), faces, 1.0, shift)

    def _patch(self, patch: Patch, i: int, shift: np.ndarray) -> None:
        """The surface of a part of a volumetric contact in the colour of its pressure, seen through what it is in."""
        size = self.staged["size"]
        share = patch.share(self._highest)[i]
        points, faces = ellipse(patch.point[i], *patch.half_axes(i, LEAST_PATCH * size))
        colours = np.tile(palette()[int(np.rint(255.0 * share))].astype(float), (len(points), 1))
        self._fill(points, colours, np.concatenate([faces, faces[:, ::-1]]), 0.9, shift, in_front=2.0)

    def _fill(
        self,
        points: np.ndarray,
        colours: np.ndarray,
        faces: np.ndarray,
        opacity: float,
        shift: np.ndarray,
        in_front: float = 1.0,
    ) -> None:
        axes, middle, distance, slope = self.camera
        seen = (points - middle - shift) @ axes.T
        away = distance - seen[:, 2]
        ahead = away > 1e-3 * distance
        near = np.where(ahead, 1.0 / np.where(ahead, away, 1.0), -1.0)
        scale = 0.5 * self.high * near / slope
        places = np.column_stack(
            [0.5 * self.wide + scale * seen[:, 0], 0.5 * self.high - scale * seen[:, 1], in_front * near]
        )
        fill_triangles(
            places,
            np.ascontiguousarray(colours),
            np.ascontiguousarray(faces, np.int64),
            opacity,
            self._picture,
            self._nearest,
        )

    def _background(self) -> np.ndarray:
        """What is behind everything (height, 3 width): light from top to bottom, or stars and the Earth."""
        orbit = self.staged["orbit"]
        if orbit is None:
            rows = np.linspace(0.0, 1.0, self.high)[:, None]
            colours = (1.0 - rows) * np.array([247.0, 249.0, 252.0]) + rows * np.array([222.0, 229.0, 238.0])
            self._sky_at_middle = colours[len(colours) // 2]
            return np.repeat(colours[:, None], self.wide, axis=1).reshape(self.high, -1).astype(np.uint8)
        self._sky_at_middle = np.zeros(3)
        sky = _space(self.camera.axes, self.camera.slope, self.wide // 2, self.high // 2, orbit, self.sun)
        return np.repeat(np.repeat(sky, 2, axis=0), 2, axis=1).reshape(self.high, -1)


def _space(axes: np.ndarray, slope: float, wide: int, high: int, orbit: dict[str, Any], sun: np.ndarray) -> np.ndarray:
    """Stars, and the Earth with its air on the limb, seen from the orbit."""
    x = np.linspace(-1.0, 1.0, wide) * slope * wide / high
    y = np.linspace(1.0, -1.0, high) * slope
    flat = np.stack([*np.meshgrid(x, y), np.full((high, wide), -1.0)], axis=-1)
    way = flat @ axes
    way /= np.linalg.norm(way, axis=-1, keepdims=True)
    centre = np.array(orbit["direction"]) * (1.0 + orbit["altitude"] / orbit["earth_radius"])  # of a unit sphere
    along = way @ centre
    miss = np.sqrt(np.maximum(centre @ centre - along**2, 0.0))
    hit = (along > 0.0) & (miss < 1.0)
    reach = along - np.sqrt(np.maximum(1.0 - miss**2, 0.0))
    normal = way * reach[..., None] - centre
    day = np.clip((normal @ sun + 0.12) / 0.57, 0.0, 1.0)
    slant = (1.0 - np.clip(-np.einsum("ijk,ijk->ij", normal, way), 0.0, 1.0)) ** 3
    ground = np.array([20.0, 72.0, 128.0]) * (0.05 + 0.95 * day[..., None])
    haze = np.array([148.0, 190.0, 240.0]) * (0.05 + 0.95 * day[..., None])
    mixed = ground + (haze - ground) * (0.2 + 0.7 * slant[..., None])
    out = np.where(hit[..., None], mixed, np.array([8.0, 11.0, 20.0]))
    edge = way * along[..., None] - centre
    edge /= np.maximum(np.linalg.norm(edge, axis=-1, keepdims=True), 1e-12)
    lit = np.clip((edge @ sun + 0.25) / 0.65, 0.0, 1.0) * np.clip(along / 0.4, 0.0, 1.0)
    glow = np.where(miss > 1.0, np.exp(-95.0 * np.maximum(miss - 1.0, 0.0)), 0.0) * lit * (along > 0.0)
    out += glow[..., None] * np.array([110.0, 165.0, 235.0])
    rng = np.random.default_rng(7)
    for row, column, light in zip(rng.integers(0, high, 500), rng.integers(0, wide, 500), rng.random(500) ** 3):
        if not hit[row, column] and glow[row, column] < 0.05:
            out[row, column] = 60.0 + 190.0 * light
    return np.clip(out, 0.0, 255.0).astype(np.uint8)


def _finer(part: SurfacePart, size: float) -> SurfacePart:
    """What is fixed, in triangles small enough that those behind the camera can be left out whole."""
    if part.kind != "world" or part.uv is not None:
        return part
    vertices, faces, bones, weights = part.vertices, part.faces, part.bones, part.weights
    for _ in range(5):
        corners = vertices[faces]
        long = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1) > 0.12 * size
        if not long.any():
            break
        middles = 0.5 * (corners + np.roll(corners, -1, axis=1))[long]  # of ab, bc and ca
        first, count = len(vertices), int(long.sum())
        ab, bc, ca = (first + k + 3 * np.arange(count) for k in range(3))
        a, b, c = faces[long].T
        inner = [np.column_stack(one) for one in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        carried = np.repeat(faces[long, 0], 3)  # what is fixed has one bone
        vertices, faces = np.concatenate([vertices, middles.reshape(-1, 3)]), np.concatenate([faces[~long], *inner])
        bones, weights = np.concatenate([bones, bones[carried]]), np.concatenate([weights, weights[carried]])
    return replace(part, vertices=vertices, faces=faces, bones=bones, weights=weights)


def _normals(part: SurfacePart) -> np.ndarray:
    """Unit normals (n, 3) of the vertices, in the axes of the undeformed body."""
    x = np.asarray(part.vertices, float)
    a, b, c = (x[part.faces[:, i]] for i in range(3))
    normal, out = np.cross(b - a, c - a), np.zeros_like(x)
    for i in range(3):
        np.add.at(out, part.faces[:, i], normal)
    sizes = np.linalg.norm(out, axis=1, keepdims=True)
    return out / np.where(sizes > 0.0, sizes, 1.0)


def _grid(staged: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (n, 3), strength (n,) and faces of the lines on the floor, as thin as a thread; they fade outwards."""
    size, up, floor = staged["size"], np.array(staged["up"]), np.array(staged["floor"])
    decade = 10.0 ** np.floor(np.log10(size / 8.0))
    pitch = next(n * decade for n in (1, 2, 5, 10) if n * decade >= size / 12.0)
    reach = _GRID_REACH * size
    first = np.cross(up, (1.0, 0.0, 0.0) if abs(up[0]) < 0.9 else (0.0, 1.0, 0.0))
    first /= np.linalg.norm(first)
    second = np.cross(up, first)
    count = int(reach / pitch)
    stops = np.linspace(-reach, reach, 33)
    points: list[np.ndarray] = []
    strength: list[np.ndarray] = []
    faces: list[np.ndarray] = []
    for along, across in ((first, second), (second, first)):
        for k in range(-count, count + 1):
            bold = 0.34 if k % 5 == 0 else 0.2
            half = 0.0009 * size * across
            base = floor + k * pitch * across + stops[:, None] * along
            start = sum(len(one) for one in points)
            points += [base - half, base + half]
            far = np.hypot(stops, k * pitch) / reach
            strength += 2 * [bold * np.clip(1.0 - (far - 0.25) / 0.75, 0.0, 1.0)]
            i = start + np.arange(len(stops) - 1)
            n = len(stops)
            one, two = np.column_stack([i, i + 1, i + n]), np.column_stack([i + 1, i + n + 1, i + n])
            faces += [one, two, one[:, ::-1], two[:, ::-1]]
    return np.concatenate(points), np.concatenate(strength), np.concatenate(faces)


def ellipse(at: np.ndarray, long: np.ndarray, short: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points (25, 3) and faces of a flat ellipse with these half axes."""
    angle = np.linspace(0.0, 2.0 * np.pi, 25)[:-1, None]
    edge = at + np.cos(angle) * long + np.sin(angle) * short
    i = np.arange(24)
    return np.concatenate([at[None], edge]), np.column_stack([np.zeros_like(i), 1 + i, 1 + (i + 1) % 24])


def _pointer(at: np.ndarray, way: np.ndarray, length: float, thick: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points, normals and faces of an arrow from a point along a unit vector."""
    side = np.cross(way, (1.0, 0.0, 0.0) if abs(way[0]) < 0.9 else (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    angle = np.linspace(0.0, 2.0 * np.pi, 25)[:-1, None]
    ring = np.cos(angle) * side + np.sin(angle) * np.cross(way, side)
    head = max(length - 5.0 * thick, 0.4 * length)
    stops = [(0.0, thick), (head, thick), (head, 2.4 * thick), (length, 1e-3 * thick)]
    points = np.concatenate([at + s * way + r * ring for s, r in stops])
    i = np.arange(24)
    j = (i + 1) % 24
    faces = np.concatenate(
        [
            f
            for k in (0, 24, 48)
            for f in (np.column_stack([k + i, k + j, k + 24 + i]), np.column_stack([k + j, k + 24 + j, k + 24 + i]))
        ]
    )
    return points, np.tile(ring, (4, 1)), faces


def _reference(arrow: Arrow) -> float:
    """The usual force of a contact, which an arrow of the usual length stands for [N]."""
    if arrow.darts:
        return max(float(np.linalg.norm(np.nan_to_num(one.force), axis=1).max()) for one in arrow.darts) or 1.0
    sizes = np.linalg.norm(np.nan_to_num(arrow.force), axis=1)
    shown = sizes[np.asarray(arrow.active, bool) & (sizes > 0.0)]
    return float(np.percentile(shown, 90)) if len(shown) else 1.0


def _colour(text: str) -> np.ndarray:
    """Red, green and blue, 0 to 255."""
    from matplotlib.colors import to_rgb

    return 255.0 * np.array(to_rgb(text))


MOST_PIXELS = 64 * 2**20
"""Pixels of a picture that is drawn."""


def picture_of(part: SurfacePart) -> Any | None:
    """The picture (of PIL) that a surface is painted with; None without one."""
    if part.paint is None or part.uv is None or not part.paint.picture:
        return None
    from PIL import Image

    raw = part.paint.image()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = Image.open(io.BytesIO(raw), formats=("JPEG", "PNG"))
            if found.width * found.height <= MOST_PIXELS:
                return found.convert("RGB")
    except Exception as error:  # what a broken picture makes its reader raise is documented nowhere
        raise ModelError.at("Paint picture", f"cannot be read: {type(error).__name__}") from None
    raise ModelError.at("Paint picture", f"has more than {MOST_PIXELS} pixels; make it smaller")


def vertex_colours(part: SurfacePart, own: np.ndarray) -> np.ndarray:
    """Colours 0 to 255 of the vertices (n, 3): those of the picture there, times the surface's own (3,); without a
    picture just this."""
    found = picture_of(part)
    if found is None:
        return own
    assert part.uv is not None
    pixels = np.asarray(found, float)
    high, wide = pixels.shape[:2]
    u, v = (np.asarray(part.uv, float) % 1.0).T
    rows = np.minimum(((1.0 - v) * high).astype(int), high - 1)
    return pixels[rows, np.minimum((u * wide).astype(int), wide - 1)] * own / 255.0

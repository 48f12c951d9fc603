"""Strains and stresses over the nodes of a shell.

From the points of Gauss of a shell's elements, where strains are good, to its corners.

The strains of a cubic that bends are exact to a higher order at two points of Gauss a side than anywhere else (Barlow
1976), and a straight line through them is off at the corners by the square of the element's side: q l^2 / 12 of a
moment under a load q. So a polynomial of second order is laid through the points of an element and those of its
neighbours (superconvergent patch recovery; Zienkiewicz & Zhu 1992), as far as the points determine its coefficients:
of one row of elements there is none of second order across. Neighbours beyond a fold, and those whose normals go the
other way, do not count.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ....basics.errors import ModelError
from ....basics.values import suggestion
from ...shells.element_tables import ENDS, Elements, gauss
from ...solids.assembly import von_mises
from .shell_tables import ShellSection

if TYPE_CHECKING:
    from .shell_base import ShellBody


FIELDS = {
    "displacement": ("m", "displacement of the nodes, body axes"),
    "strain": (
        "1",
        "xx, yy, zz, and the angles xy, yz, zx, in the middle of the thickness, along the undeformed surface",
    ),
    "stress": ("Pa", "xx, yy, zz, xy, yz, zx, in the middle of the thickness, along the undeformed surface"),
    "stress_top": ("Pa", "the same on the face that the normal points to"),
    "stress_bottom": ("Pa", "the same on the other face"),
    "von_mises": ("Pa", "equivalent stress, the larger one of both faces"),
    "taut": ("1", "1 where it is pulled in all directions, 0.5 where it wrinkles, 0 where it is slack"),
}
"""Fields on the nodes of a shell: unit, and label."""
SIX = ("xx", "yy", "zz", "xy", "yz", "zx")
_FACES = {"stress": 0.0, "stress_top": 0.5, "stress_bottom": -0.5}
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


class ShellFields:
    """The corners of all elements, of which nodes take the mean.

    Strains are taken at two points of Gauss a side, where those of a bicubic that bends are good, and continued to the
    corners (`recovery`).
    """

    def __init__(self, elements: Elements) -> None:
        from scipy.sparse import coo_array

        x, y = np.array(ENDS, float).T
        self.axes = np.concatenate([elements.at(k, x, y).axes for k in range(len(elements))])
        values = elements.gradients.values
        corners = np.concatenate(
            [elements.at(k, x, y).S[0] @ values[elements.vectors[k]] for k in range(len(elements))]
        )
        x, y, _ = gauss(2)
        there = [elements.at(k, x, y) for k in range(len(elements))]
        points = np.concatenate(
            [one.S[0] @ values[vectors] for one, vectors in zip(there, elements.vectors, strict=True)]
        )
        axes, mesh = np.concatenate([one.axes for one in there]), elements.gradients.mesh
        self.continued = recovery(mesh.cells, points, axes, corners, self.axes)
        rows = 4 * len(elements)
        row = np.concatenate(
            [np.repeat(4 * k + np.arange(4), len(vectors)) for k, vectors in enumerate(elements.vectors)]
        )
        column = np.concatenate([np.tile(vectors, 4) for vectors in elements.vectors])
        shape = (rows, len(elements.gradients.values))
        self.derivatives = [
            coo_array((np.concatenate([one.S[d].ravel() for one in there]), (row, column)), shape=shape).tocsr()
            for d in range(1, 6)
        ]
        self.bent = np.concatenate([one.bent for one in there])
        cells = mesh.cells.ravel()
        share = 1.0 / np.bincount(cells)[cells]
        self.mean = coo_array((share, (cells, np.arange(rows))), shape=(int(cells.max()) + 1, rows)).tocsr()

    def at_corners(self, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(E_11, E_22, 2 E_12) and (K_11, K_22, 2 K_12) at all corners, (nt, rows, 3), of vectors (nt, V, 3)."""
        flat = vectors.transpose(1, 0, 2).reshape(vectors.shape[1], -1)
        u, v, *second = (
            (one @ flat).reshape(one.shape[0], len(vectors), 3).transpose(1, 0, 2) for one in self.derivatives
        )
        E = [0.5 * (np.sum(u * u, axis=2) - 1.0), 0.5 * (np.sum(v * v, axis=2) - 1.0), np.sum(u * v, axis=2)]
        n = np.cross(u, v)
        n /= np.linalg.norm(n, axis=2, keepdims=True)
        K = np.stack([np.sum(n * one, axis=2) for one in second], axis=2) - self.bent
        return self._corners(np.stack(E, axis=2)), self._corners(K * (1.0, 1.0, 2.0))

    def _corners(self, values: np.ndarray) -> np.ndarray:
        """Values (nt, rows, 3) at points of Gauss continued to corners."""
        return np.asarray((self.continued @ values.reshape(len(values), -1).T).T).reshape(values.shape)

    def nodes_of(self, values: np.ndarray) -> np.ndarray:
        """Means (nt, N, ...) at nodes of values (nt, rows, ...) at corners."""
        return np.stack([(self.mean @ one.reshape(len(one), -1)).reshape(-1, *one.shape[1:]) for one in values])

    def in_space(self, values: np.ndarray) -> np.ndarray:
        """Tensors (11, 22, 12) along the axes of the corners as xx yy zz xy yz zx of the body, (nt, rows, 6)."""
        a, b = self.axes[:, 0], self.axes[:, 1]
        parts = [
            np.stack([a[:, i] * a[:, j] for i, j in _PAIRS], axis=1),
            np.stack([b[:, i] * b[:, j] for i, j in _PAIRS], axis=1),
            np.stack([a[:, i] * b[:, j] + a[:, j] * b[:, i] for i, j in _PAIRS], axis=1),
        ]
        return sum(values[..., k, None] * part for k, part in enumerate(parts))

    def largest(self, vectors: np.ndarray, thickness: float) -> np.ndarray:
        """The largest strain of both faces over all nodes, (nt,)."""
        E, K = self.at_corners(vectors)
        return np.max(np.abs(E) + 0.5 * thickness * np.abs(K), axis=(1, 2))

    @cached_property
    def normals(self) -> np.ndarray:
        """Of all corners without deformation, (rows, 3)."""
        return np.cross(self.axes[:, 0], self.axes[:, 1])


def taut_of(strain: np.ndarray, nu: float) -> np.ndarray:
    """2 taut, 1 wrinkled, 0 slack, of strains (..., 3) of a membrane."""
    mean, apart = 0.5 * (strain[..., 0] + strain[..., 1]), 0.5 * (strain[..., 0] - strain[..., 1])
    r = np.hypot(apart, 0.5 * strain[..., 2])
    return np.where(mean + r <= 0.0, 0, np.where(mean - r + nu * (mean + r) >= 0.0, 2, 1))


def forces_of(elastic: ShellSection, strain: np.ndarray) -> np.ndarray:
    """(N_11, N_22, N_12) [N/m] of strains (..., 3), as the kernels have them."""
    total = strain + np.linalg.solve(elastic.stretch, elastic.tension)
    out = np.asarray(total @ elastic.stretch)
    young, nu = elastic.wrinkles
    if young > 0.0:
        taut = taut_of(total, nu)[..., None]
        mean, d, s = 0.5 * (total[..., 0] + total[..., 1]), 0.5 * (total[..., 0] - total[..., 1]), 0.5 * total[..., 2]
        r = np.maximum(np.hypot(d, s), 1e-300)
        way = np.stack([0.5 + 0.5 * d / r, 0.5 - 0.5 * d / r, 0.5 * s / r], axis=-1)
        out = np.where(taut == 2, out, np.where(taut == 1, young * (mean + r)[..., None] * way, 0.0))
    return out


def strains_of_shell(
    fields: ShellFields, elastic: ShellSection, vectors: np.ndarray
) -> dict[str, tuple[Any, str, str]]:
    """Strains, and the forces and moments of an elastic section, at nodes, by name: values (nt, N), unit, label."""
    E, K = fields.at_corners(vectors)
    groups = {
        "stretch": (E * (1.0, 1.0, 0.5), "", "stretch along the axes"),
        "curvature": (K * (1.0, 1.0, 0.5), "1/m", "curvature, less that at rest, along the axes"),
        "force": (forces_of(elastic, E), "N/m", "force over the length of a section, along the axes"),
        "moment": (K @ elastic.bending, "N", "moment over the length of a section, along the axes"),
    }
    out: dict[str, tuple[Any, str, str]] = {}
    for name, (values, unit, words) in groups.items():
        mean = fields.nodes_of(values)
        out |= {f"{name}_{ends}": (mean[..., i], unit, f"{words} {ends}") for i, ends in enumerate(("11", "22", "12"))}
    return out


def field_of_shell(
    body: ShellBody, what: str, displacement: np.ndarray, vectors: np.ndarray
) -> tuple[np.ndarray, str, str, tuple[str, ...]]:
    """A field for displacements (nt, N, 3) of nodes and vectors (nt, V, 3), as `Body.field`."""
    if what not in FIELDS:
        raise ModelError.at(str(body.name), f'has no field "{what}"; {suggestion(what, FIELDS)}')
    unit, words = FIELDS[what]
    if what == "displacement":
        return displacement, unit, words, ("x", "y", "z")
    fields, elastic, t = body.strain_fields, body.elastic, body.thickness
    E, K = fields.at_corners(vectors)
    if what == "strain":
        values = fields.in_space(E * (1.0, 1.0, 0.5))
        if elastic.wrinkles[0] == 0.0 and _plane_stress(body):  # what is across is known
            nu = body.material.nu
            across = -nu / (1.0 - nu) * (E[..., 0] + E[..., 1])
            normal = np.stack([fields.normals[:, i] * fields.normals[:, j] for i, j in _PAIRS], axis=1)
            values = values + across[..., None] * normal
        return fields.nodes_of(values * (1.0, 1.0, 1.0, 2.0, 2.0, 2.0)), unit, words, SIX
    if what == "taut":
        rest = np.linalg.solve(elastic.stretch, elastic.tension)
        return fields.nodes_of(0.5 * taut_of(E + rest, body.material.nu)), unit, words, ()
    membrane, bending = forces_of(elastic, E) / t, K @ (elastic.bending * 12.0 / t**3) * t
    # a normal that turns towards what it bends to: a positive n . r_ab presses the top
    faces = {x: fields.nodes_of(fields.in_space(membrane - x * bending)) for x in (0.0, 0.5, -0.5)}
    if what == "von_mises":
        return np.maximum(von_mises(faces[0.5]), von_mises(faces[-0.5])), unit, words, ()
    return faces[_FACES[what]], unit, words, SIX


def _plane_stress(body: ShellBody) -> bool:
    word = getattr(body, "elasticity", "plane-stress")
    return isinstance(word, str) and word == "plane-stress"


SMOOTH = np.cos(0.9)
"""Cosine between the normals of neighbours across which strains go on."""
STATED = 1e-6
"""What of a coefficient's column must be left beside those before it, over its size, for the points to determine it."""


def powers(place: np.ndarray) -> np.ndarray:
    """1, x, y, x y, x^2, y^2, x^2 y, x y^2 at places (p, 2)."""
    x, y = place.T
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y, x * x * y, x * y * y], axis=1)


def independent(columns: np.ndarray) -> list[int]:
    """Columns that do not follow from those before them, the first ones preferred."""
    kept: list[int] = []
    basis = np.zeros((len(columns), 0))
    for j, column in enumerate(columns.T):
        left = column - basis @ (basis.T @ column)
        size = np.linalg.norm(left)
        if size > STATED * np.linalg.norm(column) and len(kept) < len(columns):
            basis = np.column_stack([basis, left / size])
            kept.append(j)
    return kept


def weights(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """What the values at points (p, 2) count at corners (c, 2), (c, p), by least squares."""
    P = powers(points)
    kept = independent(P)
    return powers(corners)[:, kept] @ np.linalg.pinv(P[:, kept])


def turn(axes: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Tensors (11, 22, twice 12) along `other` (p, 2, 3) as those along `axes` (c, 2, 3), (c, p, 3, 3)."""
    c = np.einsum("ci,pi->cp", axes[:, 0], other[:, 0])
    s = np.einsum("ci,pi->cp", axes[:, 0], other[:, 1])
    size = np.hypot(c, s)
    c, s = c / size, s / size
    rows = [[c * c, s * s, c * s], [s * s, c * c, -c * s], [-2.0 * c * s, 2.0 * c * s, c * c - s * s]]
    return np.moveaxis(np.array(rows), (0, 1), (2, 3))


def neighbours(cells: np.ndarray, normals: np.ndarray) -> list[np.ndarray]:
    """Elements that share a node with each, itself first, and go on smoothly from it."""
    at: dict[int, list[int]] = {}
    for k, cell in enumerate(cells):
        for node in cell:
            at.setdefault(int(node), []).append(k)
    out = []
    for k, cell in enumerate(cells):
        some = [j for j in dict.fromkeys(j for node in cell for j in at[int(node)]) if j != k]
        out.append(np.array([k, *(j for j in some if normals[j] @ normals[k] > SMOOTH)]))
    return out


def recovery(cells: np.ndarray, points: np.ndarray, axes: np.ndarray, corners: np.ndarray, ends: np.ndarray):
    """The matrix (12 m, 12 m), sparse, from tensors (11, 22, twice 12) at four points of each of m elements to corners.

    points, corners    their places (4 m, 3)
    axes, ends         axes (4 m, 2, 3) of both
    """
    from scipy.sparse import coo_array

    m = len(cells)
    middle = axes.reshape(m, 4, 2, 3).mean(axis=1)
    normals = np.cross(middle[:, 0], middle[:, 1])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    rows, columns, values = [], [], []
    for k, near in enumerate(neighbours(cells, normals)):
        own, all_ = 4 * k + np.arange(4), (4 * near[:, None] + np.arange(4)).ravel()
        origin = points[own].mean(axis=0)
        size = np.max(np.linalg.norm(corners[own] - origin, axis=1))
        plane = middle[k] / size
        w = weights((points[all_] - origin) @ plane.T, (corners[own] - origin) @ plane.T)
        block = w[:, :, None, None] * turn(ends[own], axes[all_])
        c, p, i, j = np.nonzero(block)
        rows.append(3 * own[c] + i)
        columns.append(3 * all_[p] + j)
        values.append(block[c, p, i, j])
    parts = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return coo_array(parts, shape=(12 * m, 12 * m)).tocsr()

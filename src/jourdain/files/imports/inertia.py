"""Inertias of imported bodies: sums of parts, MuJoCo's meshes, and what no body can have."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...describe.bodies.rigid import inertia_problems
from ..xml import Element
from .reading import Reader

IMPOSSIBLE = "inertia that no body can have"


class Part(NamedTuple):
    """Mass [kg], centre of mass (3,) [m] and inertia about it (3, 3) [kg m^2], in one set of axes."""

    mass: float
    com: np.ndarray
    inertia: np.ndarray


NOTHING = Part(0.0, np.zeros(3), np.zeros((3, 3)))


def together(parts: list[Part]) -> Part:
    """The body that some parts make."""
    mass = sum(part.mass for part in parts)
    if not mass > 0.0:
        return NOTHING
    com = sum((part.mass * part.com for part in parts), np.zeros(3)) / mass
    total = np.zeros((3, 3))
    for part in parts:
        d = part.com - com
        total += part.inertia + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return Part(mass, com, 0.5 * (total + total.T))


def possible(reader: Reader, element: Element, inertia: np.ndarray) -> np.ndarray:
    """An inertia that a body can have. One that none can have is a feature that is not carried over: where that is
    ignored, negative principal moments become zero and the largest the sum of the other two."""
    if not inertia_problems(inertia, ""):
        return inertia
    moments, axes = np.linalg.eigh(0.5 * (inertia + inertia.T))
    reader.left(element, IMPOSSIBLE)
    moments = np.maximum(moments, 0.0)
    moments[2] = min(moments[2], moments[0] + moments[1])
    turned = axes @ np.diag(moments) @ axes.T
    return 0.5 * (turned + turned.T)


def mesh_part(vertices: np.ndarray, triangles: np.ndarray, kind: str) -> Part:
    """A mesh of unit density, as MuJoCo sums it.

    kind    "exact": signed tetrahedra with the middle of the surface; "legacy": all of them positive, which is the
            same for star-shaped meshes and too much for others; "convex": the hull; "shell": unit density of area
    """
    if kind == "convex":
        from ...describe.shapes import ConvexMesh

        vertices, triangles = ConvexMesh(vertices).to_mesh()
        kind = "exact"
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    normals = np.cross(b - a, c - a)
    areas = 0.5 * np.linalg.norm(normals, axis=1)
    middles = (a + b + c) / 3.0
    area = float(areas.sum())
    if not area > 0.0:
        return NOTHING
    centre = areas @ middles / area
    if kind == "shell":
        d = np.stack([a - centre, b - centre, c - centre])
        s = d.sum(axis=0)
        second = (sum((areas[:, None] * x).T @ x for x in d) + (areas[:, None] * s).T @ s) / 12.0
        return Part(area, centre, np.trace(second) * np.eye(3) - second)

    def volumes(origin: np.ndarray) -> np.ndarray:
        signed = np.einsum("ij,ij->i", middles - origin, normals) / 6.0
        return np.abs(signed) if kind == "legacy" else signed

    weights = volumes(centre)
    volume = float(weights.sum())
    if not abs(volume) > 0.0:
        return NOTHING
    com = weights @ (0.75 * middles + 0.25 * centre) / volume
    # mass goes by the tetrahedra about the centre of mass, as the inertia does
    weights = volumes(com)
    volume = float(weights.sum())
    d = np.stack([a - com, b - com, c - com])
    s = d.sum(axis=0)
    second = (sum((weights[:, None] * x).T @ x for x in d) + (weights[:, None] * s).T @ s) / 20.0
    return Part(abs(volume), com, np.sign(volume) * (np.trace(second) * np.eye(3) - second))

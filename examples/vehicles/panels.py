"""
Potential flow by source panels
===============================

Unsteady potential flow about moving closed bodies by flat source panels (Hess & Smith 1967; Carrarini 2002).
The potential is Phi = 1 / (4 pi) sum sigma_j I_j, with I_j the integral of 1 / r over triangle j; on the walls the flow
has their normal velocity, and the pressure is p = -rho (dPhi/dt + u . u / 2).
"""

import numpy as np


def triangle_integrals(points, triangles):
    """Integrals of 1 / r over triangles (m, 3, 3) at points (n, 3), and their gradients: (n, m), (n, m, 3).

    With t the distance from an edge in the plane, f the logarithm along it, h the height and W the solid angle:
    I = sum t f - h W, grad I = -sum u f - n W (Wilton et al. 1984; solid angle by van Oosterom & Strackee 1983).
    """
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    r = triangles[None] - points[:, None, None]
    size = np.linalg.norm(r, axis=3)
    height = -np.einsum("nmk,mk->nm", r[:, :, 0], normal)
    value = np.zeros(height.shape)
    slope = np.zeros((*height.shape, 3))
    for i in range(3):
        k = (i + 1) % 3
        along = triangles[:, k] - triangles[:, i]
        along /= np.linalg.norm(along, axis=1)[:, None]
        outward = np.cross(along, normal)
        t = np.einsum("nmk,mk->nm", r[:, :, i], outward)
        a, b = np.einsum("nmk,mk->nm", r[:, :, i], along), np.einsum("nmk,mk->nm", r[:, :, k], along)
        # of the two forms of the logarithm, the one without cancellation
        f = np.where(a + b > 0, np.log((size[:, :, k] + b) / (size[:, :, i] + a)),
                     np.log((size[:, :, i] - a) / (size[:, :, k] - b)))  # fmt: skip
        value += t * f
        slope -= outward[None] * f[..., None]
    triple = np.einsum("nmk,nmk->nm", r[:, :, 0], np.cross(r[:, :, 1], r[:, :, 2]))
    dots = [np.einsum("nmk,nmk->nm", r[:, :, i], r[:, :, (i + 1) % 3]) for i in range(3)]
    below = np.prod(size, axis=2) + sum(dots[i] * size[:, :, (i + 2) % 3] for i in range(3))
    angle = -2.0 * np.arctan2(triple, below)
    return value - height * angle, slope - normal[None] * angle[..., None]


def point_integrals(points, places, areas):
    """The same with each panel as one point: cheap, and of the same order for panels of one size on a smooth body."""
    r = places[None] - points[:, None]
    size = np.linalg.norm(r, axis=2)
    size[size == 0.0] = np.inf
    return areas / size, areas[None, :, None] * r / size[..., None] ** 3


class Body:
    """A closed surface of triangles, normals outward.

    places, normals, areas    of the panels
    exact                     whether panels are integrated, or taken as points
    """

    def __init__(self, vertices, faces, exact=True):
        self.exact = exact
        self.triangles = np.asarray(vertices, float)[np.asarray(faces)]
        across = np.cross(self.triangles[:, 1] - self.triangles[:, 0], self.triangles[:, 2] - self.triangles[:, 0])
        self.areas = 0.5 * np.linalg.norm(across, axis=1)
        self.normals = across / (2 * self.areas)[:, None]
        self.places = self.triangles.mean(axis=1)
        self.volume = float(np.sum(self.areas * np.einsum("ij,ij->i", self.places, self.normals)) / 3.0)
        self.own = self.influence(self, np.zeros(3))
        # seen from outside its own plane, a panel pushes half of its strength away
        np.einsum("iik->ik", self.own[1])[:] = -2.0 * np.pi * self.normals
        if not exact:
            np.einsum("ii->i", self.own[0])[:] = 2.0 * np.sqrt(np.pi * self.areas)  # as of a disc

    def influence(self, other, shift):
        """Integrals of the panels of this body at the panels of another that is displaced by `shift`."""
        if self.exact:
            return triangle_integrals(other.places + shift, self.triangles)
        return point_integrals(other.places + shift, self.places, self.areas)


def flow(bodies, shifts, velocities):
    """Strengths, potentials and flow velocities at the panels of all bodies, whose walls move with `velocities`."""
    blocks = [[a.own if a is b else a.influence(b, sb - sa) for a, sa in zip(bodies, shifts)]
              for b, sb in zip(bodies, shifts)]  # fmt: skip
    value = np.block([[one[0] for one in row] for row in blocks]) / (4 * np.pi)
    slope = np.concatenate([np.concatenate([one[1] for one in row], axis=1) for row in blocks]) / (4 * np.pi)
    normals, walls = np.concatenate([one.normals for one in bodies]), np.concatenate(velocities)
    strength = np.linalg.solve(np.einsum("ijk,ik->ij", slope, normals), np.einsum("ik,ik->i", walls, normals))
    return strength, value @ strength, np.einsum("ijk,j->ik", slope, strength)


def revolved(length, width, height, along, around, fullness=6.0):
    """A closed body with rounded ends along x: a superellipse of that power turned about its axis."""
    x = -0.5 * length * np.cos(np.linspace(0.0, np.pi, along + 1))
    size = (1.0 - np.abs(2 * x / length) ** fullness).clip(0.0) ** (1.0 / 2.0)
    angle = 2 * np.pi * np.arange(around) / around
    rings = [np.c_[np.full(around, s), 0.5 * width * r * np.cos(angle), 0.5 * height * r * np.sin(angle)]
             for s, r in zip(x[1:-1], size[1:-1])]  # fmt: skip
    vertices = np.concatenate([*rings, [[x[0], 0, 0], [x[-1], 0, 0]]])
    first, last = len(vertices) - 2, len(vertices) - 1
    faces = []
    for j in range(around):
        k = (j + 1) % around
        faces.append((first, k, j))
        for i in range(along - 2):
            a, b = i * around + j, i * around + k
            faces += [(a, b, a + around), (b, b + around, a + around)]
        end = (along - 2) * around
        faces.append((last, end + j, end + k))
    return Body(vertices, faces)


def sphere(divisions=2, exact=True):
    """A ball of radius 1 from an icosahedron: 20 panels, four times as many with each division."""
    g = (1 + 5**0.5) / 2
    v = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g), (0, -1, -g), (0, 1, -g), (g, 0, -1),
         (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]  # fmt: skip
    f = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
         (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7),
         (9, 8, 1)]  # fmt: skip
    triangles = np.array(v, float)[np.array(f)]
    for _ in range(divisions):
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        triangles = np.concatenate([np.stack(one, 1) for one in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])
        triangles /= np.linalg.norm(triangles, axis=2)[..., None]
    vertices = triangles.reshape(-1, 3)
    return Body(vertices, np.arange(len(vertices)).reshape(-1, 3), exact)

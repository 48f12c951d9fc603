"""Small finite-element models that tests reduce: a beam of 3-D Euler-Bernoulli elements, and a lattice of springs."""

from __future__ import annotations

import numpy as np


def beam_elements(
    length: float,
    count: int,
    mass_per_length: float,
    EA: float,
    EI: tuple[float, float],
    GJ: float,
    inertia_per_length: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Consistent mass and stiffness, six degrees of freedom a node, and nodes of a uniform beam along x.

    EI = (a, b): a resists deflection along y, b along z, as in `jourdain.Beam`. No rotary inertia but about x.
    """
    h = length / count
    size = 6 * (count + 1)
    M, K = np.zeros((size, size)), np.zeros((size, size))
    bend = np.array([[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]], float)
    inert = np.array([[156, 22, 54, -13], [22, 4, 13, -3], [54, 13, 156, -22], [-13, -3, -22, 4]], float) / 420
    rod, rod_mass = np.array([[1, -1], [-1, 1]], float), np.array([[2, 1], [1, 2]], float) / 6
    for k in range(count):
        ends = 6 * k, 6 * k + 6
        for direction, stiffness, mass in ((0, EA, mass_per_length), (3, GJ, inertia_per_length)):
            index = np.ix_([end + direction for end in ends], [end + direction for end in ends])
            K[index] += stiffness / h * rod
            M[index] += mass * h * rod_mass
        for deflection, rotation, sign, stiffness in ((1, 5, 1.0, EI[0]), (2, 4, -1.0, EI[1])):
            scale = np.array([1.0, sign * h, 1.0, sign * h])
            rows = [ends[0] + deflection, ends[0] + rotation, ends[1] + deflection, ends[1] + rotation]
            index = np.ix_(rows, rows)
            K[index] += stiffness / h**3 * bend * np.outer(scale, scale)
            M[index] += mass_per_length * h * inert * np.outer(scale, scale)
    nodes = np.column_stack([np.linspace(0.0, length, count + 1), np.zeros(count + 1), np.zeros(count + 1)])
    return M, K, nodes


def spring_lattice(
    rng: np.random.Generator, shape: tuple[int, int, int] = (4, 2, 2), consistent: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass and stiffness, three degrees of freedom a node, and nodes of points joined by springs with their neighbours.

    The masses are lumped, or a random positive definite matrix that couples equal directions of all nodes.
    """
    grid = np.stack(np.meshgrid(*[np.arange(n, dtype=float) for n in shape], indexing="ij"), -1).reshape(-1, 3)
    nodes = 0.3 * (grid + 0.15 * rng.normal(size=grid.shape))
    count = len(nodes)
    K = np.zeros((3 * count, 3 * count))
    for i in range(count):
        for j in range(i):
            if np.linalg.norm(grid[i] - grid[j]) < 1.8:
                d = nodes[i] - nodes[j]
                k = rng.uniform(2e3, 6e3) * np.outer(d, d) / (d @ d)
                for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                    K[3 * a : 3 * a + 3, 3 * b : 3 * b + 3] += sign * k
    scalar = np.diag(rng.uniform(0.2, 0.8, count))
    if consistent:
        mix = 0.05 * rng.normal(size=(count, count))
        scalar = scalar + mix @ mix.T
    return np.kron(scalar, np.eye(3)), K, nodes

"""Second derivatives of accelerations in closed form, against differences of sixth order of the exact first ones."""

from __future__ import annotations

import numpy as np
import pytest
from differences import sixth
from strategies import random_body

import jourdain as jd
from jourdain.methods.optimal.model_plant import ModelPlant
from jourdain.methods.optimal.plants import Nodes
from jourdain.methods.optimal.schemes import even_mesh, scheme_named

JOINTS = {
    "rigid": [lambda n, a: jd.Revolute(n, axis=a, damping=0.2, stiffness=3.0), lambda n, a: jd.Prismatic(n, axis=a)],
    "several": [
        lambda n, a: jd.Universal(n, (a, np.cross(a, (0.3, -0.2, 0.9)))),
        lambda n, a: jd.Cylindrical(n, axis=a),
        lambda n, a: jd.Screw(n, axis=a, pitch=0.1),
        lambda n, a: jd.Planar(n, normal=a),
    ],
    "driven": [
        lambda n, a: jd.Revolute(
            n, axis=a, drive=jd.Drive(gear=20.0, rotor_inertia=1e-3, stiffness=300.0, damping=1.0)
        ),
        lambda n, a: jd.Revolute(n, axis=a, friction=0.4),
    ],
}


def tree(kind: str, rng: np.random.Generator) -> jd.Model:
    """Five bodies with two branches."""
    system = jd.System(kind, gravity=(0.3, -0.2, -9.81))
    for i, carrier in enumerate(("world", "b0.origin", "b1.origin", "b0.origin", "b3.origin")):
        joint = JOINTS[kind][i % len(JOINTS[kind])](f"j{i}", rng.normal(size=3))
        system.add(random_body(rng, f"b{i}"), joint, to=carrier, position=rng.normal(size=3))
    return system.compile()


@pytest.mark.parametrize("kind", JOINTS)
def test_curvature_of_rigid_trees(kind: str) -> None:
    rng = np.random.default_rng(7)
    model = tree(kind, rng)
    plant = ModelPlant(model, model.state(), model.names.v)
    assert plant.closed and not plant.turning
    n, nx, nu = 4, len(plant.states), len(plant.inputs)
    nodes = Nodes(np.zeros(n), rng.normal(size=(n, nx)), rng.normal(size=(n, nu)), np.zeros(0))
    # friction slides everywhere: its effort has a kink where it begins to, and differences must not step over it
    nodes.X[:, model.nq :] = np.sign(nodes.X[:, : model.nq]) * (0.1 + np.abs(nodes.X[:, model.nq :]))
    weights = rng.normal(size=(n, nx))
    found = plant.curvature(nodes, weights)

    def slope(at: Nodes) -> np.ndarray:
        return np.einsum("nx,nxl->nl", weights, plant.partials(at)[1])

    for j in range(nx + nu):
        wanted = sixth(lambda h, j=j: slope(nodes.moved(j, h)))
        # h^6 / 140 of the seventh derivative, and rounding of the slopes over h: 1e-8 of the largest
        assert np.abs(found[:, j] - wanted).max() < 1e-8 * np.abs(found).max(), j
    assert not found[:, : nx + nu, : nx + nu][:, ~plant.bent].any()


def test_curvature_by_differences_is_the_same() -> None:
    rng = np.random.default_rng(8)
    model = tree("rigid", rng)
    plant = ModelPlant(model, model.state())
    n, nx, nu = 3, len(plant.states), len(plant.inputs)
    nodes = Nodes(np.zeros(n), rng.normal(size=(n, nx)), rng.normal(size=(n, nu)), np.zeros(0))
    weights = rng.normal(size=(n, nx))
    closed = plant.curvature(nodes, weights)
    plant.closed = False
    assert np.abs(plant.curvature(nodes, weights) - closed).max() < 1e-6 * np.abs(closed).max()


@pytest.mark.parametrize("name", ["trapezoidal", "hermite-simpson", "radau"])
def test_mixed_rows_are_those_of_the_integrals(name: str) -> None:
    """Rows as they stand are the mixing times those with the integrals, and multipliers go back by its transpose."""
    mesh, rng = even_mesh(scheme_named(name), 3), np.random.default_rng(1)
    scheme, K = mesh.scheme, len(mesh.scheme.points)
    X, F = rng.normal(size=(2, mesh.size, 2))
    plain = X[mesh.own] - X[mesh.begins][:, None] - mesh.lengths[:, None, None] * (scheme.matrix @ F[mesh.own])
    plain = plain[:, K - len(scheme.mixing) :].reshape(mesh.rows, 2)
    mixed = np.zeros((mesh.rows, 2))
    for sign, (row, node, number), values in ((1.0, mesh.state_at, X), (-1.0, mesh.rate_at, F)):
        np.add.at(mixed, row, sign * number[:, None] * values[node])
    multipliers = rng.normal(size=mixed.shape)
    assert np.sum(multipliers * mixed) == pytest.approx(np.sum(mesh.unmixed(multipliers) * plain), rel=1e-13)
    assert np.linalg.matrix_rank(scheme.mixing) == len(scheme.mixing)
    counted = {"trapezoidal": 2, "hermite-simpson": 4, "radau": 3}[name]
    assert len(mesh.rate_at[0]) == 3 * counted

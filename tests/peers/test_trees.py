"""Every model function against Pinocchio and MuJoCo on random trees, to 1e-9 relative."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from peers.trees import state, tree

TOLERANCE = 1e-9
PEERS = ("pinocchio", "mujoco")
SEEDS = range(25)
SHARED = {
    "pinocchio": ("revolute", "prismatic", "screw", "cylindrical", "universal", "spherical", "planar", "free", "weld"),
    "mujoco": ("revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free", "weld"),
}
CASES = [
    *((peer, "mixed", seed) for peer in PEERS for seed in SEEDS),
    *((peer, kind, 100 + seed) for peer in PEERS for kind in SHARED[peer] for seed in range(2)),
]


def translated(peer: str, model: jd.Model) -> Any:
    """The model in a peer; the test is skipped where the peer is not installed."""
    pytest.importorskip(peer, reason=f"{peer} is not installed; the extra `peers` brings it")
    return getattr(importlib.import_module(f"peers.with_{peer}"), peer.capitalize())(model)


@cache
def case(peer: str, kinds: str, seed: int) -> tuple[jd.Model, jd.State, Any]:
    """A random model, a random state, and the model in a peer."""
    chosen = SHARED[peer] if kinds == "mixed" else (("revolute", "weld") if kinds == "weld" else (kinds,))
    model = tree(seed, chosen, floating=seed % 3 == 1, springs=peer == "mujoco").compile()
    return model, state(model, seed), translated(peer, model)


def agree(ours: Any, theirs: Any, scale: float = 0.0) -> None:
    """Equal to 1e-9 of the largest entry, or of `scale` where that is more."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape
    size = max(float(np.max(np.abs(theirs), initial=0.0)), scale)
    worst = float(np.max(np.abs(ours - theirs), initial=0.0))
    assert worst <= TOLERANCE * size, f"off by {worst:.3g}, {worst / size:.3g} of the largest"


every_case = pytest.mark.parametrize(("peer", "kinds", "seed"), CASES)


@every_case
def test_poses(peer: str, kinds: str, seed: int) -> None:
    model, at, other = case(peer, kinds, seed)
    for address in model.frame_names[1:]:
        ours = model.pose(address, at)
        position, rotation = other.pose(address, at.q)
        agree(ours.position, position, scale=1.0)
        agree(ours.rotation, rotation)


@every_case
def test_jacobians(peer: str, kinds: str, seed: int) -> None:
    model, at, other = case(peer, kinds, seed)
    for address in model.frame_names[1:]:
        theirs = other.jacobian(address, at.q)
        agree(model.jacobian(address, at), theirs, scale=1.0)
        agree(model.velocity(address, at), theirs @ at.v, scale=1.0)


@every_case
def test_mass_matrix(peer: str, kinds: str, seed: int) -> None:
    model, at, other = case(peer, kinds, seed)
    agree(model.mass_matrix(at), other.mass_matrix(at.q))


@every_case
def test_inverse_dynamics(peer: str, kinds: str, seed: int) -> None:
    model, at, other = case(peer, kinds, seed)
    a = np.random.default_rng(seed).normal(size=model.nv)
    agree(model.inverse_dynamics(at, a), other.inverse_dynamics(at.q, at.v, a))
    agree(model.bias(at), other.inverse_dynamics(at.q, at.v, np.zeros(model.nv)))


@every_case
def test_forward_dynamics(peer: str, kinds: str, seed: int) -> None:
    model, at, other = case(peer, kinds, seed)
    effort = np.random.default_rng(seed).normal(size=model.nv)
    agree(model.forward_dynamics(at, effort), other.forward_dynamics(at.q, at.v, effort))


@every_case
def test_centre_of_mass_and_momentum(peer: str, kinds: str, seed: int) -> None:
    model, at, other = case(peer, kinds, seed)
    centre = other.centre_of_mass(at.q)
    agree(model.centre_of_mass(at), centre, scale=1.0)
    angular, linear = other.momentum(at.q, at.v)
    agree(model.momentum(at, about=centre).angular, angular, scale=1.0)
    agree(model.momentum(at).linear, linear, scale=1.0)
    point = np.array([0.3, -1.2, 0.7])
    agree(model.momentum(at, about=point).angular, angular + np.cross(centre - point, linear), scale=1.0)


@every_case
def test_energy(peer: str, kinds: str, seed: int) -> None:
    model, at, other = case(peer, kinds, seed)
    ours = model.energy(at)
    kinetic, potential = other.energy(at.q, at.v)
    agree(ours.kinetic, kinetic)
    agree(ours.gravity + ours.strain, potential, scale=1.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_accelerations_of_frames(seed: int) -> None:
    model, at, other = case("pinocchio", "mixed", seed)
    a = np.random.default_rng(seed).normal(size=model.nv)
    for address in model.frame_names[1:]:
        agree(model.acceleration(address, at, a), other.acceleration(address, at.q, at.v, a), scale=1.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_hybrid_dynamics(seed: int) -> None:
    """Some accelerations given: the efforts that this takes are those of Pinocchio's inverse dynamics."""
    model, at, other = case("pinocchio", "mixed", seed)
    rng = np.random.default_rng(seed)
    effort = rng.normal(size=model.nv)
    given = {name: float(rng.normal()) for name in model.names.v if rng.random() < 0.4}
    result = model.hybrid_dynamics(at, effort, given)
    for name, value in given.items():
        assert result.acceleration[model.index.v[name]] == value
    efforts = other.inverse_dynamics(at.q, at.v, result.acceleration)
    agree(result.effort, efforts, scale=float(np.max(np.abs(effort))))
    free = [k for k, name in enumerate(model.names.v) if name not in given]
    agree(efforts[free], effort[free], scale=float(np.max(np.abs(efforts))))


@pytest.mark.parametrize("seed", SEEDS)
def test_forces_at_frames(seed: int) -> None:
    """Forces in world and body axes enter as Pinocchio's Jacobians say: effort + J^T (moment, force)."""
    system = tree(seed, SHARED["pinocchio"], floating=seed % 3 == 1)
    rng = np.random.default_rng(seed)
    loads = []
    for i in range(3):
        address = f"b{rng.integers(len(system.bodies))}.{rng.choice(['origin', 'a', 'b'])}"
        loads.append((address, *rng.normal(size=(2, 3)), ("world", "body")[i % 2]))
        system.force(f"push {i}", at=address, moment=loads[-1][1], force=loads[-1][2], axes=loads[-1][3])
    model = system.compile()
    at = state(model, seed)
    other = translated("pinocchio", model)
    effort = np.zeros(model.nv)
    for address, moment, force, axes in loads:
        R = np.eye(3) if axes == "world" else other.pose(f"{address.partition('.')[0]}.origin", at.q)[1]
        effort += other.jacobian(address, at.q).T @ np.concatenate([R @ moment, R @ force])
    agree(model.forward_dynamics(at), other.forward_dynamics(at.q, at.v, effort))

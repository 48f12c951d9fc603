"""The body contract with internal coordinates: masses on springs inside a body are the same as a tree of sliders."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.describe.bodies.body import Body, MarkerData
from jourdain.describe.bodies.floating_frame.lumped_beam import LumpedBeam, LumpedStation, Slice

DIRECTIONS = np.array([[0.6, 0.8, 0.0], [0.0, -0.28, 0.96]])
PLACES = np.array([[0.3, 0.1, -0.2], [-0.1, 0.4, 0.25]])
MASSES = (1.7, 0.6)
STIFFNESS = (40.0, 90.0)
DAMPING = (0.3, 0.7)
CORE = dict(mass=4.0, com=(0.05, -0.1, 0.15), inertia=np.diag([0.5, 0.6, 0.7]))


class SprungMasses(Body):
    """A rigid core with two point masses that slide inside it on springs and dampers."""

    internal = ("mass[0]", "mass[1]")

    def __init__(self, name):
        self.name = name

    def frame_names(self):
        return ("origin", "rider")

    def frame(self, name):
        return jd.Pose() if name == "origin" else jd.Pose(PLACES[1], Rotation.from_rotvec([0.2, -0.4, 0.1]))

    def check(self):
        return []

    def _station(self, place, moving=None):
        psi = np.zeros((2, 3))
        if moving is not None:
            psi[moving] = DIRECTIONS[moving]
        return LumpedStation(np.asarray(place, float), psi, np.zeros((2, 3)), np.zeros((2, 2)), np.zeros((2, 2)))

    def data(self, held):
        slices = [Slice(CORE["mass"], CORE["inertia"], self._station(CORE["com"]))]
        slices += [Slice(MASSES[k], np.zeros((3, 3)), self._station(PLACES[k], k)) for k in range(2)]
        return LumpedBeam(slices, np.eye(3), np.diag(STIFFNESS), np.diag(DAMPING)).data(held)

    def marker(self, name, held):
        station = self._station(PLACES[1], 1) if name == "rider" else self._station(np.zeros(3))
        return MarkerData(held.inverse() @ self.frame(name), station.numbers(held))

    def to_dict(self):
        return {"kind": "sprung", "name": self.name}

    @classmethod
    def from_dict(cls, data, address="body"):
        return cls(data["name"])


POSE = dict(position=(0.1, 0.2, -0.3), rotation=Rotation.from_rotvec([0.3, 0.1, -0.5]))
RIDER = dict(mass=2.0, com=(0.1, 0.2, 0.0), inertia=(0.1, 0.2, 0.15))
JOINTS = {
    "revolute": lambda name: jd.Revolute(name, axis=(1, 2, 2)),
    "prismatic": lambda name: jd.Prismatic(name, axis=(2, -1, 2)),
    "screw": lambda name: jd.Screw(name, axis=(2, -1, 2), pitch=0.3),
    "universal": lambda name: jd.Universal(name, axes=("x", (0, 1, 1))),
    "spherical": lambda name: jd.Spherical(name),
    "planar": lambda name: jd.Planar(name),
    "cylindrical": lambda name: jd.Cylindrical(name),
    "free": lambda name: jd.Free(name),
    "weld": lambda name: jd.Weld(name),
}


def build(flexible, inner, outer):
    """base body - (sprung body) - rider on the second mass - leaf, as one flexible body or as sliders."""
    system = jd.System("sprung", gravity=(0.5, -0.3, -9.0))
    system.add(jd.RigidBody("base", 3.0, (0.1, 0, 0), (0.3, 0.2, 0.4), {"tip": (0.4, 0.1, 0)}), JOINTS["free"]("root"))
    if flexible:
        system.add(SprungMasses("core"), JOINTS[inner]("inner"), to="base.tip", **POSE)
        ride = "core.rider"
    else:
        system.add(jd.RigidBody("core", **CORE), JOINTS[inner]("inner"), to="base.tip", **POSE)
        for k in range(2):
            slider = jd.Prismatic(f"slide{k}", axis=DIRECTIONS[k], stiffness=STIFFNESS[k], damping=DAMPING[k])
            turn = SprungMasses("core").frame("rider").rotation if k == 1 else np.eye(3)
            system.add(
                jd.RigidBody(f"mass{k}", MASSES[k], frames={"rider": jd.Pose((0, 0, 0), turn)}),
                slider,
                to="core.origin",
                position=PLACES[k],
            )
        ride = "mass1.rider"
    system.add(jd.RigidBody("rider", **RIDER, frames={"end": (0.2, 0, 0.1)}), JOINTS[outer]("outer"), to=ride, **POSE)
    system.add(jd.RigidBody("leaf", **RIDER), jd.Revolute("leaf_hinge", axis="x", stiffness=2.0), to="rider.end")
    system.force("push", at="leaf.origin", force=(1.0, 2.0, -1.0), moment=(0.3, 0.0, 0.2), axes="body")
    system.force("press", at=ride, force=(-1.0, 0.5, 2.0))
    return system.compile()


@pytest.fixture(
    scope="module", params=[("revolute", kind) for kind in JOINTS] + [("free", "weld"), ("weld", "revolute")]
)
def pair(request):
    flexible, rigid = build(True, *request.param), build(False, *request.param)
    rename = {"core.mass[0]": "slide0", "core.mass[1]": "slide1"}
    order_q = [rigid.index.q[rename.get(name, name)] for name in flexible.names.q]
    order_v = [rigid.index.v[rename.get(name, name)] for name in flexible.names.v]
    rng = np.random.default_rng(3)
    q = flexible.neutral + 0.3 * rng.normal(size=flexible.nq)
    for j, _, free in flexible.arrays.rotations.array:
        j += 3 * free
        q[j : j + 4] /= np.linalg.norm(q[j : j + 4])
    v = rng.normal(size=flexible.nv)
    rigid_q, rigid_v = np.zeros(rigid.nq), np.zeros(rigid.nv)
    rigid_q[order_q], rigid_v[order_v] = q, v
    return flexible, flexible.state(q, v), rigid, rigid.state(rigid_q, rigid_v), order_v


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10 * (1.0 + np.max(np.abs(b))))


def test_same_as_sliders(pair):
    flexible, state, rigid, rigid_state, order = pair
    close(flexible.mass_matrix(state), rigid.mass_matrix(rigid_state)[np.ix_(order, order)])
    close(flexible.bias(state), rigid.bias(rigid_state)[order])
    effort = np.random.default_rng(5).normal(size=flexible.nv)
    rigid_effort = np.zeros(rigid.nv)
    rigid_effort[order] = effort
    close(flexible.forward_dynamics(state, effort), rigid.forward_dynamics(rigid_state, rigid_effort)[order])
    for address in ("leaf.origin", "rider.end"):
        close(flexible.velocity(address, state), rigid.velocity(address, rigid_state))
        close(flexible.jacobian(address, state), rigid.jacobian(address, rigid_state)[:, order])
        close(flexible.acceleration(address, state), rigid.acceleration(address, rigid_state))
    close(flexible.velocity("core.rider", state), rigid.velocity("mass1.rider", rigid_state))
    close(flexible.jacobian("core.rider", state), rigid.jacobian("mass1.rider", rigid_state)[:, order])
    close(flexible.acceleration("core.rider", state), rigid.acceleration("mass1.rider", rigid_state))
    close(flexible.pose("core.rider", state).rotation, rigid.pose("mass1.rider", rigid_state).rotation)
    for a, b in zip(flexible.momentum(state), rigid.momentum(rigid_state), strict=True):
        close(a, b)
    close(flexible.centre_of_mass(state), rigid.centre_of_mass(rigid_state))
    ours, theirs = flexible.energy(state), rigid.energy(rigid_state)
    for what in ("kinetic", "gravity", "strain"):
        close(ours[what], theirs[what])


def test_formulations_agree(pair):
    flexible, state, _, _, _ = pair
    effort = np.random.default_rng(6).normal(size=flexible.nv)
    a = flexible.forward_dynamics(state, effort)
    close(flexible.inverse_dynamics(state, a), effort)
    fixed = {name: 0.7 for name in flexible.names.v[::3]}
    hybrid = flexible.hybrid_dynamics(state, effort, fixed)
    close(flexible.inverse_dynamics(state, hybrid.acceleration), hybrid.effort)
    assert all(hybrid.acceleration[flexible.index.v[name]] == 0.7 for name in fixed)


def test_same_motion():
    models = build(True, "revolute", "universal"), build(False, "revolute", "universal")
    runs = []
    for model in models:
        slider = "core.mass[0]" if "core.mass[0]" in model.index.q else "slide0"
        state = model.state(q={slider: 0.1}, v={"inner": 1.0})
        runs.append(jd.simulate(model, state, until=1.0, step=1e-3))
    a, b = (run.record for run in runs)
    paths = [run.model.frame_path("leaf.origin", run.record.q, run.record.v) for run in runs]
    np.testing.assert_allclose(paths[0][:, :3], paths[1][:, :3], atol=1e-9)
    np.testing.assert_allclose(a.energy, b.energy, atol=1e-8)
    balance = a.energy[:, :4].sum(1) - a.energy[0, :4].sum() - a.energy[:, 5] + a.energy[:, 4]
    assert np.max(np.abs(balance)) < 1e-8

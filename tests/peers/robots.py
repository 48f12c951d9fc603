"""Public robots that packages carry, read by us and by the code that the format belongs to."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from peers.coordinates import Coordinates, FixedAxes, LinearFirst, Same


def package(name: str) -> Path:
    """The folder of an installed package, which is not imported; the test is skipped where it is not there."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip(f"{name} is not installed; the extra `peers` brings it")
    return Path(next(iter(spec.submodule_search_locations)))


def described_robots() -> Path:
    """The folder of the robots of example-robot-data."""
    found = package("cmeel").parent / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
    if not found.is_dir():
        pytest.skip("example-robot-data is not installed; the extra `peers` brings it")
    return found


def bare(system: jd.System, passive: bool = True) -> jd.System:
    """The tree alone, without what acts in jumps: dry friction and stops; and without springs and dampers where that
    is said."""
    kept = []
    for item in system.attachments:
        if hasattr(item.joint, "friction"):
            options = {"friction": 0.0, "limits": None, "limit_stiffness": None, "limit_damping": None}
            options |= {} if passive else {"damping": 0.0, "stiffness": 0.0}
            item = replace(item, joint=replace(item.joint, **options))
        kept.append(item)
    system.attachments = kept
    system.connections, system.couplings = [], []
    return system


class Turning(Same):
    """A continuous joint of Pinocchio: cosine and sine of the angle."""

    def __init__(self) -> None:
        super().__init__(2, 1)

    def position(self, q: np.ndarray) -> np.ndarray:
        return np.array([np.cos(q[0]), np.sin(q[0])])


class Blocks(Coordinates):
    """Coordinates whose blocks know how many entries of ours they take."""

    def _own(self, block: Same, q: np.ndarray, at: int) -> np.ndarray:
        return q[at : at + (1 if isinstance(block, Turning) else block.nq)]


class OfPinocchio:
    """A URDF file as Pinocchio reads it, its joints matched to ours by name."""

    def __init__(self, path: Path, system: jd.System, model: jd.Model, free: bool) -> None:
        import pinocchio as pin

        self.pin = pin
        root = (pin.JointModelFreeFlyer(),) if free else ()
        self.model = pin.buildModelFromUrdf(str(path), *root)
        self.data = self.model.createData()
        self.coordinates = Blocks(self.model.nq, self.model.nv)
        for i in range(1, self.model.njoints):
            joint, name = self.model.joints[i], self.model.names[i]
            block = LinearFirst() if joint.nq == 7 else Turning() if (joint.nq, joint.nv) == (2, 1) else Same(1, 1)
            first = name if joint.nq != 7 else f"{name}.x"
            speed = name if joint.nq != 7 else f"{name}.wx"
            q, v = model.index.q[first], model.index.v[speed]
            self.coordinates.add(block, q, v, joint.idx_q, joint.idx_v)
        self.bodies = [item.body.name for item in system.attachments]

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        M = np.triu(self.pin.crba(self.model, self.data, self.coordinates.position(q)))
        T = self.coordinates.map(q)
        return T.T @ (M + M.T - np.diag(np.diag(M))) @ T

    def accelerations(self, q: np.ndarray, v: np.ndarray, effort: np.ndarray) -> np.ndarray:
        T = self.coordinates.map(q)
        A = self.pin.aba(self.model, self.data, self.coordinates.position(q), T @ v, np.linalg.solve(T.T, effort))
        return np.linalg.solve(T, A - self.coordinates.drift(q, v))

    def poses(self, q: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        self.pin.framesForwardKinematics(self.model, self.data, self.coordinates.position(q))
        out = {}
        for name in self.bodies:
            if self.model.existFrame(name, self.pin.FrameType.BODY):
                place = self.data.oMf[self.model.getFrameId(name, self.pin.FrameType.BODY)]
                out[name] = place.translation.copy(), place.rotation.copy()
        return out


class OfMujoco:
    """An MJCF file as MuJoCo reads it; joints stand in the same order as ours.

    Contact and limits are no part of `qacc_smooth`; tendons, fluids and actuators are switched off.
    """

    def __init__(self, path: Path, system: jd.System, model: jd.Model, passive: bool = True) -> None:
        import mujoco

        self.mujoco = mujoco
        m = self.model = mujoco.MjModel.from_xml_path(str(path))
        m.opt.density = m.opt.viscosity = 0.0
        m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ACTUATION)
        m.tendon_stiffness[:] = 0.0
        m.tendon_damping[:] = 0.0
        if not passive:
            m.jnt_stiffness[:] = 0.0
            m.dof_damping[:] = 0.0
        self.data = mujoco.MjData(m)
        self.coordinates = Coordinates(m.nq, m.nv)
        moving = [item for item in system.attachments if item.joint.kind != "weld"]
        assert len(moving) == m.njnt
        for j, item in enumerate(moving):
            joint = item.joint
            nq, nv = len(joint.q_names()), len(joint.v_names())
            block = FixedAxes(nq, nv, item.pose) if joint.kind == "free" else Same(nq, nv)
            if joint.kind in ("free", "spherical"):
                m.dof_damping[m.jnt_dofadr[j] : m.jnt_dofadr[j] + nv] = 0.0
                assert np.all(m.dof_armature[m.jnt_dofadr[j] : m.jnt_dofadr[j] + nv] == 0.0)
            q, v = model.index.q[joint.q_names()[0]], model.index.v[joint.v_names()[0]]
            self.coordinates.add(block, q, v, int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j]))
        held = {item.body.name for item in system.attachments}
        self.names = {m.body(i).name: i for i in range(1, m.nbody) if m.body(i).name in held}

    def _at(self, q: np.ndarray, v: np.ndarray) -> None:
        self.data.qpos[:] = self.coordinates.position(q)
        self.data.qvel[:] = self.coordinates.map(q) @ v

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        self._at(q, np.zeros(self.model.nv))
        self.mujoco.mj_forward(self.model, self.data)
        M = np.zeros((self.model.nv, self.model.nv))
        self.mujoco.mj_fullM(self.model, self.data, M)
        T = self.coordinates.map(q)
        return T.T @ M @ T

    def accelerations(self, q: np.ndarray, v: np.ndarray, effort: np.ndarray) -> np.ndarray:
        self._at(q, v)
        T = self.coordinates.map(q)
        self.data.qfrc_applied[:] = np.linalg.solve(T.T, effort)
        self.mujoco.mj_forward(self.model, self.data)
        return np.linalg.solve(T, self.data.qacc_smooth - self.coordinates.drift(q, v))

    def poses(self, q: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        self._at(q, np.zeros(self.model.nv))
        self.mujoco.mj_forward(self.model, self.data)
        places = {
            name: (self.data.xpos[i].copy(), self.data.xmat[i].reshape(3, 3).copy()) for name, i in self.names.items()
        }
        return places


def random_state(model: jd.Model, seed: int) -> jd.State:
    """A state with all coordinates and velocities away from zero."""
    random = np.random.default_rng(seed)
    q = model.state().q.copy()
    quaternions = {entry: name for name, entry in model.index.q.items() if name.endswith(".qw")}
    inside = {entry + i for entry in quaternions for i in range(4)}
    for entry in range(len(q)):
        if entry not in inside:
            q[entry] = random.uniform(-0.8, 0.8)
    for entry in quaternions:
        value = random.normal(size=4)
        q[entry : entry + 4] = value / np.linalg.norm(value)
    return model.state(q=q, v=random.uniform(-1.0, 1.0, len(model.names.v)))


def compare(system: jd.System, model: jd.Model, peer: Any, seeds: int = 2) -> dict[str, float]:
    """Largest differences, relative to the largest value of each kind: mass matrix, poses, forward dynamics."""
    worst = {"mass matrix": 0.0, "position": 0.0, "rotation": 0.0, "forward dynamics": 0.0}
    for seed in range(seeds):
        state = random_state(model, seed)
        effort = np.random.default_rng(100 + seed).uniform(-1.0, 1.0, len(model.names.v))
        M, other = model.mass_matrix(state.q), peer.mass_matrix(state.q)
        worst["mass matrix"] = max(worst["mass matrix"], np.max(np.abs(M - other)) / np.max(np.abs(other)))
        a, b = model.forward_dynamics(state, effort), peer.accelerations(state.q, state.v, effort)
        worst["forward dynamics"] = max(worst["forward dynamics"], np.max(np.abs(a - b)) / np.max(np.abs(b)))
        places = peer.poses(state.q)
        assert places
        for name, (position, rotation) in places.items():
            ours = model.pose(f"{name}.origin", state.q)
            worst["position"] = max(worst["position"], float(np.max(np.abs(ours.position - position))))
            worst["rotation"] = max(worst["rotation"], float(np.max(np.abs(ours.rotation - rotation))))
    return worst

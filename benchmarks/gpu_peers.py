"""The arms of `gpu.py` in MuJoCo's own programs for a GPU: MJX (JAX, double and single precision) and MuJoCo Warp.

    python benchmarks/gpu_peers.py make FOLDER    the arms as MJCF, beside what `gpu.py make FOLDER` wrote
    python benchmarks/gpu_peers.py run FOLDER     on a machine with a GPU, MJX and MuJoCo Warp; ours is timed too

Equal plant, step, method (RK4), cases, and every tenth step kept. Theirs of the regulated arm is compared with our
processor's results before anything is timed: it must be the same motion. MuJoCo's contact is another law than ours, so
that of the arm that touches is timed and not compared; its friction is a cone of four sides, its solver Newton's with
MuJoCo's default of a hundred iterations. MuJoCo Warp knows single precision alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from gpu import CHECKED, EVERY, FLOOR, NAMES, ROUNDS, ROWS, STEPS, Scene, driver

SIZES = (100, 1_000, 10_000, 100_000)
COMPARED = ("arm", "touching")
GAINS = zip((200.0, 200.0, 100.0, 100.0, 20.0, 20.0, 1.0), (5.0, 20.0, 2.0, 10.0, 0.5, 1.0, 0.01))


def make(folder: Path) -> None:
    """Writes both arms as MJCF."""
    import models

    links = models.arm_system().bodies
    inner, outer, before = "", "", 0.0
    for i, body in enumerate(links):
        x, y, z = body.com
        xx, yy, zz = np.diag(body.inertia) if np.ndim(body.inertia) == 2 else body.inertia
        axis = {"x": "1 0 0", "y": "0 1 0", "z": "0 0 1"}["zyzyzyz"[i]]
        inner += (
            f'<body pos="0 0 {before}"><joint name="axis{i}" axis="{axis}"/>'
            f'<inertial pos="{x} {y} {z}" mass="{body.mass}" diaginertia="{xx} {yy} {zz}"/>'
        )
        outer += "</body>"
        before = 2.0 * z
    ball = f'<geom type="sphere" size="0.05" pos="0 0 {before}" friction="0.3"/>'
    floor = f'<geom type="plane" size="5 5 1" pos="0 0 {FLOOR}" friction="0.3"/>'
    drives = "".join(
        f'<position joint="axis{i}" kp="{kp}" kv="{kd}" ctrllimited="false"/>' for i, (kp, kd) in enumerate(GAINS)
    )
    for name, step, parts in (
        ("arm", 1e-3, (inner + outer, "", drives)),
        ("touching", 2e-4, (inner + ball + outer, floor, "")),
    ):
        body, world, actuators = parts
        (folder / f"{name}.xml").write_text(
            f'<mujoco><compiler angle="radian"/><option timestep="{step}" integrator="RK4" gravity="0 0 -9.81"/>'
            f"<worldbody>{world}{body}</worldbody><actuator>{actuators}</actuator></mujoco>"
        )


def wide(values: np.ndarray, cases: int) -> np.ndarray:
    """The checked states again and again."""
    return np.resize(values, (cases, *values.shape[1:]))


def mjx_runner(model: Any, double: bool) -> Callable[[np.ndarray, np.ndarray], tuple[float, np.ndarray]]:
    """A run of many cases by MJX: seconds, and coordinates of every tenth step (kept, cases, nq)."""
    import jax
    import jax.numpy as jnp
    from mujoco import mjx

    jax.config.update("jax_enable_x64", double)
    real = jnp.float64 if double else jnp.float32
    there = mjx.put_model(model)
    empty = mjx.make_data(model)

    def one(q: Any, v: Any) -> tuple[Any, Any]:
        def kept(data: Any, _: None) -> tuple[Any, tuple[Any, Any]]:
            data = jax.lax.fori_loop(0, EVERY, lambda _, d: mjx.step(there, d), data)
            return data, (data.qpos, data.qvel)

        return jax.lax.scan(kept, empty.replace(qpos=q, qvel=v), None, STEPS // EVERY)[1]

    program = jax.jit(jax.vmap(one, out_axes=1))

    def run(q: np.ndarray, v: np.ndarray) -> tuple[float, np.ndarray]:
        q, v = jnp.asarray(q, real), jnp.asarray(v, real)
        jax.block_until_ready(program(q, v))
        best = np.inf
        for _ in range(ROUNDS):
            began = time.perf_counter()
            found = jax.block_until_ready(program(q, v))
            best = min(best, time.perf_counter() - began)
        return best, np.asarray(found[0])

    return run


def warp_runner(model: Any) -> Callable[[np.ndarray, np.ndarray], tuple[float, np.ndarray]]:
    """The same by MuJoCo Warp: ten steps are one graph of the GPU, and the state is copied after each."""
    import mujoco
    import mujoco_warp as mjw
    import warp as wp

    wp.config.quiet = True
    there = mjw.put_model(model)

    def run(q: np.ndarray, v: np.ndarray) -> tuple[float, np.ndarray]:
        cases = len(q)
        data = mjw.put_data(model, mujoco.MjData(model), nworld=cases)
        kept = [(wp.empty_like(data.qpos), wp.empty_like(data.qvel)) for _ in range(STEPS // EVERY)]

        def begin() -> None:
            data.qpos.assign(q.astype(np.float32))
            data.qvel.assign(v.astype(np.float32))

        begin()
        mjw.step(there, data)
        wp.synchronize()
        with wp.ScopedCapture() as capture:
            for _ in range(EVERY):
                mjw.step(there, data)
        best = np.inf
        for _ in range(ROUNDS):
            begin()
            wp.synchronize()
            began = time.perf_counter()
            for places, rates in kept:
                wp.capture_launch(capture.graph)
                wp.copy(places, data.qpos)
                wp.copy(rates, data.qvel)
            wp.synchronize()
            best = min(best, time.perf_counter() - began)
        return best, np.stack([one.numpy() for one, _ in kept])

    return run


def run(folder: Path) -> None:
    """Times all of them in turn on this machine's GPU."""
    import mujoco

    cuda = driver()
    for name in COMPARED:
        assert name in NAMES
        scene = Scene(cuda, folder, name)
        model = mujoco.MjModel.from_xml_path(str(folder / f"{name}.xml"))
        speeds = [n * STEPS / min(scene.go(n)[0] for _ in range(ROUNDS)) for n in SIZES]
        print(f"| {name} | Jourdain, double | | " + " | ".join(f"{one:.2e}" for one in speeds) + " |", flush=True)
        for label, maker in (
            ("MuJoCo Warp, single", warp_runner),
            ("MJX, single", lambda model: mjx_runner(model, False)),
            ("MJX, double", lambda model: mjx_runner(model, True)),
        ):
            try:
                runner = maker(model)
                _, q = runner(scene.data["q"], scene.data["v"])
                ours = scene.data["expected_q"][:, 1:ROWS]
                off = np.max(np.abs(np.swapaxes(q, 0, 1) - ours)) if name == "arm" else 0.0
                cells = []
                for n in SIZES:
                    taken, _ = runner(wide(scene.data["q"], n), wide(scene.data["v"], n))
                    cells.append(f"{n * STEPS / taken:.2e}")
                    print(label, n, cells[-1], flush=True)
            except Exception as error:
                print(f"| {name} | {label} | {type(error).__name__}: {str(error)[:300]} |", flush=True)
                continue
            difference = f"{off:.1e}" if name == "arm" else ""
            print(f"| {name} | {label} | {difference} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    assert CHECKED
    {"make": make, "run": run}[sys.argv[1]](Path(sys.argv[2]))

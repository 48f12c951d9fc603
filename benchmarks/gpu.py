"""Ensembles on a GPU: steps a second against the number of cases, in double precision.

    python benchmarks/gpu.py make FOLDER     programs and states, on any machine with Jourdain
    python benchmarks/gpu.py run FOLDER      on a machine with a GPU; of Jourdain it needs the driver's file alone

RK4, 200 steps, every tenth kept with its energies. The arm has a compiled regulator of all its joints. What the GPU
gives is compared with the processor's results, 64 cases of 1,000 steps, before anything is timed; beside that stands
how far the processor's own results go apart when every coordinate of a state is changed by a unit in the last place.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

STEPS, EVERY = 200, 10
ROWS = STEPS // EVERY + 1
CHECKED, CHECKED_STEPS, ALLOWED = 64, 1000, 1e-10
SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
ROUNDS = 3
TABLES = ("q", "v", "energy")
NAMES = ("arm", "flexible", "touching")
FLOOR = 1.4
ORDER = ("p", "q", "v", "z", "latched", "tape_time", "tape_q", "tape_v", "tape_z", "tape_effort", "tape_energy",
         "peaks", "flights", "done")  # fmt: skip
"""Arguments of a program behind the numbers (`jourdain.run.gpu.case_program`)."""


def arm() -> tuple[Any, dict[str, Any], float]:
    """The 7-axis arm, regulated."""
    import models

    import jourdain as jd

    model = models.arm()
    joints = [f"axis{i}" for i in range(7)]
    stiffness = dict(zip(joints, (200.0, 200.0, 100.0, 100.0, 20.0, 20.0, 1.0)))
    damping = dict(zip(joints, (5.0, 20.0, 2.0, 10.0, 0.5, 1.0, 0.01)))
    return model, {"controller": jd.control.PD(joints, kp=stiffness, kd=damping)}, 1e-3


def flexible() -> tuple[Any, dict[str, Any], float]:
    """Three links of four bending modes each."""
    import jourdain as jd

    system = jd.System("flexible", gravity=(0.0, 0.0, -9.81))
    to = "world"
    for i in range(3):
        link = jd.Beam(
            f"link{i}", 2.0, 0.8, EA=2e6, EI=(900.0, 900.0), GJ=700.0, modes=jd.Modes(bending_y=2, bending_z=2)
        )
        system.add(link, jd.Revolute(f"axis{i}", axis="zyy"[i]), to=to)
        to = f"link{i}.tip"
    return system.compile(), {}, 2e-4


def touching() -> tuple[Any, dict[str, Any], float]:
    """The 7-axis arm with a ball at its end, which slides over a floor."""
    import models

    import jourdain as jd

    system = models.arm_system()
    system.contact(
        "touch",
        jd.Sphere(0.05).at("link6.tip"),
        jd.Plane((0, 0, 1)).at("world", position=(0, 0, FLOOR)),
        normal=jd.HertzContact(stiffness=1e6, restitution=0.6),
        friction=jd.BristleFriction(static=0.3, kinetic=0.2),
    )
    return system.compile(), {}, 2e-4


def starts(name: str, model: Any) -> list[Any]:
    """Random states; those that are to touch come down on the floor within the first steps."""
    import models

    found, seed = [], 0
    while len(found) < CHECKED:
        one = models.state(model, seed)
        seed += 1
        if name == "flexible":
            one = model.state(q={key: value for key, value in zip(model.names.q, one.q) if "axis" in key})
        if name == "touching":
            height = model.pose("link6.tip", one).position[2] - FLOOR - 0.05
            if not 0.0 < height < -0.02 * model.velocity("link6.tip", one)[5]:
                continue
        found.append(one)
    return found


def nudged(model: Any, state: Any) -> Any:
    """A state whose coordinates are the next larger numbers."""
    q = np.nextafter(state.q, np.inf)
    return model.state(q=dict(zip(model.names.q, q)), v=dict(zip(model.names.v, state.v)))


def apart(pairs: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """How far tables of samples are apart, over the largest entry of each, case by case."""
    found = [np.abs(one - other).max(axis=(1, 2)) / np.abs(other).max() for one, other in pairs]
    return np.max(found, axis=0)


def make(folder: Path) -> None:
    """Writes a program, what it starts from and what the processor makes of it, for every case."""
    import jourdain as jd
    from jourdain.run.gpu import cases
    from jourdain.run.gpu.case_program import FLOATS
    from jourdain.run.gpu.code_generation import ENTRY, ptx, whole_text

    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        model, options, step = globals()[name]()
        states = starts(name, model)
        given = {"until": CHECKED_STEPS * step, "step": step, "method": "rk4", "output": EVERY * step, **options}
        here = jd.simulate_many(model, states, **given, step_check="warn")
        assert not here.failed, here.reasons
        close = jd.simulate_many(model, [nudged(model, one) for one in states], **given, step_check="warn")
        arrays: dict[str, np.ndarray] = {}

        def written(self: cases.Cases, name: str = name, arrays: dict[str, np.ndarray] = arrays) -> None:
            text = whole_text(self.program, self.features)
            floats = self.program.numbers
            (folder / f"{name}.ptx").write_text(ptx(text, floats.size))
            arrays |= {key: one.copy() for key, one in self.arrays.items()} | {"floats": floats}
            head = {"entry": ENTRY, "numbers": self.numbers(), "floats": FLOATS}
            (folder / f"{name}.json").write_text(json.dumps(head))

        cases.Cases.run = written  # type: ignore[method-assign]
        jd.simulate_many(model, states, **given, step_check="warn", device="cuda")
        expected = {f"expected_{key}": getattr(here.record, key) for key in TABLES}
        scatter = apart([(getattr(close.record, key), getattr(here.record, key)) for key in TABLES])
        np.savez(folder / f"{name}.npz", **arrays, **expected, scatter=scatter)
        print(f"{name}: {len((folder / f'{name}.ptx').read_text()) // 1000} kB of code", flush=True)


def driver() -> Any:
    """The file that calls the GPU's driver, without the package around it, which needs compilers."""
    import importlib.util
    import types

    source = Path(__file__).resolve().parents[1] / "src" / "jourdain"
    for name, place in (("jourdain", source), ("jourdain.run", source / "run"), ("jourdain.basics", source / "basics")):
        package = types.ModuleType(name)
        package.__path__ = [str(place)]
        sys.modules.setdefault(name, package)
    gpu = types.ModuleType("jourdain.run.gpu")
    gpu.__path__ = [str(source / "run" / "gpu")]
    sys.modules.setdefault("jourdain.run.gpu", gpu)
    file = source / "run" / "gpu" / "cuda_driver.py"
    spec = importlib.util.spec_from_file_location("jourdain.run.gpu.cuda_driver", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Scene:
    """A program with its arrays, on the GPU."""

    def __init__(self, cuda: Any, folder: Path, name: str) -> None:
        head = json.loads((folder / f"{name}.json").read_text())
        self.cuda, self.data = cuda, dict(np.load(folder / f"{name}.npz"))
        self.program = cuda.program((folder / f"{name}.ptx").read_text(), head["entry"])
        self.program.fill(head["floats"], self.data["floats"])
        start, step, *self.checked = head["numbers"]
        self.times = float(start), float(step)

    def go(self, cases: int, whole: bool = False) -> tuple[float, dict[str, np.ndarray]]:
        """Seconds of a run of so many cases, and the samples of the first ones; `whole`: of all steps that are checked,
        not of those that are timed."""
        rows = {key: one if whole or "tape" not in key else one[:, :ROWS] for key, one in self.data.items()}
        wide = {key: np.ascontiguousarray(np.resize(rows[key], (cases, *rows[key].shape[1:]))) for key in ORDER}
        memory = {key: self.cuda.DeviceArray(one) for key, one in wide.items()}
        counts = self.checked if whole else (STEPS, EVERY, ROWS)
        taken = self.cuda.launch(self.program, cases, (*self.times, *counts, *(memory[key] for key in ORDER)))
        for key in ("tape_q", "tape_v", "tape_energy"):
            memory[key].fetch()
        for one in memory.values():
            one.release()
        return taken, {key: wide[key][:CHECKED] for key in ("tape_q", "tape_v", "tape_energy")}

    def error(self) -> np.ndarray:
        """How far the GPU is from the processor, case by case."""
        _, found = self.go(CHECKED, whole=True)
        return apart([(found[f"tape_{key}"], self.data[f"expected_{key}"]) for key in TABLES])


def run(folder: Path) -> None:
    """Checks and times every scene on this machine's GPU."""
    cuda = driver()
    rows = []
    for name in NAMES:
        scene = Scene(cuda, folder, name)
        checks = [f"{one.max():.1e} ({np.sum(one > ALLOWED)})" for one in (scene.error(), scene.data["scatter"])]
        speeds = [n * STEPS / min(scene.go(n)[0] for _ in range(ROUNDS)) for n in SIZES]
        kept = {key: one[:, :ROWS] if "tape" in key else one for key, one in scene.data.items()}
        each = sum(kept[key].nbytes for key in ORDER) / CHECKED
        rows.append((name, *checks, *(f"{speed:.2e}" for speed in speeds), f"{each / 1e3:.1f} kB"))
        print(" | ".join(rows[-1]), flush=True)
    columns = ("scene", "off (cases over 1e-10)", "last digit", *(f"{n:,} cases" for n in SIZES), "kept a case")
    print("\n| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    print("\n".join("| " + " | ".join(row) + " |" for row in rows))


if __name__ == "__main__":
    {"make": make, "run": run}[sys.argv[1]](Path(sys.argv[2]))

"""Small studies that tests share: a pendulum, and ways to run a sweep in a process of its own."""

import os
import signal
import sys
import time
from pathlib import Path

from processes import start

SCENARIO = """\
jourdain: 1
name: A pendulum
system:
  gravity: [0, 0, -9.81]
  bodies:
    - kind: RigidBody
      name: link
      mass: 2
      com: [0.5, 0, 0]
      inertia: [0.01, 0.2, 0.2]
      frames: {tip: [1, 0, 0]}
      joint: {kind: Revolute, name: hinge, axis: y, damping: 0.1}
simulation: {until: 1, step: 0.01, output: 0.01}
limits:
  - {name: too fast, quantity: "v:hinge", within: 6.0}
  - {name: depth, quantity: link.tip.z, at_least: -1.2}
"""
STUDY = """\
jourdain: 1
name: Pendulums
task: How fast do they get?
scenario: pendulum.yaml
parameters:
  mass: {at: system.bodies.link.mass, values: [1, 2, 3, 4]}
  speed: {at: state.v.hinge, range: [-2, 2], count: 3}
criteria:
  end: {quantity: hinge, take: final}
  work: {quantity: "energy:kinetic", take: mean}
"""
SLOW = STUDY.replace("values: [1, 2, 3, 4]", "range: [1, 4], count: 4").replace(
    "scenario: pendulum.yaml", "scenario: pendulum.yaml\nset: {simulation.step: 2.0e-5, simulation.output: 0.01}"
)
"""Twelve variants, each long enough to be killed in."""


def write(folder: Path, study: str = STUDY, scenario: str = SCENARIO) -> Path:
    """A study and its scenario in a folder."""
    (folder / "pendulum.yaml").write_text(scenario)
    path = folder / "study.yaml"
    path.write_text(study)
    return path


def begin(folder: Path, *options: str):
    """`jourdain sweep study.yaml` in a process of its own, without a report."""
    return start([sys.executable, "-m", "jourdain", "sweep", "study.yaml", "--no-report", *options], folder)


def done(folder: Path) -> int:
    """How many chunks of the status are written."""
    chunks = folder / "results.zarr" / "status" / "c"
    return len(os.listdir(chunks)) if chunks.is_dir() else 0


def kill_after(process, folder: Path, count: int, limit: float = 300.0) -> int:
    """Kill a sweep as soon as it has `count` results; how many it had."""
    end = time.monotonic() + limit
    while done(folder) < count and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return done(folder)


def schaffer(design):
    """Two costs of one number (Schaffer 1985); outside of its range there is none, and far away the process ends."""
    import jourdain as jd

    if design["x"] > 9.0:
        os._exit(5)
    if design["x"] < -5.0:
        raise jd.errors.ModelError.at("x", "too small")
    return design["x"] ** 2, (design["x"] - 2.0) ** 2

"""With JOURDAIN_JIT=off kernels run in the interpreter, with the numbers of the compiled ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))
from interpreted import landed  # noqa: E402

QUICK = (
    "contact:round:rk4:40",
    "body:integrated:rk4:8",
    "loop:projection:radau:4",
    "controller:sampled:rk4:12",
    "body:nodes:generalized-alpha:2",
    "solids:mortar:generalized-alpha:1",
)
THOROUGH = (
    *(f"contact:{name}:rk4:100" for name in ("meshes", "mixed", "caps", "flats", "balls", "rolls", "user")),
    *(f"body:{name}:rk4:3" for name in ("stretch", "emerging", "reduced", "solid", "sections")),
    *(f"body:{name}:generalized-alpha:3" for name in ("winch", "rod", "plate")),
    *(f"loop:{name}:rk4:4" for name in ("null space", "orthogonal", "partitioning", "momenta", "conjugate gradients")),
    *(f"controller:{name}:rk4:8" for name in ("cartesian", "filtered twice", "predictive", "impedance")),
    "controller:LQG:rk4:4",  # after eight rounding is 1.001e-12
    *("contact:points:rk4:1600", "contact:round:dop853:40", "contact:round:radau:40", "joint:lagged:rk4:16"),
    *("joint:tabled:radau:8", "joint:spherical:radau:4", "rail::rk4:4", "orbit::rk4:4", "pile::rk4:40"),
    "solids:node:generalized-alpha:4",
)
TOLERANCE = 1e-12
"""Of each column's size: what contracted products and sums change in so few steps."""


def compare(cases: tuple[str, ...], tmp_path: Path) -> None:
    """Runs the cases in an interpreter of their own, and compiled here."""
    out = tmp_path / "interpreted.npz"
    env = dict(os.environ, JOURDAIN_JIT="off")
    script = [sys.executable, str(TESTS / "interpreted.py"), str(out), *cases]
    done = subprocess.run(script, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with np.load(out) as found:
        for case in cases:
            for name, value in landed(case).items():
                other = found[f"{case} {name}"]
                size = max(1.0, float(np.max(np.abs(value), initial=0.0)))
                assert np.max(np.abs(other - value), initial=0.0) <= TOLERANCE * size, f"{case} {name}"


@pytest.mark.filterwarnings("ignore::jourdain.errors.TrustWarning")
def test_runs_are_the_same_without_the_compiler(tmp_path):
    compare(QUICK, tmp_path)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::jourdain.errors.TrustWarning")
@pytest.mark.parametrize("case", THOROUGH)
def test_every_kind_is_the_same_without_the_compiler(case, tmp_path):
    compare((case,), tmp_path)


def test_a_debugger_stops_in_a_kernel():
    """A trace function, which is what debuggers install, sees the lines of the articulated-body algorithm."""
    script = (
        "import sys, jourdain as jd\n"
        "from jourdain.kernels.tree import articulated\n"
        "system = jd.System('pendulum', gravity=(0, 0, -9.81))\n"
        "body = jd.RigidBody('bob', mass=1.0, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1))\n"
        "system.add(body, jd.Revolute('hinge', axis='y'))\n"
        "model, seen = system.compile(), set()\n"
        "def trace(frame, event, arg):\n"
        "    if frame.f_code.co_filename == articulated.__file__:\n"
        "        seen.add(frame.f_code.co_name)\n"
        "    return trace\n"
        "sys.settrace(trace)\n"
        "jd.simulate(model, model.state(), until=0.01, step=0.005, method='rk4')\n"
        "sys.settrace(None)\n"
        "print(*sorted(seen))\n"
    )
    env = dict(os.environ, JOURDAIN_JIT="off")
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert {"articulated_accelerations", "accelerate_bodies"} <= set(done.stdout.split())

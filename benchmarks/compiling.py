"""What compiling costs: processor time of a first run from an empty cache, here and in an earlier checkout.

    python benchmarks/compiling.py [--before CHECKOUT] [--rounds 3] [--only NAME ...]

Each case is a process of its own with an empty cache and without a helper on a second core. With `--before` both
codes take turns, and the smallest of the rounds counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from results import table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

ARM = """
import jourdain as jd
arm = jd.System("two-link arm on a free-floating base")
platform = jd.RigidBody.from_shape("platform", jd.Box((1.2, 1.0, 1.0)), mass=400.0, frames={"port": (0.6, 0, 0)})
arm.add(platform, joint=jd.Free("base"))
link = dict(mass=12.0, com=(0.75, 0, 0), inertia=(0.015, 2.2575, 2.2575), frames={"tip": (1.5, 0, 0)})
arm.add(jd.RigidBody("upper", **link), joint=jd.Revolute("shoulder", damping=0.5), to="platform.port")
arm.add(jd.RigidBody("fore", **link), joint=jd.Revolute("elbow", damping=0.5), to="upper.tip")
arm.add(jd.RigidBody.from_shape("payload", jd.Sphere(0.3), mass=50.0), joint=jd.Weld("grapple"), to="fore.tip")
"""
BEAM = """
beam = jd.Beam("upper", length=1.5, mass_per_length=8.0, EA=2e7, EI=(4e3, 4e3), GJ=3e3,
               modes=jd.Modes(bending=3, torsion=1), damping=0.005)
arm.make_flexible("upper", beam)
"""
TOUCH = """
metal = jd.Material(E=70e9, nu=0.33)
arm.contact("touch", jd.Sphere(0.3).at("payload.origin"), jd.Plane((0, -1, 0)).at("world", position=(0, 2.68, 0)),
            normal=jd.HertzContact(material=(metal, metal), restitution=0.6),
            friction=jd.BristleFriction(static=0.2, kinetic=0.15, stribeck=1e-3, dwell=0.3))
"""
START = """
model = arm.compile()
state = model.state(q={"shoulder": 0.9}, v={"shoulder": 0.6, "elbow": 0.3})
"""
FOUR_BAR = """
import jourdain as jd
bar = jd.System("four-bar", gravity=(0, 0, -9.81))
for name, joint, to, length, at in (("crank", "a", "world", 0.5, (0, 0, 0)), ("rod", "b", "crank.tip", 1.0, (0, 0, 0)),
                                    ("rocker", "c", "world", 0.8, (1.0, 0, 0))):
    body = jd.RigidBody(name, mass=1.0, com=(0.5 * length, 0, 0), inertia=(0.01, 0.05, 0.05),
                        frames={"tip": (length, 0, 0)})
    bar.add(body, joint=jd.Revolute(joint, axis="y"), to=to, position=at)
bar.connect(jd.Revolute("d", axis="y"), "rod.tip", "rocker.tip")
model = bar.compile()
state = model.assemble(model.state(q={"a": -1.2, "b": 0.9, "c": -1.4}))
jd.simulate(model, state, until=2.0, step=1e-3)
"""
BLOCKS = """
import jourdain as jd
rubber = jd.Material(E=1e6, nu=0.3, density=1000.0)
blocks = jd.System("a block on a block", gravity=(0.0, 0.0, -9.81))
for name, cells, low in (("lower", 3, 0.0), ("upper", 2, 0.1)):
    mesh = jd.mesh.block((0.1, 0.1, 0.1), (cells, cells, cells))
    bottom, top = float(mesh.points[:, 2].min()), float(mesh.points[:, 2].max())
    body = jd.Solid(name, mesh, rubber, element="linear", damping=jd.Rayleigh(0.0, 5e-4),
                    surfaces={"sole": lambda x, b=bottom: x[2] < b + 1e-9, "top": lambda x, t=top: x[2] > t - 1e-9})
    place = (0.0, 0.0, low - bottom + (1e-6 if low else 0.0))
    blocks.add(body, joint=jd.Weld("hold") if name == "lower" else jd.Free("flight"), position=place)
    if name == "upper":
        blocks.contact("touch", body.surface("sole"), lower.surface("top"),
                       jd.contact.MultiplierContact(form="mortar"), jd.contact.CoulombFriction(kinetic=0.3))
    lower = body
model = blocks.compile()
method = jd.implicit.GeneralizedAlpha(spectral_radius=0.8)
jd.simulate(model, model.state(), until=0.01, step=1e-3, method=method)
"""
CASES = {
    "two-link arm, rk4": ARM + START + "jd.simulate(model, state, until=2.5, step=1e-3)",
    "flexible arm with a point contact, rk4": ARM
    + BEAM
    + TOUCH
    + START
    + "jd.simulate(model, state, until=0.02, step=5e-5)",
    "flagship, with its report": """
import runpy, tempfile
sys.argv = ["jourdain", "demo", "--out", tempfile.mkdtemp()]
try:
    runpy.run_module("jourdain", run_name="__main__")
except SystemExit as left:
    assert not left.code
""",
    "radau with contact": ARM
    + TOUCH
    + START
    + 'jd.simulate(model, state, until=1.0, method="radau", rtol=1e-6, atol=1e-8)',
    "momenta": ARM + START + 'jd.simulate(model, state, until=1.0, step=1e-3, constraints="momenta")',
    "peg in a hole": """
import runpy, matplotlib
matplotlib.use("Agg")
runpy.run_path("examples/contact/peg_insertion.py")
""",
    "four-bar": FOUR_BAR,
    "solids in mortar contact": BLOCKS,
}
LIMITS = {"two-link arm, rk4": 0.35, "flexible arm with a point contact, rk4": 0.35, "flagship, with its report": 0.35,
          "radau with contact": 0.4, "momenta": 0.4, "peg in a hole": 0.4}  # fmt: skip
COMPILED = ("first run, empty cache", "processor time", "of that at ce576db", "ratio", "limit", "peak memory", "cache")
TIMED = """
import resource, sys
{body}
mine, other = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
spent = sum(one.ru_utime + one.ru_stime for one in (mine, other))
print("spent", spent, mine.ru_maxrss / 1024, file=sys.stderr)
"""


def cold(checkout: Path, name: str) -> tuple[float, float, float]:
    """Processor time [s], peak memory [MB] and size of the cache [MB] of a case, from an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {
            "PYTHONPATH": str(checkout / "src"),
            "JOURDAIN_CACHE_DIR": cache,
            "JOURDAIN_AHEAD": "off",
            "MPLBACKEND": "Agg",
        }
        done = subprocess.run(
            [sys.executable, "-c", TIMED.format(body=CASES[name])],
            cwd=checkout, env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        size = sum(path.stat().st_size for path in Path(cache).rglob("*") if path.is_file())
    line = next(line for line in done.stderr.splitlines() if line.startswith("spent"))
    spent, memory = (float(word) for word in line.split()[1:])
    return spent, memory, size / 1e6


def measure(rounds: int = 3, before: Path | None = None, only: list[str] | None = None) -> list[tuple[str, ...]]:
    """Rows of the table `COMPILED`."""
    rows = []
    for name in only or CASES:
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(cold(ROOT, name))
            if before is not None:
                theirs.append(cold(before, name))
        spent, memory, size = (min(column) for column in zip(*ours, strict=True))
        old = min(one[0] for one in theirs) if theirs else None
        limit = LIMITS.get(name)
        rows.append(
            (
                name,
                f"{spent:.1f} s",
                "" if old is None else f"{old:.1f} s",
                "" if old is None else f"{spent / old:.2f}",
                "" if limit is None else f"<= {limit:g}",
                f"{memory:.0f} MB",
                f"{size:.2f} MB",
            )
        )
        print(*rows[-1], sep="  ", flush=True)
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*")
    given = parser.parse_args()
    print(table(COMPILED, measure(given.rounds, given.before, given.only)))

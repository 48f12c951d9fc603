"""Cables, plates and shells where users put them: in orbit, in contact, in scenario files."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.study.progress import ProgressReporter
from jourdain.study.scenario.run_scenario import run_scenario
from jourdain.study.scenario.scenario_file import load_scenario

ORBIT = jd.Orbit(altitude=400e3)
RUBBER = jd.Material(1e7, 0.3, density=1000.0)


def test_a_cable_in_orbit_librates():
    """Pinned where the orbit is and along the vertical: sqrt(3) n in the plane, 2 n across it; the tension of the
    gradient stretches it by 1e-4 at its root, and frequencies are lower by as much."""
    n, length, mass = ORBIT.mean_motion, 1000.0, 0.1
    tension = 1.5 * mass * n**2 * length**2
    system = jd.System("tether", environment=ORBIT)
    line = jd.Cable("line", length, mass, 1e4 * tension, 1e-5 * tension * length**2, elements=6, root="pinned")
    system.add(line, joint=jd.Weld("hold"))
    model = system.compile()
    rest = model.equilibrium(model.state()).state
    found = model.frequencies(rest).rad / n
    assert np.sort(found)[:2] == pytest.approx([np.sqrt(3.0), 2.0], rel=2e-4)


def panel(flexible):
    """A panel on a hub that may turn any way, in orbit."""
    system = jd.System("panel", environment=ORBIT)
    sheet = jd.Plate("panel", (2.0, 0.5), 0.02, jd.Material(70e9, 0.3, density=2700.0), elements=(2, 1),
                     held={"x0": "clamped"})  # fmt: skip
    system.add(jd.RigidBody("hub", mass=2.0, inertia=(0.1, 0.2, 0.3)), joint=jd.Spherical("turn"))
    if not flexible:
        mass, (a, b, h) = sheet.mass, (2.0, 0.5, 0.0)
        inertia = mass / 12.0 * np.array([b**2 + h**2, a**2 + h**2, a**2 + b**2])
        sheet = jd.RigidBody("panel", mass, (0.5 * a, 0.5 * b, 0.0), tuple(inertia))
    system.add(sheet, joint=jd.Weld("root"), to="hub.origin", position=(0.1, 0.0, 0.0))
    return system.compile()


@pytest.mark.slow
def test_a_stiff_plate_in_orbit_moves_as_a_rigid_one():
    """Gravity gradient and turning frame on a nodal body: five minutes, attitude by implicit steps of 2 s."""
    ends = []
    for flexible in (True, False):
        model = panel(flexible)
        tilt = model.state(q={"turn": (np.cos(0.2), 0.0, np.sin(0.2), 0.0)})
        told = {"until": 300.0, "output": 300.0, "progress": False}
        run = jd.simulate(model, tilt, method="generalized-alpha", step=2.0, **told)
        ends.append(model.pose("hub.origin", run.state(-1).q).rotation)
    assert np.max(np.abs(ends[1] - np.eye(3))) > 0.1
    assert np.max(np.abs(ends[0] - ends[1])) < 1e-6


def test_a_plate_rests_on_its_feet():
    """A sheet that flies, with a ball at each corner: the floor bears its weight, the corners a quarter each."""
    system = jd.System("feet", gravity=(0.0, 0.0, -9.81))
    sheet = jd.Plate("sheet", (0.3, 0.2), 0.01, RUBBER, elements=(2, 1), damping=2e-2)
    system.add(sheet, joint=jd.Weld("hold"), position=(0.0, 0.0, 0.01))
    corners = [(x, y) for x in (0.0, 0.3) for y in (0.0, 0.2)]
    law = jd.contact.LinearContact(2e3, damping=40.0)
    for k, (x, y) in enumerate(corners):
        system.contact(f"foot_{k}", jd.Sphere(0.01).at(f"sheet.{x},{y}"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    model = system.compile()
    run = jd.simulate(
        model, model.state(), until=2.0, method="generalized-alpha", step=2e-3, output=1.0, progress=False
    )
    # the matrix of a step has the stiffness of the feet: without it one in ten corrections converges, by short steps
    assert run.options["statistics"]["unconverged"] == 0
    for k in range(4):
        force = run.contact[f"foot_{k}"].force.values[-1]
        assert np.linalg.norm(force) == pytest.approx(0.25 * 9.81 * sheet.mass, rel=1e-4)


def test_a_ball_bounces_off_a_pad_on_a_plate():
    """A rigid ball falls on a box that sits on the tip of a plate: shapes at a station touch, and energy is kept."""
    system = jd.System("bounce", gravity=(0.0, 0.0, -9.81))
    sheet = jd.Plate("sheet", (0.3, 0.2), 0.01, RUBBER, elements=(2, 1), held={"x0": "clamped"})
    system.add(sheet, joint=jd.Weld("hold"))
    system.add(jd.RigidBody.from_shape("ball", jd.Sphere(0.02), density=2000.0), joint=jd.Free("fly"))
    pad = jd.Box((0.05, 0.05, 0.01)).at("sheet.tip")
    law = jd.contact.LinearContact(1e4)
    system.contact("hit", jd.Sphere(0.02).at("ball.origin"), pad, normal=law)
    model = system.compile()
    start = model.state(q={"fly": jd.Pose((0.3, 0.1, 0.03))}, v={"fly": (0, 0, 0, 0, 0, -1.0)})
    run = jd.simulate(model, start, until=0.06, method="rk4", step=2e-5, output=2e-3, progress=False)
    force = np.linalg.norm(run.contact["hit"].force.values, axis=1)
    assert np.max(force) > 1.0
    assert force[-1] == 0.0
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-4 * run.energy["kinetic"].values[0]


SCENARIO = """\
jourdain: 1
name: A panel on a rope
system:
  gravity: [0, 0, -9.81]
  bodies:
    - {kind: Plate, name: sheet, size: [0.3, 0.2], thickness: 0.01, material: {E: 1e7, nu: 0.3, density: 1000},
       elements: [2, 1], damping: 2e-3, held: {x0: clamped}, joint: {kind: Weld, name: hold}}
    - {kind: Cable, name: rope, length: 0.5, mass_per_length: 0.1, EA: 200, EI: 0, elements: 4, root: pinned,
       pretension: 1, damping: 1e-2, joint: {kind: Weld, name: hook}, position: [0.3, 0.1, 0.5],
       rotation: {axis: y, angle: 90 deg}}
  connections:
    - {kind: Spherical, name: eye, first: rope.tip, second: sheet.tip}
simulation: {until: 0.05, method: generalized-alpha, step: 1e-3, output: 0.01}
limits:
  - {name: rope holds, quantity: tension:rope, at_most: 15}
"""


def test_a_scenario_with_plate_rope_and_loop(tmp_path):
    """Read, saved, read again and run: the same model, and the limit is judged."""
    (tmp_path / "panel.yaml").write_text(SCENARIO)
    scenario = load_scenario(tmp_path / "panel.yaml")
    scenario.system.save(tmp_path / "again.yaml")
    assert jd.System.load(tmp_path / "again.yaml").compile().hash == scenario.model.hash
    outcome = run_scenario(scenario, tmp_path / "out", figures=False, reporter=ProgressReporter(quiet=True))
    assert outcome.status == "passed"
    peak = float(np.max(outcome.run.tension("rope").values))
    assert 1.0 < peak < 15.0
    assert outcome.worst.value == pytest.approx(peak, rel=1e-12)

"""Contact by multipliers as events and controllers feel it: with the force of the last step."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError

G, MASS, STEP = 9.81, 2.0, 1e-3


@pytest.fixture(scope="module")
def model():
    """A body on two feet above a floor, and a slider that nothing drives."""
    system = jd.System("feet", gravity=(0.0, -G, 0.0))
    feet = {"left": (-0.1, 0, 0), "right": (0.3, 0, 0)}
    system.add(jd.RigidBody("body", mass=MASS, inertia=(0.1, 0.1, 0.1), frames=feet), joint=jd.Planar("move"))
    system.add(jd.RigidBody("slider", mass=1.0), joint=jd.Prismatic("slide", axis="x"), position=(0, 1, 0))
    for foot in feet:
        system.contact(foot, jd.shapes.Point().at(f"body.{foot}"), jd.Plane((0, 1, 0)).at("world"),
                       normal=jd.contact.MultiplierContact())  # fmt: skip
    return system.compile()


def test_an_event_waits_for_it(model):
    """From 1 mm it falls for sqrt(2 h / g) = 14.28 ms; the feet touch at the end of a step: the slider stops."""
    start = model.state({"move.y": 1e-3}, {"slide": 0.1})
    events = [jd.Event(when=("left", "touches"), lock="slide", name="lands")]
    run = jd.simulate(model, start, until=0.05, step=STEP, method="generalized-alpha", events=events)
    (event,) = run.events
    assert event.time == pytest.approx(np.sqrt(2e-3 / G), abs=STEP) and event.time >= np.sqrt(2e-3 / G)
    assert run.v["slide"].values[-1] == 0.0 and run.v["slide"].values[5] == pytest.approx(0.1, rel=1e-12)
    with pytest.raises(ModelError, match="no such contact"):
        wrong = [jd.Event(when=("middle", "touches"), lock="slide")]
        jd.simulate(model, start, until=0.05, step=STEP, method="generalized-alpha", events=wrong)


def test_a_law_feels_force_and_torque(model):
    """The weight is shared 3 to 1; torques are about the origin of the body that is named first."""
    slide = model.names.v.index("slide")

    @jd.law(contacts=("left", "right"))
    def follow(t, q, v, z, s, p, effort, dz):
        effort[slide] += s[1] + 100.0 * s[11]  # force along y of the left foot, torque about z of the right one

    start = model.state()
    run = jd.simulate(model, start, until=0.3, step=STEP, method="generalized-alpha", controller=follow)
    shares = [float(run.contact[foot].force.sel(axis="y")[-1]) for foot in ("left", "right")]
    assert shares == pytest.approx([0.75 * MASS * G, 0.25 * MASS * G], rel=1e-6)
    wanted = shares[0] + 100.0 * 0.3 * shares[1]
    assert run.effort["slide"].values[-1] == pytest.approx(wanted, rel=1e-6)
    again = jd.simulate(model, run.states[-1], until=0.302, step=STEP, method="generalized-alpha", controller=follow)
    assert again.effort["slide"].values[0] == pytest.approx(wanted, rel=1e-6)

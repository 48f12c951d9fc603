"""Names of what can be plotted and limited, on a run whose samples are made by hand."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.channels import UnknownNameError
from jourdain.results.quantities import known_quantities, quantity, understand
from jourdain.results.run import Record, Run

ANGLES = np.linspace(0.0, 1.0, 5)


def system():
    out = jd.System("arm")
    out.add(jd.RigidBody("upper", 1.0, inertia=(1, 1, 1), frames={"tip": (2.0, 0, 0)}), jd.Revolute("shoulder", "z"))
    out.add(jd.RigidBody("ball", 1.0, inertia=(1, 1, 1)), jd.Free("free"), position=(2.0, 3.0, 0.0))
    sphere, plane = jd.Sphere(0.5).at("ball.origin"), jd.Plane((0, 1, 0)).at("world")
    out.contact("touch", sphere, plane, normal=jd.contact.LinearContact(100.0))
    return out


@pytest.fixture(scope="module")
def run():
    model = system().compile()
    nt = len(ANGLES)
    q = np.tile(model.neutral, (nt, 1))
    v = np.zeros((nt, model.nv))
    q[:, model.index.q["shoulder"]] = ANGLES
    v[:, model.index.v["shoulder"]] = 2.0
    q[:, model.index.q["free.y"]] = np.linspace(0.0, -2.6, nt)
    effort = np.zeros((nt, model.nv))
    effort[:, 0] = np.arange(nt)
    record = Record(np.linspace(0, 1, nt), q, v, np.zeros((nt, len(model.names.z))), effort, np.ones((nt, 6)))
    return Run(model, record)


@pytest.mark.parametrize(
    ("name", "unit", "expected"),
    [
        ("shoulder", "rad", ANGLES),
        ("q:shoulder", "rad", ANGLES),
        ("v:shoulder", "rad/s", np.full(5, 2.0)),
        ("effort:shoulder", "N m", np.arange(5.0)),
        ("energy:total", "J", np.full(5, 4.0)),
        ("upper.tip.x", "m", 2 * np.cos(ANGLES)),
        ("upper.tip.vy", "m/s", 4 * np.cos(ANGLES)),
        ("upper.tip.speed", "m/s", np.full(5, 4.0)),
        ("upper.tip.spin", "rad/s", np.full(5, 2.0)),
        (
            "distance:upper.tip:ball.origin",
            "m",
            np.hypot(2 * np.cos(ANGLES) - 2, 2 * np.sin(ANGLES) - 3 + 2.6 * ANGLES),
        ),
        ("angle:upper.tip:world", "rad", ANGLES),
        ("angle:upper:world", "rad", ANGLES),
        ("angle:upper.tip.x:ball.origin.y", "rad", np.pi / 2 - ANGLES),
        ("offset:ball.origin:upper.tip.x", "m", 2 * np.cos(ANGLES) + (3 - 2.6 * ANGLES) * np.sin(ANGLES) - 2),
        ("contact:touch.force", "N", [0, 0, 0, 0, 10.0]),
        ("contact:touch.force.y", "N", [0, 0, 0, 0, 10.0]),
        ("contact:touch.depth", "m", [0, 0, 0, 0, 0.1]),
    ],
)
def test_values_and_units(run, name, unit, expected):
    found = quantity(run, name)
    assert found.unit == unit
    assert np.allclose(found.values, expected, rtol=1e-12, atol=1e-12)
    assert found.values.shape == found.time.shape == (5,)
    assert found.label


def test_small_angles_keep_their_digits(run):
    record = run.record
    q = record.q.copy()
    q[:, run.model.index.q["shoulder"]] = 1e-9
    small = Run(run.model, Record(record.time, q, record.v, record.z, record.effort, record.energy))
    assert np.allclose(quantity(small, "angle:upper.tip:world").values, 1e-9, rtol=1e-6, atol=0.0)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sholder", 'did you mean "shoulder"'),
        ("w:shoulder", "kind of quantity"),
        ("v:sholder", 'did you mean "shoulder"'),
        ("upper.tip.q", "no quantity"),
        ("contact:tuch.force", 'did you mean "touch.force"'),
        ("contact:touch.farce", 'did you mean "force"'),
        ("contact:touch.depth.x", "quantity of contact touch"),
        ("deflection:upper", "no flexible bodies"),
        ("distance:upper.tip", "pair of frames"),
        ("distance:upper.tip:ball.orgin", 'did you mean "ball.origin"'),
        ("angle:upper.tip.x:ball.origin", "no angle"),
        ("offset:upper.tip:ball.origin", "no offset"),
        ("energy:entropy", "no energy channel"),
    ],
)
def test_unknown_names_say_what_exists(run, name, words):
    with pytest.raises(UnknownNameError) as caught:
        understand(run.model, name)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_known_names_are_understood(run):
    for name in known_quantities(run.model):
        assert quantity(run, name).values.shape == (5,), name


def test_largest_deflection_and_strain_of_a_beam():
    system = jd.System("beam")
    system.add(
        jd.Beam("link", 2.0, 1.0, 1e6, 100.0, 1e3, modes=jd.Modes(bending_y=1), basis="clamped-free"), jd.Weld("root")
    )
    model = system.compile()
    q = np.array([[0.0], [0.01], [-0.02]])
    zeros = np.zeros((3, 1))
    run = Run(model, Record(np.arange(3.0), q, zeros, np.zeros((3, 0)), zeros, np.zeros((3, 6))))
    assert np.allclose(quantity(run, "deflection:link.y").values, q[:, 0])
    assert np.allclose(quantity(run, "deflection:link").values, np.abs(q[:, 0]), rtol=1e-3)
    moment = quantity(run, "strain:link.moment_z")
    # clamped-free: w''(0) = 3.516 / L^2 of the tip's deflection
    assert np.allclose(moment.values, 100.0 * 3.516 / 4.0 * np.abs(q[:, 0]), rtol=1e-3)
    assert moment.unit == "N m"


def test_plots_take_the_same_names(run):
    figure = run.plot("contact:touch.force", ["upper.tip.x", "angle:upper.tip:world"])
    top, bottom = figure.axes
    assert top.get_ylabel() == "[N]"
    assert len(bottom.lines) == 2

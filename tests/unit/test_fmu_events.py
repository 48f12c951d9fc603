"""FMUs of models in which something switches: an event indicator for each contact and each stop, and derivatives there.

A bench: two balls fall from different heights onto the ground, a slider runs into its stop, and a free body tumbles
beside them. When each of the three meets something is a formula.
"""

from __future__ import annotations

import shutil
import zipfile

import numpy as np
import pytest

import jourdain as jd

fmpy = pytest.importorskip("fmpy")
from fmpy.validation import validate_fmu  # noqa: E402

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
G, RADIUS = 9.81, 0.1
HEIGHTS = {"low": 0.25, "high": 0.45}  # of the centres [m]
SPEED, STOP = 0.5, 0.1  # of the slider [m/s], and where its stop is [m]
SHOWN = ["craft.port.x", "craft.port.vy", "craft.port.speed", "craft.port.qx"]
NAMES = ["contact:low.change", "contact:high.change", "stop:slide.lower", "stop:slide.upper"]


@pytest.fixture(scope="module")
def bench():
    system = jd.System("bench", gravity=(0.0, 0.0, -G))
    shape = jd.Sphere(RADIUS)
    for name in HEIGHTS:
        system.add(
            jd.RigidBody.from_shape(f"{name} ball", shape, density=500.0), jd.Prismatic(f"fall {name}", axis="z")
        )
        system.contact(name, shape.at(f"{name} ball.origin"), jd.Plane((0, 0, 1)).at("world"),
                       normal=jd.HertzContact(stiffness=1e6, restitution=0.6))  # fmt: skip
    system.add(jd.RigidBody("slider", 1.0, (0, 0, 0), (0.01, 0.01, 0.01)),
               jd.Prismatic("slide", axis="x", limits=(-1.0, STOP), limit_stiffness=1e4))  # fmt: skip
    system.add(
        jd.RigidBody("craft", 3.0, (0.1, 0.05, 0), (0.2, 0.3, 0.4), frames={"port": (0.3, 0.1, 0.2)}), jd.Free("fly")
    )
    model = system.compile()
    return model, model.state(
        q={f"fall {name}": height for name, height in HEIGHTS.items()},
        v={"slide": SPEED, "fly": [0.7, -0.4, 1.1, 0.2, 0.3, -0.5]},
    )


@pytest.fixture(scope="module")
def units(bench, tmp_path_factory):
    model, state = bench
    folder = tmp_path_factory.mktemp("bench")
    options = dict(
        state=state, step=2.0**-12, target="native", inputs=["effort:slide", "craft.port.fy"],
        outputs=["fall low", "v:fall low", "slide", *SHOWN],
    )  # fmt: skip
    return {k: str(jd.export.fmu(model, folder / f"bench{k}.fmu", version=k, **options)) for k in (2, 3)}


def test_every_contact_and_every_stop_has_a_name(units):
    assert validate_fmu(units[3]) == [] and validate_fmu(units[2]) == []
    told = fmpy.read_model_description(units[3])
    assert [one.variable.name for one in told.eventIndicators] == NAMES
    assert fmpy.read_model_description(units[2]).numberOfEventIndicators == len(NAMES)
    with zipfile.ZipFile(units[2]) as archive:
        page = archive.read("documentation/index.html").decode()
    assert all(f"`{name}`" in page for name in NAMES)


@pytest.mark.parametrize("version", [2, 3])
def test_each_impact_is_found_at_its_time(units, version):
    """At a tolerance of 1e-10 a fall, a parabola, and a straight way are exact but for rounding and what a root is
    found to."""
    found = fmpy.simulate_fmu(units[version], fmi_type="ModelExchange", stop_time=0.32, output_interval=0.04,
                              relative_tolerance=1e-10, record_events=True)  # fmt: skip
    times = found["time"]
    events = times[1:][np.diff(times) == 0.0]
    expected = [*(np.sqrt(2.0 * (height - RADIUS) / G) for height in HEIGHTS.values()), STOP / SPEED]
    for time in expected:
        assert np.min(np.abs(events - time)) < 1e-9
    assert len(events) == 6  # and each of the three lets go again
    speed = np.sqrt(2.0 * G * (HEIGHTS["low"] - RADIUS))  # gravity takes some of the restitution while they touch
    assert 0.5 * speed < np.max(found["v:fall low"]) < 0.6 * speed


class Exchange:
    """An FMU for model exchange of version 3, by its states."""

    def __init__(self, path: str) -> None:
        told = fmpy.read_model_description(path)
        self.refs = {one.name: one.valueReference for one in told.modelVariables}
        self.folder = fmpy.extract(path)
        name = told.modelExchange.modelIdentifier
        self.fmu = fmpy.fmi3.FMU3Model(
            guid=told.instantiationToken, unzipDirectory=self.folder, modelIdentifier=name, instanceName="a"
        )
        self.fmu.instantiate()
        derived = [one for one in told.modelVariables if one.derivative is not None]
        self.states, self.rates = (
            [one.derivative.valueReference for one in derived],
            [one.valueReference for one in derived],
        )

    def put(self, x: np.ndarray) -> None:
        x = np.ascontiguousarray(x)
        self.fmu.setContinuousStates(x.ctypes.data_as(fmpy.fmi3.POINTER(fmpy.fmi3.c_double)), len(x))

    def close(self) -> None:
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)


def test_derivatives_in_contact_are_those_of_the_model(bench, units):
    """Against differences of sixth order: a ball 1 mm deep in the ground, the slider at its stop, the craft pushed."""
    one = Exchange(units[3])
    start = {"fall low": RADIUS - 1e-3, "v:fall low": -0.3, "slide": STOP + 1e-3}
    one.fmu.setFloat64([one.refs[name] for name in start], list(start.values()))
    one.fmu.setFloat64([one.refs["craft.port.fy"]], [2.5])
    one.fmu.enterInitializationMode()
    one.fmu.exitInitializationMode()
    one.fmu.updateDiscreteStates()
    one.fmu.enterContinuousTimeMode()
    unknown = [*one.rates, *(one.refs[name] for name in SHOWN)]
    x0 = np.array(one.fmu.getFloat64(one.states))
    rng = np.random.default_rng(4)
    inputs = [one.refs["effort:slide"], one.refs["craft.port.fy"]]
    for _ in range(3):
        seed = rng.standard_normal(len(x0))
        along, h = seed * np.where(np.abs(x0) < 0.2, 1e-3, 1.0), 3e-3  # the depth is of a millimetre
        exact = np.array(one.fmu.getDirectionalDerivative(unknown, one.states, list(along), len(unknown)))
        total = np.zeros(len(unknown))
        for n, weight in ((1, 45.0), (2, -9.0), (3, 1.0)):
            for side in (-1, 1):
                one.put(x0 + side * n * h * along)
                total += side * weight * np.array(one.fmu.getFloat64(unknown)) / (60.0 * h)
        one.put(x0)
        np.testing.assert_allclose(exact, total, rtol=1e-8, atol=1e-8)
        weights = rng.standard_normal(len(unknown))
        adjoint = one.fmu.getAdjointDerivative(unknown, one.states, list(weights), len(x0))
        assert np.dot(adjoint, along) == pytest.approx(weights @ exact, rel=1e-10)
    # efforts and forces act linearly: a difference over a whole unit is exact
    values = np.array(one.fmu.getFloat64(unknown))
    slope = np.array(one.fmu.getDirectionalDerivative(unknown, inputs, [1.0, -0.5], len(unknown)))
    one.fmu.setFloat64(inputs, [1.0, 2.0])
    np.testing.assert_allclose(np.array(one.fmu.getFloat64(unknown)) - values, slope, atol=1e-11)
    one.close()

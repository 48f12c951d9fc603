"""Models fitted to records: values and errors against an independent fit, what records cannot tell, and bad records."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import curve_fit

import jourdain as jd
from jourdain.contact import IdentificationWarning
from jourdain.methods.identification.statistics import whiteness
from jourdain.methods.identification.unknowns import from_coordinates, numbers, pseudo_inertia, to_coordinates

NOISE = 1e-3
TIME = np.arange(0.0, 3.0, 0.02)


@pytest.fixture(scope="module")
def pendulum() -> jd.Model:
    """A point mass at 1 m, with friction in the hinge."""
    system = jd.System("pendulum", gravity=(0.0, 0.0, -9.81))
    bob = jd.RigidBody("bob", mass=1.0, com=(1.0, 0.0, 0.0))
    system.add(bob, jd.Revolute("hinge", axis="y", damping=0.1))
    return system.compile()


def record(model: jd.Model, seed: int = 0, angle: float = 0.3, time: np.ndarray = TIME, **more) -> dict:
    """A swing from rest, with noise."""
    state = model.state(q={"hinge": angle})
    run = jd.simulate(model, state, float(time[-1]), output=float(time[1] - time[0]), progress=False)
    noise = NOISE * np.random.default_rng(seed).normal(size=len(time))
    return {"time": time, "hinge": run.record.q[: len(time), 0] + noise}


@pytest.fixture(scope="module")
def swing(pendulum: jd.Model) -> dict:
    return record(pendulum)


def begun(model: jd.Model) -> dict:
    return {"state": model.state(q={"hinge": 0.3})}


def test_values_and_errors_are_those_of_an_independent_fit(pendulum, swing):
    """The equation of motion by hand, integrated by SciPy and fitted by `curve_fit` with its own differences."""

    def angle(t, length, damping):
        def rate(t, y):
            return [y[1], (9.81 * length * np.cos(y[0]) - damping * y[1]) / length**2]

        return solve_ivp(rate, (0.0, t[-1]), [0.3, 0.0], t_eval=t, rtol=1e-10, atol=1e-12).y[0]

    wanted, covariance = curve_fit(angle, swing["time"], swing["hinge"], p0=[1.05, 0.2])
    rough = pendulum.with_parameters({"bob.com.x": 1.05, "hinge.damping": 0.2})
    fit = jd.identify(rough, swing, {"bob.com.x": (0.5, 2.0), "hinge.damping": (0.0, 1.0)}, **begun(pendulum))
    errors = np.sqrt(np.diag(covariance))
    # both end within a small part of the standard error
    assert np.max(np.abs(np.array(list(fit.values.values())) - wanted) / errors) < 1e-2
    assert list(fit.errors.values()) == pytest.approx(errors, rel=1e-3)
    assert fit.correlation["hinge.damping", "bob.com.x"] == pytest.approx(
        covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1]), abs=1e-3
    )
    for name, true in (("bob.com.x", 1.0), ("hinge.damping", 0.1)):
        low, high = fit.intervals[name]
        assert low < true < high and abs(fit.values[name] - true) < 4.0 * fit.errors[name]
    assert fit.noise["hinge"] == pytest.approx(NOISE, rel=0.15)
    assert fit.converged and not fit.unidentifiable and not fit.hints and not fit.at_bounds
    assert fit.model.parameters["bob.com.x"] == fit.values["bob.com.x"]
    assert fit.comparisons[0].whiteness.white and fit.comparisons[0].explained > 0.99
    assert "bob.com.x" in str(fit) and "white" in str(fit)


def test_what_the_records_cannot_tell_is_named(pendulum, swing):
    """Mass and damping of a pendulum change nothing together; a centre along the axis changes nothing."""
    unknowns = {"bob.mass": (0.1, 10.0), "hinge.damping": (0.0, 1.0), "bob.com.x": (0.5, 2.0), "bob.com.y": None}
    fit = jd.identify(pendulum, swing, unknowns, **begun(pendulum))
    assert set(fit.undetermined) == {"bob.mass", "hinge.damping", "bob.com.y"}
    assert all(np.isnan(fit.values[name]) for name in fit.undetermined)
    assert np.isnan(fit.intervals["bob.mass"][0])
    assert fit.values["bob.com.x"] == pytest.approx(1.0, abs=1e-3)
    told = {frozenset(one.parts) for one in fit.unidentifiable}
    assert told == {frozenset({"bob.mass", "hinge.damping"}), frozenset({"bob.com.y"})}
    (pair,) = (one.parts for one in fit.unidentifiable if len(one.parts) == 2)
    # d damping / damping = d mass / mass; sizes are magnitudes or a tenth of the bounds
    x = fit.problem.unknowns
    sizes = dict(zip(x.names, x.scale, strict=True))
    at = {name: fit._all[name] for name in pair}
    slope = pair["hinge.damping"] * sizes["hinge.damping"] / (pair["bob.mass"] * sizes["bob.mass"])
    assert slope == pytest.approx(at["hinge.damping"] / at["bob.mass"], rel=1e-3)
    # a model that fits as well as any
    again = jd.simulate(fit.model, fit.model.state(q={"hinge": 0.3}), 2.98, output=0.02, progress=False)
    assert np.std(again.record.q[:, 0] - swing["hinge"]) < 1.1 * NOISE


def test_a_prior_tells_what_the_record_does_not(pendulum, swing):
    fit = jd.identify(
        pendulum, swing, {"bob.mass": (0.1, 10.0), "hinge.damping": (0.0, 1.0)}, priors={"bob.mass": (1.2, 0.01)},
        **begun(pendulum),
    )  # fmt: skip
    assert fit.values["bob.mass"] == pytest.approx(1.2, abs=1e-4)
    assert fit.errors["bob.mass"] == pytest.approx(0.01, rel=1e-2)
    assert fit.values["hinge.damping"] == pytest.approx(0.12, rel=0.01)


def test_several_records_rates_gaps_units_and_files(pendulum, tmp_path):
    """A CSV file in degrees with empty cells, a dataset, a run file, and a dict with two rates; two starts."""
    one, two = record(pendulum, 1), record(pendulum, 2, angle=0.8)
    lines = ["# a comment", "time [ms],hinge [deg]"]
    for i, (t, x) in enumerate(zip(one["time"], one["hinge"], strict=True)):
        lines.append(f"{1000 * t:.9g},{'' if 40 <= i < 60 else f'{np.degrees(x):.12g}'}")
    path = tmp_path / "swing.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    import xarray as xr

    dataset = xr.Dataset({"hinge": ("time", two["hinge"])}, {"time": two["time"]})
    rates = {"hinge": (one["time"][::3], one["hinge"][::3]), "v:hinge": (one["time"][1::7], 0.0 * one["time"][1::7])}
    run = jd.simulate(pendulum, pendulum.state(q={"hinge": 0.3}), 2.98, output=0.02, progress=False)
    rates["v:hinge"] = (rates["v:hinge"][0], run.record.v[1 : len(TIME) : 7, 0])
    saved = run.save(tmp_path / "run.nc")
    near, far = pendulum.state(q={"hinge": 0.3}), pendulum.state(q={"hinge": 0.8})
    records = [
        jd.study.Measurement(path, state=near),
        jd.study.Measurement(dataset, state=far, noise={"hinge": NOISE}),
        jd.study.Measurement(rates, state=near, noise={"hinge": NOISE, "v:hinge": 0.01}),
        saved if saved is not None else tmp_path / "run.nc",
    ]
    rough = pendulum.with_parameters({"bob.com.x": 1.03})
    fit = jd.identify(rough, records[:3], {"bob.com.x": (0.5, 2.0)})
    assert fit.values["bob.com.x"] == pytest.approx(1.0, abs=5 * fit.errors["bob.com.x"])
    assert [len(c.time) for c in fit.comparisons] == [130, 150, 50, 22]
    # a run file has its own state, and a record that is kept apart is predicted
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IdentificationWarning)
        whole = jd.identify(rough, records[3], {"bob.com.x": (0.5, 2.0)}, validate=[records[1]])
    assert whole.values["bob.com.x"] == pytest.approx(1.0, abs=1e-7)
    assert whole.validation[0].rms == pytest.approx(NOISE, rel=0.15)
    assert whole.validation[0].explained > 0.995


def test_sensors_and_starts_are_unknowns_too(pendulum):
    """Offset, gain and delay of the sensor; the start of each of two records by itself."""
    time = np.arange(0.0, 3.0, 0.01)
    state = pendulum.state(q={"hinge": 0.3})
    run = jd.simulate(pendulum, state, 3.1, output=0.01, progress=False)
    from scipy.interpolate import CubicSpline

    path = CubicSpline(run.record.time, run.record.q[:, 0])
    rng = np.random.default_rng(3)
    told = 1.02 * path(np.maximum(time - 0.013, 0.0)) + 0.05 + NOISE * rng.normal(size=len(time))
    again = {"time": time, "hinge": told + NOISE * rng.normal(size=len(time))}
    names = ["offset:hinge", "gain:hinge", "delay:hinge"]
    fit = jd.identify(pendulum, {"time": time, "hinge": told}, names, state=state, validate=again)
    for name, true in (("offset:hinge", 0.05), ("gain:hinge", 1.02), ("delay:hinge", 0.013)):
        assert abs(fit.values[name] - true) < 4.0 * fit.errors[name] + 1e-6
    # a record that is kept apart is seen by the same sensor
    assert fit.validation[0].rms < 2.0 * NOISE
    two = [record(pendulum, 4, angle=0.32), record(pendulum, 5, angle=0.27)]
    fit = jd.identify(pendulum, two, ["state.q.hinge", "hinge.damping"], state=state)
    assert list(fit.values) == ["state.q.hinge@1", "state.q.hinge@2", "hinge.damping"]
    for name, true in (("state.q.hinge@1", 0.32), ("state.q.hinge@2", 0.27)):
        assert abs(fit.values[name] - true) < 4.0 * fit.errors[name]


def test_outliers_count_less_with_a_robust_loss(pendulum, swing):
    spoilt = {**swing, "hinge": swing["hinge"].copy()}
    spoilt["hinge"][5::13] += 0.5
    errors = {}
    for loss in ("linear", "soft_l1", "huber", "cauchy"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", IdentificationWarning)
            fit = jd.identify(pendulum, spoilt, {"bob.com.x": (0.5, 2.0)}, loss=loss, **begun(pendulum))
        errors[loss] = abs(fit.values["bob.com.x"] - 1.0)
    assert errors["linear"] > 1e-3
    assert max(errors[one] for one in ("soft_l1", "huber", "cauchy")) < 0.2 * errors["linear"]


def test_an_unstable_plant_is_fitted_in_parts(pendulum):
    """From upright a pendulum leaves a start that is off by a little; parts that begin anew do not."""
    falling = record(pendulum, 7, angle=-np.pi / 2 + 0.002, time=np.arange(0.0, 3.0, 0.04))
    rough = pendulum.with_parameters({"bob.com.x": 1.4, "hinge.damping": 0.4})
    unknowns = {"bob.com.x": (0.3, 3.0), "hinge.damping": (0.0, 2.0), "state.q.hinge@1": None}
    state = rough.state(q={"hinge": -np.pi / 2 + 0.02})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IdentificationWarning)
        fit = jd.identify(rough, falling, unknowns, state=state, parts=4, iterations=15)
    assert fit.converged
    for name, true in (("bob.com.x", 1.0), ("hinge.damping", 0.1), ("state.q.hinge@1", -np.pi / 2 + 0.002)):
        assert abs(fit.values[name] - true) < 4.0 * fit.errors[name]
        assert fit.errors[name] < 0.02
    # parts join: the gaps are far below the noise
    gaps = fit.problem.residuals(fit.estimate.x)[fit.estimate.samples :] * 1e-6
    assert np.max(np.abs(gaps)) < 0.1 * NOISE


def test_inertias_are_always_physical():
    """Any ten numbers are a body; the way there and back is the identity (Rucker & Wensing 2022)."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        x = rng.normal(size=10)
        mass, com, inertia = from_coordinates(x)
        assert mass > 0.0
        moments = np.linalg.eigvalsh(inertia)
        assert moments[0] > 0.0 and moments[0] + moments[1] > moments[2]
        assert np.linalg.eigvalsh(pseudo_inertia(mass, com, inertia))[0] > 0.0
        assert to_coordinates(mass, com, inertia) == pytest.approx(x, abs=1e-7)
        assert numbers(x)[0] == mass
    with pytest.raises(jd.JourdainError, match="no body with a volume"):
        to_coordinates(1.0, np.zeros(3), np.diag([1.0, 1.0, 2.0]))


@pytest.mark.slow
def test_a_payload_is_identified_as_a_body():
    """A payload that tumbles freely on a spherical joint under gravity: all ten numbers but their common factor."""
    system = jd.System("tumbling", gravity=(0.0, 0.0, -9.81))
    body = jd.RigidBody("load", mass=2.0, com=(0.1, -0.05, 0.15), inertia=(0.03, 0.05, 0.04, 0.004, -0.006, 0.005))
    system.add(body, jd.Spherical("ball"))
    model = system.compile()
    state = model.state(v={"ball": (2.0, -1.0, 1.5)})
    run = jd.simulate(model, state, 1.0, output=0.02, progress=False)
    rng = np.random.default_rng(2)
    told = {
        f"v:{name}": run.record.v[:, i] + 1e-3 * rng.normal(size=len(run.time)) for i, name in enumerate(model.names.v)
    }
    rough = model.with_parameters({"load.com.x": 0.12, "load.inertia.xy": 0.0, "load.inertia.zz": 0.05})
    fit = jd.identify(rough, {"time": run.record.time, **told}, ["load.inertial"], state=state)
    assert "load.mass" in fit.undetermined and fit.converged
    found, true = fit.model.parameters, model.parameters
    # gravity shows moments about the pivot beside the first moments, and no common factor of both
    got = pseudo_inertia(found["load.mass"], *_centre(found))
    want = pseudo_inertia(true["load.mass"], *_centre(true))
    assert np.linalg.eigvalsh(got)[0] > 0.0
    first = [P[:3, 3] / np.linalg.norm(P[:3, 3]) for P in (got, want)]
    assert first[0] == pytest.approx(first[1], abs=0.02)
    about = [(np.trace(P[:3, :3]) * np.eye(3) - P[:3, :3]) / np.linalg.norm(P[:3, 3]) for P in (got, want)]
    assert about[0] == pytest.approx(about[1], abs=0.02 * np.max(about[1]))


def _centre(table) -> tuple[np.ndarray, np.ndarray]:
    tensor = np.zeros((3, 3))
    tensor[np.triu_indices(3)] = [table[f"load.inertia.{ij}"] for ij in ("xx", "xy", "xz", "yy", "yz", "zz")]
    return np.array([table[f"load.com.{i}"] for i in "xyz"]), tensor + np.triu(tensor, 1).T


def test_what_is_left_is_noise_or_not():
    rng = np.random.default_rng(0)
    white = [whiteness(rng.normal(size=400)).probability for _ in range(200)]
    assert 0.0 < np.mean(np.array(white) < 0.05) < 0.12
    assert not whiteness(np.cumsum(rng.normal(size=400))).white


def test_the_report_says_it_all(pendulum, swing, tmp_path):
    unknowns = {"bob.com.x": (0.5, 2.0), "bob.mass": (0.1, 10.0), "hinge.damping": (0.0, 1.0)}
    fit = jd.identify(pendulum, swing, unknowns, validate=[record(pendulum, 9)], **begun(pendulum))
    text = fit.report(tmp_path / "fit.html").read_text(encoding="utf-8")
    for words in ("bob.com.x", "95 % interval", "do not distinguish", "kept apart", "probability of white noise"):
        assert words in text
    assert "http://" not in text.replace("http://www.w3.org", "")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda r: {**r, "hinge": np.degrees(r["hinge"])}, "seems to be in degrees"),
        (
            lambda r: {**r, "hinge": -r["hinge"]},
            "hinge: the record is -1.* times the model; its sign seems to be turned",
        ),
        (lambda r: {**r, "time": 1000.0 * r["time"]}, "record 1: its times seem to be in ms; divide them by 1000"),
        (lambda r: {**r, "hinge": r["hinge"] + 0.2}, "look like an offset of"),
        (lambda r: {"time": r["time"][3:], "hinge": r["hinge"][:-3]}, r"look like a delay of \+0.0[56]"),
        (lambda r: {**r, "time": 1.01 * r["time"]}, r"look like a clock that is off by \+[01]\.[0-9]+ %"),
        (lambda r: {**r, "time": 0.99 * r["time"]}, r"look like a clock that is off by -[01]\.[0-9]+ %"),
    ],
    ids=["degrees", "sign", "milliseconds", "offset", "delay", "fast clock", "slow clock"],
)
def test_what_is_wrong_with_a_record_is_guessed(pendulum, swing, change, words):
    with pytest.warns(IdentificationWarning, match=words):
        jd.identify(pendulum, change(swing), {"hinge.damping": (0.05, 0.5)}, **begun(pendulum))


@pytest.mark.parametrize(
    ("factor", "words"), [(1000.0, "thousandths of its unit"), (0.001, "thousands of its unit")], ids=["mm", "km"]
)
def test_lengths_in_another_unit_are_guessed(factor, words):
    """A sled on a spring, whose place was recorded in mm or km instead of m; in m nothing is said."""
    system = jd.System("sled")
    system.add(jd.RigidBody("sled", mass=2.0), jd.Prismatic("slide", axis="x", stiffness=50.0, damping=1.0))
    model = system.compile()
    state = model.state(q={"slide": 0.05})
    run = jd.simulate(model, state, 2.0, output=0.02, progress=False)
    noise = 1e-4 * np.random.default_rng(0).normal(size=len(run.record.time))
    told = {"time": run.record.time, "slide": run.record.q[:, 0] + noise}
    unknowns = {"slide.damping": (0.5, 2.0)}
    with pytest.warns(
        IdentificationWarning, match=f"slide: the record is .* times the model; it seems to be in {words}"
    ):
        jd.identify(model, {**told, "slide": factor * told["slide"]}, unknowns, state=state)
    with warnings.catch_warnings():
        warnings.simplefilter("error", IdentificationWarning)
        fit = jd.identify(model, told, unknowns, state=state)
    low, high = fit.intervals["slide.damping"]
    assert low < 1.0 < high


@pytest.mark.parametrize(
    ("change", "more", "words"),
    [
        (lambda r: {**r, "hinge": 0.0 * r["hinge"]}, {}, "is dead, or nothing moved"),
        (lambda r: {k: v[:5] for k, v in r.items()}, {}, "the fewest"),
        (lambda r: {**r, "time": r["time"][::-1]}, {}, "does not increase"),
        (lambda r: {"time": r["time"], "elbow": r["hinge"]}, {}, "elbow"),
        (lambda r: {"hinge": r["hinge"]}, {}, 'has no "time"'),
        (lambda r: {**r, "hinge": r["hinge"][:-1]}, {}, "as many of both"),
        (lambda r: {**r, "time": r["time"] - 1.0}, {}, "before the state"),
        (lambda r: r, {"state": None}, "state: is missing"),
        (lambda r: r, {"unknowns": {"bob.mas": None}}, "bob has mass"),
        (lambda r: r, {"unknowns": {"bob.mass": (3.0, 1.0)}}, "lower bound first"),
        (lambda r: r, {"unknowns": {}}, "give addresses"),
        (lambda r: r, {"unknowns": "bob.mass"}, "give a dict"),
        (lambda r: r, {"unknowns": ["offset:elbow"]}, "no such channel"),
        (lambda r: r, {"noise": {"elbow": 1.0}}, "no such channel"),
        (lambda r: r, {"noise": {"hinge": -1.0}}, "above zero"),
        (lambda r: r, {"loss": "square"}, "allowed are"),
        (lambda r: r, {"parts": 0}, "whole number"),
        (lambda r: r, {"start": {"bob.com.x": 1.0}}, "is no unknown"),
        (lambda r: r, {"priors": {"bob.com.x": (1.0, 1.0)}}, "is no unknown"),
        (lambda r: 7, {}, "give a Run, a file"),
        (lambda r: [], {}, "there are none"),
    ],
)  # fmt: skip
def test_bad_records_and_unknowns_are_refused(pendulum, swing, change, more, words):
    told = begun(pendulum) | {"unknowns": {"hinge.damping": (0.0, 1.0)}} | more
    with pytest.raises(jd.JourdainError, match=words):
        jd.identify(pendulum, change(swing), **told)


def test_a_bound_that_is_too_narrow_is_named(pendulum, swing):
    """The damping is 0.1; what ends on its bound is told in the warning and in the words of the fit."""
    with pytest.warns(IdentificationWarning, match=r"hinge.damping: it ended on a bound, 0.01; widen its bounds"):
        fit = jd.identify(pendulum, swing, {"hinge.damping": (0.0, 0.01)}, **begun(pendulum))
    assert fit.at_bounds == ["hinge.damping"] and fit.bounded[0] in str(fit)


def test_gaps_cost_samples_and_nothing_else(pendulum, swing):
    """Rows that are missing, and cells that are no numbers, are the same gap; the truth stays within the interval."""
    here = np.r_[0:40, 60:150]
    holes = swing["hinge"].copy()
    holes[40:60] = np.nan
    one, two = (
        jd.identify(pendulum, record, {"hinge.damping": (0.0, 1.0)}, **begun(pendulum))
        for record in ({name: x[here] for name, x in swing.items()}, {**swing, "hinge": holes})
    )
    assert len(one.comparisons[0].time) == len(two.comparisons[0].time) == 130
    assert one.values["hinge.damping"] == pytest.approx(two.values["hinge.damping"], rel=1e-9)
    assert one.intervals["hinge.damping"][0] < 0.1 < one.intervals["hinge.damping"][1]


def test_files_that_are_no_records_are_refused(pendulum, tmp_path):
    for text, words in (
        ("time,hinge\n", "no rows"),
        ("time,hinge\n0.0\n", "has 1 cells"),
        ("time,hinge\n0.0,a\n", "is no number"),
        ("time,hinge [m]\n" + "".join(f"{i},{i}\n" for i in range(9)), "is in rad"),
        ("time,hinge [smoot]\n" + "".join(f"{i},{i}\n" for i in range(9)), "no unit"),
    ):
        path = tmp_path / "bad.csv"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(jd.JourdainError, match=words):
            jd.identify(pendulum, path, ["hinge.damping"], **begun(pendulum))
    with pytest.raises(jd.JourdainError, match="no such file"):
        jd.identify(pendulum, tmp_path / "none.csv", ["hinge.damping"], **begun(pendulum))

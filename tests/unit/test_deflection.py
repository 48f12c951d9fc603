"""The deformed shape of a beam and what is inside it, from a run."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

LENGTH, EA, EI, GJ = 2.0, 2e5, (4e4, 9e4), 3e4


def cantilever(force=(0, 0, 0), moment=(0, 0, 0), **options):
    system = jd.System("cantilever")
    properties = dict(modes=jd.Modes(bending=3, torsion=1, axial=1), damping=0.7)
    beam = jd.Beam("fore", LENGTH, 0.8, EA, EI, GJ, **(properties | options))
    system.add(beam, jd.Weld("root"), rotation=(0.5, 0.5, 0.5, 0.5))
    system.force("push", at="fore.tip", force=force, moment=moment, axes="body")
    return system.compile()


def held(model, **q):
    """A run whose first sample has the internal coordinates asked for."""
    state = model.state(q={f"fore.{name}": value for name, value in q.items()})
    return jd.simulate(model, state, until=1e-4, step=1e-4)


@pytest.fixture(scope="module")
def run():
    """Settled under a small force and torque at the tip."""
    model = cantilever(force=(30.0, 20.0, 30.0), moment=(50.0, 0, 0))
    return jd.simulate(model, model.state(), until=1.0, step=1e-4, output=0.1)


def test_static_deflection(run):
    """Small loads: v = F_y x^2 (3 L - x) / 6 EI_a, likewise w; u = F_x x / EA less the foreshortening."""
    u = run.deflection("fore")
    assert u.dims == ("time", "x", "axis") and u.shape == (len(run), 21, 3)
    assert u.attrs["units"] == "m" and u.x.attrs["units"] == "m" and u.name == "fore.deflection"
    assert np.all(u.values[0] == 0.0)
    x = u.x.values
    assert x == pytest.approx(np.linspace(0.0, LENGTH, 21))
    last = u.isel(time=-1)
    for axis, load, stiffness in (("y", 20.0, EI[0]), ("z", 30.0, EI[1])):
        shape = load * x**2 * (3 * LENGTH - x) / (6 * stiffness)
        assert last.sel(axis=axis).values == pytest.approx(shape, rel=3e-3, abs=1e-7)
    assert last.sel(axis="x").values == pytest.approx(30.0 * x / EA, rel=1e-2, abs=1e-7)


def test_strain_and_internal_forces(run):
    inside = run.strain("fore").isel(time=-1)
    x = inside.x.values
    assert inside["force"].values == pytest.approx(np.full(21, 30.0), rel=1e-2)
    assert inside["axial"].values == pytest.approx(inside["force"].values / EA)
    assert inside["torque"].values == pytest.approx(np.full(21, 50.0), rel=1e-2)
    assert inside["twist"].values == pytest.approx(inside["torque"].values / GJ)
    # The face towards the tip: a force along +y turns about +z, one along +z about -y.
    assert inside["moment_z"].values == pytest.approx(20.0 * (LENGTH - x), rel=1e-2, abs=0.1)
    assert inside["moment_y"].values == pytest.approx(-30.0 * (LENGTH - x), rel=1e-2, abs=0.2)
    assert inside["kappa_z"].values == pytest.approx(inside["moment_z"].values / EI[0])
    assert inside["kappa_y"].values == pytest.approx(inside["moment_y"].values / EI[1])
    assert inside["moment_y"].attrs["units"] == "N m" and inside["kappa_y"].attrs["units"] == "1/m"


def test_the_tip_is_where_its_frame_is(run):
    """The deflection in root axes, turned into the world, is the motion of the frame at the tip; other stations too."""
    R = run.model.pose("fore.root", run.model.neutral).rotation
    moved = run.deflection("fore", x=[LENGTH]).values[:, 0] @ R.T
    start = run.model.pose("fore.tip", run.model.neutral).position
    assert run.frame("fore.tip").position.values - start == pytest.approx(moved, abs=1e-14)


@pytest.mark.parametrize("basis", ["polynomial", "free-free", "finite-element"])
def test_foreshortening_is_in_it(basis):
    """A large amplitude: the arc keeps its length to second order, and the tip's frame agrees."""
    model = cantilever(basis=basis, modes=jd.Modes(bending=2))
    run = held(model, **{"bending_y[0]": 0.2, "bending_z[1]": -0.1})
    u = run.deflection("fore", x=np.linspace(*run.deflection("fore").x.values[[0, -1]], 2001)).isel(time=0)
    line = u.values + np.stack([u.x, 0 * u.x, 0 * u.x], axis=1)
    slope = np.gradient(line, u.x.values, axis=0)
    stretch = slope[:, 0] - 1.0 + 0.5 * (slope[:, 1] ** 2 + slope[:, 2] ** 2)
    assert stretch == pytest.approx(np.zeros(2001), abs=2e-4)
    assert abs(u.values[-1, 0]) > 1e-3
    tip = model.pose("fore.tip", run.state(0)).position - model.pose("fore.tip", model.neutral).position
    R = model.pose("fore.origin", model.neutral).rotation
    assert u.values[-1] == pytest.approx(R.T @ tip, abs=1e-12)


def test_strain_of_a_beam_that_does_not_shorten_by_itself():
    model = cantilever(axial="dual", modes=jd.Modes(bending=1))
    run = held(model, **{"bending_y[0]": 0.1})
    inside = run.strain("fore").isel(time=0)
    slope = np.gradient(run.deflection("fore", np.linspace(0, LENGTH, 2001)).values[0, :, 1], LENGTH / 2000)
    assert inside["axial"].values == pytest.approx(0.5 * slope[::100] ** 2, rel=1e-2, abs=1e-5)


def test_a_loaded_run_knows_its_shape(run, tmp_path):
    loaded = jd.load(run.save(tmp_path / "run.nc"))
    assert loaded.deflection("fore").values.tolist() == run.deflection("fore").values.tolist()
    assert loaded.strain("fore").equals(run.strain("fore"))


def test_bad_questions(run):
    with pytest.raises(jd.JourdainError, match='no body "for"; did you mean "fore"'):
        run.deflection("for")
    for x in ([2.5], [-0.1], [[0.0, 1.0]], [np.nan]):
        with pytest.raises(jd.errors.ModelError, match="fore: x: got .*give places from 0 to 2 m"):
            run.strain("fore", x=x)
    stiff = cantilever(modes=jd.Modes())
    with pytest.raises(jd.errors.ModelError, match="fore: the body is rigid, it does not deform"):
        jd.simulate(stiff, stiff.state(), until=0.1, step=0.1).deflection("fore")


def test_rigid_bodies_do_not_deform(fake_run):
    for ask in (fake_run.deflection, fake_run.strain):
        with pytest.raises(jd.errors.ModelError, match="upper: the body is rigid, it does not deform"):
            ask("upper")

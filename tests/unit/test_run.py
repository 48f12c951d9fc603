"""What a run hands out: labelled channels, energy, frames, figures, and errors that help."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

from jourdain.basics.errors import JourdainError
from jourdain.results.channels import ENERGY, UnknownNameError
from jourdain.results.run import Record, Run
from jourdain.view.plots import plot_energy, thin


def test_channels_are_labelled(fake_run):
    elbow = fake_run.q["elbow"]
    assert elbow.dims == ("time",) and elbow.name == "elbow" and elbow.attrs["units"] == "rad"
    np.testing.assert_array_equal(elbow.values, fake_run.record.q[:, 7])
    np.testing.assert_array_equal(elbow["time"].values, fake_run.record.time)
    assert fake_run.time.dims == ("time",) and len(fake_run.time) == len(fake_run) == 11
    assert elbow.sel(time=0.52, method="nearest") == fake_run.record.q[5, 7]


def test_units_follow_the_joints(fake_run):
    assert fake_run.q.units == ("m",) * 3 + ("1",) * 4 + ("rad", "m")
    assert fake_run.v.units == ("rad/s",) * 3 + ("m/s",) * 3 + ("rad/s", "m/s")
    assert fake_run.effort.units == ("N m",) * 3 + ("N",) * 3 + ("N m", "N")


def test_several_channels_and_whole_joints(fake_run):
    pair = fake_run.v[["slide", "elbow"]]
    assert pair.dims == ("time", "speed") and list(pair["speed"].values) == ["slide", "elbow"]
    np.testing.assert_array_equal(pair.values, fake_run.record.v[:, [7, 6]])
    free = fake_run.q["free"]
    assert free.shape == (11, 7) and list(free["coordinate"].values) == list(fake_run.model.names.q[:7])
    assert "units" not in free.attrs and fake_run.v[["slide", "elbow"]].attrs.get("units") is None
    assert fake_run.q[["free.x", "slide"]].attrs["units"] == "m"


def test_channels_are_real_xarrays(fake_run):
    import pandas as pd
    import xarray as xr

    for kind in ("q", "v", "z", "effort", "energy"):
        array, plain = getattr(fake_run, kind), getattr(fake_run.channels, kind)
        assert isinstance(array, xr.DataArray) and array.shape == plain.values.shape and array.name == kind
        assert array.names == plain.names and array.units == plain.units
        for i, name in enumerate(plain.names):
            np.testing.assert_array_equal(array[name].values, plain.values[:, i])
            assert array[name].attrs.get("units", "") == plain.units[i] == array.unit(name)
    table = fake_run.q.to_pandas()
    assert isinstance(table, pd.DataFrame) and list(table.columns) == list(fake_run.model.names.q)
    np.testing.assert_array_equal(table["elbow"], fake_run.record.q[:, 7])
    assert np.shares_memory(fake_run.q.values, fake_run.record.q)
    late = fake_run.q.sel(time=slice(0.5, None))
    assert late["elbow"].equals(fake_run.q["elbow"].sel(time=slice(0.5, None))) and late.unit("elbow") == "rad"
    assert fake_run.q.sel(coordinate="elbow").equals(fake_run.q.isel(coordinate=7))
    assert fake_run.q[3].shape == (9,) and fake_run.q[3]["elbow"] == fake_run.record.q[3, 7]
    assert float((2.0 * fake_run.q - fake_run.q)["slide"][4]) == fake_run.record.q[4, 8]
    both = np.maximum(fake_run.q, 0.0 * fake_run.q) + np.minimum(fake_run.q["elbow"], 0.0)
    assert both.shape == (11, 9) and xr.where(fake_run.q > 0.0, 1, 0).shape == (11, 9)
    assert xr.concat([fake_run.q, fake_run.q], "run").shape == (2, 11, 9)
    assert float(fake_run.energy.max("time")["total"]) == fake_run.energy["total"].values.max()
    assert xr.Dataset({"q": fake_run.q, "v": fake_run.v, "effort": fake_run.effort})["v"].shape == (11, 8)
    assert fake_run.q["time"].dims == fake_run.q.time.dims == ("time",)


def test_channels_can_be_written_and_copied(fake_run, tmp_path):
    import xarray as xr

    fake_run.q.to_netcdf(tmp_path / "q.nc", engine="h5netcdf")
    with xr.open_dataarray(tmp_path / "q.nc", engine="h5netcdf") as back:
        np.testing.assert_array_equal(back.values, fake_run.record.q)
    again = pickle.loads(pickle.dumps(fake_run.q))
    assert again.identical(fake_run.q) and again["elbow"].identical(fake_run.q["elbow"])
    assert fake_run.q.copy().unit("slide") == "m"


def test_channels_know_their_names(fake_run):
    assert fake_run.q.names == fake_run.model.names.q
    assert "elbow" in fake_run.q and "free" in fake_run.q and "knee" not in fake_run.q
    np.testing.assert_array_equal(fake_run.q.column("elbow"), fake_run.record.q[:, 7])


def test_a_run_without_channels_has_empty_ones(fake_model, make_record):
    fake_model.names.z = ()
    run = Run(fake_model, make_record(nz=0))
    assert run.z.shape == (11, 0) and run.z.names == ()
    with pytest.raises(UnknownNameError, match="there are none"):
        run.z["a"]


def test_internal_states_of_joints_come_first(fake_model, make_record):
    fake_model.names.z = ("elbow.anchor",)
    run = Run(fake_model, make_record(nz=3))
    assert run.z.names == ("elbow.anchor", "z[1]", "z[2]") and run.z["z[2]"].shape == (11,)
    with pytest.raises(JourdainError, match="z has 0 columns"):
        Run(fake_model, make_record(nz=0))


def test_unknown_channel_names_close_ones(fake_run):
    with pytest.raises(UnknownNameError, match='no v channel "elbw"; did you mean "elbow"') as caught:
        fake_run.v["elbw"]
    assert isinstance(caught.value, KeyError) and isinstance(caught.value, JourdainError)
    with pytest.raises(KeyError, match="shoulder"):
        fake_run.q[["elbow", "shoulder"]]


def test_energy_bookkeeping(fake_run):
    columns = dict(zip(ENERGY, fake_run.record.energy.T, strict=True))
    total = columns["kinetic"] + columns["gravity"] + columns["strain"] + columns["contact"]
    np.testing.assert_allclose(fake_run.energy["total"].values, total)
    np.testing.assert_allclose(fake_run.energy["balance"].values, 0.0, atol=1e-12)
    np.testing.assert_array_equal(fake_run.energy["work"].values, columns["work"])
    assert fake_run.energy["total"].attrs["units"] == "J"
    assert fake_run.energy.error < 1e-12 < fake_run.energy.scale


def test_energy_balance_sees_an_error(fake_model, make_record):
    record = make_record()
    record.energy[-1, 0] += 0.5
    energy = Run(fake_model, record).energy
    assert energy["balance"].values[-1] == pytest.approx(0.5)
    assert energy.error == pytest.approx(0.5 / energy.scale)


def test_the_level_of_gravity_does_not_hide_an_error(fake_model, make_record):
    record = make_record()
    scale = Run(fake_model, record).energy.scale
    record.energy[:, 1] += 1e9
    assert Run(fake_model, record).energy.scale == pytest.approx(scale, rel=1e-6)


def test_frame_is_lazy_and_in_world_axes(fake_run):
    tip = fake_run.frame("fore.tip")
    assert fake_run.model.calls == 0
    np.testing.assert_array_equal(tip.position.values, fake_run.record.q[:, :3])
    np.testing.assert_array_equal(tip.quaternion.values, fake_run.record.q[:, 3:7])
    np.testing.assert_array_equal(tip.angular_velocity.values, fake_run.record.v[:, :3])
    np.testing.assert_array_equal(tip.velocity.values, fake_run.record.v[:, 3:6])
    assert tip.position.dims == ("time", "axis") and list(tip.position["axis"].values) == ["x", "y", "z"]
    assert tip.quaternion.dims == ("time", "component") and tip.velocity.attrs["units"] == "m/s"
    assert fake_run.frame("fore.tip") is tip and fake_run.model.calls == 1
    assert fake_run.frame("fore") is fake_run.frame("fore.origin")
    with pytest.raises(KeyError, match='did you mean "fore.tip"'):
        fake_run.frame("fore.tp")


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda run: run.contact["touch"], "has no contacts"),
        (lambda run: run.constraint["pin"], "has no constraints"),
        (lambda run: run.deflection("fore"), "fore: the body is rigid"),
        (lambda run: run.strain("fore"), "fore: the body is rigid"),
        (lambda run: run.state(11), "samples 0 to 10"),
        (lambda run: run.plot("knee"), "no coordinate, energy or address"),
        (lambda run: run.plot("v:knee"), "no v channel"),
        (lambda run: run.plot("frame:knee"), "no frame"),
        (lambda run: run.plot([]), "empty list"),
    ],
)
def test_what_a_run_does_not_have_is_said_in_one_line(fake_run, ask, says):
    with pytest.raises(JourdainError, match=says) as caught:
        ask(fake_run)
    assert "\n" not in str(caught.value)


def test_absent_families_are_empty(fake_run):
    assert len(fake_run.contact) == 0 and list(fake_run.constraint) == [] and "touch" not in fake_run.contact


def test_to_xarray_holds_everything(fake_run):
    data = fake_run.to_xarray(frames=["fore.tip"])
    for name in ("q", "v", "z", "effort", "energy"):
        columns = getattr(fake_run.record, name)
        np.testing.assert_array_equal(data[name].values[:, : columns.shape[1]], columns)
    assert data["fore.tip.position"].shape == (11, 3)
    assert data.effort.sel(speed="elbow").shape == (11,)
    assert data.attrs["model_hash"] == fake_run.model.hash and "bodies" in data["model_description"].item()


def test_repr_is_short(fake_run):
    text = repr(fake_run)
    assert "'arm'" in text and "11 samples" in text and "rk4" in text and len(text) < 200
    assert repr(fake_run.q).startswith("<xarray.ChannelArray 'q' (time: 11, coordinate: 9)>")
    assert "partial" in repr(Run(fake_run.model, fake_run.record, partial=True))


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("time", np.zeros((0,)), "at least one sample"),
        ("time", np.array([0.0, np.nan, 2.0]), r"time\[1\] is not a finite"),
        ("time", np.array([0.0, 1.0, 1.0]), "does not increase"),
        ("q", np.zeros((3, 4)), r"q has shape \(3, 4\); it must be \(3, 9\)"),
        ("v", np.zeros((2, 8)), "v has shape"),
        ("z", np.zeros(3), "z has shape"),
        ("effort", np.zeros((3, 9)), "effort has shape"),
        ("energy", np.zeros((3, 5)), "energy has shape"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(fake_model, make_record, field, value, says):
    record = make_record(3)
    setattr(record, field, value)
    with pytest.raises(JourdainError, match=says):
        Run(fake_model, record)


def test_records_join(make_record):
    joined = Record.concatenate([make_record(3), make_record(4, start=5.0)])
    assert len(joined) == 7 and joined.q.shape == (7, 9) and joined.problem(9, 8, 1) is None


def test_state_is_the_models(fake_run, monkeypatch):
    from types import SimpleNamespace

    made = SimpleNamespace(State=lambda *parts: parts)
    monkeypatch.setitem(sys.modules, "jourdain.model.state", made)
    time, q, v, z = fake_run.state()
    assert time == fake_run.record.time[-1]
    for got, kept in ((q, fake_run.record.q), (v, fake_run.record.v), (z, fake_run.record.z)):
        np.testing.assert_array_equal(got, kept[-1])
        assert not np.shares_memory(got, kept)
    assert fake_run.state(2)[0] == fake_run.record.time[2]


def test_a_record_can_be_pickled(make_record):
    record = pickle.loads(pickle.dumps(make_record()))
    np.testing.assert_array_equal(record.q, make_record().q)


def test_plot_one_panel_a_name(fake_run):
    figure = fake_run.plot("elbow", "v:elbow", "effort:slide", "fore.tip", "total", "free.wx", ["elbow", "slide"])
    assert len(figure.axes) == 7
    labels = [axis.get_ylabel() for axis in figure.axes]
    assert labels == ["[rad]", "[rad/s]", "[N]", "[m]", "[J]", "[rad/s]", "[rad, m]"]
    assert figure.axes[-1].get_xlabel() == "time [s]"
    assert [len(axis.lines) for axis in figure.axes] == [1, 1, 1, 3, 1, 1, 2]
    np.testing.assert_array_equal(figure.axes[1].lines[0].get_ydata(), fake_run.record.v[:, 6])
    figure.canvas.draw()


def test_plot_without_names_shows_all(fake_run):
    figure = fake_run.plot()
    assert sum(len(axis.lines) for axis in figure.axes) == 9 + 8
    assert {axis.get_ylabel() for axis in figure.axes} == {"[m]", "[1]", "[rad]", "[rad/s]", "[m/s]"}


def test_names_with_dollars_are_not_mathematics(make_model, make_record):
    run = Run(make_model(joint="_$\\frac{$"), make_record())
    run.plot(["_$\\frac{$", "slide"]).canvas.draw()


def test_plot_energy_shows_the_balance(fake_run):
    figure = plot_energy(fake_run)
    assert [axis.get_ylabel() for axis in figure.axes] == ["[J]", "[J]"]
    np.testing.assert_allclose(figure.axes[1].lines[0].get_ydata(), 0.0, atol=1e-12)
    with pytest.raises(JourdainError, match="theme 'pink'"):
        plot_energy(fake_run, theme="pink")


def test_a_single_sample_plots_without_complaint(fake_model, make_record, recwarn):
    Run(fake_model, make_record(1)).plot("elbow").canvas.draw()
    assert not recwarn.list


def test_thinning_keeps_ends_and_peaks(rng):
    time = np.linspace(0.0, 1.0, 100_003)
    values = rng.normal(size=len(time))
    values[[17, 70_000]] = 50.0, -50.0
    values[40_000] = np.nan
    t, y = thin(time, values)
    assert len(t) < 5000 and t[0] == 0.0 and t[-1] == 1.0 and np.all(np.diff(t) > 0)
    assert np.nanmax(y) == 50.0 and np.nanmin(y) == -50.0 and np.isnan(y).sum() == 1


def test_making_a_run_imports_nothing_heavy():
    code = (
        "import sys\n"
        "import jourdain.results.run, jourdain.results.run_file, jourdain.results.journal\n"
        "import jourdain.view.plots, jourdain.study.report.run_report\n"
        "heavy = {'xarray', 'pandas', 'matplotlib', 'h5py', 'h5netcdf', 'scipy'} & set(sys.modules)\n"
        "sys.exit(','.join(sorted(heavy)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

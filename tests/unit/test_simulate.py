"""`jd.simulate`: what it keeps, what it refuses, and what is left when it fails."""

import warnings
from dataclasses import fields

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.run import Record


@pytest.fixture(scope="module")
def model() -> jd.Model:
    """A link with a spring and friction, and another on a ball joint."""
    arm = jd.System("arm", gravity=(0, 0, -9.81))
    link = {"mass": 2.0, "com": (0.4, 0, 0), "inertia": (0.02, 0.1, 0.1), "frames": {"tip": (0.8, 0, 0)}}
    arm.add(jd.RigidBody("upper", **link), joint=jd.Revolute("shoulder", axis="y", stiffness=5.0, friction=0.5))
    arm.add(jd.RigidBody("fore", **link), joint=jd.Spherical("elbow"), to="upper.tip")
    return arm.compile()


@pytest.fixture
def state(model) -> jd.State:
    return model.state(q={"shoulder": 0.3}, v={"elbow": (1.0, 2.0, 3.0)})


def equal(a: jd.Run, b: jd.Run) -> bool:
    """Whether two runs hold the same samples, bit for bit."""
    return all(np.array_equal(getattr(a.record, f.name), getattr(b.record, f.name)) for f in fields(Record))


@jd.law
def burst(t, q, v, z, s, p, effort, dz):
    """Not-a-number from p[0] on."""
    if t > p[0]:
        effort[0] += np.nan


def test_a_plan_compiles_and_computes_nothing_until_it_is_prepared(monkeypatch):
    """Contact, a controller and an event: what is constructed is options; kernels are called by `prepare` first."""
    from jourdain.kernels import compiler
    from jourdain.kernels.compiling import parallel_compilation
    from jourdain.run.plan import Plan

    system = jd.System("ball on a table", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("ball", jd.Sphere(0.1), mass=1.0), joint=jd.Prismatic("height", axis="z"))
    law = jd.contact.LinearContact(stiffness=1e4, damping=10.0)
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    model = system.compile()
    called = []
    compile_all, ready = parallel_compilation.prepare, compiler.Kernel.ready
    monkeypatch.setattr(parallel_compilation, "prepare", lambda *a: called.append("prepare") or compile_all(*a))
    monkeypatch.setattr(compiler.Kernel, "ready", lambda *a: called.append("ready") or ready(*a))
    event = jd.Event(when=("height", "<", 0.15), lock="height")
    plan = Plan(
        model,
        model.state(q={"height": 0.2}),
        0.2,
        1e-4,
        events=[event],
        controller=jd.control.PD(["height"], 1.0, 0.1, reference=0.2),
    )
    assert called == [] and not hasattr(model.scratch, "workspace")
    assert plan.prepare() is plan
    assert called[0] == "prepare" and "ready" in called and plan.events.events == (event,)


class TestOutput:
    def test_every_fixed_step_is_kept(self, model, state):
        run = jd.simulate(model, state, until=0.1, step=1e-3)
        assert run.options["method"] == "rk4" and run.options["step"] == 1e-3
        assert run.record.time == pytest.approx(1e-3 * np.arange(101), abs=1e-15)
        assert not run.partial
        assert np.array_equal(run.record.q[0], state.q) and np.array_equal(run.record.v[0], state.v)

    def test_long_fixed_runs_are_thinned(self, model, state):
        run = jd.simulate(model, state, until=50.0, step=1e-3)
        assert len(run) == 16_668 and run.options["output"] == pytest.approx(3e-3)
        assert run.record.time[1] == pytest.approx(3e-3) and run.record.time[-1] == pytest.approx(50.0)

    def test_output_is_an_interval_and_the_end_is_kept(self, model, state):
        every = jd.simulate(model, state, until=0.1, step=1e-3)
        run = jd.simulate(model, state, until=0.1, step=1e-3, output=0.03)
        assert run.record.time == pytest.approx([0.0, 0.03, 0.06, 0.09, 0.1], abs=1e-15)
        assert np.array_equal(run.record.q, every.record.q[[0, 30, 60, 90, 100]])
        assert np.array_equal(run.record.energy, every.record.energy[[0, 30, 60, 90, 100]])

    @pytest.mark.parametrize("method", ["dopri5", "dop853"])
    def test_adaptive_methods_keep_their_steps(self, model, state, method):
        run = jd.simulate(model, state, until=1.0, method=method)
        assert run.record.time[0] == 0.0 and run.record.time[-1] == 1.0
        assert len(run) > 5 and len(np.unique(np.round(np.diff(run.record.time), 9))) > 3
        fine = jd.simulate(model, state, until=1.0, method=method, max_step=1e-2)
        assert np.max(np.diff(fine.record.time)) <= 1e-2 * (1 + 1e-9)

    @pytest.mark.parametrize("method", ["dopri5", "dop853"])
    def test_adaptive_methods_interpolate(self, model, state, method):
        run = jd.simulate(model, state, until=1.0, method=method, output=0.1)
        assert np.array_equal(run.record.time, 0.1 * np.arange(11))
        one = jd.simulate(model, state, until=1.0, method=method, output=0.25)
        assert one.record.q[2] == pytest.approx(run.record.q[5], abs=1e-12)

    def test_the_default_method_is_dop853(self, model, state):
        assert jd.simulate(model, state, until=0.01).options["method"] == "dop853"

    def test_channels_frames_and_energy(self, model, state):
        run = jd.simulate(model, state, until=0.1, step=1e-3)
        assert run.q["shoulder"].dims == ("time",) and run.v["elbow"].shape == (101, 3)
        assert run.z["shoulder.friction"].shape == (101,)
        tip = run.frame("fore.tip")
        end = run.state()
        assert tip.position.values[-1] == pytest.approx(model.pose("fore.tip", end).position, abs=1e-14)
        assert tip.velocity.values[-1] == pytest.approx(model.velocity("fore.tip", end)[3:], abs=1e-13)
        energy = model.energy(end)
        for name in ("kinetic", "gravity", "strain", "total"):
            assert run.energy[name].values[-1] == pytest.approx(energy[name], rel=1e-12, abs=1e-12)

    def test_the_state_given_is_left_alone(self, model, state):
        before = state.copy()
        jd.simulate(model, state, until=0.1, step=1e-3)
        assert np.array_equal(state.q, before.q) and np.array_equal(state.v, before.v) and state.time == 0.0

    def test_welded_bodies_stand_still(self):
        system = jd.System("statue", gravity=(0, 0, -9.81))
        system.add(jd.RigidBody("stone", mass=1.0, inertia=(1, 1, 1)), joint=jd.Weld("plinth"), position=(0, 0, 2))
        model = system.compile()
        for how in ({"step": 0.1}, {}, {"output": 0.1}):
            run = jd.simulate(model, model.state(), until=1.0, **how)
            assert run.energy["gravity"].values[-1] == pytest.approx(19.62) and run.record.time[-1] == 1.0

    def test_time_may_start_anywhere(self, model):
        run = jd.simulate(model, model.state(time=-2.0), until=-1.0, step=0.01, output=0.5)
        assert run.record.time == pytest.approx([-2.0, -1.5, -1.0], abs=1e-14)

    def test_runs_are_deterministic(self, model, state):
        for how in ({"step": 1e-3}, {"method": "dop853"}, {"method": "dopri5", "output": 0.01}):
            assert equal(jd.simulate(model, state, 0.5, **how), jd.simulate(model, state, 0.5, **how))

    def test_going_on_from_a_run(self, model, state):
        whole = jd.simulate(model, state, until=1.0, step=1e-3)
        half = jd.simulate(model, state, until=0.5, step=1e-3)
        rest = jd.simulate(model, half.state(), until=1.0, step=1e-3)
        assert rest.record.time[0] == half.record.time[-1]
        assert np.array_equal(rest.record.q[-1], whole.record.q[-1])
        assert np.array_equal(rest.record.z[-1], whole.record.z[-1])

    @pytest.mark.parametrize("progress", [True, False, None])
    def test_progress(self, model, state, progress, capsys):
        jd.simulate(model, state, until=1.0, step=1e-4, progress=progress)
        jd.simulate(model, state, until=1.0, progress=progress)
        assert capsys.readouterr().out == ""


REFUSED = [
    ({"until": 0.0}, "until: got 0 s; the state is at 0 s already"),
    ({"until": -1.0}, "until: got -1 s"),
    ({"until": np.nan}, "until: got nan"),
    ({"until": np.inf}, "until: got inf"),
    ({"step": 0.0}, "step: got 0"),
    ({"step": -0.1}, "step: got -0.1"),
    ({"step": np.nan}, "step: got nan"),
    ({"step": 0.3}, r"step: 1 s is not a whole number of steps of 0.3 s; 0.25 s would do"),
    ({"step": 0.1, "output": 0.15}, r"output: 0.15 s is not a whole number of steps of 0.1 s; 0.[12] s would do"),
    ({"step": 0.1, "output": 0.05}, r"output: 0.05 s is not a whole number of steps of 0.1 s; 0.1 s would do"),
    ({"step": 0.1, "output": 0.0}, "output: got 0"),
    ({"output": -1.0}, "output: got -1"),
    ({"rtol": 0.0}, "rtol: got 0"),
    ({"atol": -1e-9}, "atol: got -1e-09"),
    ({"max_step": 0.0}, "max_step: got 0"),
    ({"method": "rk4"}, 'step: "rk4" takes fixed steps'),
    ({"method": "dop853", "step": 0.1}, 'step: "dop853" chooses its steps'),
    ({"method": "rk45", "step": 0.1}, 'method: "rk45" does not exist; did you mean "rk[45]"'),
    ({"method": 4, "step": 0.1}, 'method: "4" does not exist'),
    ({"method": "bdf", "step": 0.1}, 'step: "bdf" chooses its steps'),
    ({"motions": {"elbw": jd.Cycloid(1.0, 1.0)}}, "elbw: motions: no such coordinate"),
    ({"motions": {"elbow.wx": jd.Cycloid(1.0, 1.0)}}, "elbow.wx: motions: rotations and free joints cannot"),
    ({"motions": {"shoulder": 1.0}}, "shoulder: motions: got float; give a profile"),
    (
        {"motions": {"shoulder": jd.Polynomial([1.0])}},
        r'shoulder: motions: the profile starts with q = 1.*set q=\{"shoul',
    ),
    ({"motions": {"shoulder": jd.Sine(0.1, 1.0)}}, "shoulder: motions: the profile starts with v = 0.628"),
    ({"controller": 3.0}, "controller: got float; give a law"),
    ({"controller": [burst(1.0), "brake"]}, "controller: got str; give a law"),
]


class TestRefusals:
    @pytest.mark.parametrize(("options", "says"), REFUSED, ids=[str(options)[:60] for options, _ in REFUSED])
    def test_options(self, model, state, options, says):
        with pytest.raises(jd.errors.ModelError, match=says):
            jd.simulate(model, state, **{"until": 1.0} | options)

    def test_all_problems_are_said_at_once(self, model, state):
        with pytest.raises(jd.errors.ModelError) as caught:
            jd.simulate(model, state, until=np.nan, step=-1.0, method="rk44", rtol=0.0)
        assert {problem.address for problem in caught.value.problems} == {"until", "step", "method", "rtol"}

    def test_a_system_is_not_a_model(self, state):
        with pytest.raises(jd.errors.ModelError, match=r"model: got System; give a Model, from system.compile\(\)"):
            jd.simulate(jd.System("s"), state, until=1.0)

    @pytest.mark.parametrize(
        ("what", "value", "says"),
        [
            ("q", [np.nan, 1, 0, 0, 0], "shoulder: q is not a finite number"),
            ("v", [0, 0, np.inf, 0], "elbow.wy: v is not a finite number"),
            ("q", [0.0], r"q: the state has \(1,\) numbers; this model has \(5,\)"),
            ("v", np.zeros((2, 2)), r"v: the state has \(2, 2\) numbers"),
            ("z", np.zeros(3), "z: the state has 3 internal states"),
        ],
    )
    def test_states(self, model, state, what, value, says):
        setattr(state, what, np.array(value, float))
        with pytest.raises(jd.errors.ModelError, match=says):
            jd.simulate(model, state, until=1.0)

    def test_a_folder_that_is_not_there(self, model, state, tmp_path):
        with pytest.raises(jd.JourdainError, match="its folder does not exist"):
            jd.simulate(model, state, until=1.0, save=tmp_path / "nowhere" / "run.nc")


@pytest.fixture(scope="module")
def stiff() -> jd.Model:
    """1000 rad/s."""
    system = jd.System("stiff")
    body = jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1))
    system.add(body, joint=jd.Prismatic("spring", axis="x", stiffness=1e6))
    return system.compile()


class TestFailures:
    def test_a_step_too_large_for_the_model(self, stiff):
        """rk4 is stable up to 2.78 / 1000 rad/s."""
        with pytest.raises(jd.errors.SimulationError, match='at "spring": the state stopped being finite') as caught:
            jd.simulate(stiff, stiff.state(q={"spring": 0.1}), until=100.0, step=0.01)
        error = caught.value
        assert "give step=0.000125, which was tried" in str(error) and "error.partial" in str(error)
        assert error.culprit == "spring" and 0.5 < error.time < 5.0
        assert error.reason is jd.errors.StopReason.NOT_FINITE and error.model == stiff.name
        assert str(error) == f"{stiff.name}: {error.summary}. Everything up to then is in error.partial"
        assert error.partial.partial and error.partial.record.time[-1] == pytest.approx(error.time)
        assert np.all(np.isfinite(error.partial.record.q)) and "partial" in repr(error.partial)
        assert jd.simulate(stiff, stiff.state(q={"spring": 0.1}), until=1.0, step=0.000125, output=0.5).trusted

    @pytest.mark.parametrize(
        "how", [{"step": 1e-4}, {"method": "dop853"}, {"method": "dopri5", "output": 0.1}], ids=str
    )
    def test_a_law_that_gives_not_a_number(self, stiff, how):
        with pytest.raises(jd.errors.SimulationError, match='"spring"') as caught:
            jd.simulate(stiff, stiff.state(q={"spring": 0.1}), until=1.0, controller=burst(0.5), **how)
        assert caught.value.time == pytest.approx(0.5, abs=1e-3)
        assert np.all(np.isfinite(caught.value.partial.record.v))
        assert caught.value.partial.record.time[-1] <= 0.5 + 1e-9

    def test_a_force_without_bound(self, stiff):
        @jd.law
        def blow_up(t, q, v, z, s, p, effort, dz):
            effort[0] += 1e7 * q[0] ** 3

        with pytest.raises(jd.errors.SimulationError, match="grows without bound"):
            jd.simulate(stiff, stiff.state(q={"spring": 10.0}), until=10.0, controller=blow_up)

    def test_the_partial_run_is_saved(self, stiff, tmp_path):
        with pytest.raises(jd.errors.SimulationError) as caught:
            jd.simulate(stiff, stiff.state(q={"spring": 0.1}), until=100.0, step=0.01, save=tmp_path / "run.nc")
        assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]
        kept = jd.load(tmp_path / "run.nc")
        assert kept.partial and equal(kept, caught.value.partial)


class TestFiles:
    def test_a_run_is_saved_loaded_and_made_again(self, model, state, tmp_path):
        path = tmp_path / "run.nc"
        run = jd.simulate(model, state, until=5.0, step=1e-3, output=2e-3, save=path)
        assert [entry.name for entry in tmp_path.iterdir()] == ["run.nc"]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            loaded = jd.load(path)
        assert equal(run, loaded) and loaded.model.hash == model.hash and not loaded.partial
        options = {name: loaded.options[name] for name in ("until", "step", "method", "output")}
        again = jd.simulate(loaded.model, loaded.state(0), **options)
        assert equal(again, run)

    def test_the_file_is_what_a_run_without_save_is(self, model, state, tmp_path):
        for how in ({"step": 1e-3}, {"method": "dop853"}, {"method": "dop853", "output": 1e-4}):
            saved = jd.simulate(model, state, until=0.5, save=tmp_path / "run.nc", **how)
            assert equal(saved, jd.simulate(model, state, until=0.5, **how))
            assert equal(saved, jd.load(tmp_path / "run.nc"))

    def test_an_interrupted_run_keeps_its_journal(self, model, state, tmp_path, monkeypatch):
        """Ctrl-C in the middle: the partial run is in the exception and on disk."""
        from jourdain.run.recording import Progress

        shown = []

        def interrupt(self, fraction, elapsed):
            shown.append(fraction)
            if fraction > 0.3:
                raise KeyboardInterrupt

        monkeypatch.setattr(Progress, "show", interrupt)
        with pytest.raises(KeyboardInterrupt) as caught:
            jd.simulate(model, state, until=100.0, step=1e-3, output=1e-2, save=tmp_path / "run.nc")
        partial = caught.value.partial
        assert partial.partial and 0.3 < partial.record.time[-1] / 100.0 < 1.0 and len(shown) > 1
        assert equal(jd.load(tmp_path / "run.nc"), partial)

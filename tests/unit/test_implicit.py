"""Implicit methods: their options, what they refuse, and that they do all that the explicit ones do in a run."""

import numpy as np
import pytest

import jourdain as jd

METHODS = ["generalized-alpha", "newmark", "bdf", "radau"]
CHOOSING = ["bdf", "radau"]


@pytest.fixture(scope="module")
def model() -> jd.Model:
    """A link with a spring and a damper, and another on a ball joint."""
    arm = jd.System("arm", gravity=(0, 0, -9.81))
    link = {"mass": 2.0, "com": (0.4, 0, 0), "inertia": (0.02, 0.1, 0.1), "frames": {"tip": (0.8, 0, 0)}}
    arm.add(jd.RigidBody("upper", **link), joint=jd.Revolute("shoulder", axis="y", stiffness=5.0, damping=0.2))
    arm.add(jd.RigidBody("fore", **link), joint=jd.Spherical("elbow"), to="upper.tip")
    return arm.compile()


@pytest.fixture
def state(model) -> jd.State:
    return model.state(q={"shoulder": 0.3}, v={"elbow": (1.0, 2.0, 3.0)})


def close(run: jd.Run, truth: jd.Run, tolerance: float) -> bool:
    """Whether two runs end in the same state."""
    q = np.minimum(np.abs(run.record.q[-1] - truth.record.q[-1]), np.abs(run.record.q[-1] + truth.record.q[-1]))
    return max(np.max(q), np.max(np.abs(run.record.v[-1] - truth.record.v[-1]))) < tolerance


class TestOptions:
    def test_objects_say_what_they_are(self):
        assert repr(jd.implicit.GeneralizedAlpha(0.5)) == "GeneralizedAlpha(spectral_radius=0.5)"
        assert jd.implicit.Newmark() == jd.implicit.Newmark(0.25, 0.5) != jd.implicit.Newmark(0.5, 0.5)
        assert hash(jd.implicit.BDF(order=3)) == hash(jd.implicit.BDF(order=3))

    @pytest.mark.parametrize(
        ("make", "word"),
        [
            (lambda: jd.implicit.GeneralizedAlpha(1.2), "spectral_radius"),
            (lambda: jd.implicit.Newmark(beta=0.1), "beta"),
            (lambda: jd.implicit.Newmark(gamma=0.4), "gamma"),
            (lambda: jd.implicit.BDF(order=6), "order"),
            (lambda: jd.implicit.BDF(order=True), "order"),
        ],
    )
    def test_bad_options_are_refused_by_name(self, make, word):
        with pytest.raises(jd.errors.ModelError, match=word):
            make()

    def test_an_explicit_method_refuses_a_form(self, model, state):
        with pytest.raises(jd.errors.ModelError, match=r'"dop853" is explicit; give method= one of .*"radau"'):
            jd.simulate(model, state, 0.1, form="index-3")

    def test_a_form_that_does_not_exist(self, model, state):
        with pytest.raises(jd.errors.ModelError, match="allowed are index-3, index-2, index-1"):
            jd.simulate(model, state, 0.1, method="radau", form="index-4")

    def test_bdf_refuses_a_fixed_step(self, model, state):
        with pytest.raises(jd.errors.ModelError, match="chooses its steps"):
            jd.simulate(model, state, 0.1, step=0.01, method="bdf")

    def test_a_class_is_not_a_method(self, model, state):
        with pytest.raises(jd.errors.ModelError, match=r"jd.implicit.Radau\(\)"):
            jd.simulate(model, state, 0.1, method=jd.implicit.Radau)

    def test_ensembles_are_explicit(self, model, state):
        with pytest.raises(jd.errors.ModelError, match="jd.simulate"):
            jd.simulate_many(model, [state], until=0.1, step=0.01, method="newmark")


class TestRuns:
    @pytest.mark.parametrize("method", METHODS)
    def test_all_end_where_dop853_does(self, model, state, method):
        truth = jd.simulate(model, state, 0.5, output=0.5)
        tolerance = 1e-6 if method in CHOOSING else 1e-5
        run = jd.simulate(model, state, 0.5, method=method, rtol=tolerance, atol=0.01 * tolerance)
        assert close(run, truth, 300.0 * tolerance)
        assert run.energy.error < 100.0 * tolerance
        counts = run.options["statistics"]
        assert counts["steps"] == len(run.record.time) - 1
        assert counts["jacobians"] < counts["steps"]
        assert run.options["method"] == method

    def test_a_step_takes_a_factorisation_and_no_derivatives(self, model, state):
        """Another step changes only the leading coefficient: Fuchs & Arnold 2003, eq. 15."""
        counts = jd.simulate(model, state, 0.5, method="radau", rtol=1e-6, atol=1e-8).options["statistics"]
        assert counts["factorisations"] > 2 * counts["jacobians"]
        fixed = jd.simulate(model, state, 0.5, step=0.001, method="newmark").options["statistics"]
        assert fixed["steps"] == 500 and fixed["factorisations"] == fixed["jacobians"] < 50

    @pytest.mark.parametrize("method", METHODS)
    def test_prescribed_coordinates_follow_their_profiles(self, model, method):
        motion = {"shoulder": jd.Cycloid(to=0.5, duration=0.4)}
        start = model.state(v={"elbow": (1.0, 2.0, 3.0)})
        truth = jd.simulate(model, start, 0.4, output=0.4, motions=motion)
        options = {"rtol": 1e-7, "atol": 1e-9} if method in CHOOSING else {"step": 0.0005}
        run = jd.simulate(model, start, 0.4, method=method, motions=motion, **options)
        assert run.record.q[-1, 0] == pytest.approx(0.5, abs=1e-12)
        assert close(run, truth, 1e-4)
        assert run.record.energy[-1, 5] == pytest.approx(truth.record.energy[-1, 5], abs=2e-4)

    @pytest.mark.parametrize("method", METHODS)
    def test_events_are_met_where_they_are_met(self, model, state, method):
        lock = jd.Event(at=0.2, lock="shoulder")
        truth = jd.simulate(model, state, 0.4, events=[lock], output=0.4)
        options = {"rtol": 1e-7, "atol": 1e-9} if method in CHOOSING else {"step": 0.0005}
        run = jd.simulate(model, state, 0.4, method=method, events=[lock], **options)
        assert close(run, truth, 1e-3)

    @pytest.mark.slow
    @pytest.mark.parametrize("method", METHODS)
    def test_states_of_laws_are_integrated_with_the_motion(self, model, state, method):
        @jd.law(states=1)
        def servo(t, q, v, z, s, p, effort, dz):
            """A spring through a stiff filter."""
            dz[0] = 2000.0 * (0.5 - q[0] - z[0])
            effort[0] += 30.0 * z[0] - 2.0 * v[0]

        truth = jd.simulate(model, state, 0.3, controller=servo(), output=0.3)
        options = {"rtol": 1e-6, "atol": 1e-8} if method in CHOOSING else {"step": 0.001}
        run = jd.simulate(model, state, 0.3, method=method, controller=servo(), **options)
        assert close(run, truth, 2e-3)

    def test_a_run_goes_on_where_another_ended(self, model, state):
        whole = jd.simulate(model, state, 0.4, method="radau", rtol=1e-8, atol=1e-10)
        half = jd.simulate(model, state, 0.2, method="radau", rtol=1e-8, atol=1e-10)
        rest = jd.simulate(model, half.state(-1), 0.4, method="radau", rtol=1e-8, atol=1e-10)
        assert close(rest, whole, 1e-6)


def pendulums(n: int) -> tuple[jd.Model, jd.State]:
    """A chain in Cartesian coordinates: free bodies that ball joints hold together."""
    system = jd.System("pendulums", gravity=(0, 0, -9.81))
    for i in range(n):
        link = jd.RigidBody(
            f"link{i}", mass=1.0, com=(0.25, 0, 0), inertia=(0.01, 0.02, 0.025), frames={"tip": (0.5, 0, 0)}
        )
        system.add(link, joint=jd.Free(f"free{i}"))
        system.connect(jd.Spherical(f"pin{i}"), f"link{i}.origin", f"link{i - 1}.tip" if i else "world")
    model = system.compile()
    return model, model.state(q={f"free{i}": jd.Pose((0.5 * i, 0, 0)) for i in range(n)})


@pytest.fixture(scope="module")
def runs():
    """A chain of 20, with derivatives by the recursions and by differences."""
    model, state = pendulums(20)
    options = {"step": 0.01, "output": 0.1, "form": "index-3"}
    methods = (jd.implicit.Radau(), jd.implicit.Radau(differences=True))
    return model, [jd.simulate(model, state, 0.1, method=method, **options) for method in methods]


class TestStructure:
    def test_a_chain_is_solved_in_a_band(self, runs):
        """Bodies and multipliers alternate: the band is as wide for every length."""
        for run in runs[1]:
            counts = run.options["statistics"]
            assert counts["banded"] == counts["factorisations"] > 0

    def test_columns_share_differences(self, runs):
        """Fuchs & Arnold 2003: at least 60 % fewer calls for a chain of 20 pendulums in Cartesian coordinates."""
        model, (analytical, differences) = runs
        counts = differences.options["statistics"]
        assert 0 < counts["differences"] <= 0.4 * counts["jacobians"] * 2 * model.nv
        assert analytical.options["statistics"]["differences"] == 0
        assert close(differences, analytical, 1e-7)

    def test_a_band_gives_what_a_tree_gives(self, runs):
        """The same chain with its pins as joints; at fixed steps of order five."""
        chain = jd.System("tree", gravity=(0, 0, -9.81))
        for i in range(20):
            link = jd.RigidBody(
                f"link{i}", mass=1.0, com=(0.25, 0, 0), inertia=(0.01, 0.02, 0.025), frames={"tip": (0.5, 0, 0)}
            )
            chain.add(link, joint=jd.Spherical(f"pin{i}"), to=f"link{i - 1}.tip" if i else "world")
        tree = chain.compile()
        truth = jd.simulate(tree, tree.state(), 0.1, output=0.1)
        tip = runs[1][0].frame("link19.tip").position.values[-1]
        assert tip == pytest.approx(truth.frame("link19.tip").position.values[-1], abs=1e-6)

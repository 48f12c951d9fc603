"""Muscles: curves beyond what was fitted, lengths at the start of a run, loads shared by the curves, and results."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain import human
from jourdain.kernels.control import muscles as k

FACTORS = [k.length_factor.py_func, k.passive_factor.py_func]


def limb(**more):
    """A forearm on an elbow, flexors and an extensor with a via point and a cylinder; fibres within their curves."""
    system = jd.System("arm", gravity=(0, 0, -9.81))
    axis = jd.Pose((0, 0, -0.29), np.array([1, 1, 0, 0]) / 2**0.5)
    frames = {"end": (0, 0, -0.29), "via": (0.02, 0.01, -0.05), "behind": (-0.03, 0.01, -0.1), "axis": axis}
    system.add(jd.RigidBody("upper", 2.0, (0, 0, -0.15), (0.015, 0.015, 0.002), frames), jd.Revolute("shoulder", "y"))
    frames = {"front": (0.02, 0.005, -0.05), "far": (0.02, 0.0, -0.1), "under": (-0.025, 0, -0.03)}
    fore = jd.RigidBody("fore", 1.5, (0, 0, -0.15), (0.012, 0.012, 0.001), frames)
    system.add(fore, jd.Revolute("elbow", axis=(0, -1, 0)), to="upper.end")
    muscles = [
        human.Muscle("biceps", ("world", "upper.via", "fore.front"), 500.0, 0.15, 0.2),
        human.Muscle("brachialis", ("upper.via", "fore.far"), 700.0, 0.2, 0.1),
        human.Muscle("triceps", ("upper.behind", "fore.under"), 800.0, 0.1, 0.12, wrap=human.Wrap("upper.axis", 0.02)),
    ]
    return system.compile(), [human.Muscle(**one.to_dict() | {"wrap": one.wrap} | more) for one in muscles]


def test_curves_are_thelens_where_they_were_fitted_and_bounded_beyond():
    """Thelen between half and 1.6 optimal lengths; two derivatives go on below, one above, where it is a line."""
    for l in np.linspace(0.5, 1.6, 23):
        assert FACTORS[0](l) == pytest.approx(np.exp(-((l - 1.0) ** 2) / 0.45), rel=1e-15)
        assert FACTORS[1](l) == pytest.approx(max(0.0, np.expm1(5 * (l - 1) / 0.6) / np.expm1(5)), rel=1e-13, abs=1e-16)
    h = 1e-5
    for factor, seam, orders in ((FACTORS[0], 0.5, 2), (FACTORS[0], 0.0, 2), (FACTORS[1], 1.6, 1)):
        sides = []
        for side in (-1, 1):
            x, y, z = (factor(seam + side * n * h) for n in (0, 1, 2))
            sides.append((x, side * (y - x) / h, (z - 2 * y + x) / h**2))
        for order in range(orders + 1):
            # one-sided differences are of first order: h times the next derivative, some 500 at most
            assert sides[0][order] == pytest.approx(sides[1][order], abs=1e3 * h)
    assert FACTORS[1](8.625) == pytest.approx(1.0 + 7.025 * 5 / 0.6 * np.exp(5) / np.expm1(5), rel=1e-14)
    assert [FACTORS[0](l) for l in (0.0, -0.1, -5.0)] == [0.0, 0.0, 0.0] and 0.0 < FACTORS[0](0.1) < FACTORS[0](0.2)


def test_a_muscle_of_default_lengths_is_refused_with_a_remedy_that_works():
    body = human.skeleton().compile()
    path = ("thigh_l.origin", "shank_l.end")
    with pytest.raises(jd.errors.ModelError) as told:
        jd.simulate(body, body.state(), until=1e-3, controller=human.Muscles([human.Muscle("v", path, strength=1e3)]))
    text = str(told.value)
    assert "v: is 0.8625 m long" in text and "8.62 of their optimal length" in text and "0.05 to 0.16 m" in text
    slack = float(text.partition("give slack=")[2].partition(",")[0])
    fitting = human.Muscles([human.Muscle("v", path, strength=1e3, slack=slack)], excitation=0.1)
    run = jd.simulate(body, body.state(), until=1e-3, controller=fitting)
    assert run.muscle["v"].fibre_length.values[0] == pytest.approx(0.1, rel=1e-9)
    # at 8.6 optimal lengths the force is that of a line: 1e25 N it was
    stretched = human.Muscles([human.Muscle("v", path, strength=1e3)])
    assert 5e4 < stretched.capacities(body, body.state())[1][0] < 7e4


def test_fibres_too_short_to_pull_are_told():
    model, muscles = limb(slack=0.3)
    with pytest.warns(human.MuscleWarning, match=r"biceps is 0\.3\d* m long .* give less slack"):
        jd.simulate(model, model.state(q={"elbow": 0.8}), until=1e-3, controller=human.Muscles(muscles[:1]))


@pytest.mark.parametrize("rate", [0.0, 3.0, -3.0])
def test_activations_fed_back_give_the_efforts_that_were_asked_for(rate):
    """Lengths off the optimal one, speeds, passive stretch: efforts of the compiled muscles to 1e-10."""
    model, muscles = limb()
    numbers = np.random.default_rng(3)
    for _ in range(10):
        state = model.state(
            {"shoulder": numbers.uniform(-0.5, 0.5), "elbow": numbers.uniform(0.2, 1.4)}, {"elbow": rate}
        )
        group = human.Muscles(muscles)
        active, passive = group.capacities(model, state)
        arms = group.moment_arms(model, state)[model.index.v["elbow"]]
        wanted = float(arms @ (passive + active * numbers.uniform(0.0, 1.0, 3)))
        shared = group.share(model, state, {"elbow": wanted}, co_contraction=numbers.choice([0.0, 0.2]))
        back = human.Muscles(muscles, excitation=shared.activations).effort(model, 0.0, state.q, state.v)
        assert back[model.index.v["elbow"]] == pytest.approx(wanted, abs=1e-10)
        assert sum(arm * shared[one.name] for arm, one in zip(arms, muscles, strict=True)) == pytest.approx(
            wanted, abs=1e-10
        )
        assert all(0.0 <= a <= 1.0 for a in shared.activations.values())


def test_muscles_that_cannot_act_carry_nothing():
    """A fibre of negative length is given no force, and what is left undone is said."""
    model, muscles = limb()
    loose = human.Muscle(**muscles[0].to_dict() | {"slack": 0.5, "wrap": None})
    state = model.state(q={"elbow": 0.8})
    shared = human.Muscles([loose, *muscles[1:]]).share(model, state, {"elbow": 5.0})
    assert shared["biceps"] == 0.0 and shared.capacities["biceps"] == 0.0 and shared["brachialis"] > 50.0
    with pytest.raises(jd.errors.ModelError, match="biceps cannot act here"):
        human.Muscles([loose]).share(model, state, {"elbow": 5.0})
    with pytest.raises(jd.errors.ModelError, match=r"they can make 0\.\d+ of it"):
        human.Muscles(muscles).share(model, state, {"elbow": 500.0})
    assert human.share_load([[0.1, 0.1]], 5.0, [0.0, 100.0], passive=[10.0, 0.0]).forces.tolist() == pytest.approx(
        [10, 40]
    )


def test_a_run_tells_what_muscles_did(tmp_path):
    """Forces, lengths, rates and states by name; the work of the muscles is the run's; the same from the file."""
    model, muscles = limb()
    group = human.Muscles(muscles, {"biceps": jd.Cycloid(to=0.4, duration=0.1), "brachialis": 0.2}, activation=0.05)
    start = model.state(q={"elbow": 0.8})
    run = jd.simulate(
        model, start, 0.2, step=1e-3, method="rk4", controller=[group, jd.control.PD(["shoulder"], 50, 5)]
    )
    assert set(run.muscle) == {"biceps", "brachialis", "triceps"} and len(run.muscle) == 3
    assert run.z.names[:3] == ("biceps.activation", "brachialis.activation", "triceps.activation")
    for i in (0, 57, -1):
        state = run.state(i)
        arms, lengths = group.moment_arms(model, state), group.lengths(model, state)
        forces = np.array([run.muscle[one].force.values[i] for one in group.names])
        effort = group.effort(model, float(run.time[i]), state.q, state.v, z=run.record.z[i, :3])
        np.testing.assert_allclose(arms @ forces, effort, atol=1e-11 * np.max(forces))
        np.testing.assert_allclose([run.muscle[one].length.values[i] for one in group.names], lengths, atol=1e-14)
        rates = [run.muscle[one].velocity.values[i] for one in group.names]
        np.testing.assert_allclose(rates, -arms.T @ state.v, atol=1e-13)
    biceps = run.muscle["biceps"]
    np.testing.assert_array_equal(biceps.activation.values, run.z["biceps.activation"].values)
    assert biceps.excitation.values[100] == pytest.approx(0.4, abs=1e-12)
    np.testing.assert_allclose(biceps.force, biceps.active_force + biceps.passive_force)
    np.testing.assert_allclose(biceps.fibre_length, biceps.length - 0.2)
    assert run.muscle["biceps"].force.attrs["units"] == "N"
    shown = run.to_dataset(["muscle:biceps.force", "muscle:triceps.fibre_length", "z:biceps.activation"])
    np.testing.assert_array_equal(shown["muscle:biceps.force"].values, biceps.force.values)
    run.save(tmp_path / "arm.nc")
    again = jd.load(tmp_path / "arm.nc")
    for name in group.names:
        np.testing.assert_array_equal(again.muscle[name].force.values, run.muscle[name].force.values)
    assert again.z.names == run.z.names
    with pytest.raises(jd.JourdainError, match='no muscle "bicep"; .*biceps'):
        run.muscle["bicep"]
    with pytest.raises(jd.JourdainError, match="fibre_length"):
        run.to_dataset(["muscle:biceps.fiber"])

"""Composite control: the regulator of the fast subsystem, what it acts on, and its schedule."""

import numpy as np
import pytest
from control_arms import flexible_arm, planar_arm, random_state

import jourdain as jd

POSE = {"shoulder": 0.5, "elbow": 0.9}


@pytest.fixture(scope="module")
def arm():
    return flexible_arm(1, payload=1.0)


def slow(model: jd.Model, **options) -> jd.control.Impedance:
    return jd.control.Impedance(
        model, "payload.origin", 2.0, 8.0, 8.0, {"x": 0.9}, directions="xy", start=POSE, **options
    )


def test_the_fast_loop_is_the_difference_and_acts_on_the_elastic_forces(arm):
    """tau = tau_slow - F (xi - xi_slow, eps xi'), everything computed from the model functions."""
    state = random_state(arm, POSE, 3, size=0.3)
    composite = jd.control.Composite(slow(arm), [3.0, 1.0], [0.1, 0.2], scale=1e3, schedule=[POSE])
    tau = slow(arm).effort(arm, 0.3, state.q, state.v)
    found = composite.effort(arm, 0.3, state.q, state.v)
    f = [k for k, name in enumerate(arm.names.v) if "bending" in name]
    r = [k for k in range(arm.nv) if k not in f]
    straight = state.copy()
    straight.q[f], straight.v[f] = 0.0, 0.0
    M, h = arm.mass_matrix(straight), arm.bias(straight)
    acceleration = np.linalg.solve(M[np.ix_(r, r)], tau[r] - h[r])
    xi_slow = -h[f] - M[np.ix_(f, r)] @ acceleration
    K = partials(without_gravity(arm), POSE)[f, f]
    sag = K / partials(arm, POSE)[f, f]  # gravity on the bent beam lets it bend further
    assert abs(sag - 1.0) > 1e-3
    eta = np.concatenate([K * state.q[f] - sag * xi_slow, K * state.v[f] / np.sqrt(1e3)])
    assert found[r] == pytest.approx(tau[r] - composite.gains(arm, POSE) @ eta, rel=1e-9)
    assert np.all(found[f] == 0.0)


def test_a_free_base_follows_in_the_slow_motion(arm):
    """The same on a base that floats: elastic forces of the slow motion hold the base's acceleration too."""
    model = floating_arm()
    driven = ["shoulder", "elbow"]
    state = model.state(
        q={"base": jd.Pose((0.1, -0.2, 0.05), (0.96, 0.0, 0.0, 0.28)), **POSE},
        v={"base": (0.02, -0.01, 0.1, 0.1, 0.2, -0.1), "shoulder": 0.3, "elbow": -0.2, "fore.bending_y[0]": 0.05},
    )
    state.q[model.index.q["fore.bending_y[0]"]] = 0.01
    impedance = slow(model, joints=driven)
    composite = jd.control.Composite(impedance, [3.0, 1.0], [0.1, 0.2], scale=1e3, schedule=[POSE])
    tau = impedance.effort(model, 0.3, state.q, state.v)
    found = composite.effort(model, 0.3, state.q, state.v)
    f = [k for k, name in enumerate(model.names.v) if "bending" in name]
    r = [k for k in range(model.nv) if k not in f]
    straight = state.copy()
    straight.q[[model.index.q[model.names.v[k]] for k in f]], straight.v[f] = 0.0, 0.0
    M, h = model.mass_matrix(straight), model.bias(straight)
    xi_slow = -h[f] - M[np.ix_(f, r)] @ np.linalg.solve(M[np.ix_(r, r)], tau[r] - h[r])
    K = model.bias(model.neutral + 1e-3 * np.isin(model.names.q, "fore.bending_y[0]"), np.zeros(model.nv))[f] / 1e-3
    eta = np.concatenate([K * 0.01 - xi_slow, K * state.v[f] / np.sqrt(1e3)])
    a = [model.index.v[name] for name in driven]
    assert found[a] == pytest.approx(tau[a] - composite.gains(model, POSE) @ eta, rel=1e-9)
    assert np.all(found[[k for k in range(model.nv) if k not in a]] == 0.0)
    D, _ = composite.fast_system(model, POSE)
    open_loop = np.abs(np.linalg.eigvals(D).imag) * np.sqrt(1e3)
    assert open_loop[0] == pytest.approx(model.frequencies(model.state(POSE)).rad[-1], rel=1e-3)


def floating_arm() -> jd.Model:
    """Two links on a free base, the outer one flexible in the plane."""
    system = jd.System("floating arm")
    base = jd.RigidBody("craft", 20.0, inertia=(2.0, 2.0, 3.0), frames={"port": (0.3, 0.1, 0.0)})
    system.add(base, joint=jd.Free("base"))
    upper = jd.RigidBody("upper", 3.0, (0.4, 0, 0), (0.01, 0.2, 0.2), frames={"tip": (0.8, 0, 0)})
    system.add(upper, joint=jd.Revolute("shoulder", axis="z"), to="craft.port")
    fore = jd.Beam("fore", 0.7, 2.0, EA=1e6, EI=60.0, GJ=50.0, modes=jd.Modes(bending_y=1))
    system.add(fore, joint=jd.Revolute("elbow", axis="z"), to="upper.tip")
    system.add(jd.RigidBody("payload", 1.0, inertia=(0.01, 0.01, 0.01)), joint=jd.Weld("grip"), to="fore.tip")
    return system.compile()


def test_poles_of_the_fast_loop_against_the_full_linear_model(arm):
    """The regulator's poles are those of the arm with its slow motion held, K_ff q_f fed back by it."""
    composite = jd.control.Composite(slow(arm), 1.0, 0.01, scale=1e3, schedule=[POSE])
    D, E = composite.fast_system(arm, POSE)
    closed = np.linalg.eigvals(D - E @ composite.gains(arm, POSE)) * np.sqrt(1e3)
    assert np.all(closed.real < 0.0)
    assert np.sort(composite.poles(arm, POSE).imag) == pytest.approx(np.sort(closed.imag), rel=1e-12)
    # the joints turn with the beam, so that gravity on what bends is in all rows
    f = [k for k, name in enumerate(arm.names.v) if "bending" in name]
    felt = np.linalg.solve(arm.mass_matrix(arm.state(POSE)), partials(arm, POSE))[np.ix_(f, f)]
    assert np.sort(np.linalg.eigvals(D).imag)[-1] * np.sqrt(1e3) == pytest.approx(np.sqrt(felt[0, 0]), rel=1e-6)


def partials(model: jd.Model, pose: dict[str, float]) -> np.ndarray:
    """Efforts at rest by coordinates, analytically."""
    return model.inverse_dynamics_derivatives(model.state(pose), np.zeros(model.nv)).dq


def mast(gravity) -> jd.Model:
    """One beam on a hinge, 20 kg at its tip."""
    system = jd.System("mast", gravity=gravity)
    beam = jd.Beam("mast", 2.0, 1.0, EA=1e6, EI=206.0, GJ=100.0, modes=jd.Modes(bending_y=1))
    system.add(beam, jd.Revolute("foot", axis="z"))
    system.add(jd.RigidBody("load", 20.0, inertia=(0.1, 0.1, 0.1)), jd.Weld("grip"), to="mast.tip")
    return system.compile()


@pytest.mark.parametrize("gravity", [(9.81, 0, 0), (-9.81, 0, 0), (0, -9.81, 0), (-5.0, -8.0, 0)], ids=str)
def test_gravity_is_no_elastic_stiffness(gravity):
    """Whatever its direction, along the beam or across: K_ff is 3 EI / L^3, and the fast system is that of the pose.

    Where the arm rests, the fast loop has nothing to do. There gravity is left to second order in the deflection, and
    the slow part holds the joint against the weight of a straight beam."""
    pose = {"foot": 0.1}
    model, scale = mast(gravity), 1e3
    impedance = jd.control.Cartesian(model, "load.origin", 4.0, 4.0, directions="y", start=pose)
    composite = jd.control.Composite(impedance, 1.0, 0.01, scale=scale, schedule=[pose])
    from jourdain.control.composite import elastic_stiffness, weightless

    f = model.index.v["mast.bending_y[0]"]
    assert elastic_stiffness(weightless(model), [f])[0, 0] == pytest.approx(3 * 206.0 / 2.0**3, rel=1e-9)
    D, _ = composite.fast_system(model, pose)
    felt = np.linalg.solve(model.mass_matrix(model.state(pose)), partials(model, pose))
    assert -D[1, 0] * scale == pytest.approx(felt[f, f], rel=1e-6)
    assert np.all(composite.poles(model, pose).real < 0.0), "unstable masts are held too"
    rest = model.equilibrium(model.state(pose), hold=["foot"]).state
    q = rest.q.copy()
    K, whole = partials(without_gravity(model), pose)[f, f], partials(model, pose)[f, f]
    q[model.index.q["mast.bending_y[0]"]] = -model.bias(model.state(pose).q, np.zeros(model.nv))[f] / whole
    fast = composite.effort(model, 0.0, q, 0.0 * rest.v) - impedance.effort(model, 0.0, q, 0.0 * rest.v)
    assert np.max(np.abs(fast)) < 1e-9 * abs(composite.gains(model, pose)[0, 0] * K * q[1] + 1.0)


def without_gravity(model: jd.Model) -> jd.Model:
    description = {**model.description, "gravity": [0.0, 0.0, 0.0]}
    return jd.Model.from_description(description)


def test_gains_are_interpolated_along_the_schedule(arm):
    """Without gravity, whose sag is interpolated too, the effort is linear in what is interpolated."""
    arm = without_gravity(arm)
    here, there = POSE, {"shoulder": 0.9, "elbow": 1.7}
    state = arm.state({"shoulder": 0.7, "elbow": 1.3, "fore.bending_y[0]": 0.01})
    efforts = {}
    for name, schedule in (("here", [here]), ("there", [there]), ("between", [here, there])):
        composite = jd.control.Composite(slow(arm), 1.0, 0.01, scale=1e3, schedule=schedule)
        efforts[name] = composite.effort(arm, 0.0, state.q, state.v)
    assert efforts["between"] == pytest.approx(0.5 * (efforts["here"] + efforts["there"]), rel=1e-12)
    assert not np.allclose(efforts["here"], efforts["there"], rtol=1e-3)
    composite = jd.control.Composite(slow(arm), 1.0, 0.01, scale=1e3, schedule=[here, there])
    before = arm.state({"shoulder": 0.3, "elbow": 0.5, "fore.bending_y[0]": 0.01})
    frozen = jd.control.Composite(slow(arm), 1.0, 0.01, scale=1e3, schedule=[here])
    same = frozen.effort(arm, 0.0, before.q, before.v)
    assert composite.effort(arm, 0.0, before.q, before.v) == pytest.approx(same, rel=1e-12), "held beyond its ends"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda m: jd.control.Composite(jd.control.PD(["elbow"], 1.0, 1.0)), "slow must be an Impedance"),
        (lambda m: jd.control.Composite(slow(m, feedback="flexible", joints=["elbow", "shoulder"])), "slow must be"),
        (
            lambda m: jd.control.Composite(
                jd.control.Cartesian(planar_arm(), "l2.tip", 1.0, 1.0, directions="xy", start={"j1": 1.0})
            ),
            "has no flexible body",
        ),
        (lambda m: jd.control.Composite(slow(m), Q=[1.0, 2.0, 3.0]), r"composite: Q: has shape \(3,\); there are"),
        (
            lambda m: jd.control.Composite(slow(m), R=[1.0, 0.0]),
            "composite: R: has an eigenvalue 0; all must be positive",
        ),
        (lambda m: jd.control.Composite(slow(m), Q=-1.0), "composite: Q: has an eigenvalue -1"),
        (lambda m: jd.control.Composite(slow(m), scale=0.0), "scale is 0"),
        (lambda m: jd.control.Composite(slow(m), schedule=[]), "give a list of configurations"),
        (lambda m: jd.control.Composite(slow(m), schedule=[POSE, POSE]), "two configurations that follow"),
        (lambda m: jd.control.Composite(slow(m), schedule=[{"elbou": 1.0}]), "elbou"),
    ],
)
def test_mistakes_are_named(arm, make, says):
    with pytest.raises(jd.errors.ModelError, match=says):
        make(arm).bind(arm)

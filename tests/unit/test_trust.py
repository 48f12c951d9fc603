"""A run whose energy balance does not close is never trusted; a step that is too large for the stiffness of a contact
is refused."""

import json
import math

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.channels import Energy
from jourdain.results.trust import Trust, opening
from jourdain.study.scenario.limits import Limit, judge

DROP = """
jourdain: 1
name: Drop
system:
  gravity: [0, 0, 0]
  bodies:
    - kind: RigidBody
      name: ball
      mass: 1.0
      inertia: [4.0e-5, 4.0e-5, 4.0e-5]
      joint: {{kind: Prismatic, name: fall, axis: z}}
  contacts:
    - name: touch
      first: {{kind: Sphere, radius: 0.01, at: ball.origin}}
      second: {{kind: Plane, normal: [0, 0, 1], at: world}}
      normal: {{kind: HertzContact, stiffness: 1.0e+10, restitution: 0.6}}
state: {{q: {{fall: 0.025}}, v: {{fall: -1.0}}}}
simulation: {{until: 0.1, step: 0.01{more}}}
limits:
  - {{name: height, quantity: ball.origin.z, at_least: -1.0}}
"""
STUDY = """
jourdain: 1
name: Speeds
scenario: drop.yaml
parameters:
  speed: {at: state.v.fall, values: [-1.0, 1.0]}
"""


def ball(stiffness=1e10, restitution=0.6):
    system = jd.System("drop")
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(4e-5, 4e-5, 4e-5)), jd.Free("free"))
    normal = jd.HertzContact(stiffness=stiffness, restitution=restitution)
    system.contact("touch", jd.Sphere(0.01).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=normal)
    return system.compile()


def falling(model, height=0.05):
    return model.state(q={"free": jd.Pose((0, 0, 0.01 + height))}, v={"free": [0, 0, 0, 0, 0, -1.0]})


@pytest.fixture(scope="module")
def hard():
    return ball()


@pytest.mark.parametrize("method", ["rk4", "heun", "euler"])
@pytest.mark.parametrize("height", [0.05, 0.0525, 0.055, 0.0599])
def test_a_touch_within_one_step_is_seen(hard, method, height):
    """The impact lasts 0.3 ms: in steps of 10 ms the ball may be out again when a step ends, at 20,000 m/s."""
    with pytest.raises(jd.errors.SimulationError, match='"touch" is too stiff for the step') as refused:
        jd.simulate(hard, falling(hard, height), until=0.2, step=0.01, method=method)
    assert refused.value.culprit == "touch" and refused.value.partial is not None


@pytest.mark.filterwarnings("ignore::jourdain.contact.StepWarning")
def test_a_run_that_explodes_is_not_trusted(hard):
    with pytest.warns(jd.errors.TrustWarning, match="energy balance does not close"):
        run = jd.simulate(hard, falling(hard), until=0.2, step=0.01, step_check="warn")
    assert not run.trusted and run.energy.error > 1.0
    assert run.trusted.time == pytest.approx(0.06, abs=0.0101)  # one step after touchdown, at 0.05 s
    assert '"touch"' in run.trusted.cause and "adaptive" in run.trusted.cause
    limit = Limit("height", "ball.origin.z", at_least=-1.0)
    (found,) = judge(run, [limit])
    assert found.margin > 0.0 and not found.passed and found.note == "the run is not trusted"
    assert "not trusted" in repr(run)
    loose = jd.simulate(hard, falling(hard), until=0.2, step=0.01, step_check="warn", energy_tolerance=math.inf)
    assert loose.trusted and judge(loose, [limit])[0].passed


@pytest.mark.parametrize("stiffness", [1e8, 1e10])
@pytest.mark.parametrize("step", [1e-2, 1e-3, 2e-4, 1e-4, 3e-5])
@pytest.mark.filterwarnings("ignore::jourdain.errors.TrustWarning")
def test_no_run_is_wrong_without_a_word(stiffness, step):
    """Refused, not trusted, or within 5 % of the energy that restitution leaves."""
    model = ball(stiffness, 0.6)
    for method in ("rk4", "heun", "euler"):
        for height in (0.05, 0.0513, 0.0527):
            try:
                run = jd.simulate(model, falling(model, height), until=0.12, step=step, method=method)
            except jd.errors.SimulationError:
                continue
            if run.trusted:
                assert run.record.v[-1, 5] ** 2 == pytest.approx(0.36, abs=0.05)


def test_a_right_step_is_trusted(hard):
    run = jd.simulate(hard, falling(hard), until=0.06, step=2e-6)
    assert run.trusted and run.trusted.reason == "" and run.energy.error < 1e-4
    assert run.record.v[-1, 5] == pytest.approx(0.6, rel=1e-3)


def test_a_flexible_run_that_loses_its_energy_is_not_trusted():
    """rk4 near the end of its stability damps the fastest mode: |R(2.6 i)| = 0.68 a step."""
    system = jd.System("beam")
    section = {"mass_per_length": 1.0, "EA": 1e6, "EI": (100.0, 100.0), "GJ": 50.0}
    beam = jd.Beam("beam", length=1.0, **section, modes=jd.Modes(bending=2))
    system.add(beam, jd.Weld("root"))
    model = system.compile()
    state = model.state(q={"beam.bending_y[1]": 1e-3})
    omega = model.frequencies(state).hz.max() * 2.0 * np.pi
    step = 2.6 / omega
    with pytest.warns(jd.errors.TrustWarning):
        run = jd.simulate(model, state, until=200 * step, step=step)
    assert run.energy.error > 0.5 and not run.trusted
    assert "step" in run.trusted.cause
    fine = jd.simulate(model, state, until=200 * step, step=step / 20.0)
    assert fine.trusted


def test_when_the_balance_opened():
    """By what had moved up to then: at 0.3 s, though the energies grow ten thousandfold later."""
    time = np.linspace(0.0, 1.0, 11)
    columns = np.zeros((11, 6))
    columns[:, 0] = 1.0
    columns[3:, 0] = 1.0 + 10.0 ** np.arange(-1.0, 7.0)
    energy = Energy(columns, time)
    assert opening(energy, 0.01) == 3
    columns = np.ones((11, 6))
    assert opening(Energy(columns, time), 0.01) is None


def test_rounding_of_what_rests_is_no_error():
    """A system at rest high up moves no energy: its balance is rounding of a potential whose level is arbitrary."""
    columns = np.zeros((5, 6))
    columns[:, 1] = 1e6 + np.array([0.0, 1.0, -1.0, 2.0, 0.0]) * 1e-9
    assert opening(Energy(columns, np.arange(5.0)), 0.01) is None


def test_rounding_of_what_does_not_move_is_no_error():
    """Held still by a stop that two forces press on: work is a force times a rounding of the place."""
    columns = np.zeros((3, 6))
    columns[1:, 5] = 4e-15
    energy = Energy(columns, np.arange(3.0))
    assert opening(energy, 0.01) == 1 and opening(energy, 0.01, least=1e-13) is None


@pytest.mark.parametrize("value", [0.0, -1.0, "x", None, True, math.nan])
def test_tolerances_that_are_none(hard, value):
    with pytest.raises(jd.errors.ModelError, match="energy_tolerance"):
        jd.simulate(hard, falling(hard), until=0.01, step=1e-4, energy_tolerance=value)


def test_words_that_are_no_check(hard):
    with pytest.raises(jd.errors.ModelError, match='step_check: got \'maybe\'; give "refuse", or "warn"'):
        jd.simulate(hard, falling(hard), until=0.01, step=1e-4, step_check="maybe")


def test_trust_says_it_all():
    trust = Trust(0.2, 0.01, 1.5, "the step is too long")
    assert not trust and "20 %" in trust.reason and "t = 1.5 s" in trust.reason
    assert json.loads(json.dumps(trust.to_dict()))["trusted"] is False
    assert Trust(1e-6, 0.01) and Trust(1e-6, 0.01).to_dict()["reason"] is None


def test_many_runs_are_refused_one_by_one(hard):
    """A case that never touches is done, and those that do fail with the contact named."""
    states = [falling(hard), falling(hard, 50.0)]
    with pytest.warns(jd.contact.StepWarning, match='1 of 2 cases failed; case 0: contact "touch" is too stiff'):
        many = jd.simulate_many(hard, states, until=0.2, step=0.01)
    assert list(many.failed) == [0] and '"touch"' in many.reasons[0]
    assert np.all(np.isnan(many.record.q[0, 1:])) and np.all(np.isfinite(many.record.q[1]))
    assert many[0].partial and len(many[0]) == 1


def test_many_runs_that_explode_are_not_trusted(hard):
    states = [falling(hard), falling(hard, 50.0)]
    with pytest.warns(UserWarning) as told:
        many = jd.simulate_many(hard, states, until=0.2, step=0.01, step_check="warn")
    kinds = {one.category for one in told}
    assert kinds == {jd.contact.StepWarning, jd.errors.TrustWarning}
    assert list(many.untrusted) == [0] and "not trusted" in repr(many)


SOFT = jd.HertzContact(stiffness=1e5, restitution=0.5)


@pytest.mark.parametrize("options", [{}, {"step": 1e-5}, {"method": "bdf", "rtol": 1e-6}])
def test_a_law_too_soft_for_a_thin_box_is_an_error(options):
    """A ball at 100 m/s does not go through a box of 20 mm: at its middle the run stops."""
    system = jd.System("thin")
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)), jd.Free("free"))
    box = jd.Box((1.0, 1.0, 0.02)).at("world")
    system.contact("hit", jd.Sphere(0.05).at("ball.origin"), box, normal=SOFT)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((0, 0, 0.1))}, v={"free": [0, 0, 0, 0, 0, -100.0]})
    with pytest.raises(
        jd.errors.SimulationError, match="beyond half the thinner one, 0.01 m: the law is too soft"
    ) as deep:
        jd.simulate(model, state, until=0.01, **options)
    assert deep.value.culprit == "hit"
    assert deep.value.time == pytest.approx(0.04 / 100.0 + 0.01 / 100.0, rel=0.2)
    assert "ball.origin and world" in str(deep.value)


@pytest.mark.filterwarnings("ignore::jourdain.contact.StepWarning")
def test_a_case_that_sinks_has_its_reason():
    system = jd.System("thin")
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)), jd.Free("free"))
    system.contact("hit", jd.Sphere(0.05).at("ball.origin"), jd.Box((1.0, 1.0, 0.02)).at("world"), normal=SOFT)
    model = system.compile()
    states = [model.state(q={"free": jd.Pose((0, 0, 0.1))}, v={"free": [0, 0, 0, 0, 0, -v]}) for v in (100.0, 0.1)]
    many = jd.simulate_many(model, states, until=0.01, step=1e-5)
    assert list(many.failed) == [0] and "too soft" in many.reasons[0]


def test_materials_hold_as_far_as_hertz_does():
    """Beyond a quarter of the radius a ball is no paraboloid: the law of two materials says so."""
    rubber = jd.Material(E=1e5, nu=0.4)
    system = jd.System("soft")
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)), jd.Free("free"))
    law = jd.HertzContact(material=(rubber, rubber), restitution=0.9)
    system.contact("hit", jd.Sphere(0.05).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((0, 0, 0.06))}, v={"free": [0, 0, 0, 0, 0, -2.0]})
    with pytest.raises(jd.errors.SimulationError, match="beyond the depth that its law holds for, 0.0125 m"):
        jd.simulate(model, state, until=0.1)


def drop_file(folder, more=""):
    path = folder / "drop.yaml"
    path.write_text(DROP.format(more=more))
    return path


def test_a_scenario_that_explodes_is_never_passed(tmp_path):
    """Refused first; who insists gets a run that is not trusted, exit code 5, and a report that says so."""
    from typer.testing import CliRunner

    from jourdain.commands.cli import app

    path, out = drop_file(tmp_path), ["--out", str(tmp_path / "out"), "--no-figures", "-q"]
    refused = CliRunner().invoke(app, ["run", str(path), *out])
    assert refused.exit_code == 3 and "too stiff for the step" in refused.output
    path = drop_file(tmp_path, more=", step_check: warn")
    out[1] = str(tmp_path / "second")
    found = CliRunner().invoke(app, ["run", str(path), "--json", *out])
    told = json.loads(found.stdout)
    assert found.exit_code == 5 and told["status"] == "untrusted" and told["passed"] is False
    assert "energy balance" in told["message"] and told["trust"]["time"] < 0.05
    page = (tmp_path / "second" / "report.html").read_text()
    assert "Not trusted" in page and '<div class="seal">Pass' not in page
    path = drop_file(tmp_path, more=", step_check: warn, energy_tolerance: 100.0")
    assert CliRunner().invoke(app, ["run", str(path), *out]).exit_code == 0


def test_what_is_wrong_with_the_words_of_a_file(tmp_path):
    path = drop_file(tmp_path, more=", step_check: perhaps, energy_tolerance: -1")
    told = " ".join(str(one) for one in jd.study.check_scenario(path))
    assert "step_check" in told and "energy_tolerance" in told


@pytest.mark.filterwarnings("ignore::jourdain.contact.StepWarning", "ignore::jourdain.errors.TrustWarning")
def test_variants_that_explode_are_not_trusted(tmp_path):
    drop_file(tmp_path, more=", step_check: warn")
    (tmp_path / "study.yaml").write_text(STUDY)
    data = jd.sweep(tmp_path / "study.yaml", workers=1, progress=False)
    assert data["status"].values.tolist() == [3, 1] and data["success"].values.tolist() == [False, True]
    assert "energy balance" in str(data["reason"].values[0])

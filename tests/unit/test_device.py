"""Ensembles on a GPU: its program, run on this processor, gives what the processor's own loop gives."""

from __future__ import annotations

import re

import numpy as np
import pytest
from device_cases import run_here

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.run.gpu import cases as card
from jourdain.run.gpu import cuda_driver
from jourdain.run.gpu.case_program import FLOATS
from jourdain.run.gpu.code_generation import ENTRY, MOST_FLOATS, libdevice, ptx, whole_text, without_zeros


def arm(flexible: bool = False, ball: bool = False, winch: bool = False) -> jd.Model:
    """Three links, the last one flexible, with a ball at its end over a floor, or with a winch there."""
    system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
    to = "world"
    for i, axis in enumerate("zyy"):
        if flexible and i == 2:
            link = jd.Beam(
                "link2", length=0.5, mass_per_length=1.0, EA=1e6, EI=(40.0, 60.0), GJ=50.0, modes=jd.Modes(bending=1)
            )
        else:
            link = jd.RigidBody(
                f"link{i}", mass=2.0, com=(0.2, 0.01, 0), inertia=(0.01, 0.03, 0.03), frames={"tip": (0.4, 0, 0)}
            )
        system.add(link, joint=jd.Revolute(f"joint{i}", axis=axis, damping=0.1), to=to)
        to = f"link{i}.tip"
    if winch:
        rope = jd.Cable("rope", length=1.0, mass_per_length=0.2, EA=500.0, EI=0.5, elements=2, root="pinned")
        system.add(rope, joint=jd.Winch("drum", radius=0.1, inertia=0.02, deployed=0.5), to="link2.tip")
    if ball:
        system.contact(
            "touch",
            jd.Sphere(0.05).at("link2.tip"),
            jd.Plane((0, 0, 1)).at("world", position=(0, 0, -0.3)),
            normal=jd.HertzContact(stiffness=1e6, restitution=0.6),
            friction=jd.BristleFriction(static=0.3, kinetic=0.2),
        )
    return system.compile()


def states(model: jd.Model, count: int) -> list[jd.State]:
    """Random states of the joints."""
    rng = np.random.default_rng(3)
    names = [f"joint{i}" for i in range(3)]
    return [
        model.state(q={n: 0.3 * rng.normal() for n in names}, v={n: rng.normal() for n in names}) for _ in range(count)
    ]


@jd.law
def brake(t, q, v, z, s, p, effort, dz):
    effort[0] -= p[0] * v[0]
    effort[1] -= p[1] * np.sin(q[1])


def digital(model: jd.Model) -> object:
    """A regulator that computes with a model of its own, sampled."""
    joints = ["joint0", "joint1", "joint2"]
    inner = jd.control.PD(joints, kp=20.0, kd=2.0, feedforward="gravity", model=model)
    return jd.control.Sampled(inner, period=0.004)


def sampled() -> tuple:
    """An arm under it."""
    model = arm()
    return model, {"controller": digital(model)}


CASES = {
    "rigid": lambda: (arm(), {"controller": brake(2.0, 3.0)}),
    "flexible": lambda: (arm(flexible=True), {}),
    "touching": lambda: (arm(ball=True), {}),
    "sampled": sampled,
    "winch": lambda: (arm(winch=True), {}),
}


@pytest.mark.parametrize(
    "which",
    ["rigid", *(pytest.param(one, marks=pytest.mark.slow) for one in ("flexible", "touching", "sampled", "winch"))],
)
def test_a_card_computes_what_the_processor_does(which, monkeypatch):
    model, options = CASES[which]()
    given = dict(until=0.1, step=5e-4, method="rk4", output=0.01) | options
    some = states(model, 3)
    here = jd.simulate_many(model, some, **given)
    monkeypatch.setattr(card.Cases, "run", run_here)
    there = jd.simulate_many(model, some, **given, device="cuda")
    for name in ("q", "v", "z", "effort", "energy"):
        one, other = getattr(here.record, name), getattr(there.record, name)
        assert one.shape == other.shape
        # the same operations, fused and ordered as the optimiser of the whole chooses
        assert np.allclose(one, other, rtol=1e-10, atol=1e-10 * max(1.0, np.abs(one).max(initial=0.0))), name
    assert here.failed == there.failed


def test_a_case_that_fails_is_told(monkeypatch):
    model = arm()
    some = states(model, 2)
    some[1] = model.state(v={"joint0": 1e200, "joint1": 1e200})
    monkeypatch.setattr(card.Cases, "run", run_here)
    many = jd.simulate_many(model, some, until=0.01, step=1e-3, method="rk4", output=1e-3, device="cuda")
    assert list(many.failed) == [1] and np.isnan(many.record.q[1, -1]).all() and np.isfinite(many.record.q[0]).all()


@jd.law
def late(t, q, v, z, s, p, effort, dz):
    k = -1 if t < p[0] else 7
    effort[k] -= v[-1]


def test_a_law_whose_index_is_outside_stops_its_case_alone(monkeypatch):
    """A negative index counts from the end; outside, the first such case is run here to say which law, array and
    index."""
    model = arm()
    some = states(model, 4)
    given = dict(until=0.02, step=1e-3, method="rk4", output=1e-3, controller=late(1.0))
    given["parameters"] = [[1.0], [0.0105], [1.0], [0.006]]
    here = jd.simulate_many(model, some, **given)
    monkeypatch.setattr(card.Cases, "run", run_here)
    there = jd.simulate_many(model, some, **given, device="cuda")
    assert set(here.failed) == set(there.failed) == {1, 3}
    assert here.reasons[1] == there.reasons[1] and here.failed[1] == there.failed[1] == pytest.approx(0.011)
    assert '"late" at t = 0.011 s: index 7 is outside of effort, which has 3 entries' in there.reasons[1]
    assert "as in case 1" in there.reasons[3]
    for case in range(4):
        assert np.allclose(here[case].record.q[:6], there[case].record.q[:6], rtol=1e-10, atol=1e-10)
    assert len(there[3].time) == len(here[3].time) == 6 and len(there[0].time) == 21


def test_code_for_cards_needs_nothing_else(monkeypatch):
    try:
        libdevice()
    except ModelError as missing:
        pytest.skip(str(missing))
    made = []

    def written(self):
        text, floats = whole_text(self.program, self.features), self.program.numbers.size
        made.extend((floats, ptx(text, floats), ptx(text, MOST_FLOATS + 1)))

    monkeypatch.setattr(card.Cases, "run", written)
    model = arm()
    jd.simulate_many(model, states(model, 1), until=0.1, step=5e-4, method="rk4", device="cuda")
    floats, code, larger = made
    for one in (code, larger):
        assert f".entry {ENTRY}" in one
        outside = set(re.findall(r"\.extern \.func .*?(\w+)\s*\(", one))
        assert outside <= {"vprintf"}, outside
    # the numbers of the model are constants of the program, where there is room for them
    assert re.search(rf"\.const \.align 16 \.b8 {FLOATS}\[{8 * floats}\]", code) and "ld.const" in code
    assert re.search(rf"\.global \.align 16 \.b8 {FLOATS}\[", larger) and "ld.const" not in larger


def test_zero_times_a_number_is_zero():
    lines = [
        "  %a = fmul nsz arcp contract double %x.1, 0.000000e+00",
        "  %b = fmul double %x, 5.000000e-01",
        "  %c = fadd double %x, 0.000000e+00",
    ]
    changed = without_zeros("\n".join(lines)).split("\n")
    assert changed == [lines[0].replace("nsz", "nnan ninf nsz"), *lines[1:]]


def test_what_does_not_run_on_a_card_is_refused(monkeypatch):
    model = arm()
    state = model.state()
    with pytest.raises(ModelError, match='device.*"cpu" or "cuda"'):
        jd.simulate_many(model, state, until=0.1, step=1e-3, method="rk4", device="tpu")
    with pytest.raises(ModelError, match='"dop853" does not run on a GPU'):
        jd.simulate_many(model, state, until=0.1, output=0.01, method="dop853", device="cuda")
    cuda_driver.driver.cache_clear()
    monkeypatch.setattr(cuda_driver, "_found", lambda: None)
    with pytest.raises(ModelError, match="no NVIDIA driver"):
        jd.simulate_many(model, state, until=0.1, step=1e-3, method="rk4", device="cuda")

"""`jd.export.c`: the same numbers as in Python, from plain C, in one block of memory."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading

import numpy as np
import pytest
from control_arms import flexible_arm, planar_arm, random_state
from exported import Instance, Library

import jourdain as jd
from jourdain.export.object_code import MATHEMATICS, MEMORY, TARGETS

STEP = 2.0**-10
GOAL = {"shoulder": 0.3, "elbow": 0.5}
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
pytestmark = needs_cc


@pytest.fixture(scope="module")
def arm():
    model = flexible_arm()
    return model, random_state(model, GOAL, size=0.1)


@pytest.fixture(scope="module")
def regulator():
    return jd.control.Sampled(jd.control.PD(["shoulder", "elbow"], 40.0, 8.0, reference=GOAL), 2.0**-8)


@pytest.fixture(scope="module")
def folder(arm, regulator, tmp_path_factory):
    model, state = arm
    outputs = ["payload.origin.x", "payload.origin.speed", "fore.tip.vy"]
    inputs = ["effort:elbow", "payload.origin.fy"]
    return jd.export.c(model, tmp_path_factory.mktemp("arm"), state=state, step=STEP, controller=regulator,
                       target="native", inputs=inputs, outputs=outputs)  # fmt: skip


@pytest.fixture(scope="module")
def lib(folder):
    return Library(folder)


@pytest.fixture(scope="module")
def run(arm, regulator):
    model, state = arm
    return jd.simulate(model, state, until=300 * STEP, step=STEP, controller=regulator)


def same(one, model, run, at):
    q, v, z = one.state(model, run.record.z.shape[1])
    for mine, theirs in ((q, run.record.q), (v, run.record.v), (z, run.record.z)):
        np.testing.assert_array_equal(mine, theirs[at])


def test_a_run_is_that_of_python_to_the_last_bit(arm, lib, run):
    one = Instance(lib)
    assert one.step(300) == 0
    same(one, arm[0], run, -1)
    assert one["time"] == run.record.time[-1]


def test_pieces_and_questions_in_between_change_nothing(arm, lib, run):
    one = Instance(lib)
    for done in range(0, 300, 25):
        if done:
            same(one, arm[0], run, done)
        assert one["effort:elbow"] == 0.0
        for name in ("payload.origin.x", "payload.origin.speed", "fore.tip.vy", "energy:total"):
            assert one[name] == pytest.approx(jd.quantity(run, name).values[done], rel=1e-13, abs=1e-14)
        assert one["energy:dissipated"] == pytest.approx(run.energy["dissipated"].values[done], rel=1e-13, abs=1e-15)
        assert one["supplied:elbow"] == pytest.approx(run.effort["elbow"].values[done], rel=1e-13)
        assert one.step(25) == 0
    same(one, arm[0], run, 300)


def test_copies_go_on_alike(arm, lib, run):
    one = Instance(lib)
    one.step(120)
    other = Instance(lib)
    assert lib.copy(other.self, one.self) == 0
    one.memory[:] = np.nan
    other.step(180)
    same(other, arm[0], run, -1)
    assert lib.copy(other.self, one.self) == -4
    assert one.step(1) == -4


def test_two_threads_are_two_in_turn(lib):
    def stepped(one):
        for k in range(200):
            one.step(5, np.array([0.1 * k, 1.0]))

    ones = [Instance(lib) for _ in range(3)]
    threads = [threading.Thread(target=stepped, args=[one]) for one in ones[:2]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stepped(ones[2])
    names = [lib.name(i) for i in range(lib.find(b"effort:elbow"))]
    for name in names:
        assert ones[0][name.decode()] == ones[1][name.decode()] == ones[2][name.decode()]


def test_model_functions(arm, lib):
    model, state = arm
    one, rng = Instance(lib), np.random.default_rng(3)
    q, v, tau, a = state.q, state.v, rng.normal(size=model.nv), np.zeros(model.nv)
    one.call("forward_dynamics", q, v, tau, a)
    np.testing.assert_array_equal(a, model.forward_dynamics(state, tau))
    back = np.zeros(model.nv)
    one.call("inverse_dynamics", q, v, a, back)
    np.testing.assert_array_equal(back, model.inverse_dynamics(state, a))
    bias, M = np.zeros(model.nv), np.zeros((model.nv, model.nv))
    one.call("bias", q, v, bias)
    one.call("mass_matrix", q, M)
    np.testing.assert_array_equal(bias, model.bias(state))
    np.testing.assert_array_equal(M, model.mass_matrix(state))
    tip = lib.marker(b"fore.tip")
    J, motion, tip_rate = np.zeros((6, model.nv)), np.zeros(13), np.zeros(6)
    one.call("jacobian", tip, q, J)
    one.call("marker_motion", tip, q, v, motion)
    one.call("marker_acceleration", tip, q, v, a, tip_rate)
    np.testing.assert_array_equal(J, model.jacobian("fore.tip", state))
    np.testing.assert_allclose(motion[7:], J @ v, atol=1e-13)
    np.testing.assert_array_equal(motion[:3], model.pose("fore.tip", state).position)
    np.testing.assert_array_equal(tip_rate, model.acceleration("fore.tip", state, a))
    point, momentum, centre = np.zeros(3), np.zeros(6), np.zeros(3)
    one.call("momentum", q, v, point, momentum)
    one.call("centre_of_mass", q, centre)
    np.testing.assert_array_equal(momentum[3:], model.momentum(state).linear)
    np.testing.assert_array_equal(centre, model.centre_of_mass(state))
    assert lib.jacobian(one.self, 10_000, q.ctypes.data, J.ctypes.data) == -1
    assert lib.jacobian(one.self, -1, q.ctypes.data, J.ctypes.data) == -1


def test_inputs_are_what_a_law_would_supply(arm, lib, regulator):
    """The effort and the force as inputs, against the same as laws of a simulation."""
    model, state = arm

    @jd.law
    def push(t, q, v, z, s, p, effort, dz):
        effort[int(p[0])] += p[1]

    k = model.index.v["elbow"]
    run = jd.simulate(model, state, until=100 * STEP, step=STEP, controller=[regulator, push(k, 0.7)])
    one = Instance(lib)
    assert one.step(100, np.array([0.7, 0.0])) == 0
    np.testing.assert_allclose(one.state(model, 0)[0], run.record.q[-1], rtol=0, atol=1e-14)
    other = Instance(lib)
    other["effort:elbow"] = 0.7
    assert other.step(100) == 0
    np.testing.assert_array_equal(one.state(model, 0)[0], other.state(model, 0)[0])
    # a force at a frame works through its Jacobian
    free, pushed = np.zeros(model.nv), np.zeros(model.nv)
    third = Instance(lib)
    none = [None] * 3
    third.call("rates", 0.0, *none, None, free, None)
    third["payload.origin.fy"] = 2.0
    third.call("rates", 0.0, *none, None, pushed, None)
    force = model.jacobian("payload.origin", state)[4] * 2.0
    np.testing.assert_allclose(model.mass_matrix(state) @ (pushed - free), force, atol=1e-9)


def test_setters_take_any_number_and_refuse_what_is_none(arm, lib):
    """Whatever is set, nothing is read or written out of place; a state that explodes is told."""
    model, _ = arm
    rng = np.random.default_rng(8)
    one = Instance(lib)
    count = lib.find(b"energy:total") + 1
    before = one.memory.copy()
    values = np.concatenate([[np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308, 5e-324], 10.0 ** rng.uniform(-9, 9, 200)])
    for _ in range(3000):
        index, value = int(rng.integers(-5, count + 5)), float(rng.choice(values))
        status = lib.set(one.self, index, value)
        name = lib.name(index)
        if not 0 <= index < count or name is None:
            assert status == -1 or index >= count
        elif not np.isfinite(value):
            assert status in (-2, -3)
        elif status == 0:
            assert lib.get(one.self, index) == value
        if rng.random() < 0.02:
            assert one.step(2) in (0, 2)
            lib.init(one.self)
    lib.init(one.self)
    np.testing.assert_array_equal(one.memory[:-1], before[:-1])
    assert lib.set(one.self, lib.find(b"energy:total"), 1.0) == -2
    assert np.isnan(lib.get(one.self, 10**6))
    assert lib.find(b"elbo") == lib.find(b"elbowed") == lib.find(b"") == -1
    assert lib.step(one.self, None, -1) == -3


def test_a_state_that_is_set_is_where_the_run_begins_anew(arm, lib, regulator):
    model, state = arm
    one = Instance(lib)
    one.step(40)
    other = model.state(q={"shoulder": 0.1, "elbow": 0.2})
    other.time = 0.5
    for name, value in zip(model.names.q, other.q, strict=True):
        one[name] = value
    for name, value in zip(model.names.v, other.v, strict=True):
        one[f"v:{name}"] = value
    one["time"] = 0.5
    assert one["time"] == 0.5
    copy = Instance(lib)
    assert lib.start(copy.self, 0.5, other.q.ctypes.data, other.v.ctypes.data, None) == 0
    run = jd.simulate(model, other, until=0.5 + 64 * STEP, step=STEP, controller=regulator)
    copy.step(64)
    same(copy, model, run, -1)


def test_the_library_needs_nothing_but_mathematics(folder):
    found = subprocess.run(["nm", "-u", str(folder / "model.o")], capture_output=True, text=True, check=True).stdout
    needed = {line.split()[-1] for line in found.splitlines() if line.strip()} - {"_GLOBAL_OFFSET_TABLE_"}
    assert needed <= MEMORY | MATHEMATICS
    seen = subprocess.run(["nm", "-g", "--defined-only", str(folder / "model.o")], capture_output=True, text=True)
    assert all(line.split()[-1].startswith("jd_") for line in seen.stdout.splitlines())
    data = subprocess.run(["nm", str(folder / "model.o")], capture_output=True, text=True).stdout
    assert not [line for line in data.splitlines() if line.split()[-2] in "BbC"]  # no variables


def test_header_and_example_are_strict_c99(folder, tmp_path):
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-O1"]
    build = ["cc", *flags, str(folder / "example.c"), str(folder / "model.o"), "-lm", "-o", str(tmp_path / "example")]
    subprocess.run(build, check=True, capture_output=True)
    told = subprocess.run([str(tmp_path / "example")], check=True, capture_output=True, text=True).stdout
    assert "elbow = " in told and "t = 1 s" in told
    assert "payload.origin.speed" in (folder / "README.md").read_text()


def test_the_whole_is_repeatable(arm, regulator, folder, tmp_path):
    """Two exports are the same bytes."""
    model, state = arm
    again = jd.export.c(model, tmp_path / "again", state=state, step=STEP, controller=regulator, target="native",
                        inputs=["effort:elbow", "payload.origin.fy"],
                        outputs=["payload.origin.x", "payload.origin.speed", "fore.tip.vy"])  # fmt: skip
    assert (again / "model.o").read_bytes() == (folder / "model.o").read_bytes()


@pytest.mark.parametrize(
    "words, options",
    [
        ("dop853.*chooses its steps.*rk4", {"method": "dop853"}),
        ("radau.*solves equations", {"method": "radau"}),
        ("leapfrog.*does not exist", {"method": "leapfrog"}),
        ("step.*above zero", {"step": -1.0}),
        ("target.*x86-64-v3", {"target": "x86-64-v9"}),
        ("prefix", {"prefix": "1st"}),
        ("j7.*no such input", {"inputs": ["effort:j7"]}),
        ("l2.tipp.x.*no such output", {"outputs": ["l2.tipp.x"]}),
        ("Python function", {"controller": jd.control.Sampled(lambda t, q, v, s: np.zeros(3), 0.01)}),
    ],
)
def test_what_cannot_be_exported_is_said(words, options, tmp_path):
    model = planar_arm()
    with pytest.raises(jd.errors.ModelError, match=f"(?s){words}"):
        jd.export.c(model, tmp_path, **options)
    assert not list(tmp_path.iterdir())


def test_a_law_that_makes_arrays_is_refused_by_its_name(tmp_path):
    @jd.law
    def greedy(t, q, v, z, s, p, effort, dz):
        effort[0] += np.cumsum(q)[-1]

    with pytest.raises(jd.errors.ModelError, match="(?s)greedy.*may not make arrays"):
        jd.export.c(planar_arm(), tmp_path, controller=greedy(), target="native")


def test_names_of_targets():
    assert {"x86-64", "x86-64-v2", "x86-64-v3", "aarch64", "armv7", "riscv64"} <= set(TARGETS)


@pytest.mark.parametrize("target, behind", [("armv7", 48), ("aarch64", 56)])
def test_what_a_function_returns_lies_as_the_processor_has_it(target, behind):
    """`cut` returns an array and a number, which is laid behind the array's seven words: three of them are addresses,
    of four bytes on armv7 (the first two side by side, the third filled up to eight)."""
    import llvmlite.binding as llvm
    from numba import types

    from jourdain.export.object_code import optimised
    from jourdain.kernels.arrays import kernel_array
    from jourdain.kernels.control.impedance import cut

    one = cut.overload((kernel_array(types.float64[::1]), types.int64, types.int64))
    text = str(llvm.parse_bitcode(optimised(one, TARGETS[target]).code))
    assert max(int(at) for at in re.findall(r"ptr %retptr, i(?:32|64) (\d+)", text)) == behind


def test_a_helper_that_returns_an_array_is_refused_where_addresses_have_32_bits(tmp_path):
    import numba

    @numba.njit
    def half(x):
        return x[: len(x) // 2]

    @jd.law
    def helped(t, q, v, z, s, p, effort, dz):
        effort[0] -= half(q)[0]

    with pytest.raises(jd.errors.ModelError, match="(?s)helped.*returns an array.*32 bits"):
        jd.export.c(planar_arm(), tmp_path, controller=helped(), target="armv7")

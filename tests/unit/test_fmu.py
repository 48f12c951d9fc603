"""`jd.export.fmu`: validated and run by FMPy."""

from __future__ import annotations

import shutil
import subprocess
import zipfile

import numpy as np
import pytest
from control_arms import flexible_arm, random_state

import jourdain as jd

fmpy = pytest.importorskip("fmpy")
from fmpy.validation import validate_fmu  # noqa: E402

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
STEP = 2.0**-10
OUTPUTS = ["shoulder", "elbow", "v:elbow", "payload.origin.x", "energy:total"]


@pytest.fixture(scope="module")
def arm():
    model = flexible_arm()
    return model, random_state(model, {"shoulder": 0.3, "elbow": 0.5}, size=0.1)


@pytest.fixture(scope="module")
def units(arm, tmp_path_factory):
    model, state = arm
    folder = tmp_path_factory.mktemp("fmu")
    options = dict(state=state, step=STEP, target="native", inputs=["effort:elbow"], outputs=OUTPUTS)
    return {k: str(jd.export.fmu(model, folder / f"arm{k}.fmu", version=k, **options)) for k in (2, 3)}


@pytest.fixture(scope="module")
def run(arm):
    model, state = arm
    return jd.simulate(model, state, until=256 * STEP, step=STEP)


@pytest.mark.parametrize("version", [2, 3])
def test_validation_has_no_remark(units, version):
    assert validate_fmu(units[version]) == []


@pytest.mark.parametrize("version", [2, 3])
def test_co_simulation_is_the_run(units, run, version):
    found = fmpy.simulate_fmu(units[version], fmi_type="CoSimulation", stop_time=256 * STEP, output_interval=16 * STEP)
    for name in OUTPUTS:
        theirs = jd.quantity(run, name).values[::16]
        np.testing.assert_allclose(found[name], theirs, rtol=1e-14, atol=1e-15, err_msg=name)
    np.testing.assert_array_equal(found["elbow"], jd.quantity(run, "elbow").values[::16])


@pytest.mark.parametrize("version", [2, 3])
def test_model_exchange_is_the_motion(arm, units, version):
    model, state = arm
    exact = jd.simulate(model, state, until=256 * STEP, output=16 * STEP)
    found = fmpy.simulate_fmu(units[version], fmi_type="ModelExchange", stop_time=256 * STEP, output_interval=16 * STEP,
                              relative_tolerance=1e-9)  # fmt: skip
    assert len(found) == 17
    for name in OUTPUTS:
        theirs = jd.quantity(exact, name).values
        np.testing.assert_allclose(found[name], theirs, atol=1e-5 * np.ptp(theirs), rtol=1e-7)


class Slave:
    """An FMU for co-simulation, in the hands of a test."""

    def __init__(self, path: str, version: int, kind: str = "CoSimulation") -> None:
        self.folder = fmpy.extract(path)
        self.told = fmpy.read_model_description(path)
        self.refs = {one.name: one.valueReference for one in self.told.modelVariables}
        module = fmpy.fmi2 if version == 2 else fmpy.fmi3
        which = self.told.coSimulation if kind == "CoSimulation" else self.told.modelExchange
        cls = getattr(module, {"CoSimulation": f"FMU{version}Slave", "ModelExchange": f"FMU{version}Model"}[kind])
        token = self.told.guid if version == 2 else self.told.instantiationToken
        self.fmu = cls(guid=token, unzipDirectory=self.folder, modelIdentifier=which.modelIdentifier, instanceName="a")
        self.version = version
        self.fmu.instantiate()

    def start(self) -> None:
        if self.version == 2:
            self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def __getitem__(self, name: str) -> float:
        get = self.fmu.getReal if self.version == 2 else self.fmu.getFloat64
        return get([self.refs[name]])[0]

    def __setitem__(self, name: str, value: float) -> None:
        put = self.fmu.setReal if self.version == 2 else self.fmu.setFloat64
        put([self.refs[name]], [value])

    def step(self, t: float, h: float) -> None:
        self.fmu.doStep(currentCommunicationPoint=t, communicationStepSize=h)

    def close(self) -> None:
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(params=[2, 3])
def slave(request, units):
    one = Slave(units[request.param], request.param)
    yield one
    one.close()


def test_a_state_is_kept_written_and_returned_to(slave):
    slave.start()
    slave["effort:elbow"] = 0.4
    slave.step(0.0, 32 * STEP)
    get, put, free, write, read = (
        (slave.fmu.getFMUstate, slave.fmu.setFMUstate, slave.fmu.freeFMUstate, slave.fmu.serializeFMUstate,
         slave.fmu.deSerializeFMUstate) if slave.version == 2 else
        (slave.fmu.getFMUState, slave.fmu.setFMUState, slave.fmu.freeFMUState, slave.fmu.serializeFMUState,
         slave.fmu.deserializeFMUState)
    )  # fmt: skip
    kept = get()
    told = write(kept)
    slave.step(32 * STEP, 32 * STEP)
    first = slave["elbow"], slave["energy:total"]
    put(kept)
    assert slave["time"] == 32 * STEP
    slave.step(32 * STEP, 32 * STEP)
    assert (slave["elbow"], slave["energy:total"]) == first
    free(kept)
    again = read(told)
    put(again)
    slave.step(32 * STEP, 32 * STEP)
    assert (slave["elbow"], slave["energy:total"]) == first
    free(again)
    slave.fmu.reset()
    slave.start()
    assert slave["time"] == 0.0


def test_steps_that_are_none_are_refused(slave):
    slave.start()
    for t, h in ((0.0, 1.5 * STEP), (STEP, STEP), (0.0, -STEP)):
        with pytest.raises(Exception, match="(?i)step|error|status"):
            slave.step(t, h)
    with pytest.raises(Exception, match="(?i)set|error|status"):
        slave["energy:total"] = 1.0
    with pytest.raises(Exception, match="(?i)set|error|status"):
        slave["elbow"] = float("nan")
    slave.step(0.0, STEP)


def test_a_step_that_fails_leaves_what_was(slave):
    """With an effort of 1e90 the run cannot go on; with one that holds it goes on from where it was."""
    slave.start()
    slave.step(0.0, 8 * STEP)
    before = [slave[name] for name in OUTPUTS]
    for bad in (float("inf"), 1e308):
        with pytest.raises(Exception, match="(?i)set|error|status"):
            slave["effort:elbow"] = bad
    slave["effort:elbow"] = 1e90
    with pytest.raises(Exception, match="(?i)step|error|status"):
        slave.step(8 * STEP, 4 * STEP)
    slave["effort:elbow"] = 0.0
    assert [slave[name] for name in OUTPUTS] == before
    slave.step(8 * STEP, STEP)
    assert np.all(np.isfinite([slave[name] for name in OUTPUTS]))


def slope(one: Slave, unknown: list[str], known: list[str], seed, adjoint: bool = False) -> np.ndarray:
    """Directional derivative of unknowns along knowns, or the adjoint one, where the seed is of the unknowns."""
    rows, columns = [one.refs[name] for name in unknown], [one.refs[name] for name in known]
    if adjoint:
        return np.array(one.fmu.getAdjointDerivative(rows, columns, list(seed), len(columns)))
    if one.version == 2:
        return np.array(one.fmu.getDirectionalDerivative(rows, columns, list(seed)))
    return np.array(one.fmu.getDirectionalDerivative(rows, columns, list(seed), len(rows)))


def fine_differences(one: Slave, unknown: list[str], known: list[str], seed) -> np.ndarray:
    """The same of sixth order, from the values that the FMU itself gives: the error of a step of 3e-3 of unit numbers
    is 1e-16 of their seventh derivatives, and that of rounding 1e-13."""
    start, h, total = [one[name] for name in known], 3e-3, 0.0
    for n, weight in ((1, 45.0), (2, -9.0), (3, 1.0)):
        for side in (-1, 1):
            for name, value, along in zip(known, start, seed, strict=True):
                one[name] = value + side * n * h * along
            total = total + side * weight * np.array([one[name] for name in unknown]) / (60.0 * h)
    for name, value in zip(known, start, strict=True):
        one[name] = value
    return total


def test_directional_derivatives_are_those_of_the_model(arm, units):
    model, _ = arm
    names = model.names.v
    seed, along = np.linspace(-1.0, 1.0, model.nv), np.linspace(0.4, -1.0, len(OUTPUTS))
    rates = [f"der(v:{name})" for name in names]
    known = [*model.names.q, *(f"v:{name}" for name in names), "effort:elbow"]
    seeds = np.sin(np.arange(len(known)) + 1.0)
    for version in (2, 3):
        one = Slave(units[version], version, "ModelExchange")
        one.start()
        unknown = [*rates, *OUTPUTS]
        found, theirs = slope(one, unknown, known, seeds), fine_differences(one, unknown, known, seeds)
        smooth = [k for k, name in enumerate(unknown) if not name.startswith("energy")]
        np.testing.assert_allclose(found[smooth], theirs[smooth], rtol=1e-8)
        np.testing.assert_allclose(found, theirs, rtol=1e-6)  # of energies there are no formulas
        if version == 3:
            product = slope(one, OUTPUTS, known, along, adjoint=True) @ seeds
            assert product == pytest.approx(along @ found[len(rates) :], rel=1e-7)
            product = slope(one, rates, known, seed, adjoint=True) @ seeds
            assert product == pytest.approx(seed @ found[: len(rates)], rel=1e-12)
        one.close()


def test_instances_come_and_go_without_growth(units):
    import resource

    folder = fmpy.extract(units[3])
    told = fmpy.read_model_description(units[3])
    fmu = fmpy.fmi3.FMU3Slave(guid=told.instantiationToken, unzipDirectory=folder,
                              modelIdentifier=told.coSimulation.modelIdentifier, instanceName="a")  # fmt: skip
    sizes = []
    for k in range(1000):
        fmu.instantiate()
        if k < 999:
            fmu.fmi3FreeInstance(fmu.component)
        if k in (200, 998):
            sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    fmu.freeInstance()
    assert sizes[1] - sizes[0] <= 2048  # kB; an instance is some 10


def test_the_source_is_strict_c99_and_the_same_model_makes_the_same_file(arm, units, tmp_path):
    model, state = arm
    again = jd.export.fmu(model, tmp_path / "again.fmu", state=state, step=STEP, target="native",
                          inputs=["effort:elbow"], outputs=OUTPUTS)  # fmt: skip
    with zipfile.ZipFile(again) as mine, zipfile.ZipFile(units[3]) as theirs:
        assert mine.read("modelDescription.xml") == theirs.read("modelDescription.xml")
    from importlib.resources import files

    from jourdain.export import fmu_archive
    from jourdain.export.export_model import prepare
    from jourdain.export.header import header
    from jourdain.export.object_code import target_named

    what = prepare(model, state, None, "rk4", STEP, None, ["effort:elbow"], OUTPUTS)
    made = fmu_archive.object_of(
        what, target_named("native"), "jd", sloped=True, functions=fmu_archive.FUNCTIONS, apart=True
    )
    (tmp_path / "model.h").write_text(header(made.sheet))
    (tmp_path / "fmu.h").write_text(fmu_archive._config(made, fmu_archive.described(made, OUTPUTS, 3)))
    for name in (*fmu_archive.SHARED, "fmi2.c", "fmi3.c"):
        (tmp_path / name).write_text((files("jourdain.export") / "fmi" / name).read_text())
    for name in ("fmi2.c", "fmi3.c"):
        flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
        subprocess.run(["cc", *flags, name], cwd=tmp_path, check=True)


def test_what_cannot_be_is_said(arm, tmp_path):
    model, _ = arm
    with pytest.raises(jd.errors.ModelError, match="version 2 or 3"):
        jd.export.fmu(model, tmp_path / "a.fmu", version=1)
    with pytest.raises(jd.errors.ModelError, match="has no name"):
        jd.export.fmu(model, tmp_path / "a.fmu", target="riscv64")


@pytest.mark.slow
def test_a_ball_bounces_in_the_hands_of_another_solver(tmp_path):
    """Event indicators find touchdown and lift-off, and what is latched there makes the restitution of the law."""
    system = jd.System("ball", gravity=(0.0, 0.0, -9.81))
    shape = jd.Sphere(0.1)
    system.add(jd.RigidBody.from_shape("ball", shape, density=500.0), jd.Prismatic("fall", axis="z"))
    system.contact("touch", shape.at("ball.origin"), jd.Plane((0, 0, 1)).at("world"),
                   normal=jd.HertzContact(stiffness=1e6, restitution=0.6))  # fmt: skip
    model = system.compile()
    state = model.state(q={"fall": 0.3})
    file = jd.export.fmu(model, tmp_path / "ball.fmu", state=state, step=2.0**-14, target="native", inputs=(),
                         outputs=["fall", "v:fall", "contact:touch.force"])  # fmt: skip
    assert validate_fmu(str(file)) == []
    exact = jd.simulate(model, state, until=0.6, output=0.01)
    found = fmpy.simulate_fmu(str(file), fmi_type="ModelExchange", stop_time=0.6, output_interval=0.01,
                              relative_tolerance=1e-8, record_events=False)  # fmt: skip
    height = jd.quantity(exact, "fall").values
    np.testing.assert_allclose(np.interp(exact.record.time, found["time"], found["fall"]), height, atol=2e-4)
    leaving = np.max(jd.quantity(exact, "v:fall").values)
    assert leaving > 1.0
    assert np.max(found["v:fall"]) == pytest.approx(leaving, rel=2e-3)
    fixed = fmpy.simulate_fmu(str(file), fmi_type="CoSimulation", stop_time=0.5, output_interval=2.0**-7)
    assert np.max(fixed["v:fall"]) == pytest.approx(leaving, rel=2e-2)

"""`jd.Fmu`: foreign FMUs and our own as controllers and forces, against the same written as laws."""

from __future__ import annotations

import io
import shutil
import stat
import zipfile

import numpy as np
import pytest
from foreign_fmus import description2, servo

import jourdain as jd
from jourdain.cosimulation.archive import Archive
from jourdain.cosimulation.binary import VariableBlock
from jourdain.cosimulation.fmi_description import read_description
from jourdain.cosimulation.fmu import instance_of

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
STEP = 2.0**-9
INPUTS = {"angle": "swing", "rate": "v:swing"}
VERSIONS = pytest.mark.parametrize("version", [2, 3])


@pytest.fixture(scope="module")
def plant():
    system = jd.System("pendulum", gravity=(0.0, -9.81, 0.0))
    system.add(jd.RigidBody("bob", 2.0, (0.5, 0, 0), (0.01, 0.2, 0.2), frames={"tip": (1.0, 0, 0)}),
               jd.Revolute("swing", axis="z", damping=0.1))  # fmt: skip
    model = system.compile()
    return model, model.state(q={"swing": -1.2}, v={"swing": 0.3})


@pytest.fixture(scope="module")
def servos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("servos")
    made = {(k, e): servo(folder / f"servo{k}{'e' if e else ''}.fmu", k, e) for k in (2, 3) for e in (False, True)}
    return made


@jd.law
def pd(t, q, v, z, s, p, effort, dz):
    effort[0] += p[0] * (p[2] - q[0]) - p[1] * v[0]


@jd.law(states=1)
def drive(t, q, v, z, s, p, effort, dz):
    """The equations of servo.c, with kp, kd, R, L, k, ref and gear as p."""
    effort[0] += p[4] * p[6] * z[0]
    dz[0] = (p[0] * (p[5] - q[0]) - p[1] * v[0] - p[2] * z[0]) / p[3]


def end(run):
    return np.concatenate([run.record.q[-1], run.record.v[-1]])


@VERSIONS
def test_what_passes_straight_through_is_a_sampled_law(plant, servos, version):
    model, state = plant
    unit = jd.Fmu(servos[version, False], INPUTS, {"pd": "effort:swing"}, period=4 * STEP)
    mine = jd.simulate(model, state, until=1.0, step=STEP, controller=unit)
    theirs = jd.simulate(model, state, until=1.0, step=STEP,
                         controller=jd.control.Sampled(pd(10.0, 1.0, 1.0), period=4 * STEP))  # fmt: skip
    np.testing.assert_allclose(mine.record.q, theirs.record.q, rtol=0, atol=1e-13)
    late = jd.Fmu(servos[version, False], INPUTS, {"pd": "effort:swing"}, period=4 * STEP, inputs_at="start")
    delayed = jd.control.Sampled(pd(10.0, 1.0, 1.0), period=4 * STEP)
    other = jd.simulate(model, state, until=1.0, step=STEP, controller=late)
    assert np.max(np.abs(other.record.q - jd.simulate(model, state, until=1.0, step=STEP,
                                                      controller=delayed).record.q)) > 1e-5  # fmt: skip


@VERSIONS
@pytest.mark.parametrize("method", ["rk4", "dop853"])
def test_model_exchange_is_a_law_with_states(plant, servos, version, method):
    model, state = plant
    how = dict(step=STEP) if method == "rk4" else dict(output=0.1)
    unit = jd.Fmu(servos[version, False], INPUTS, {"torque": "swing"}, parameters={"kp": 25.0, "gear": 4, "on": True})
    mine = jd.simulate(model, state, until=1.0, method=method, controller=unit, **how)
    law = drive(25.0, 1.0, 2.0, 0.1, 0.5, 1.0, 4.0)
    theirs = jd.simulate(model, state, until=1.0, method=method, controller=law, **how)
    assert np.ptp(theirs.record.q) > 0.5
    np.testing.assert_allclose(end(mine), end(theirs), rtol=0, atol=1e-11)
    assert mine.record.z[-1, 0] == pytest.approx(theirs.record.z[-1, 0], abs=1e-11)
    off = jd.Fmu(servos[version, False], INPUTS, {"torque": "swing"}, parameters={"on": False})
    free = jd.simulate(model, state, until=1.0, step=STEP)
    np.testing.assert_array_equal(end(jd.simulate(model, state, until=1.0, step=STEP, controller=off)), end(free))


def test_co_simulation_goes_to_model_exchange_with_its_period(plant, servos):
    """Efforts held over a period are late by half of it: order one."""
    model, state = plant
    exact = end(jd.simulate(model, state, until=1.0, step=STEP,
                            controller=jd.Fmu(servos[2, False], INPUTS, {"torque": "swing"})))  # fmt: skip
    errors = []
    for factor in (16, 8, 4):
        unit = jd.Fmu(servos[2, False], INPUTS, {"torque": "swing"}, period=factor * STEP)
        errors.append(np.max(np.abs(end(jd.simulate(model, state, until=1.0, step=STEP, controller=unit)) - exact)))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx(1.0, abs=0.15)


@VERSIONS
def test_an_exported_body_imported_back_is_the_whole_system(tmp_path, version):
    """Two masses with a spring and a damper between them: one is the plant, the other an FMU that we exported."""
    k, c = 40.0, 0.8

    def mass(name, value, joint, **springs):
        system = jd.System(name)
        system.add(jd.RigidBody(name, value, inertia=(1, 1, 1)), jd.Prismatic(joint, axis="x", **springs))
        return system.compile()

    plant, part = mass("a", 2.0, "x", stiffness=30.0 + k, damping=c), mass("b", 0.7, "y", stiffness=k, damping=c)
    file = jd.export.fmu(part, tmp_path / "b.fmu", version=version, step=STEP, target="native",
                         inputs=["effort:y"], outputs=["y", "v:y"])  # fmt: skip
    unit = jd.Fmu(file, {"effort:y": [("x", k), ("v:x", c)]}, {"y": ("effort:x", k), "v:y": ("effort:x", c)},
                  mode="model exchange", period=STEP)  # fmt: skip
    run = jd.simulate(plant, plant.state(q={"x": 0.1}), until=2.0, step=STEP, controller=unit)
    exact = _exact_masses(k, c, 2.0)
    assert run.record.q[-1, 0] == pytest.approx(exact[0], abs=1e-9)
    assert run.record.z[-1, plant.nv + 3] == pytest.approx(exact[1], abs=1e-9)


def _exact_masses(k, c, t):
    from scipy.linalg import expm

    A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-(30.0 + k) / 2.0, k / 2.0, -c / 2.0, c / 2.0],
                  [k / 0.7, -k / 0.7, c / 0.7, -c / 0.7]])  # fmt: skip
    return expm(A * t) @ [0.1, 0.0, 0.0, 0.0]


def test_a_force_at_a_frame_is_its_effort(plant, servos):
    """fx and fy at the tip, 1 m from the axis, do the work of a torque -sin q fx + cos q fy."""
    model, state = plant

    @jd.law
    def push(t, q, v, z, s, p, effort, dz):
        f = p[0] * (p[2] - q[0]) - p[1] * v[0]
        effort[0] += (-0.3 * np.sin(q[0]) + 2.0 * np.cos(q[0])) * f

    outputs = {"pd": [("bob.tip.fx", 0.3), ("bob.tip.fy", 2.0)]}
    unit = jd.Fmu(servos[3, False], INPUTS, outputs, mode="model exchange")
    mine = jd.simulate(model, state, until=0.5, step=STEP, controller=unit)
    theirs = jd.simulate(model, state, until=0.5, step=STEP, controller=push(10.0, 1.0, 1.0))
    np.testing.assert_allclose(end(mine), end(theirs), rtol=0, atol=1e-12)


def test_frames_and_time_are_inputs(plant, servos):
    model, state = plant
    inputs = {"angle": [("bob.tip.y", 1.0), ("time", 0.25)]}
    unit = jd.Fmu(servos[2, False], inputs, {"pd": "swing"}, mode="model exchange")

    @jd.law
    def same(t, q, v, z, s, p, effort, dz):
        effort[0] += 10.0 * (1.0 - np.sin(q[0]) - 0.25 * t)

    mine = jd.simulate(model, state, until=0.5, step=STEP, controller=unit)
    theirs = jd.simulate(model, state, until=0.5, step=STEP, controller=same())
    np.testing.assert_allclose(end(mine), end(theirs), rtol=0, atol=1e-12)


@VERSIONS
def test_events_happen_at_the_period_and_move_the_states(plant, servos, version):
    """Each time the angle passes the level the reference changes sign and the current is zero."""
    model, state = plant
    unit = jd.Fmu(servos[version, True], INPUTS, {"torque": "swing"}, mode="model exchange", period=STEP,
                  parameters={"level": -1.0, "kp": 30.0})  # fmt: skip
    run = jd.simulate(model, state, until=1.0, step=STEP, controller=unit)
    angle, current = run.record.q[:, 0], run.record.z[:, model.nv + 3]
    first, second = (np.flatnonzero(np.diff(np.sign(angle + 1.0)) != 0) + 1)[:2]
    assert second > first + 20 and current[first - 1] > 1.0 and current[first] == 0.0 == current[second]
    law = drive(30.0, 1.0, 2.0, 0.1, 0.5, 1.0, 3.0)
    before = jd.simulate(model, state, until=first * STEP, step=STEP, controller=law)
    np.testing.assert_allclose(angle[: first + 1], before.record.q[:, 0], rtol=0, atol=1e-11)
    after = jd.simulate(model, model.state(q=before.record.q[-1], v=before.record.v[-1]), until=(second - first) * STEP,
                        step=STEP, controller=drive(30.0, 1.0, 2.0, 0.1, 0.5, -1.0, 3.0))  # fmt: skip
    np.testing.assert_allclose(angle[first : second + 1], after.record.q[:, 0], rtol=0, atol=1e-10)
    with pytest.raises(jd.errors.ModelError, match="give period="):
        jd.simulate(model, state, until=1.0, step=STEP,
                    controller=jd.Fmu(servos[version, True], INPUTS, {"torque": "swing"}))  # fmt: skip


@VERSIONS
def test_an_instance_is_what_fmpy_makes_of_it(plant, tmp_path, version):
    fmpy = pytest.importorskip("fmpy")
    model, state = plant
    file = jd.export.fmu(model, tmp_path / "bob.fmu", state=state, step=STEP, target="native", version=version,
                         outputs=["bob.tip.x"])  # fmt: skip
    archive = Archive(file)
    told = read_description(archive.description, str(file))
    read = fmpy.read_model_description(str(file))
    assert {one.name: (one.valueReference, one.causality) for one in read.modelVariables} == {
        name: (one.reference, one.causality) for name, one in told.variables.items()
    }
    assert len(told.states) == 2 and told.exchange is not None
    mine = instance_of(archive, told, "co-simulation", "a")
    effort = told.variable("effort:swing").reference
    wanted = [told.variable(name).reference for name in ("swing", "v:swing", "bob.tip.x")]
    given, asked = VariableBlock([effort]), VariableBlock(wanted)
    mine.begin(0.0, {"swing": -1.0}, given)
    module = fmpy.fmi2 if version == 2 else fmpy.fmi3
    folder = fmpy.extract(str(file))
    theirs = getattr(module, f"FMU{version}Slave")(guid=told.token, unzipDirectory=folder, instanceName="b",
                                                   modelIdentifier=told.cosimulation.identifier)  # fmt: skip
    theirs.instantiate()
    get, put = (theirs.getReal, theirs.setReal) if version == 2 else (theirs.getFloat64, theirs.setFloat64)
    put([told.variable("swing").reference], [-1.0])
    if version == 2:
        theirs.setupExperiment(startTime=0.0)
    theirs.enterInitializationMode()
    theirs.exitInitializationMode()
    kept = None
    for k in range(5):
        given.values[0] = np.sin(k)
        mine.write(given)
        put([effort], [np.sin(k)])
        kept = mine.keep(kept)
        mine.step(8 * STEP * k, 8 * STEP)
        mine.back(kept)
        mine.step(8 * STEP * k, 8 * STEP)
        theirs.doStep(currentCommunicationPoint=8 * STEP * k, communicationStepSize=8 * STEP)
        assert list(mine.read(asked)) == list(get(wanted))
    assert mine.read(asked)[1] != 0.0
    mine.forget(kept)
    mine.close()
    theirs.freeInstance()
    shutil.rmtree(folder, ignore_errors=True)


def test_an_error_of_the_fmu_is_an_error_of_the_run(plant, servos):
    model, state = plant
    unit = jd.Fmu(servos[2, False], INPUTS, {"pd": "swing"}, period=STEP, parameters={"level": -2e8})
    with pytest.raises(jd.cosimulation.FmuError, match="fmi2DoStep returned error") as caught:
        jd.simulate(model, state, until=1.0, step=STEP, controller=unit)
    assert caught.value.partial.record.time[-1] == 0.0


def test_what_cannot_be_connected_is_named(plant, servos):
    model, state = plant
    file = servos[2, False]
    for message, made in (
        ("there is no variable 'angel'.*angle", lambda: jd.Fmu(file, {"angel": "swing"})),
        ("'gear' is no real number", lambda: jd.Fmu(file, {"gear": "swing"})),
        ("'torque' is no input; its inputs are angle, rate", lambda: jd.Fmu(file, {"torque": "swing"})),
        ("needs a period", lambda: jd.Fmu(file, INPUTS, mode="co-simulation")),
        ("mode is 'both'", lambda: jd.Fmu(file, INPUTS, mode="both")),
        ("above 0", lambda: jd.Fmu(file, INPUTS, period=-1.0)),
        ("no such file", lambda: jd.Fmu("nowhere.fmu", INPUTS)),
        ("not one number", lambda: jd.Fmu(file, {"angle": "energy:total"}, period=STEP).bind(model)),
        ("no such input", lambda: jd.Fmu(file, INPUTS, {"pd": "effort:elbow"}, period=STEP).bind(model)),
        ("give a whole number", lambda: jd.Fmu(file, INPUTS, parameters={"gear": 2.5}).bind(model)),
        ("give True or False", lambda: jd.Fmu(file, INPUTS, parameters={"on": 1}).bind(model)),
        ("give a finite number", lambda: jd.Fmu(file, INPUTS, parameters={"kp": np.nan}).bind(model)),
    ):
        with pytest.raises(jd.JourdainError, match=message):
            made()
    unit = jd.Fmu(file, INPUTS, {"pd": "swing"}, period=1.5 * STEP)
    with pytest.raises(jd.errors.ModelError, match="no whole number of steps"):
        jd.simulate(model, state, until=1.0, step=STEP, controller=unit)
    for one in (jd.Fmu(file, INPUTS, {"pd": "swing"}, period=STEP), jd.Fmu(file, INPUTS, {"pd": "swing"})):
        with pytest.raises(jd.errors.ModelError, match="all cores"):
            jd.simulate_many(model, [state, state], until=STEP, step=STEP, controller=one)
        with pytest.raises(jd.errors.ModelError, match="without Python"):
            jd.export.c(model, "nowhere", controller=one, step=STEP)


def test_archives_are_not_trusted(servos, tmp_path):
    description = description2(False)

    def packed(name, files, links=()):
        file = tmp_path / f"{name}.fmu"
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
            for path, content in files:
                info = zipfile.ZipInfo(path)
                info.external_attr = ((stat.S_IFLNK if path in links else stat.S_IFREG) | 0o644) << 16
                out.writestr(info, content)
        return file

    for message, files, links in (
        ("would be written elsewhere", [("modelDescription.xml", description), ("../evil", "x")], ()),
        ("would be written elsewhere", [("modelDescription.xml", description), ("/etc/evil", "x")], ()),
        ("would be written elsewhere", [("modelDescription.xml", description), ("resources\\..\\evil", "x")], ()),
        ("is a link", [("modelDescription.xml", description), ("resources/a", "/etc/passwd")], ("resources/a",)),
        ("is there twice", [("modelDescription.xml", description), ("resources/a", "x"), ("resources/A", "y")], ()),
        ("would be written elsewhere", [("modelDescription.xml", description), ("resources/" + "a" * 300, "x")], ()),
        ("lies within another file", [("modelDescription.xml", description), ("resources/a", "x"),
                                      ("resources/a/b", "y")], ()),
        ("numberOfEventIndicators", [("modelDescription.xml", description.replace('Indicators="0"',
                                                                                  'Indicators="999999999"'))], ()),
        ("has no modelDescription.xml", [("a", "x")], ()),
        ("entity|document type", [("modelDescription.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")], ()),
        ("versions 2.0 and 3.0", [("modelDescription.xml", '<fmiModelDescription fmiVersion="1.0"/>')], ()),
        ("letters, digits", [("modelDescription.xml", description.replace('modelIdentifier="servo"',
                                                                          'modelIdentifier="../x"'))], ()),  # fmt: skip
        ("valueReference", [("modelDescription.xml", description.replace('valueReference="1"',
                                                                         'valueReference="-1"'))], ()),  # fmt: skip
        ("index 99", [("modelDescription.xml", description.replace('Unknown index="6"', 'Unknown index="99"'))], ()),
    ):  # fmt: skip
        with pytest.raises(jd.cosimulation.FmuError, match=message):
            jd.Fmu(packed("bad", files, links), INPUTS)
    (tmp_path / "text.fmu").write_text("no zip")
    with pytest.raises(jd.cosimulation.FmuError, match="not an FMU"):
        jd.Fmu(tmp_path / "text.fmu", INPUTS)
    elsewhere = servo(tmp_path / "elsewhere.fmu", 2, folder="win64")
    with pytest.raises(jd.cosimulation.FmuError, match="its binaries are for: win64"):
        jd.Fmu(elsewhere, INPUTS).instance()
    folder = Archive(servos[2, False]).folder
    assert not folder.exists()


PACKINGS = {
    "deflate": zipfile.ZIP_DEFLATED,
    "bzip2": zipfile.ZIP_BZIP2,
    "lzma": zipfile.ZIP_LZMA,
    "stored": zipfile.ZIP_STORED,
}


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_damaged_archive_is_told(tmp_path, packing):
    """Each way of packing raises errors of its own: `zlib.error`, `OSError`, `LZMAError`, `BadZipFile`."""
    sound = tmp_path / "sound.fmu"
    with zipfile.ZipFile(sound, "w", PACKINGS[packing]) as out:
        out.writestr("modelDescription.xml", description2(False))
    raw, told = sound.read_bytes(), set()
    for at in range(0, len(raw), 7):
        path = tmp_path / "damaged.fmu"
        path.write_bytes(raw[:at] + bytes([raw[at] ^ 0x5A]) + raw[at + 1 :])
        try:
            Archive(path)
        except jd.cosimulation.FmuError as error:
            told.add(str(error).split(": ")[1])
    assert "not an FMU" in told


def test_the_list_of_files_is_bounded_before_it_is_read(tmp_path, monkeypatch):
    from jourdain.cosimulation import archive

    path = tmp_path / "many.fmu"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("modelDescription.xml", description2(False))
        for i in range(200):
            out.writestr(f"documentation/{i}", "")
    Archive(path)
    monkeypatch.setattr(archive, "MAX_INDEX", 5000)
    with pytest.raises(jd.cosimulation.FmuError, match="has more files, or bytes, than an FMU can need"):
        Archive(path)


def test_a_full_disk_is_told_as_such(servos, monkeypatch):
    from jourdain.cosimulation import archive

    class Full(io.BytesIO):
        def write(self, piece):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive, "open", lambda path, mode: Full() if mode == "xb" else open(path, mode), raising=False)
    with pytest.raises(jd.cosimulation.FmuError, match="cannot be unpacked to .*: No space left on device"):
        Archive(servos[2, False])


def test_an_archive_that_lies_about_its_size_is_stopped(servos, tmp_path, monkeypatch):
    from jourdain.cosimulation import archive

    monkeypatch.setattr(archive, "MAX_DESCRIPTION", 1000)
    with pytest.raises(jd.cosimulation.FmuError, match="larger than 1000 bytes"):
        archive.Archive(servos[2, False])
    monkeypatch.setattr(archive, "MAX_BYTES", 3000)
    with pytest.raises(jd.cosimulation.FmuError, match="unpacks to more than 3000 bytes"):
        archive.Archive(servos[2, False])

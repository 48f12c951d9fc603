"""FMUs in the hands of others than FMPy: CasADi integrates them (model exchange), libcosim steps them (co-simulation).

CasADi (Andersson et al. 2019) takes their Jacobians from directional and adjoint derivatives; its integrator is
CVODES. libcosim is that of the Open Simulation Platform, and knows FMI 2.0 alone.
"""

from __future__ import annotations

import shutil
import zipfile

import numpy as np
import pytest
from control_arms import flexible_arm, random_state

import jourdain as jd

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
STEP = 1e-3
OUTPUTS = ["shoulder", "elbow", "v:elbow", "payload.origin.x"]


@pytest.fixture(scope="module")
def arm():
    model = flexible_arm()
    return model, random_state(model, {"shoulder": 0.3, "elbow": 0.5}, size=0.1)


@pytest.fixture(scope="module")
def units(arm, tmp_path_factory):
    model, state = arm
    folder = tmp_path_factory.mktemp("importers")
    options = dict(state=state, step=STEP, target="native", inputs=["effort:elbow"], outputs=OUTPUTS)
    return {k: jd.export.fmu(model, folder / f"arm{k}.fmu", version=k, **options) for k in (2, 3)}


@pytest.mark.parametrize("version", [2, 3])
def test_casadi_integrates_and_differentiates_it(arm, units, tmp_path, version):
    ca = pytest.importorskip("casadi")
    model, state = arm
    with zipfile.ZipFile(units[version]) as archive:
        archive.extractall(tmp_path)
    dae = ca.DaeBuilder("arm", str(tmp_path), {"debug": False})
    assert list(dae.x()) == [*model.names.q, *(f"v:{name}" for name in model.names.v)]
    rates = dae.create("rates", ["x", "u"], ["ode", "y"], {})
    x0 = np.array([dae.attribute("start", name) for name in dae.x()])
    ode, shown = rates(x0, 0.0)
    np.testing.assert_array_equal(np.array(ode)[model.nq :, 0], model.forward_dynamics(state))
    exact = model.forward_dynamics_derivatives(state, np.zeros(model.nv), method="complex-step")
    by_x = np.array(ca.DM(rates.jacobian()(x0, 0.0, ode, shown)[0]).full())
    for found, theirs in ((by_x[model.nq :, : model.nq], exact.dq), (by_x[model.nq :, model.nq :], exact.dv)):
        np.testing.assert_allclose(found, theirs, rtol=1e-10, atol=1e-12 * np.max(np.abs(theirs)))
    x, weights = ca.MX.sym("x", len(x0)), np.sin(np.arange(len(x0)))
    adjoint = ca.Function("adjoint", [x], [ca.jtimes(rates(x, 0.0)[0], x, weights, True)])
    np.testing.assert_allclose(np.array(adjoint(x0))[:, 0], by_x.T @ weights, rtol=1e-10, atol=1e-8)
    # the motion, by its own solver
    times = [0.05 * k for k in range(1, 6)]
    solver = ca.integrator(
        "motion", "cvodes", {"x": x, "ode": rates(x, 0.0)[0]}, 0.0, times, {"reltol": 1e-10, "abstol": 1e-12}
    )
    run = jd.simulate(model, state, until=0.25, output=0.05)
    np.testing.assert_allclose(np.array(solver(x0=x0)["xf"])[: model.nq].T, run.record.q[1:], atol=1e-8)


def test_libcosim_steps_it(arm, units):
    pytest.importorskip("libcosimpy")
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    model, state = arm
    execution = CosimExecution.from_step_size(int(STEP * 1e9))
    index = execution.add_local_slave(CosimLocalSlave(str(units[2]), "arm"))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    execution.step(250)
    names = {one.name.decode(): one.reference for one in execution.slave_variables(index)}
    found = observer.last_real_values(index, [names[name] for name in OUTPUTS])
    run = jd.simulate(model, state, until=0.25, step=STEP)
    for name, value in zip(OUTPUTS, found, strict=True):
        assert value == pytest.approx(jd.quantity(run, name).values[-1], rel=1e-14)
    assert found[1] == jd.quantity(run, "elbow").values[-1]

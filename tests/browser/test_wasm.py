"""Exported to WebAssembly, a model runs in the browser as it does in Python."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from control_arms import flexible_arm, random_state

import jourdain as jd

pytestmark = pytest.mark.slow
STEP = 2.0**-10
RUN = """(async () => {
  const bytes = Uint8Array.from(atob(CODE), (c) => c.charCodeAt(0));
  const module = await WebAssembly.compile(bytes);
  const env = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, Math[name]]));
  const e = (await WebAssembly.instantiate(module, { env })).exports;
  const self = e.heap.value, size = e.jd_size();
  e.memory.grow(size / 65536n + 1n);
  const told = [e.jd_init(self), e.jd_step(self, 0n, 300n), e.jd_step(self, 0n, -1n)];
  return { told, values: Array.from({ length: COUNT }, (_, i) => e.jd_get(self, i + 1)), time: e.jd_get(self, 0) };
})()"""


def test_a_run_is_that_of_python(chromium, tmp_path):
    model = flexible_arm()
    state = random_state(model, {"shoulder": 0.3, "elbow": 0.5}, size=0.1)
    law = jd.control.Sampled(jd.control.PD(["shoulder", "elbow"], 40.0, 8.0, reference=0.4), 2.0**-8)
    folder = jd.export.c(model, tmp_path, state=state, controller=law, step=STEP, target="wasm64", inputs=())
    assert (folder / "model.wasm").read_bytes()[1:4] == b"asm"
    run = jd.simulate(model, state, until=300 * STEP, step=STEP, method="rk4", controller=law)
    wanted = np.concatenate([run.record.q[-1], run.record.v[-1]])
    code = base64.b64encode((folder / "model.wasm").read_bytes()).decode()
    page = chromium.page()
    page.open("about:blank")
    found = page.evaluate(RUN.replace("CODE", json.dumps(code)).replace("COUNT", str(len(wanted))), 120)
    page.close()
    assert found["told"] == [0, 0, -3] and found["time"] == 300 * STEP
    np.testing.assert_allclose(found["values"], wanted, rtol=1e-12, atol=1e-13)

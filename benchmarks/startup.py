"""What a user waits for: import, the first compile, a warm start, a law of their own. Each in a fresh interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from results import Limit
from timing import measured

IMPORT = """
import json, time
before = time.process_time()
import jourdain
bare = time.process_time()
for name in set(jourdain.__all__) - {"kernels"}:
    getattr(jourdain, name)
print(json.dumps({"bare": bare - before, "names": time.process_time() - before}))
"""

FIRST = """
import json, time
import jourdain as jd
import models
model = models.arm()
run = jd.simulate(model, models.state(model), until=0.1, step=1e-3, method="rk4", progress=False)
ready = time.time()
run.q["axis0"]
print(json.dumps({"ready": ready, "labelled": time.time()}))
"""

AGAIN = """
import json, time
import jourdain as jd
import models
from numba.core import event

options = dict(until=0.1, step=1e-3, method="rk4", progress=False)
def run(model, **more):
    begun = time.perf_counter()
    with event.install_recorder("numba:compile") as recorder:
        jd.simulate(model, models.state(model), **options, **more)
    names = [e.data["dispatcher"].py_func.__name__ for _, e in recorder.buffer if e.is_start]
    return time.perf_counter() - begun, names

@jd.law
def first(t, q, v, z, s, p, effort, dz):
    effort[0] -= p[0] * v[0]

@jd.law
def second(t, q, v, z, s, p, effort, dz):
    effort[1] -= p[0] * v[1] + p[1] * q[1]

arm = models.arm()
run(arm)
_, other = run(models.chain(10))
run(arm, controller=first(1.0))
law, names = run(arm, controller=second(1.0, 2.0))
again, _ = run(arm, controller=second(1.0, 2.0))
print(json.dumps({"other": other, "law": law - again, "names": names}))
"""


def child(code: str, cache: str) -> tuple[dict, float]:
    """What a fresh interpreter printed last, and the time at which it was started."""
    here = Path(__file__).resolve().parent
    path = os.pathsep.join([str(here), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"JOURDAIN_CACHE_DIR": cache, "PYTHONPATH": path}
    begun = time.time()
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"a benchmark's interpreter failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1]), begun


def measure(rounds: int) -> list[Limit]:
    """All of them, in an empty cache of their own."""
    with tempfile.TemporaryDirectory() as cache:
        first, begun = child(FIRST, cache)
        cold = first["ready"] - begun
        warm, labelled, importing = [], [], []
        for _ in range(rounds):
            importing.append(child(IMPORT, cache)[0])
            found, begun = child(FIRST, cache)
            warm.append(found["ready"] - begun)
            labelled.append(found["labelled"] - begun)
        again, _ = child(AGAIN, cache)
    loops = [name for name in again["names"] if name in ("tree_rates", "fixed_steps", "record_state")]
    return [
        Limit("`import jourdain`, CPU time", measured([found["bare"] for found in importing]), "s", 0.5),
        Limit("the same, with every public name used", measured([found["names"] for found in importing]), "s"),
        Limit("interpreter start to the first result, warm", measured(warm), "s", 2.0),
        Limit("the same, to the first labelled array (imports xarray)", measured(labelled), "s"),
        Limit("interpreter start to the first result, empty cache", cold, "s", 30.0),
        Limit("functions compiled for another model", len(again["other"]), "", 0),
        Limit("loops compiled again for another user law", len(loops), "", 0),
        Limit("compiling another user law", again["law"], "s"),
    ]

"""Exported and simulated runs of every kind of body, joint, contact, loop and controller are the same numbers.

The exported code is the machine code of the simulations, so that on the same processor nothing may differ, not even the
last bit; on another one fused products round differently.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import export_kinds as kinds
import numpy as np
import pytest
from exported import STEPS, both, ends, simulated

import jourdain as jd
from jourdain.kernels.compiling.object_code import runs_baseline

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")]

JOINTS = "revolute drive prismatic screw cylindrical universal spherical planar free weld tabled lagged".split()
BODIES = "exponential integrated sections stretch emerging reduced solid nodes cable winch rod plate".split()
CONTACTS = "round points meshes caps balls rolls flats mixed user".split()
CONTROLLERS = [
    "PD",
    "PID",
    "PD with gravity",
    "computed torque",
    "cartesian",
    "impedance",
    "LQR",
    "LQG",
    "flexible LQR",
] + ["predictive", "sampled", "sampled law", "filtered", "filtered twice", "user law", "two"]
SCENARIOS = "flagship flexible_arm floating_arm peg_in_hole touch_plate deployment".split()
RANDOM = range(24)
CASES = [("rail",), ("orbit",), ("pile",)]
CASES += [("joint", one) for one in JOINTS] + [("body", one) for one in BODIES] + [("contact", one) for one in CONTACTS]
CASES += [("loop", one) for one in kinds.METHODS] + [("controller", one) for one in CONTROLLERS]
CASES += [("scenario", one) for one in SCENARIOS] + [("drawn", one) for one in RANDOM]


def compare(case, folder, target, digits):
    make, *which = case
    model, state, options = getattr(kinds, make)(*which)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _, mine, theirs, _ = both(folder, model, state, target=target, pieces=3, **options)
        except jd.errors.SimulationError as error:
            if make != "drawn":
                raise
            pytest.skip(f"the random system cannot be simulated at this step: {error}")
        if digits == 0.0:
            near = theirs
        else:  # each step rounds otherwise: errors that do not know of each other, as large as a last digit's at first
            nearby = state.copy()
            nearby.q[:], nearby.v[:] = np.nextafter(state.q, np.inf), np.nextafter(state.v, np.inf)
            near = ends(model, simulated(model, nearby, **options))
    for one, other, digit in zip(mine, theirs, near, strict=True):
        if digits == 0.0:
            np.testing.assert_array_equal(one, other)
        else:
            scale = max(1.0, np.max(np.abs(other), initial=0.0))
            rounding = np.sqrt(STEPS) * np.max(np.abs(other - digit), initial=0.0)
            assert rounding < 1e-10 * scale, "the case says nothing about rounding"
            np.testing.assert_allclose(one, other, rtol=0.0, atol=max(digits * scale, rounding))


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(map(str, case)))
def test_to_the_last_bit(case, tmp_path):
    compare(case, tmp_path, "native", 0.0)


@pytest.mark.skipif(not runs_baseline(), reason="needs a processor of the level x86-64-v3")
@pytest.mark.parametrize("case", [("joint", "universal"), ("body", "exponential"), ("controller", "sampled")],
                         ids=lambda case: " ".join(case))  # fmt: skip
def test_other_levels_of_the_processor_to_rounding(case, tmp_path):
    for target in ("x86-64", "x86-64-v2", "x86-64-v3"):
        compare(case, tmp_path / target, target, 1e-12)


@pytest.mark.skipif(not runs_baseline(), reason="needs a processor of the level x86-64-v3")
@pytest.mark.parametrize("case", [case for case in CASES if case[0] not in ("scenario", "drawn")], ids=" ".join)
def test_every_kind_to_rounding(case, tmp_path):
    """The oldest level has no fused products and rounds otherwise; tasks and random systems amplify that in time."""
    compare(case, tmp_path, "x86-64", 1e-12)


@pytest.mark.skipif(not runs_baseline(), reason="needs a processor of the level x86-64-v3")
def test_the_named_processor_to_the_last_bit(tmp_path):
    """With JOURDAIN_CPU simulations run the code of x86-64-v3, and exports for it are the same."""
    text = f"""
import sys
sys.path[:0] = {[str(Path(__file__).parent.parent)]!r}
from pathlib import Path
from test_export_kinds import compare
for case in [("joint", "spherical"), ("body", "exponential"), ("contact", "round"), ("controller", "two")]:
    compare(case, Path({str(tmp_path)!r}) / "_".join(case), "x86-64-v3", 0.0)
print("the same")
"""
    env = os.environ | {"JOURDAIN_CPU": "x86-64-v3", "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([sys.executable, "-c", text], env=env, capture_output=True, text=True, check=False)
    assert "the same" in done.stdout, done.stderr


MEMORY_CASES = [
    ("contact", "flats"),
    ("loop", "projection"),
    ("controller", "filtered twice"),
    ("scenario", "flagship"),
]


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
@pytest.mark.parametrize("case", MEMORY_CASES, ids=lambda case: " ".join(case))
def test_valgrind_finds_nothing(case, tmp_path):
    """No read of what was never written, none out of bounds, no memory left behind."""
    make, *which = case
    model, state, options = getattr(kinds, make)(*which)
    options = {key: value for key, value in options.items() if key not in ("steps", "step_check")}
    folder = jd.export.c(model, tmp_path, state=state, target="x86-64-v2", **{"step": 2.0**-10, **options})
    example = (folder / "example.c").read_text().replace("1.0 / JD_STEP + 0.5", "40.0")
    (folder / "example.c").write_text(example)
    subprocess.run(["cc", "-g", "example.c", "model.o", "-lm", "-o", "example"], cwd=folder, check=True)
    command = ["valgrind", "--error-exitcode=9", "--leak-check=full", "-q", "./example"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


ELSEWHERE = {
    "aarch64": ("aarch64-linux-musl", "qemu-aarch64"),
    "armv7": ("arm-linux-musleabihf", "qemu-arm"),
    "riscv64": ("riscv64-linux-musl", "qemu-riscv64"),
    "x86-64-windows-gnu": ("x86_64-windows-gnu", ""),
    "x86-64-macos": ("x86_64-macos", ""),
    "aarch64-macos": ("aarch64-macos", ""),
}
"""How a linker for all of them spells targets, and what runs their programs here."""


@pytest.mark.parametrize(
    "target, law", [*((one, "filtered twice") for one in ELSEWHERE), ("armv7", "cartesian"), ("armv7", "predictive")]
)
def test_other_processors_to_rounding(target, law, tmp_path):
    """Linked for each; run where an emulator is, whose numbers are those of the simulation but for rounding. The
    Cartesian law has functions that return arrays, which lie otherwise where an address has 32 bits."""
    pytest.importorskip("ziglang")
    triple, emulator = ELSEWHERE[target]
    model, state, options = kinds.controller(law)
    folder = jd.export.c(model, tmp_path, state=state, step=2.0**-10, target=target, **options)
    code = "model.obj" if "windows" in target else "model.o"
    static = [] if "macos" in target else ["-static"]
    link = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        "-target",
        triple,
        *static,
        "-O1",
        "example.c",
        code,
        "-o",
        "example",
    ]
    subprocess.run([*link, *([] if "windows" in target else ["-lm"])], cwd=folder, check=True, capture_output=True)
    if not emulator or shutil.which(emulator) is None:
        return
    told = subprocess.run([emulator, "./example"], cwd=folder, capture_output=True, text=True, check=True).stdout
    found = {line.split(" = ")[0]: float(line.split(" = ")[1].split()[0]) for line in told.splitlines()}
    run = jd.simulate(model, state, until=state.time + 1.0, step=2.0**-10, **options)
    for name, j in model.index.q.items():
        assert found[name] == pytest.approx(run.record.q[-1, j], abs=1e-12)


FUZZ = """
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model.h"

static uint64_t seed = 88172645463325252u;
static uint64_t drawn(void) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed; }

int main(void)
{
    const size_t size = (size_t)jd_size(), wall = 4096;
    unsigned char *room = (unsigned char *)malloc(size + 2 * wall);
    double inputs[JD_INPUTS + 1] = {0.0};
    long i, refused = 0;
    memset(room, 0xA5, size + 2 * wall);
    jd_init(room + wall);
    for (i = 0; i < 1000000; i++) {
        uint64_t bits = drawn();
        double value;
        int64_t index = (drawn() & 15) == 0 ? (int64_t)drawn() : (int64_t)(drawn() % 200) - 10;
        memcpy(&value, &bits, sizeof value);
        if ((drawn() & 1) != 0)
            value = (double)(int64_t)(bits % 2001) / 1000.0 - 1.0;
        refused += jd_set(room + wall, index, value) != JD_OK;
        if (!isfinite(value) && index >= 0 && jd_get(room + wall, index) == value)
            return 2;
        if ((drawn() & 127) == 0) {
            jd_step(room + wall, inputs, 1);
            jd_init(room + wall);
        }
    }
    for (i = 0; i < (long)wall; i++)
        if (room[i] != 0xA5 || room[wall + size + (size_t)i] != 0xA5)
            return 3;
    printf("%ld\\n", refused);
    free(room);
    return 0;
}
"""


@pytest.mark.parametrize("case", [("scenario", "flagship"), ("loop", "projection")], ids=lambda case: " ".join(case))
def test_a_million_settings_stay_inside(case, tmp_path):
    """Any index, any pattern of bits: nothing before or behind the instance is written, nothing crashes, and no number
    that is not finite is kept."""
    make, *which = case
    model, state, options = getattr(kinds, make)(*which)
    options = {key: value for key, value in options.items() if key not in ("steps", "step_check")}
    folder = jd.export.c(model, tmp_path, state=state, target="native", **{"step": 2.0**-10, **options})
    (folder / "fuzz.c").write_text(FUZZ)
    flags = ["-std=c99", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["cc", *flags, "fuzz.c", "model.o", "-lm", "-o", "fuzz"], cwd=folder, check=True)
    done = subprocess.run(["./fuzz"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and int(done.stdout) > 100_000, done.stderr

"""Random laws with every kind of index, run compiled and in the interpreter.

A batch of them is one module: a law `many` that runs the body of number p[0], most of the bodies within it and some in
functions of their own. The module is made twice, with `numba.njit` for what it calls and without, so that the plain one
is the same source, line by line, run by Python on NumPy's arrays. The plant is three masses on rails, dv/dt = effort,
whose steps are a few lines here; times are multiples of a power of two, so that an index of the time is the same.
"""

from __future__ import annotations

import random
import re
import traceback
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

import jourdain as jd

STEP, STEPS = 2.0**-5, 16
SIZES = {"q": 3, "v": 3, "z": 2, "s": 13, "p": 4, "effort": 3, "dz": 2}
READ, WRITTEN = ("q", "v", "z", "s", "p"), ("effort", "dz")
ARGUMENTS = "t, q, v, z, s, p, effort, dz"
PARAMETERS = (0.5, -0.25, 0.125)


class Outcome(NamedTuple):
    """How a case ended.

    state    q, v and z at the end, None where it stopped
    time     when it stopped [s]
    index    that was outside, and of how many entries; None where something else was wrong
    line     of the source
    """

    state: np.ndarray | None
    time: float = -1.0
    index: tuple[int, int] | None = None
    line: int = 0


class Writer:
    """Writes the statements of one body."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.names = rng, 0

    def fresh(self) -> str:
        self.names += 1
        return f"x{self.names}"

    def number(self) -> str:
        return f"{self.rng.choice((-1, 1)) * self.rng.randint(1, 9) / 64}"

    def index(self, size: int, loop: str = "") -> str:
        """Inside an array of this size, mostly; sometimes outside, at once or from some time on."""
        rng = self.rng
        inside, outside = rng.randint(-size, size - 1), rng.choice((-size - 1, -size - rng.randint(2, 90), size, 4000))
        late = rng.randint(1, 2 * STEPS) * STEP / 2
        kinds = [
            f"{inside}",
            f"{inside}",
            f"{inside % size} - {size}",
            f"len(q) - {3 - inside % size}" if inside % size < 3 else f"{inside}",
            f"int(t * {rng.randint(1, 6)}) % {size}",
            f"int(t * {rng.randint(1, 6)}) % {size} - {size}",
            f"-1 - int(t * {rng.randint(1, 4)}) % {size}",
            f"({inside} if t < {late} else {rng.randint(-size, size - 1)})",
        ]
        if loop:
            kinds += [f"{loop} % {size}", f"{loop} % {size} - 1", f"-1 - {loop} % {size}", f"({loop} * 7) % {size}"] * 2
        if rng.random() < 0.045:
            kinds = [
                f"{outside}", f"({inside} if t < {late} else {outside})", f"int(t * {rng.randint(2, 40)})",
                f"{inside} - int(t * {rng.randint(2, 40)})", f"len(v) + {inside % size}",
            ]  # fmt: skip
        return rng.choice(kinds)

    def bound(self) -> str:
        return self.rng.choice(("", str(self.rng.randint(-5, 5)), str(self.rng.randint(-20, 20)), "int(t * 3)"))

    def cut(self) -> str:
        step = self.rng.choice(("", "", ":", ":2", ":-1", ":-2", ":3"))
        return f"{self.bound()}:{self.bound()}{step}"

    def value(self, loop: str = "") -> str:
        """A number, of some entry."""
        rng, name = self.rng, self.rng.choice(READ)
        at = self.index(SIZES[name], loop)
        kinds = [f"{name}[{at}]"] * 6 + [
            f"get({name}, {at})",
            f"{name}[int(p[{self.index(4)}] * 0.0) + {rng.randint(0, SIZES[name] - 1)}]",
            f"{name}[{self.cut()}].sum()",
            f"len({name}[{self.cut()}])",
            f"(0.5, -0.25, 0.75)[{self.index(3, loop)} + int(t * 0.0)]",
            f"TABLE[{self.index(5, loop)}]",
            f"GRID[{self.index(2, loop)}, {self.index(3)}]",
            f"GRID[{self.index(2)}][{self.index(3, loop)}]",
            f"GRID[:, {self.index(3)}][{self.index(2)}]",
            "t",
        ]
        return rng.choice(kinds)

    def statement(self, indent: str, loop: str = "", depth: int = 0) -> list[str]:
        rng, name = self.rng, self.rng.choice(WRITTEN)
        size, other, x = SIZES[name], self.rng.choice(READ), self.fresh()
        target, sign = f"{name}[{self.index(size, loop)}]", rng.choice(("+=", "-="))
        simple = f"{target} {sign} {self.number()} * {self.value(loop)}"
        kinds: list[list[str]] = [
            [simple],
            [simple],
            [f"{target} += {self.number()} * ({self.value(loop)} - {self.value(loop)})"],
            [f"{x} = {self.index(size, loop)}", f"{name}[{x}] {sign} {self.number()} * {self.value(loop)}"],
            [f"put({name}, {self.index(size, loop)}, {self.number()} * {self.value(loop)})"],
            [f"{x} = {other}[{self.cut()}]", f"if len({x}) > 1:", f"    {target} += {self.number()} * {x}[-2]"],
            [f"{x} = {other}[{self.cut()}]", f"{target} += {self.number()} * {x}[{self.index(2, loop)}]"]
            if rng.random() < 0.2 else [simple],
            [f"for {x} in {other}[{self.cut()}]:", f"    {target} += {self.number()} * {x}"],
            [f"{name}[{self.cut()}] {sign} {self.number()}"],
            [f"effort[-2:] {sign} {self.number()} * v[:2]"],
            [f"effort[:] += {self.number()} * (q[::-1] - v)"],
            [f"effort[:] {sign} {self.number()} * v[{self.cut()}]" if rng.random() < 0.2 else "effort -= 0.125 * v"],
            [f"{x} = np.ones(3)", f"{x} *= q[-{rng.randint(1, 3)}:]" if rng.random() < 0.1 else f"{x} *= q",
             f"{target} += 0.125 * {x}[{self.index(3, loop)}]"],
            [f"{x} = np.zeros(4)", f"{x}[{self.index(4, loop)}] = {self.value(loop)}",
             f"{target} += {self.number()} * ({x}[{self.index(4)}] + {x}[-1])"],
            [f"{x} = np.zeros((2, 3))", f"{x}[{self.index(2)}, {self.index(3, loop)}] += {self.value()}",
             f"{x}[-1] = q", f"{target} += {self.number()} * {x}[{self.index(2)}, -1]"],
            [f"effort[{self.index(3)}], effort[{self.index(3)}] = {self.number()} * v[0], {self.number()} * v[-1]"],
            [f"if {self.value(loop)} > {self.value(loop)}:", f"    {simple}", "else:", f"    {target} += 0.125"],
        ]  # fmt: skip
        if depth < 2:
            k = self.fresh()
            low, high = rng.randint(-3, 1), rng.randint(0, 5)
            within = self.statement("    ", k, depth + 1)
            kinds += [[f"for {k} in range({low}, {high}):", *within]] * 3
            kinds += [[f"{k} = {high}", f"while {k} > 0:", *within, f"    {k} -= 1"]]
        return [indent + line for line in rng.choice(kinds)]

    def body(self) -> list[str]:
        return [line for _ in range(self.rng.randint(1, 3)) for line in self.statement("")]


HEAD = """@njit
def get(a, k):
    return a[k]


@njit
def put(a, k, x):
    a[k] += x


TABLE = np.array([0.5, -0.5, 0.25, 0.125, -0.25])
GRID = np.array([[0.5, 0.25, -0.5], [0.125, -0.25, 0.75]])
"""


def written(seed: int, count: int) -> str:
    """The source of a batch."""
    rng = random.Random(seed)
    bodies = [Writer(rng).body() for _ in range(count)]
    text = [HEAD]
    for k, body in enumerate(bodies):
        if k % 4 == 1:
            text += ["@njit", f"def body_{k}({ARGUMENTS}):", *("    " + line for line in body), ""]
    text += [f"def many({ARGUMENTS}):", "    which = int(p[0])", "    if which < 0:", "        return"]
    for k, body in enumerate(bodies):
        text += [f"    if which == {k}:"]
        text += [f"        body_{k}({ARGUMENTS})"] if k % 4 == 1 else ["        " + line for line in body]
        text += ["        return"]
    return "\n".join(text) + "\n"


def made(source: str, path: Path, njit: Any) -> dict[str, Any]:
    """The names of a module."""
    names: dict[str, Any] = {"np": np, "njit": njit, "__name__": "random_laws_batch"}
    exec(compile(source, str(path), "exec"), names)
    return names


def masses() -> jd.Model:
    """Three of 1 kg on rails."""
    system = jd.System("masses")
    for k, axis in enumerate("xyz"):
        body = jd.RigidBody(f"m{k}", mass=1.0, inertia=(1.0, 1.0, 1.0), frames={"tip": (0.5, 0, 0)})
        system.add(body, jd.Prismatic(f"rail{k}", axis=axis))
    return system.compile()


def interpreted(law: Any, path: Path, model: jd.Model, p: np.ndarray) -> Outcome:
    """A case in the interpreter: the classical method of fourth order on NumPy's arrays."""
    marker, now = model.marker("m0.tip"), 0.0

    def rates(t: float, x: np.ndarray) -> np.ndarray:
        nonlocal now
        now = t
        q, v, z = x[:3].copy(), x[3:6].copy(), x[6:].copy()
        effort, dz = np.zeros(3), np.zeros(2)
        s = model.frame_path("m0.tip", q[None], v[None])[0]
        law(t, q, v, z, s, p, effort, dz)
        return np.concatenate([v, effort, dz])

    assert marker >= 0
    x = np.concatenate([START_Q, START_V, np.zeros(2)])
    try:
        with np.errstate(all="ignore"):
            for step in range(STEPS):
                t = step * STEP
                k1 = rates(t, x)
                k2 = rates(t + STEP / 2, x + STEP / 2 * k1)
                k3 = rates(t + STEP / 2, x + STEP / 2 * k2)
                k4 = rates(t + STEP, x + STEP * k3)
                x = x + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            rates(STEPS * STEP, x)  # what is recorded of the end
    except (IndexError, ValueError) as error:
        line = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == str(path)][-1]
        found = re.search(r"index (-?\d+) is out of bounds for axis \d+ with size (\d+)", str(error))
        return Outcome(None, now, None if found is None else (int(found[1]), int(found[2])), line or 0)
    return Outcome(x)


START_Q, START_V = np.array([0.25, -0.5, 0.125]), np.array([-0.125, 0.375, 0.5])
TOLD = re.compile(r"t = (\S+) s: index (-?\d+) is outside of .*, which has (no|\d+) entr.*line (\d+) of")


def compiled(law: Any, model: jd.Model, count: int) -> list[Outcome]:
    """All cases, compiled."""
    start = model.state(q=dict(zip(model.names.q, START_Q)), v=dict(zip(model.names.v, START_V)))
    bound = jd.law(law, states=2, markers=("m0.tip",))(-1.0, *PARAMETERS)
    rows = [[float(k), *PARAMETERS] for k in range(count)]
    many = jd.simulate_many(
        model, start, STEPS * STEP, STEP, "rk4", parameters=rows, controller=bound, energy_tolerance=1e9, workers=1
    )
    found = []
    for k in range(count):
        if k not in many.failed:
            r = many.record
            found.append(Outcome(np.concatenate([r.q[k, -1], r.v[k, -1], r.z[k, -1]])))
            continue
        told = TOLD.search(many.reasons[k])
        if told is None:
            found.append(Outcome(None, many.failed[k]))
            continue
        entries = 0 if told[3] == "no" else int(told[3])
        assert float(told[1]) == many.failed[k] or abs(float(told[1]) - many.failed[k]) < 1e-8
        found.append(Outcome(None, many.failed[k], (int(told[2]), entries), int(told[4])))
    return found


def check(seed: int, count: int, folder: Path) -> list[Outcome]:
    """A batch: what was computed, where it stopped and why are the same; how the cases ended."""
    source, path, model = written(seed, count), folder / f"batch_{seed}.py", masses()
    path.write_text(source)
    plain = made(source, path, lambda function: function)["many"]
    ours = compiled(made(source, path, numba.njit)["many"], model, count)
    for k, got in enumerate(ours):
        wanted = interpreted(plain, path, model, np.array([float(k), *PARAMETERS]))
        where = f"body {k} of {path.name}"
        if wanted.state is None:
            assert got.state is None, f"{where}: line {wanted.line} raises in Python at {wanted.time}"
            assert got.time == wanted.time, where
            if wanted.index is not None:
                assert (got.index, got.line) == (wanted.index, wanted.line), where
            elif got.index is not None:  # Python does not say which index of a tuple
                assert got.line == wanted.line, where
        else:
            assert got.state is not None, f"{where}: {got}"
            scale = max(1.0, float(np.max(np.abs(wanted.state))))
            assert np.max(np.abs(got.state - wanted.state)) <= 1e-12 * scale, where
    return ours

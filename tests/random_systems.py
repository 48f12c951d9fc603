"""Random systems of everything at once: trees of rigid and flexible bodies, loops, drives, motions and contacts.

A number names a system, so that one that goes wrong can be looked at again: `python tests/random_systems.py 17`.
"""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import dataclass, field

import numpy as np
from strategies import MOVING, ONE_AXIS, random_axis, random_body, random_pose

import jourdain as jd
from jourdain.describe.bodies import Body
from jourdain.describe.joints import JOINTS, Joint
from jourdain.model.displacement import displaced

UNTIL = 0.4
NEAR = 1e-5
"""How far apart two methods may end, over coordinates and velocities of the order of one."""


PATIENCE = 60.0
"""Wall-clock time after which a run is given up [s]: contacts that tremble take an adaptive method endless steps."""


class Unfinished(Exception):
    """A run that was given up."""


@dataclass
class Drawn:
    """A system with what it starts from and what is prescribed; `seed` names it."""

    seed: int
    system: jd.System
    q: np.ndarray
    v: np.ndarray
    motions: dict = field(default_factory=dict)

    def run(self, **options) -> jd.Run:
        model = self.system.compile()
        begun = time.perf_counter()

        def watch(now: float) -> None:
            if time.perf_counter() - begun > PATIENCE:
                raise Unfinished(f"at {now:.6g} s after {PATIENCE:g} s")

        state = model.state(self.q, self.v)
        return jd.simulate(model, state, until=UNTIL, motions=self.motions, progress=watch, **options)


@dataclass
class Verdict:
    """What became of a system: "agrees", or why not in the words of the package; `silent` where there are none."""

    outcome: str
    words: str = ""
    apart: float = 0.0

    @property
    def silent(self) -> bool:
        return self.outcome == "silent"


DRAWN = tuple(kind for kind in MOVING if kind != "tabled")
"""Joints of the numbered systems; another kind among them would make each number another system."""


def draw(seed: int) -> Drawn:
    """The system of a number."""
    rng = np.random.default_rng(seed)
    looped, touching = rng.random() < 0.25, rng.random() < 0.45
    count = int(rng.integers(2 if looped else 1, 5))
    parents = [int(rng.integers(-1, i)) if i else -1 for i in range(count)]
    bodies = [_body(rng, f"b{i}") for i in range(count)]
    kinds = [str(rng.choice(DRAWN)) for _ in range(count)]
    joints = [_joint(rng, kind, f"j{i}", looped) for i, kind in enumerate(kinds)]
    places = [random_pose(rng) for _ in range(count)]
    down = random_axis(rng)
    down /= np.linalg.norm(down)
    gravity = 9.81 * down if touching or rng.random() < 0.7 else np.zeros(3)
    frames: dict[int, dict] = {}

    def build() -> jd.System:
        system = jd.System(f"random{seed}", gravity=gravity)
        for i in range(count):
            body = bodies[i]
            if i in frames:
                data = body.to_dict()
                body = jd.RigidBody(
                    data["name"], data["mass"], com=data["com"], inertia=data["inertia"], frames=body.frames | frames[i]
                )
            to = "world" if parents[i] < 0 else f"b{parents[i]}.tip"
            system.add(body, joints[i], to=to, position=places[i].position, rotation=places[i].rotation)
        return system

    system = build()
    model = system.compile()
    speed = 0.0 if looped else 1.0
    q = model.neutral.copy()
    if not looped:
        q = displaced(model, q, 0.3 * _scaled(model, rng.uniform(-1.0, 1.0, model.nv)))
    v = speed * _scaled(model, rng.uniform(-1.0, 1.0, model.nv))
    if looped:
        where = _meeting(rng, model, bodies)
        if where is not None:
            i, other, pose = where
            frames[i] = {"meet": pose}
            system = build()
            element = [jd.Spherical("pin"), jd.Universal("pin", axes=("x", "y")), jd.Revolute("pin")][rng.integers(3)]
            system.connect(element, f"b{other}.tip", f"b{i}.meet")
    if touching:
        _touch(rng, system, model, q, down)
    for i in range(int(rng.integers(0, 3))):
        system.force(f"f{i}", f"b{rng.integers(count)}.tip", 5.0 * rng.normal(size=3), rng.normal(size=3))
    motions = {}
    if not looped and rng.random() < 0.25:
        for i, kind in enumerate(kinds):
            if kind in ("revolute", "prismatic") and not joints[i].drive and not joints[i].limits:
                k, j = model.index.v[f"j{i}"], model.index.q[f"j{i}"]
                v[k] = 0.0
                motions = {f"j{i}": jd.Cycloid(to=float(q[j]) + rng.uniform(-0.5, 0.5), duration=1.0)}
                break
    return Drawn(seed, system, q, v, motions)


def _body(rng: np.random.Generator, name: str) -> Body:
    if rng.random() < 0.65:
        return random_body(rng, name)
    modes = jd.Modes(bending=int(rng.integers(1, 3)), torsion=int(rng.integers(0, 2)))
    stiff = 10.0 ** rng.uniform(1.0, 3.0)
    return jd.Beam(
        name,
        length=rng.uniform(0.5, 1.5),
        mass_per_length=rng.uniform(0.5, 3.0),
        EA=1e5,
        EI=(stiff, stiff * rng.uniform(0.5, 2.0)),
        GJ=stiff,
        modes=modes,
        fidelity="exact" if rng.random() < 0.9 else "consistent",
        damping=0.0 if rng.random() < 0.5 else 1e-3,
    )


def _joint(rng: np.random.Generator, kind: str, name: str, looped: bool) -> Joint:
    cls, options = JOINTS[kind], {}
    if kind == "universal":
        first = random_axis(rng)
        options["axes"] = first, np.cross(first, random_axis(rng)) + 0.4 * first
    elif kind == "planar":
        options["normal"] = random_axis(rng)
    elif kind in (*ONE_AXIS, "cylindrical"):
        options["axis"] = random_axis(rng)
    if kind == "screw":
        options["pitch"] = rng.uniform(0.2, 0.8)
    if kind not in ONE_AXIS:
        return cls(name, **options)
    chance = rng.random()
    if kind == "revolute" and chance < 0.3:
        options["drive"] = jd.Drive(
            gear=rng.uniform(20.0, 100.0),
            rotor_inertia=10.0 ** rng.uniform(-5.0, -3.0),
            stiffness=10.0 ** rng.uniform(2.0, 3.5),
            damping=rng.uniform(0.0, 3.0),
        )
    elif chance < 0.5:
        options |= {"stiffness": rng.uniform(0.0, 50.0), "damping": rng.uniform(0.0, 2.0)}
    elif chance < 0.6 and not looped:
        options |= {"limits": (-0.5, 0.5), "limit_stiffness": 500.0, "limit_damping": 0.2}
    elif chance < 0.7:
        options["friction"] = rng.uniform(0.1, 2.0)
    return cls(name, **options)


def _scaled(model: jd.Model, values: np.ndarray) -> np.ndarray:
    """The same, amplitudes of beams smaller than angles."""
    out = values.copy()
    for name, k in model.index.v.items():
        if "[" in name:
            out[k] *= 0.03
        if name.endswith(".motor"):
            out[k] = 0.0
    return out


def _meeting(rng: np.random.Generator, model: jd.Model, bodies: list) -> tuple[int, int, jd.Pose] | None:
    """A rigid body, another, and where the tip of that is in the axes of the first: there a loop can be closed."""
    rigid = [i for i, body in enumerate(bodies) if isinstance(body, jd.RigidBody)]
    if not rigid:
        return None
    i = int(rng.choice(rigid))
    other = int(rng.choice([k for k in range(len(bodies)) if k != i]))
    there, mine = model.pose(f"b{other}.tip", model.neutral), model.pose(f"b{i}.origin", model.neutral)
    turn = mine.rotation.T
    return i, other, jd.Pose(turn @ (there.position - mine.position), turn @ there.rotation)


def _touch(rng: np.random.Generator, system: jd.System, model: jd.Model, q: np.ndarray, down: np.ndarray) -> None:
    """Ground below the tip of a body, and perhaps a second body that may meet it too."""
    for number in range(int(rng.integers(1, 3))):
        body = f"b{rng.integers(len(system.bodies))}"
        radius, gap = rng.uniform(0.05, 0.2), rng.uniform(0.005, 0.1)
        offset = float(-down @ model.pose(f"{body}.tip", q).position) - radius - gap
        stiff = 10.0 ** rng.uniform(4.0, 7.0)
        chance = rng.random()
        e = rng.uniform(0.3, 1.0)
        if chance < 0.5:
            normal: object = jd.HertzContact(stiffness=stiff, restitution=e)
        elif chance < 0.75:
            normal = jd.contact.LinearContact(stiffness=0.1 * stiff, damping=rng.uniform(0.0, 50.0))
        else:
            normal = jd.VolumetricContact(stiffness=100.0 * stiff, restitution=e)
        friction = [
            None,
            jd.CoulombFriction(rng.uniform(0.1, 0.6), transition_speed=1e-2),
            jd.BristleFriction(static=0.5, kinetic=0.4, stiffness=1e3, damping=30.0, stribeck=1e-2),
        ][rng.integers(3)]
        ball, ground = jd.Sphere(radius).at(f"{body}.tip"), jd.Plane(-down, offset=offset).at("world")
        system.contact(f"touch{number}", ball, ground, normal=normal, friction=friction)


def judge(seed: int) -> Verdict:
    """Simulated by default options and by another method: agrees, or says why not."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            drawn = draw(seed)
            first = drawn.run()
            if not first.trusted:
                return Verdict("not trusted", first.trusted.reason)
            second = drawn.run(method="dopri5")
            if not second.trusted:
                return Verdict("not trusted", second.trusted.reason)
            apart = _apart(first, second)
            if apart > NEAR:  # what is chaotic comes nearer with the tolerance
                tighter = [drawn.run(method=method, rtol=1e-12, atol=1e-14) for method in ("dop853", "dopri5")]
                nearer = _apart(*tighter)
                if nearer < max(NEAR, 0.1 * apart):
                    return Verdict("agrees", apart=nearer)
                words = "; ".join(str(one.message) for one in told if issubclass(one.category, UserWarning))
                return Verdict("warned" if words else "silent", words, apart)
            return Verdict("agrees", apart=apart)
        except jd.JourdainError as error:
            return Verdict("refused", str(error))
        except Unfinished as given_up:
            return Verdict("unfinished", str(given_up))


def _apart(one: jd.Run, other: jd.Run) -> float:
    """How far two runs end from each other, over one or the larger of their numbers."""
    out = 0.0
    for a, b in ((one.record.q[-1], other.record.q[-1]), (one.record.v[-1], other.record.v[-1])):
        out = max(out, float(np.max(np.abs(a - b) / np.maximum(1.0, np.abs(a)), initial=0.0)))
    return out


def main() -> None:
    """Look at some of them: numbers of systems, or two ends of a range."""
    numbers = [int(one) for one in sys.argv[1:]]
    seeds = range(*numbers) if len(numbers) == 2 else numbers
    for seed in seeds:
        begun = time.perf_counter()
        found = judge(seed)
        print(
            f"{seed:5d} {found.outcome:12s} {found.apart:.1e} {time.perf_counter() - begun:6.2f} s  {found.words}",
            flush=True,
        )


if __name__ == "__main__":
    main()

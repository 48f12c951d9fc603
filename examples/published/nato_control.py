"""Control and design of the NATO ASI, Prague 2002: Bruls & Golinval, Kostadinov & Boiadjiev, and others."""

import sys
from pathlib import Path

import numpy as np

import jourdain as jd
from jourdain.study.published import example, paper, rerun, theory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "orbit"))
import short_tether

QUICK = ("numbers_impedance", "numbers_tether")
LENGTH, DENSITY, SPEED = 50.0, 7.85, 55.0  # m, kg/m, m/s: f_n = 0.55 n Hz
PIECES, MAGNET, GAIN = 100, 7, 100.0  # the magnet is 3.5 m from the roller; gain in N s/m


@jd.law(markers=("mass98.origin",))
def last_piece(t, q, v, z, s, p, effort, dz):
    """The piece of the strip between the last mass and the top roller."""
    effort[4] -= p[0] * s[1]


def strip():
    """A tensioned strip as masses between springs T / h, each carried by the one before."""
    h = LENGTH / PIECES
    pull = DENSITY * SPEED**2 / h
    system = jd.System("strip")
    to = "world"
    for i in range(PIECES - 1):
        joint = jd.Prismatic(f"y{i}", axis="y", stiffness=pull)
        system.add(jd.RigidBody(f"mass{i}", mass=DENSITY * h), joint=joint, to=to)
        to = f"mass{i}.origin"
    system.force("last", at="mass98.origin", force=last_piece(pull))
    return system.compile()


def damping_of_mode(model: jd.Model, magnet: jd.control.Controller, n: int) -> float:
    """Share of critical damping, from the decay of five periods of a mode."""
    shape = np.sin(n * np.pi * np.arange(1, PIECES) / PIECES)
    w = 2.0 * SPEED * PIECES / LENGTH * np.sin(n * np.pi / (2.0 * PIECES))
    start = model.state(0.01 * np.diff(shape, prepend=0.0))
    until = 5e-3 * round(5 * 2 * np.pi / w / 5e-3)
    digital = jd.control.Sampled(magnet, 5e-4)
    run = jd.simulate(model, start, until=until, step=5e-4, output=5e-3, controller=digital)
    amplitude = []
    for q, v in ((run.record.q[0], run.record.v[0]), (run.record.q[-1], run.record.v[-1])):
        eta, rate = (2.0 / PIECES * shape @ np.cumsum(x) for x in (q, v))
        amplitude.append(np.hypot(eta, rate / w))
    return float(np.log(amplitude[0] / amplitude[1]) / (w * until))


def numbers_strip():
    """Bruls & Golinval 2002 (A 7): modal damping of a strip by sampled velocity feedback."""
    model = strip()
    names = tuple(f"y{i}" for i in range(MAGNET))
    gain = np.hstack([np.zeros((MAGNET, MAGNET)), np.full((MAGNET, MAGNET), GAIN)])
    magnet = jd.control.StateFeedback(gain, model.state(), names, coordinates=names)
    ours = [damping_of_mode(model, magnet, n) for n in (1, 2, 3, 4)]
    yield rerun("damping of mode", "", [0.00351, 0.00668, 0.00923, 0.01094], ours, "2 %")


def numbers_impedance(found=None):
    """Kostadinov & Boiadjiev 2002 (A 17): a joint of given impedance, tendons, and an arm that presses on walls."""
    found = found or example("control/joint_impedance")
    yield rerun("largest angle", "mrad", 13.0748, 1e3 * found["peak"], 1e-4)
    yield rerun("when", "ms", 69.5560, 1e3 * found["peak_time"], 0.1)
    wanted = [1e3 * 5 / k for k in (400, 160, 250, 400)]
    at = ("feedback", "tendons 2 mm", "tendons 5 mm", "tendons 10 mm")
    yield theory("angle in the end", "mrad", wanted, 1e3 * np.array(found["ends"]), "0.1 %", at=at)
    walls = [f"wall of {wall:g} N/m" for wall in found["series"]]
    series, held = list(found["series"].values()), list(found["held"].values())
    yield theory("force, in series", "N", series, held, "0.0001 %", at=walls)


def numbers_design(found=None):
    """Kovalev 2002 (A 18): weights by comparison in pairs."""
    compared = (found or example("identification/suspension_design"))["compared"]
    yield rerun("weight", "", [0.636986, 0.258285, 0.104729], compared.weights, 1e-6)
    yield rerun("largest eigenvalue", "", 3.038511, compared.largest, 1e-6)
    yield rerun("ratio of consistency", "", 0.0332, compared.ratio, 1e-4)


def numbers_trains(found=None):
    """Carrarini 2002 (A 8): trains that pass each other; wheelsets move in proportion to the speed."""
    found = found or example("vehicles/trains_passing")
    ours = "the data of train and manoeuvre are not printed; those here are ours"
    yield paper("power of the speed, motion of the wheelsets", "", 1.0, found["mean_power"], 0.02, other=ours,
                known=1.06)  # fmt: skip


def numbers_tether():
    """Valverde et al. 2002 (B 16): the short electrodynamic tether; frequencies, growth and its end state."""
    spinning = lambda model, rate: model.frequencies(model.state(v={"spin": rate}), hold=["spin"])  # noqa: E731
    ours = spinning(short_tether.tether(3).compile(), 0.0).rad[:4]
    yield rerun("frequency", "rad/s", (0.02682, 0.03608, 0.432, 0.581), ours, "0.3 %")
    alone = short_tether.tether(1)
    beam = next(one for one in alone.bodies if one.name == "t0").clamped_frequencies()[0]
    ratio = 0.05 * beam / spinning(alone.compile(), 0.0).rad[0]  # of the beam without the disk, for 5 % with it
    model, rates = short_tether.tether(1, damping=ratio).compile(), (0.02, 0.03, 0.1)
    ours = [np.max(spinning(model, rate).eigenvalues.real) for rate in rates]
    yield rerun("growth", "1/s", (-5.6e-4, 4.3e-3, 3.3e-3), ours, "3 %", at=[f"{rate:g} rad/s" for rate in rates])
    for EI, near, wanted in ((21.0, 28.0, (0.908, 0.223)), (28.0, 38.0, (0.892, 0.261)), (38.0, 28.0, (0.873, 0.308))):
        ours = turning(EI, short_tether.elastica(near, 0.1))
        yield rerun(f"bent for good, EI {EI:g}: tip over the length", "", wanted, ours, 6e-4, at=("across", "along"))


def turning(EI: float, near) -> tuple[float, float]:
    """Tip of the tether, a cable, that turns as one piece at 0.1 rad/s, over its length; found from a shape nearby."""
    system = short_tether.tether("cable", EI, short_tether.ALIKE)
    model = system.compile()
    state = short_tether.bent(model, system, near)
    state.v[model.index.v["spin"]] = 0.1
    x, y, z = model.pose("disk.origin", model.equilibrium(state, hold=["spin"]).state).position / short_tether.L
    return float(np.hypot(y, z)), float(x)

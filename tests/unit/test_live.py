"""`jourdain live`: packets, links, deadlines, the switch between model and robot, loss of the link."""

from __future__ import annotations

import io
import json
import os
import struct
import zlib

import numpy as np
import pytest
from typer.testing import CliRunner

import jourdain as jd
from jourdain.live.console import Console
from jourdain.live.deadlines import Deadlines, Histogram, WallClock
from jourdain.live.driver import ControlDriver, SafeHold
from jourdain.live.plants import RobotPlant, SimulatedRobot, SteppedModel, layout
from jourdain.live.session import Session
from jourdain.live.transports import (
    COMMAND,
    EFFORT,
    HEAD,
    HOLD,
    RESUME,
    STATE,
    STOP,
    PacketReader,
    SharedMemory,
    Udp,
    Writer,
    layout_of,
)

PERIOD = 2.0**-10


class Virtual:
    """A clock that never waits: a tick takes no time but what a test says."""

    def __init__(self, work=0.0):
        self.t, self.work = 0.0, work

    def now(self):
        self.t += self.work
        return self.t

    def wait_until(self, t):
        self.t = max(self.t, t)


class Wire:
    """Both ends of a link without a network: what one sends the other receives, where nothing is cut."""

    def __init__(self):
        self.cut = False
        self.queues = ([], [])
        self.ends = (End(self, 0), End(self, 1))


class End:
    def __init__(self, wire, side):
        self.wire, self.side = wire, side

    def send(self, raw):
        if not self.wire.cut:
            self.wire.queues[1 - self.side].append(raw)

    def receive(self):
        found, self.wire.queues[self.side][:] = list(self.wire.queues[self.side]), []
        return found

    def learn(self):
        pass

    def close(self):
        pass


@pytest.fixture(scope="module")
def arm():
    system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
    rod = dict(mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2), frames={"tip": (1.0, 0, 0)})
    system.add(jd.RigidBody("upper", **rod), jd.Revolute("shoulder", axis="y", damping=0.2))
    system.add(jd.RigidBody("fore", **rod), jd.Revolute("elbow", axis="y", damping=0.2), to="upper.tip")
    model = system.compile()
    return model, model.state(q={"shoulder": 0.3, "elbow": 0.4})


def regulator():
    return jd.control.PID(["shoulder", "elbow"], kp=300.0, ki=900.0, kd=30.0, reference=0.6)


@pytest.fixture(scope="module")
def made(arm):
    """One compiled plant for all tests; each begins from its start."""
    return SteppedModel(*arm, PERIOD, PERIOD)


@pytest.fixture
def plant(made):
    made.reset()
    return made


@pytest.fixture(scope="module")
def second(arm):
    """Another, for the robot's part."""
    return SteppedModel(*arm, PERIOD, PERIOD)


def history(session, ticks):
    out = []
    for _ in range(ticks):
        session.tick()
        q, v = session.reading.q, session.reading.v
        out.append(np.concatenate([q, v]))
    return np.array(out)


def simulated(arm, ticks, controller):
    model, state = arm
    run = jd.simulate(model, state, until=ticks * PERIOD, step=PERIOD, controller=controller)
    return np.hstack([run.record.q, run.record.v])[:ticks]


# packets


def test_a_packet_is_the_bytes_that_the_page_describes():
    raw = Writer(0x01020304, session=5).pack(EFFORT, 0.5, [1.0, -2.0], HOLD, answers=9)
    head = struct.pack("<4sHHIIQQQdI", b"JDLV", 1, 2, 0x01020304, 1, 5, 1, 9, 0.5, 2)
    body = struct.pack("<dd", 1.0, -2.0)
    assert raw == head + struct.pack("<I", zlib.crc32(head + b"\0\0\0\0" + body)) + body
    assert HEAD.size == 56 and len(raw) == 72
    packet = PacketReader(0x01020304, {EFFORT: 2}).read(raw)
    assert (packet.kind, packet.flags, packet.session, packet.sequence, packet.answers) == (EFFORT, HOLD, 5, 1, 9)
    assert packet.time == 0.5 and list(packet.values) == [1.0, -2.0]


def test_bad_packets_are_counted_and_ignored():
    layout = layout_of(["a", "b"])
    writer, reader = Writer(layout, 7), PacketReader(layout, {EFFORT: 2})
    packets = [writer.pack(EFFORT, k, [k, -k]) for k in range(100)]

    def signed(raw):
        """With a checksum that is right."""
        head = raw[:52]
        return head + struct.pack("<I", zlib.crc32(raw[56:], zlib.crc32(head + b"\0\0\0\0"))) + raw[56:]

    good = packets[0]
    for why, raw in (
        ("short", b""),
        ("short", good[:55]),
        ("short", good[:-8]),
        ("long", good + b"\0" * 8),
        ("long", b"JDLV" + b"\0" * 10**5),
        ("magic", b"XXXX" + good[4:]),
        ("version", good[:4] + b"\2\0" + good[6:]),
        ("checksum", good[:60] + b"\1" + good[61:]),
        ("kind", signed(good[:6] + b"\1\0" + good[8:])),
        ("layout", signed(good[:8] + b"\0\0\0\0" + good[12:])),
        ("size", signed(good[:48] + struct.pack("<I", 1) + good[52:64])),
        ("not finite", signed(good[:56] + struct.pack("<dd", np.nan, 0.0))),
        ("not finite", signed(good[:40] + struct.pack("<d", np.inf) + good[48:])),
    ):
        before = reader.counts[why]
        assert reader.read(raw) is None and reader.counts[why] == before + 1, why
    assert reader.counts["accepted"] == 0
    assert reader.read(packets[3]).sequence == 4
    for k, why in ((3, "replayed"), (1, "late"), (1, "replayed"), (4, "accepted"), (90, "accepted"), (5, "late")):
        before = reader.counts[why]
        reader.read(packets[k])
        assert reader.counts[why] == before + 1, (k, why)
    assert reader.read(Writer(layout, 6).pack(EFFORT, 0.0, [1, 2])) is None and reader.counts["old session"] == 1
    assert reader.read(Writer(layout, 8).pack(EFFORT, 0.0, [1, 2])).sequence == 1
    assert reader.read(packets[95]) is None and reader.counts["old session"] == 2
    assert reader.ignored == sum(reader.counts.values()) - reader.counts["accepted"]


def fuzz(count, seed=0):
    """Damaged, cut, lengthened, mixed and random packets: nothing raises, and nothing that is not whole is taken."""
    rng = np.random.default_rng(seed)
    layout = layout_of(["a"])
    writer, reader = Writer(layout, 3), PacketReader(layout, {STATE: 3, EFFORT: 1})
    pool = [writer.pack(STATE if k % 2 else EFFORT, float(k), np.arange(3.0 if k % 2 else 1.0)) for k in range(64)]
    whole = set(pool)
    kinds, picks = rng.integers(0, 7, count), rng.integers(0, 64, count)
    places, values, lengths = rng.integers(0, 80, count), rng.integers(0, 256, count), rng.integers(0, 120, count)
    for kind, pick, place, value, length in zip(kinds, picks, places, values, lengths, strict=True):
        raw = bytearray(pool[pick])
        if kind == 0:
            raw = bytearray(rng.bytes(int(length)))
        elif kind == 1:
            raw[place % len(raw)] = value
        elif kind == 2:
            raw = raw[: length % len(raw)]
        elif kind == 3:
            raw += rng.bytes(int(length))
        elif kind == 4:
            raw[place % len(raw)] ^= 1 << (value % 8)
        elif kind == 5:
            raw[: place % len(raw)] = pool[(pick + 1) % 64][: place % len(raw)]
        packet = reader.read(bytes(raw))
        assert packet is None or bytes(raw) in whole
        if packet is not None:
            assert np.all(np.isfinite(packet.values)) and len(packet.values) == {STATE: 3, EFFORT: 1}[packet.kind]
    assert sum(reader.counts.values()) == count
    return reader.counts


def test_ten_thousand_damaged_packets():
    counts = fuzz(10_000)
    assert len(counts) >= 7 and counts["checksum"] > 100 and counts["accepted"] > 5


@pytest.mark.slow
def test_a_million_damaged_packets():
    fuzz(1_000_000, seed=1)


# links


def test_datagrams_come_and_strangers_are_not_heard():
    here = Udp()
    there = Udp(remote=("127.0.0.1", here.port))
    stranger = Udp(remote=("127.0.0.1", there.port))
    there.send(b"one")
    received = _soon(here)
    assert received == [b"one"]
    here.send(b"nobody is known yet")
    here.learn()
    here.send(b"two")
    stranger.send(b"three")
    assert _soon(there) == [b"two"] and there.receive() == []
    with pytest.raises(jd.JourdainError, match="give another port"):
        Udp(("127.0.0.1", here.port))
    for one in (here, there, stranger):
        one.close()


def _soon(link):
    import time

    for _ in range(200):
        found = link.receive()
        if found:
            return found
        time.sleep(0.005)
    return []


def test_packets_through_shared_memory_are_whole_or_none(tmp_path):
    path = tmp_path / "slots"
    one, two = SharedMemory(path, 0), SharedMemory(path, 1)
    assert one.receive() == [] == two.receive()
    one.send(b"first")
    one.send(b"second")
    assert two.receive() == [b"second"] and two.receive() == []
    two.send(b"back")
    assert one.receive() == [b"back"]
    one.count += 1  # a writer that has begun and not ended
    struct.pack_into("<QI", one.map, one.mine, one.count, 5)
    assert two.receive() == []
    one.send(b"third")
    assert two.receive() == [b"third"]
    assert os.stat(path).st_mode & 0o777 == 0o600
    one.close(), two.close()
    (tmp_path / "other").write_text("something else")
    with pytest.raises(jd.JourdainError, match="something else"):
        SharedMemory(tmp_path / "other")


@pytest.mark.skipif(os.name != "posix", reason="owners of files")
def test_shared_memory_of_another_user_is_refused(tmp_path, monkeypatch):
    """In /dev/shm anybody can put a file of this name first, and would drive the robot; a pipe is no memory."""
    from jourdain.basics import platforms

    path, another = tmp_path / "slots", os.geteuid() + 1000
    SharedMemory(path).close()
    if os.geteuid() == 0:
        os.chown(path, another, -1)
    else:
        monkeypatch.setattr(platforms.os, "geteuid", lambda: another)
    with pytest.raises(jd.JourdainError, match="belongs to another user"):
        SharedMemory(path)
    monkeypatch.undo()
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", ".", "a\0b"):
        with pytest.raises(jd.JourdainError, match="give a"):
            SharedMemory(tmp_path / name)


# deadlines


def test_deadlines_are_counted():
    found = Deadlines(1e-3)
    for late, work in ((5e-6, 1e-4), (2e-5, 3e-4), (1e-4, 2e-3)):
        found.note(1.0, 1.0 + late, 1.0 + late + work)
    assert (found.ticks, found.misses) == (3, 1)
    assert found.late.worst == pytest.approx(1e-4) and found.work.mean == pytest.approx(8e-4)
    assert found.response.below(0.6) == pytest.approx(512e-6)
    assert "missed: 1 (33.3 %)" in found.text() and json.loads(found.json())["misses"] == 1
    one = Histogram()
    for x in (0.5e-6, 1.5e-6, 3e-6, 100.0):
        one.note(x)
    assert one.counts[:3] == [1, 1, 1] and one.counts[-1] == 1 and len(one.rows()) == len(one.counts)


def test_a_session_that_is_too_slow_misses_and_begins_its_clock_anew(arm, plant):
    model, _ = arm
    session = Session(ControlDriver(model, None, PERIOD), plant, PERIOD, Virtual(work=2 * PERIOD))
    found = session.run(100 * PERIOD)
    assert found.ticks == 100 == found.misses and found.slips >= 1


def test_the_wall_clock_waits():
    clock = WallClock(spin=1e-4)
    due = clock.now() + 2e-3
    clock.wait_until(due)
    assert clock.now() >= due


# the controller, with a model and with a robot


def test_live_is_the_simulation(arm, plant):
    model, _ = arm
    session = Session(ControlDriver(model, regulator(), PERIOD), plant, PERIOD, Virtual())
    expected = simulated(arm, 300, jd.control.Sampled(regulator(), period=PERIOD))
    np.testing.assert_array_equal(history(session, 300), expected)


def test_a_digital_controller_keeps_its_own_period(arm, plant):
    model, _ = arm
    digital = jd.control.Sampled(regulator(), period=4 * PERIOD)
    session = Session(ControlDriver(model, digital, PERIOD), plant, PERIOD, Virtual())
    np.testing.assert_array_equal(history(session, 200), simulated(arm, 200, digital))
    plant.reset()
    session = Session(
        ControlDriver(model, jd.control.Sampled(lambda t, q, v: {"elbow": 3.0 - v[1]}, PERIOD), PERIOD),
        plant,
        PERIOD,
        Virtual(),
    )
    other = simulated(arm, 50, jd.control.Sampled(lambda t, q, v: {"elbow": 3.0 - v[1]}, PERIOD))
    np.testing.assert_array_equal(history(session, 50), other)
    with pytest.raises(jd.errors.ModelError, match="give another --rate"):
        ControlDriver(model, jd.control.Sampled(regulator(), period=1.5 * PERIOD), PERIOD)


def test_one_word_puts_a_robot_in_the_place_of_the_model(arm, plant, second):
    """The same controller, the robot's part played by the model at the other end of a link: the same motion."""
    model, _ = arm
    second.reset()
    wire = Wire()
    robot = SimulatedRobot(second, wire.ends[1])
    session = Session(ControlDriver(model, regulator(), PERIOD), RobotPlant(model, wire.ends[0]), PERIOD, Virtual())
    robot._tell(0)
    out = []
    for _ in range(300):
        session.tick()
        out.append(np.concatenate([session.reading.q, session.reading.v]))
        robot.tick()
    expected = history(Session(ControlDriver(model, regulator(), PERIOD), plant, PERIOD, Virtual()), 300)
    np.testing.assert_array_equal(np.array(out), expected)
    assert session.plant.reader.ignored == 0 == robot.reader.ignored and session.plant.age == 0


def test_a_late_and_noisy_robot_follows_what_a_perfect_one_does(arm, second):
    """A loop with damping kd on an inertia m bears a delay of some pi m / (2 kd), here 15 ms for the elbow; states that
    are 1 and 3 ms late change the motion a little, and more the later they are."""
    model, _ = arm
    motions = []
    for delay, noise in ((0, 0.0), (1, 1e-6), (3, 1e-6)):
        second.reset()
        wire = Wire()
        robot = SimulatedRobot(second, wire.ends[1], delay=delay, noise=(noise, 100 * noise), seed=3)
        session = Session(ControlDriver(model, regulator(), PERIOD), RobotPlant(model, wire.ends[0]), PERIOD, Virtual())
        out = []
        for _ in range(1000):
            session.tick()
            robot.tick()
            out.append(second.instance.state()[0].copy())
        motions.append(np.array(out))
        assert session.plant.age == delay
    less, more = (np.max(np.abs(one - motions[0])) for one in motions[1:])
    assert 0.0 < less < more < 0.1, (less, more)


def test_loss_of_the_link_is_a_safe_hold_at_both_ends(arm, second):
    model, _ = arm
    second.reset()
    wire = Wire()
    robot = SimulatedRobot(second, wire.ends[1], lost=20)
    session = Session(
        ControlDriver(model, regulator(), PERIOD), RobotPlant(model, wire.ends[0]), PERIOD, Virtual(), lost=20 * PERIOD
    )

    def go(ticks):
        for _ in range(ticks):
            session.tick()
            robot.tick()

    go(100)
    assert not session.holding and not robot.hold.engaged
    moving = np.abs(second.instance.state()[1]).max()
    assert moving > 0.05
    wire.cut = True
    go(40)
    assert session.holding == "the robot is not heard" and robot.hold.engaged and session.holds == 1
    place = robot.hold.q0.copy()
    go(2000)
    q, v = second.instance.state()
    assert np.max(np.abs(v)) < 1e-4 and np.max(np.abs(q - place)) < 1e-3
    wire.cut = False
    go(10)
    assert session.holding and robot.hold.engaged, "a hold is left when the operator says so"
    session.resume()
    go(2000)
    assert not session.holding and not robot.hold.engaged
    np.testing.assert_allclose(second.instance.state()[0], 0.6, atol=0.02)


@pytest.fixture(scope="module")
def disc():
    """One joint without gravity that moves."""
    system = jd.System("disc")
    system.add(jd.RigidBody("disc", 1.0, inertia=(0.3, 0.3, 0.3)), jd.Revolute("turn", axis="z"))
    model = system.compile()
    return SteppedModel(model, model.state(v={"turn": 2.0}), PERIOD, PERIOD)


@pytest.mark.parametrize("beyond", [False, True])
def test_the_longest_delay_that_a_loop_bears_is_that_of_theory(disc, beyond):
    """Efforts of the state d ticks ago: x(k+1) = A x(k) - B K x(k-d), stable where the radius of this map is below one:
    a test of the stand-in's delay, tick by tick."""
    J, kp, kd = 0.3, 300.0, 60.0

    def radius(d):
        G = np.eye(2 * d + 2, k=-2)
        G[:2, :2] = [[1.0, PERIOD], [0.0, 1.0]]
        G[:2, -2:] -= np.outer([0.5 * PERIOD**2 / J, PERIOD / J], [kp, kd])
        return np.max(np.abs(np.linalg.eigvals(G)))

    longest = next(d for d in range(1, 50) if radius(d + 1) > 1.0)
    delay = longest + beyond
    assert (radius(delay) > 1.0) == beyond and longest > 3
    disc.reset()
    model, wire = disc.model, Wire()
    robot = SimulatedRobot(disc, wire.ends[1], delay=delay)
    control = jd.control.PD(["turn"], kp=kp, kd=kd)
    session = Session(ControlDriver(model, control, PERIOD), RobotPlant(model, wire.ends[0]), PERIOD, Virtual())
    size = []
    for _ in range(900):
        session.tick()
        robot.tick()
        size.append(abs(disc.instance.state()[1][0]))
    first, second = (np.max(size[k : k + 100]) for k in (300, 800))
    assert (second / first) ** (1 / 500) == pytest.approx(radius(delay), abs=3e-4)


def test_the_hold_is_the_theory_of_one_joint(disc):
    """Held while it moves: x'' = -w^2 x - 2 w v, with the acceleration held over a tick."""
    disc.reset()
    plant, hold = disc, SafeHold(disc.model)
    w = 4.0 * np.pi
    x, u = 0.0, 2.0
    for k in range(500):
        reading = plant.sense()
        if k == 0:
            hold.engage(reading.q)
        assert reading.q[0] == pytest.approx(x, abs=1e-12) and reading.v[0] == pytest.approx(u, abs=1e-12)
        plant.drive(hold.effort(reading.q, reading.v), False)
        a = -w * w * x - 2.0 * w * u
        x, u = x + PERIOD * u + 0.5 * PERIOD**2 * a, u + PERIOD * a
    assert abs(x - 2.0 * 500 * PERIOD * np.exp(-w * 500 * PERIOD)) < 2e-3  # v0 t exp(-w t), had it no ticks


def test_commands_push_and_their_loss_holds(arm, plant):
    model, _ = arm
    wire = Wire()
    session = Session(
        ControlDriver(model, regulator(), PERIOD), plant, PERIOD, Virtual(), wire.ends[0], lost=10 * PERIOD
    )
    writer = Writer(layout(model, ()), 1)
    session.tick()
    calm = session.commanded.copy()
    wire.ends[1].send(writer.pack(COMMAND, 0.0, [5.0, 0.0]))
    session.tick()
    assert list(session.commanded) == [5.0, 0.0] and not np.any(calm)
    states = PacketReader(layout(model, ()), {STATE: 4})
    told = [states.read(raw) for raw in wire.ends[1].receive()]
    assert len(told) == 2 and told[1].answers == 1 and list(told[1].values[:2]) == list(session.reading.q)
    for _ in range(12):
        session.tick()
    assert session.holding == "no commands come" and not np.any(session.commanded)
    wire.ends[1].send(writer.pack(COMMAND, 0.0, [0.0, 0.0], RESUME))
    session.tick()
    assert not session.holding
    wire.ends[1].send(writer.pack(COMMAND, 0.0, [np.nan, 0.0]))
    wire.ends[1].send(writer.pack(COMMAND, 0.0, [0.0, 0.0], HOLD))
    session.tick()
    assert session.holding == "asked by a packet" and session.reader.counts["not finite"] == 1
    assert "not finite 1" in session.text()
    wire.ends[1].send(writer.pack(COMMAND, 0.0, [0.0, 0.0], STOP))
    session.run(1.0)
    assert session.ended


def test_commands_through_shared_memory(arm, plant, tmp_path):
    model, _ = arm
    session = Session(
        ControlDriver(model, regulator(), PERIOD), plant, PERIOD, Virtual(), SharedMemory(tmp_path / "slots")
    )
    other, writer, states = (
        SharedMemory(tmp_path / "slots", 1),
        Writer(layout(model, ()), 1),
        PacketReader(layout(model, ()), {STATE: 4}),
    )
    for k in range(5):
        other.send(writer.pack(COMMAND, 0.0, [float(k), 0.0]))
        session.tick()
        (raw,) = other.receive()
        packet = states.read(raw)
        assert session.commanded[0] == k and packet.answers == k + 1 and packet.time == session.reading.time
    session.close()
    other.close()


def test_a_robot_holds_itself_until_it_is_driven(arm, second):
    second.reset()
    before = second.instance.state()[0].copy()
    robot = SimulatedRobot(second, Wire().ends[1])
    for _ in range(500):
        robot.tick()
    np.testing.assert_allclose(second.instance.state()[0], before, atol=1e-9)
    assert robot.hold.engaged and robot.holds == 0


def test_an_operator_is_obeyed(arm, plant):
    model, _ = arm
    read, write = os.pipe()
    out = io.StringIO()
    with os.fdopen(read) as source:
        console = Console(source, out)
        session = Session(ControlDriver(model, regulator(), PERIOD), plant, PERIOD, Virtual(), console=console)
        for line, there in (
            ("push elbow 2.5", lambda: session.pushed[1] == 2.5),
            ("hold", lambda: session.holding == "asked by the operator" and session.pushed[1] == 0.0),
            ("resume", lambda: not session.holding),
            ("push elbow nan", lambda: session.pushed[1] == 0.0),
            ("reset", lambda: "at the start" in out.getvalue()),
            ("statistics", lambda: "ticks of" in out.getvalue()),
            ("dance", lambda: "'dance' is not understood" in out.getvalue()),
        ):
            os.write(write, f"{line}\n".encode())
            session.tick()
            assert there(), line
        for key in ("]", "+", "+", "-"):
            console.obey({"]": "next", "+": "more", "-": "less"}[key], session)
        assert session.pushed[1] == 1.0
        os.write(write, b"quit\n")
        assert session.run(10.0).ticks == 1
        os.close(write)
        console.poll(session)
        assert not console.open
        console.close()


def test_what_is_not_a_number_is_not_driven(arm, plant):
    model, _ = arm
    wild = jd.control.Sampled(lambda t, q, v: {"elbow": np.nan}, PERIOD)
    session = Session(ControlDriver(model, wild, PERIOD), plant, PERIOD, Virtual())
    session.tick()
    assert session.holding == "the controller asks for what is not a number"
    session.tick()
    assert np.all(np.isfinite(session.reading.q))


# the command

SCENARIO = """jourdain: 1
name: One joint is held
system:
  bodies:
    - {kind: RigidBody, name: disc, mass: 1.0, inertia: [0.3, 0.3, 0.3], joint: {kind: Revolute, name: turn, axis: z}}
controller: {kind: PD, joints: [turn], kp: 30.0, kd: 6.0, reference: 0.5}
simulation: {until: 1.0, step: 0.0009765625}
"""


def test_the_command_runs_a_scenario(tmp_path):
    from jourdain.commands.cli import app

    file = tmp_path / "disc.yaml"
    file.write_text(SCENARIO)
    told = CliRunner().invoke(app, ["live", str(file), "--rate", "256", "--for", "0.2", "--statistics",
                                    str(tmp_path / "s.json")])  # fmt: skip
    assert told.exit_code == 0, told.output
    assert "51 ticks of 3.90625 ms" in told.output and json.loads((tmp_path / "s.json").read_text())["ticks"] == 51
    for arguments, message in (
        (["--rate", "0"], "ticks a second"),
        (["--plant", "robot"], "--robot HOST:PORT"),
        (["--robot", "1"], "--robot HOST:PORT"),
        (["--listen", "x"], "is no address"),
        (["--step", "0.003"], "does not divide the tick"),
    ):
        wrong = CliRunner().invoke(app, ["live", str(file), "--rate", "256", "--for", "0.1", *arguments])
        assert wrong.exit_code != 0 and message in wrong.output, (arguments, wrong.output)


def test_a_model_that_stops_leaves_its_statistics(tmp_path, monkeypatch):
    from jourdain.commands.cli import app
    from jourdain.live.session import Session

    own = Session.tick

    def tick(self):
        if self.ticks == 10:
            raise jd.JourdainError("the model stopped after 10 ticks")
        own(self)

    monkeypatch.setattr(Session, "tick", tick)
    file = tmp_path / "disc.yaml"
    file.write_text(SCENARIO)
    words = ["live", str(file), "--rate", "256", "--for", "0.2", "--statistics", str(tmp_path / "s.json")]
    told = CliRunner().invoke(app, words)
    assert told.exit_code != 0 and "stopped after 10 ticks" in told.output and "10 ticks of" in told.output
    assert json.loads((tmp_path / "s.json").read_text())["ticks"] == 10


@pytest.mark.slow
def test_two_processes_one_of_them_the_robot(tmp_path):
    """A stand-in in a process of its own, with delay and noise, over loopback; it goes away, and the other holds. Each
    step waits for the one before it, however long the machine takes."""
    import signal
    import subprocess
    import sys

    file = tmp_path / "disc.yaml"
    file.write_text(SCENARIO)
    command = [sys.executable, "-m", "jourdain", "live", str(file), "--rate", "256"]
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    stand = subprocess.Popen([*command, "--stand-in", "0", "--delay", "0.008", "--noise", "1e-6"], **pipes)
    port = stand.stdout.readline().split()[-1]
    robot = ["--plant", "robot", "--robot", f"127.0.0.1:{port}", "--lost", "1.0"]
    session = subprocess.Popen([*command, *robot], **pipes)

    def told(words):
        """Asks for statistics until these words are among them."""
        for _ in range(10_000):
            session.stdin.write("statistics\n")
            session.stdin.flush()
            while not (line := session.stdout.readline()).startswith("safe hold:"):
                assert line, "the session ended"
                if words in line:
                    return
            if words in line:
                return
        raise AssertionError(words)

    try:
        told("packets, robot: accepted")
        stand.send_signal(signal.SIGINT)
        assert "packets: accepted" in stand.communicate()[0]
        told("now: the robot is not heard")
        assert "now: the robot is not heard" in session.communicate("quit\n")[0]
        assert session.returncode == 0 == stand.returncode
    finally:
        for one in (stand, session):
            one.kill()


def test_what_a_law_senses_is_what_the_model_says(arm):
    """Frames and variables are read without a look at arguments, for speed; the numbers are those of the model."""
    model, state = arm

    @jd.law(markers=["fore.tip", "upper.tip"])
    def watching(t, q, v, z, s, p, effort, dz):
        effort[0] -= s[0]

    driver = ControlDriver(model, watching(), PERIOD)
    rng = np.random.default_rng(3)
    plant = SteppedModel(model, state, PERIOD, PERIOD)
    for _ in range(3):
        q, v = rng.standard_normal(2), rng.standard_normal(2)
        sensed = driver.laws[0].sense(q, v, np.zeros((0, 6)))
        theirs = [model.frame_path(address, q[None], v[None])[0] for address in ("fore.tip", "upper.tip")]
        np.testing.assert_array_equal(sensed, np.concatenate(theirs))
        plant.drive(v, False)
        one = plant.instance
        every = range(len(one.names))
        np.testing.assert_array_equal(one.some(every), [one.get(index) for index in every])
        np.testing.assert_array_equal(np.concatenate(one.state()), [one[name] for name in one.names[1:5]])


def test_a_tick_makes_few_calls(arm):
    """What a tick costs besides compiled code is Python's calls: at 1 kHz a hundred of them are a tenth of a core."""
    import cProfile
    import pstats

    model, state = arm
    session = Session(
        ControlDriver(model, regulator(), PERIOD), SteppedModel(model, state, PERIOD, PERIOD), PERIOD, Virtual()
    )
    session.tick()
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(50):
        session.tick()
        session.deadlines.note(0.0, 0.0, 1e-5)
    profile.disable()
    assert pstats.Stats(profile).total_calls / 50 < 45


def test_bins_are_powers_of_two():
    one = Histogram()
    for k in range(30):
        for part in (1.0, 1.5):
            one.note(part * 2.0**k * 1e-6)
    one.note(0.9e-6)
    assert one.counts == [1, *[2] * 22, 16] and one.worst == 1.5 * 2.0**29 * 1e-6

"""What a controller drives: a model in this process, or a robot at the other end of a link, behind one interface."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..describe.motions import Motion
from ..export.instance import Instance
from ..model.model import Model
from ..model.state import State
from .driver import SafeHold
from .transports import EFFORT, HOLD, STATE, PacketReader, Transport, Writer, layout_of


class PlantState(NamedTuple):
    """What a plant measures at a tick.

    time      of the plant [s]
    q, v      coordinates and velocities
    contact_wrenches      forces and torques of contacts (contacts, 6)
    fresh     whether it is new since the last tick
    """

    time: float
    q: np.ndarray
    v: np.ndarray
    contact_wrenches: np.ndarray
    fresh: bool


def layout(model: Model, contacts: Sequence[str]) -> int:
    """The layout of packets of a model: of its coordinates, velocities and contacts that are measured."""
    return layout_of([*model.names.q, *(f"v:{name}" for name in model.names.v), *contacts])


def reader_of(model: Model, contacts: Sequence[str], *kinds: int) -> PacketReader:
    """Reads packets of these kinds."""
    sizes = {STATE: model.nq + model.nv + 6 * len(contacts)}
    return PacketReader(layout(model, contacts), {kind: sizes.get(kind, model.nv) for kind in kinds})


class SteppedModel:
    """A model that is stepped here, by exported code.

    ticks of `period` [s] are a whole number of steps of the method
    """

    remote = False

    def __init__(
        self,
        model: Model,
        state: State,
        period: float,
        step: float,
        contacts: Sequence[str] = (),
        motions: Mapping[str, Motion] | None = None,
        method: str = "rk4",
    ) -> None:
        held = {model.index.v[name] for name in motions or {} if name in model.index.v}
        self.prescribed = tuple(sorted(held))
        self.entries = np.array([k for k in range(model.nv) if k not in held], int)
        inputs = [f"effort:{model.names.v[k]}" for k in self.entries]
        words = [f"{word}.{axis}" for word in ("force", "torque") for axis in "xyz"]
        self.instance = Instance(model, state=state, method=method, step=step, motions=motions, inputs=inputs)
        self.model, self.steps = model, max(1, round(period / step))
        stated = [f"contact:{name}.{word}" for name in contacts for word in words]
        self.contact_wrenches = np.array([self.instance.index(name) for name in stated], int)
        self.free = np.zeros((0, 6))

    def sense(self) -> PlantState:
        """As it is."""
        q, v = self.instance.state()
        contact_wrenches = (
            self.instance.some(self.contact_wrenches).reshape(-1, 6) if len(self.contact_wrenches) else self.free
        )
        return PlantState(self.instance.time, q, v, contact_wrenches, True)

    def drive(self, effort: np.ndarray, hold: bool) -> None:
        """A tick with these efforts."""
        self.instance.step(effort[self.entries], self.steps)

    def reset(self) -> None:
        """Back to its start."""
        self.instance.reset()

    def close(self) -> None:
        """There is nothing to end."""


class RobotPlant:
    """A robot, or its stand-in, at the other end of a link: state packets come, effort packets go.

    age       packets of ours that a state follows from, behind the last that was sent: the round trip, in ticks
    """

    remote = True
    prescribed: tuple[int, ...] = ()

    def __init__(self, model: Model, link: Transport, contacts: Sequence[str] = (), session: int | None = None) -> None:
        self.model, self.link = model, link
        self.reader = reader_of(model, contacts, STATE)
        self.writer = Writer(layout(model, contacts), time.time_ns() if session is None else session)
        self.last = PlantState(0.0, model.neutral.copy(), np.zeros(model.nv), np.zeros((len(contacts), 6)), False)
        self.answers = self.age = 0

    def sense(self) -> PlantState:
        """The newest state that came; the last one, not fresh, where none did."""
        self.last = self.last._replace(fresh=False)
        nq, nv = self.model.nq, self.model.nv
        for raw in self.link.receive():
            packet = self.reader.read(raw)
            if packet is not None:
                values = packet.values
                self.last = PlantState(
                    packet.time, values[:nq], values[nq : nq + nv], values[nq + nv :].reshape(-1, 6), True
                )
                self.answers, self.age = packet.sequence, self.writer.sequence - packet.answers
        return self.last

    def drive(self, effort: np.ndarray, hold: bool) -> None:
        """Sends the efforts; while it holds, the robot is asked to hold itself."""
        flags = HOLD if hold else 0
        self.link.send(self.writer.pack(EFFORT, self.last.time, effort, flags, self.answers))

    def reset(self) -> None:
        """A robot stays where it is."""

    def close(self) -> None:
        """Ends the link."""
        self.link.close()


class SimulatedRobot:
    """A robot's place, for tests and rehearsals: a model that takes effort packets and answers with states, late and
    with noise, and that holds itself on command or when it hears nothing.

    delay     of its states, in ticks
    noise     standard deviation of what it measures: (coordinates [rad or m], velocities)
    lost      ticks without an effort after which it holds itself
    """

    def __init__(
        self,
        plant: SteppedModel,
        link: Any,
        contacts: Sequence[str] = (),
        delay: int = 0,
        noise: tuple[float, float] = (0.0, 0.0),
        lost: int = 100,
        seed: int = 0,
        session: int | None = None,
    ) -> None:
        model = plant.model
        self.plant, self.link, self.delay, self.noise, self.lost = plant, link, int(delay), noise, int(lost)
        self.reader = reader_of(model, contacts, EFFORT)
        self.writer = Writer(layout(model, contacts), time.time_ns() if session is None else session)
        self.random = np.random.default_rng(seed)
        self.hold = SafeHold(model, plant.prescribed)
        self.single = [int(j) for j in model.arrays.q_index if j >= 0]
        self.effort, self.silent, self.ticks, self.holds = np.zeros(model.nv), 0, 0, 0
        self.waiting: list[tuple[int, bytes]] = []
        self.driven = False  # whether it ever was; until then it holds itself

    def tick(self) -> None:
        """Takes efforts, steps, and returns its state."""
        stated = None
        for raw in self.link.receive():
            packet = self.reader.read(raw)
            if packet is not None:
                self.link.learn()
                stated = packet
        self.silent = 0 if stated is not None else self.silent + 1
        reading = self.plant.sense()
        if stated is not None:
            self.effort = stated.values
            self.driven = self.driven or not stated.flags & HOLD
        must = not self.driven or self.silent > self.lost or (stated is not None and stated.flags & HOLD)
        if must and not self.hold.engaged:
            self.hold.engage(reading.q)
            self.holds += self.driven
        elif stated is not None and not stated.flags & HOLD:
            self.hold.release()
        self.plant.drive(self.hold.effort(reading.q, reading.v) if self.hold.engaged else self.effort, False)
        self.ticks += 1
        self._tell(0 if stated is None else stated.sequence)

    def _tell(self, answers: int) -> None:
        reading = self.plant.sense()
        q, v = reading.q.copy(), reading.v + self.noise[1] * self.random.standard_normal(len(reading.v))
        q[self.single] += self.noise[0] * self.random.standard_normal(len(self.single))
        values = np.concatenate([q, v, reading.contact_wrenches.ravel()])
        packet = self.writer.pack(STATE, reading.time, values, HOLD if self.hold.engaged else 0, answers)
        self.waiting.append((self.ticks + self.delay, packet))
        while self.waiting and self.waiting[0][0] <= self.ticks:
            self.link.send(self.waiting.pop(0)[1])

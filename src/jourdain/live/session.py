"""A live session: a controller and a plant, tick by tick in real time, with an operator and a link to others."""

from __future__ import annotations

import gc
import time
from typing import Any

import numpy as np

from ..basics.errors import JourdainError, SimulationError
from ..basics.values import suggestion
from .deadlines import Clock, Deadlines
from .driver import ControlDriver, SafeHold
from .plants import PlantState, layout, reader_of
from .transports import COMMAND, HOLD, RESET, RESUME, STATE, STOP, Writer

CATCH_UP = 50
"""Ticks that a session may be behind before its clock is restarted."""


class Session:
    """A controller that drives a plant.

    driver       the controllers
    plant        a `ModelPlant` or a `RobotPlant`: nothing else differs between the two
    period       of the ticks [s]
    link         to others: state packets go out, command packets come in, efforts that are added to the controller's.
                 Once a command came, silence is a loss of the link
    lost         time without a state of the robot, or without a command, after which the joints hold [s]
    console      where an operator is, None for nobody
    holding      why it holds; "" where it does not
    """

    def __init__(
        self,
        driver: ControlDriver,
        plant: Any,
        period: float,
        clock: Clock,
        link: Any = None,
        lost: float = 0.1,
        console: Any = None,
    ) -> None:
        model = driver.model
        self.driver, self.plant, self.period, self.clock, self.link, self.console = (
            driver,
            plant,
            period,
            clock,
            link,
            console,
        )
        self.patience = max(1, round(lost / period))
        self.hold = SafeHold(model, plant.prescribed)
        self.reader = reader_of(model, driver.contacts, COMMAND)
        self.writer = Writer(layout(model, driver.contacts), time.time_ns())
        self.deadlines = Deadlines(period)
        self.pushed, self.commanded = np.zeros(model.nv), np.zeros(model.nv)
        self.ticks = self.silent = self.deaf = self.holds = 0
        self.heard = self.met = self.ended = False
        self.holding = "waiting for the robot" if plant.remote else ""
        self.reading: PlantState | None = None

    def run(self, seconds: float | None = None) -> Deadlines:
        """Ticks until that time is over, or for ever; an operator, a stop packet or Ctrl-C ends it."""
        count = None if seconds is None else max(1, round(seconds / self.period))
        was = gc.isenabled()
        gc.collect()
        gc.disable()
        try:
            due = self.clock.now() + self.period
            while not self.ended and (count is None or self.ticks < count):
                self.clock.wait_until(due)
                began = self.clock.now()
                self.tick()
                ended = self.clock.now()
                self.deadlines.note(due, began, ended)
                due += self.period
                if ended - due > CATCH_UP * self.period:
                    self.deadlines.slips += 1
                    due = ended + self.period
        except KeyboardInterrupt:
            self.ended = True
        finally:
            if was:
                gc.enable()
            self.close()
        return self.deadlines

    def tick(self) -> None:
        """Measures, asks the controller, drives, publishes."""
        reading = self.reading = self.plant.sense()
        self._listen()
        if self.console is not None:
            self.console.poll(self)
        self._watch(reading)
        if self.holding:
            effort = self._held(reading)
        else:
            effort = (
                self.driver.ask(reading.time, reading.q, reading.v, reading.contact_wrenches)
                + self.pushed
                + self.commanded
            )
            if not np.isfinite(effort).all():
                self.stop_moving("the controller asks for what is not a number")
                effort = self._held(reading)
        try:
            self.plant.drive(effort, bool(self.holding))
        except SimulationError as error:
            raise JourdainError(f"the model stopped after {self.ticks} ticks: {error}") from error
        if self.link is not None:
            values = np.concatenate([reading.q, reading.v, reading.contact_wrenches.ravel()])
            flags = HOLD if self.holding else 0
            self.link.send(self.writer.pack(STATE, reading.time, values, flags, self.reader.newest))
        self.ticks += 1

    def _held(self, reading: PlantState) -> np.ndarray:
        """Efforts of the safe hold; none before the robot was ever heard."""
        if not self.met:
            return np.zeros(self.driver.model.nv)
        if not self.hold.engaged:
            self.hold.engage(reading.q)
        return self.hold.effort(reading.q, reading.v)

    def _listen(self) -> None:
        """Takes command packets."""
        stated = None
        for raw in [] if self.link is None else self.link.receive():
            packet = self.reader.read(raw)
            if packet is not None:
                self.link.learn()
                self.heard, stated = True, packet
                self._obey(packet.flags)
        if stated is not None:
            self.commanded = stated.values
        self.deaf = 0 if stated is not None else self.deaf + 1

    def _obey(self, flags: int) -> None:
        if flags & STOP:
            self.ended = True
        if flags & RESET:
            self.reset()
        if flags & HOLD:
            self.stop_moving("asked by a packet")
        elif flags & RESUME:
            self.resume()

    def _watch(self, reading: PlantState) -> None:
        """Loss of a link goes to the safe hold."""
        self.silent = 0 if reading.fresh else self.silent + 1
        if reading.fresh and not self.met:
            self.met = True
            if self.holding == "waiting for the robot":
                self.resume()
        if self.met and self.silent > self.patience:
            self.stop_moving("the robot is not heard")
        if self.heard and self.deaf > self.patience:
            self.stop_moving("no commands come")

    def stop_moving(self, why: str) -> None:
        """To the safe hold, until `resume`; commanded efforts are dropped."""
        if not self.holding:
            self.holding, self.holds = why, self.holds + 1
            self.pushed[:] = 0.0
            self.commanded = np.zeros(len(self.pushed))

    def resume(self) -> None:
        """Back to the controller, which begins anew; a link that is lost is waited for again."""
        if self.holding:
            self.holding = ""
            self.silent = self.deaf = 0
            self.heard = False
            self.hold.release()
            self.driver.reset()

    def reset(self) -> None:
        """The model back to its start, and the controllers."""
        self.plant.reset()
        self.driver.reset()
        self.hold.release()

    def push(self, name: str, effort: float) -> None:
        """An effort of the operator on a joint [N m or N], added to those of the controller."""
        index = self.driver.model.index.v
        if name not in index:
            raise JourdainError(f"{name}: no such velocity; {suggestion(name, index)}")
        self.pushed[index[name]] = effort

    def close(self) -> None:
        """Ends links."""
        for one in (self.link, self.plant):
            if one is not None:
                one.close()

    def text(self) -> str:
        """Where it stands, for people."""
        lines = [self.deadlines.text()]
        for name, reader in (
            ("robot", getattr(self.plant, "reader", None)),
            ("commands", self.reader if self.link else None),
        ):
            if reader is not None:
                text = ", ".join(f"{why} {count}" for why, count in sorted(reader.counts.items())) or "none"
                lines.append(f"packets, {name}: {text}")
        lines.append(f"safe hold: {self.holds} times{f'; now: {self.holding}' if self.holding else ''}")
        return "\n".join(lines)

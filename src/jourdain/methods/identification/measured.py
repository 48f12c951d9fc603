"""A measured record: channels with their own times, where the run began, and what drove it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...basics.errors import ModelError
from ...model.state import State
from .experiment import Drive

FEWEST = 8
"""Samples that a channel has at least."""


@dataclass(frozen=True, eq=False)
class Channel:
    """A measured quantity; samples that are missing (not-a-number) are left out.

    name      of the quantity, as `jd.quantity` knows it
    time      (n,) [s], increasing
    values    (n,)
    noise     standard deviation; None where it is to be estimated
    unit      for people
    """

    name: str
    time: np.ndarray
    values: np.ndarray
    noise: float | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        time, values = np.asarray(self.time, float).ravel(), np.asarray(self.values, float).ravel()
        if time.shape != values.shape:
            raise ModelError.at(self.name, f"{len(time)} times and {len(values)} values; give as many of both")
        good = np.isfinite(values) & np.isfinite(time)
        time, values = time[good], values[good]
        if len(time) < FEWEST:
            raise ModelError.at(self.name, f"{len(time)} samples that are numbers; {FEWEST} are the fewest")
        back = np.flatnonzero(np.diff(time) <= 0.0)
        if len(back):
            i = int(back[0])
            raise ModelError.at(
                self.name,
                f"its time does not increase: {time[i]:.9g} s is followed by {time[i + 1]:.9g} s; sort the record, or "
                "leave out samples that were sent twice",
            )
        if self.noise is not None and not (np.isfinite(self.noise) and self.noise > 0.0):
            raise ModelError.at(self.name, f"noise: got {self.noise}; give a standard deviation above zero")
        if self.noise is None and np.ptp(values) == 0.0:
            raise ModelError.at(
                self.name,
                f"it is {values[0]:g} throughout: its sensor is dead, or nothing moved; leave it out, or give noise=",
            )
        object.__setattr__(self, "time", time)
        object.__setattr__(self, "values", values)


@dataclass(frozen=True, eq=False)
class Measured:
    """A record of one experiment.

    channels    what was measured
    state       at its start
    drive       what acted, and how the model is integrated
    name        for people
    """

    channels: tuple[Channel, ...]
    state: State
    drive: Drive = field(default_factory=Drive)
    name: str = ""

    @cached_property
    def times(self) -> np.ndarray:
        """All times at which something was measured, from the start on [s]."""
        found = np.unique(np.concatenate([one.time for one in self.channels]))
        if found[0] < self.state.time - 1e-9:
            raise ModelError.at(
                self.name or "record",
                f"its first sample is at {found[0]:g} s, before the state, which is at {self.state.time:g} s",
            )
        keep = np.concatenate([[True], np.diff(found) > 1e-9])
        return np.maximum(found[keep], self.state.time)

    def places(self, channel: Channel) -> np.ndarray:
        """Where the samples of a channel are among `times`."""
        at = np.clip(np.searchsorted(self.times, channel.time - 1e-9), 0, len(self.times) - 1)
        return at

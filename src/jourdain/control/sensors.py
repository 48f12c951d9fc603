"""What a digital controller's sensors make of the state: noise, bias, resolution, and a rate of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.values import enough_digits, suggestion

if TYPE_CHECKING:
    from ..model.model import Model


def _checked(what: str, **given: float) -> None:
    for name, value in given.items():
        if not isinstance(value, int | float | np.number) or not np.isfinite(value) or value < 0.0:
            raise ModelError.at(what, f"{name} is {value!r}; give a finite number, 0 or more")


def _vector(what: str, name: str, value: Any) -> np.ndarray:
    array = np.asarray(value, float)
    if array.shape != (3,) or not np.all(np.isfinite(array)):
        raise ModelError.at(what, f"{name} is {value!r}; give three finite numbers")
    return array


@checked
@dataclass(frozen=True)
class JointSensor:
    """Encoders and tachometers of coordinates that are one number each.

    names             coordinates; None for all of them
    noise, bias       of the position: standard deviation a sample, and a constant [rad or m]
    resolution        of the position [rad or m]; 0 for none
    velocity_noise    standard deviation [rad/s or m/s]
    velocity_bias     [rad/s or m/s]
    """

    names: Sequence[str] | None = None
    noise: float = 0.0
    bias: float = 0.0
    resolution: float = 0.0
    velocity_noise: float = 0.0
    velocity_bias: float = 0.0

    def rows(self, model: Model) -> list[dict[str, Any]]:
        """A `kernels.control.sampling.CoordinateReading` for each coordinate."""
        _checked("JointSensor", noise=self.noise, resolution=self.resolution, velocity_noise=self.velocity_noise)
        one = [(k, int(j)) for k, j in enumerate(model.arrays.q_index) if j >= 0]
        known = {model.names.v[k]: (k, j) for k, j in one}
        names = list(known) if self.names is None else list(self.names)
        out = []
        for name in names:
            if name not in known:
                raise ModelError.at(str(name), f"JointSensor: no such coordinate; {suggestion(str(name), known)}")
            k, j = known[name]
            out.append(
                {
                    "q": j,
                    "v": k,
                    "noise": self.noise,
                    "bias": self.bias,
                    "resolution": self.resolution,
                    "rate_noise": self.velocity_noise,
                    "rate_bias": self.velocity_bias,
                }
            )
        return out


@checked
@dataclass(frozen=True)
class PoseSensor:
    """A camera, or anything else that reads the pose of a frame which the controller senses.

    at                   address of the frame
    rotation_noise       standard deviation a reading and axis [rad]
    position_noise       [m]
    velocity_noise       [m/s], and `spin_noise` [rad/s] of what the controller senses of its velocity
    rotation_bias        a turn of what is read, in the frame's axes (3,) [rad]
    position_bias        world axes (3,) [m]
    period               between readings [s]; None: a reading a sample
    delay                age of a reading when it arrives [s]
    """

    at: str
    rotation_noise: float = 0.0
    position_noise: float = 0.0
    velocity_noise: float = 0.0
    spin_noise: float = 0.0
    rotation_bias: Sequence[float] = (0.0, 0.0, 0.0)
    position_bias: Sequence[float] = (0.0, 0.0, 0.0)
    period: float | None = None
    delay: float = 0.0

    def row(self, places: Mapping[str, int], period: float) -> dict[str, Any]:
        """Its `kernels.control.sampling.PoseReading` but for the place of its ring; `places` of the frames in what the
        controller senses."""
        what = f"PoseSensor of {self.at}"
        noises = {"rotation_noise": self.rotation_noise, "position_noise": self.position_noise}
        noises |= {"spin_noise": self.spin_noise, "velocity_noise": self.velocity_noise}
        _checked(what, **noises, delay=self.delay)
        if self.at not in places:
            raise ModelError.at(
                self.at, f"PoseSensor: the controller does not sense this frame; {suggestion(self.at, places)}"
            )
        every = 1 if self.period is None else _whole(self.period, period, what, "period", 1)
        age = _whole(self.delay, period, what, "delay", 0)
        return {
            "at": places[self.at],
            **noises,
            "rotation_bias": _vector(what, "rotation_bias", self.rotation_bias),
            "position_bias": _vector(what, "position_bias", self.position_bias),
            "every": every,
            "age": age,
        }


@checked
@dataclass(frozen=True)
class ForceSensor:
    """A force-moment sensor: in a joint it measures what the joint transmits; else it is the noise of a sensed contact.

    joint         the joint, a weld say, that it sits in: it reads the force of the outboard body on the inboard one
                  and the torque about the joint's frame, world axes; that is the contact force on a tool less what
                  its inertia takes
    contact       the contact whose six numbers the reading stands for; with a `joint` and no contact the reading
                  comes behind all else that is sensed
    force_noise   standard deviation a sample and axis [N]
    torque_noise  [N m]
    force_bias    (3,) [N], and `torque_bias` (3,) [N m]
    """

    joint: str | None = None
    contact: str | None = None
    force_noise: float = 0.0
    torque_noise: float = 0.0
    force_bias: Sequence[float] = (0.0, 0.0, 0.0)
    torque_bias: Sequence[float] = (0.0, 0.0, 0.0)

    @property
    def extra(self) -> bool:
        """Whether its reading comes behind all else that is sensed."""
        return self.contact is None

    def row(self, model: Model, places: Mapping[str, int], behind: int) -> dict[str, Any]:
        """Its `kernels.control.sampling.ForceReading`; `places` of the contacts in what the controller senses,
        `behind` all that."""
        what = f"ForceSensor of {self.joint or self.contact}"
        _checked(what, force_noise=self.force_noise, torque_noise=self.torque_noise)
        if self.joint is None and self.contact is None:
            raise ModelError.at("ForceSensor", "give the joint that it sits in, or the contact that it reads")
        body = -1
        if self.joint is not None:
            if self.joint not in model.joints:
                raise ModelError.at(self.joint, f"ForceSensor: no such joint; {suggestion(self.joint, model.joints)}")
            body = 1 + list(model.joints).index(self.joint)
        if self.contact is not None and self.contact not in places:
            raise ModelError.at(
                self.contact,
                f"ForceSensor: the controller does not sense this contact; {suggestion(self.contact, places)}",
            )
        at = behind if self.contact is None else places[self.contact]
        return {
            "at": at,
            "body": body,
            "force_noise": self.force_noise,
            "torque_noise": self.torque_noise,
            "force_bias": _vector(what, "force_bias", self.force_bias),
            "torque_bias": _vector(what, "torque_bias", self.torque_bias),
        }


def _whole(time: float, period: float, what: str, name: str, least: int) -> int:
    """`time` in periods; an error where it is no whole number of them."""
    count = round(time / period)
    whole = max(count, least)
    if count < least or abs(count * period - time) > 1e-6 * period:
        raise ModelError.at(
            what,
            f"{name} is {time:g} s, no whole number of sampling periods of {period:g} s; "
            f"{enough_digits(whole * period, lambda near: abs(whole * period - near) <= 1e-6 * period)} s would do",
        )
    return count

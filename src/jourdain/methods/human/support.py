"""A support that holds a walker's trunk, and how it is taken away, one coordinate after the other (Wojtyra 2002, 3.3).

A force and torque from outside hold the trunk while joints follow their patterns. One component is set to zero, and a
feedback of that coordinate to the joints is looked for while the support still holds the others; then the next, until
nothing holds it. The paper's own example is the yaw angle theta: with Delta = delta (theta_0 - theta) in the support
phase and 0 in swing,

    M_2 = kappa (alpha_02 - alpha_2 + sin(alpha_1) Delta) + upsilon (...)
    M_3 = kappa (alpha_03 - alpha_3 - cos(alpha_1) Delta) + upsilon (...)

which turns the thigh about the vertical under a pelvis whose hip is flexed by alpha_1 (`hip_turn`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.pose import Pose
from ...basics.types import VectorLike
from ...basics.values import as_number, as_vector, shown, suggestion

if TYPE_CHECKING:
    from ...model.model import Model

COORDINATES = ("x", "y", "z", "roll", "pitch", "yaw")
"""Of a trunk: places along forward, left and up, angles about them."""


@checked
def trunk_angles(rotation: np.ndarray) -> tuple[float, float, float]:
    """Roll, pitch and yaw [rad] of a frame with axes forward, left and up: yaw about up first, then pitch, then roll.

    rotation    (3, 3), to world axes
    """
    R = np.asarray(rotation, float)
    if R.shape != (3, 3):
        raise ModelError.at("rotation", f"got shape {R.shape}; give (3, 3)")
    pitch = -math.asin(min(max(R[2, 0], -1.0), 1.0))
    return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])


@checked
def hip_turn(flexion: float, turn: float) -> tuple[float, float]:
    """Changes of the second and third angle of a hip that turn the leg about the vertical, under an upright pelvis.

    flexion    of the hip, its first angle [rad]
    turn       about the vertical, to the left [rad]

    The axes are those of `walker`: abduction about the forward axis and rotation about the thigh, both carried by the
    flexion, in which the vertical is (sin, 0, cos). Wojtyra's second axis points the other way.
    """
    return math.sin(as_number(flexion, "flexion")) * as_number(turn, "turn"), math.cos(flexion) * turn


@checked
class Support:
    """A force and torque from outside that hold a free body on its way, component by component.

    model        the plant
    joint        the free joint by which it is held; the force acts at its body's origin
    start        where it is wanted at t = 0 [m], world axes; None: wherever it is at the first call
    velocity     with which it is wanted to go on [m/s], world axes
    stiffness    of the force [N/m], and of the torque [N m/rad]
    damping      [N s/m], [N m s/rad]
    held         which of x, y, z, roll, pitch and yaw it holds; angles are wanted at 0

    It is a function for `jd.control.Sampled`: ``Sampled(support, 1e-3)`` goes into the list of controllers. What it
    does is in ``run.effort`` of the joint. `without` gives one that holds less.
    """

    def __init__(
        self,
        model: Model,
        joint: str = "root",
        *,
        start: VectorLike | None = None,
        velocity: VectorLike = (0.0, 0.0, 0.0),
        stiffness: tuple[float, float] = (5000.0, 500.0),
        damping: tuple[float, float] = (1000.0, 50.0),
        held: Sequence[str] = COORDINATES,
    ) -> None:
        kind = model.joints.get(joint, ("", None))[0]
        if kind != "free":
            known = [name for name, (of, _) in model.joints.items() if of == "free"]
            raise ModelError.at("joint", f"got {shown(joint)}; give a free joint; {suggestion(str(joint), known)}")
        self.model, self.joint = model, joint
        self.start = None if start is None else as_vector(start, "start")
        self.velocity = as_vector(velocity, "velocity")
        self.stiffness, self.damping = _two(stiffness, "stiffness"), _two(damping, "damping")
        self.held = _known(held)
        self.q, self.v = model.index.q[f"{joint}.x"], model.index.v[f"{joint}.wx"]

    def without(self, *names: str) -> Support:
        """The same, but for these components."""
        left = [name for name in self.held if name not in _known(names)]
        more = {"start": self.start, "velocity": self.velocity, "stiffness": self.stiffness, "damping": self.damping}
        return Support(self.model, self.joint, **more, held=left)  # type: ignore[arg-type]

    def wrench(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Torque and force (6,) on the body, world axes; torques are about forward, left and up of its heading."""
        place, R = q[self.q : self.q + 3], Pose(rotation=q[self.q + 3 : self.q + 7]).rotation
        if self.start is None:
            self.start = np.array(place) - t * self.velocity
        off = np.array([*(place - self.start - t * self.velocity), *trunk_angles(R)])
        turn, move = R @ v[self.v : self.v + 3], R @ v[self.v + 3 : self.v + 6] - self.velocity
        c, s = math.cos(off[5]), math.sin(off[5])
        level = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        rates = np.array([*move, *(level.T @ turn)])
        gains = np.repeat([self.stiffness, self.damping], 3, axis=1)
        pull = -(gains[0] * off + gains[1] * rates) * [name in self.held for name in COORDINATES]
        return np.concatenate([level @ pull[3:], pull[:3]])

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray | None = None) -> dict[str, float]:
        """Efforts of the joint's six velocities, in body axes."""
        R = Pose(rotation=q[self.q + 3 : self.q + 7]).rotation
        wrench = self.wrench(t, q, v)
        efforts = np.concatenate([R.T @ wrench[:3], R.T @ wrench[3:]])
        names = ("wx", "wy", "wz", "vx", "vy", "vz")
        return {f"{self.joint}.{name}": float(value) for name, value in zip(names, efforts, strict=True)}


@checked
class Weaned(NamedTuple):
    """Gains that were found one after the other.

    gains    the best by coordinate, in the order in which the support let go of them
    costs    what every candidate cost, by coordinate
    held     what the support still holds in the end
    """

    gains: dict[str, float]
    costs: dict[str, np.ndarray]
    held: tuple[str, ...]


@checked
def wean(
    trial: Callable[[dict[str, float], tuple[str, ...]], float],
    candidates: Mapping[str, Sequence[float]],
    held: Sequence[str] = COORDINATES,
) -> Weaned:
    """Take a support away coordinate by coordinate, each time with the best of some gains (Wojtyra 2002, 3.3).

    trial         cost of a run, to become small: of gains by coordinate, and of what the support holds in it
    candidates    gains to try, by coordinate, in the order in which the support lets go: ``{"yaw": (0, 0.5, 1)}``
    held          what it holds at first
    """
    left = list(_known(held))
    if not isinstance(candidates, Mapping) or not candidates:
        raise ModelError.at("candidates", f'got {shown(candidates)}; give gains by coordinate, {{"yaw": (0, 1)}}')
    gains: dict[str, float] = {}
    costs = {}
    for name, tries in candidates.items():
        if name not in left:
            raise ModelError.at(str(name), f"is not held; {suggestion(str(name), left)}")
        if isinstance(tries, str) or not isinstance(tries, Sequence | np.ndarray) or not len(tries):
            raise ModelError.at(str(name), f"got {shown(tries)}; give gains to try")
        left.remove(name)
        values = [as_number(value, f"{name}: gain") for value in tries]
        found = np.array([float(trial(gains | {name: value}, tuple(left))) for value in values])
        costs[name] = found
        if not np.any(np.isfinite(found)):
            raise ModelError.at(str(name), f"no gain of {shown(tries)} has a finite cost; give others")
        gains[name] = values[int(np.nanargmin(np.where(np.isfinite(found), found, np.nan)))]
    return Weaned(gains, costs, tuple(left))


def _known(names: Sequence[str]) -> tuple[str, ...]:
    """Coordinates of a trunk, each once, in their order."""
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ModelError.at("held", f"got {shown(names)}; give names of {', '.join(COORDINATES)}")
    for name in names:
        if name not in COORDINATES:
            raise ModelError.at("held", f"got {shown(name)}; {suggestion(str(name), COORDINATES)}")
    return tuple(name for name in COORDINATES if name in names)


def _two(pair: tuple[float, float], what: str) -> tuple[float, float]:
    if isinstance(pair, str) or not isinstance(pair, Sequence | np.ndarray) or len(pair) != 2:
        raise ModelError.at(what, f"got {shown(pair)}; give two numbers, of the force and of the torque")
    first, second = (as_number(value, what) for value in pair)
    if not (0.0 <= first < math.inf and 0.0 <= second < math.inf):
        raise ModelError.at(what, f"got {shown(pair)}; give numbers from 0 on")
    return first, second

"""A planned trajectory for `simulate`: profiles of coordinates, and a controller that gives its efforts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...control.controller import Controller
from ...control.shaping import hermite_coefficients
from ...describe.laws import BoundLaw, ControlLaw
from ...describe.motions import PIECES, Motion

if TYPE_CHECKING:
    from ...model.model import Model


@checked
@dataclass(frozen=True)
class PlannedMotion(Motion, known=False):
    """A coordinate along a planned trajectory; held before and after.

    times     of its knots [s]
    states    (nt, 3): value, rate and acceleration there; polynomials of fifth degree between
    """

    times: Any
    states: Any
    code = PIECES

    def numbers(self, value: float, name: str) -> np.ndarray:
        times, states = np.asarray(self.times, float), np.asarray(self.states, float)
        return np.concatenate(
            [[0.0, len(times) - 1.0, 5.0, 1.0], times, hermite_coefficients(np.diff(times), states).ravel()]
        )


@checked
class Feedforward(Controller):
    """The efforts of a trajectory, as functions of time alone.

    inputs          names of the velocities on which they act
    times           (N + 1,) knots [s]
    coefficients    (inputs, N, degree + 1) of the time since the knot, in rising powers
    after           (inputs,) what is given once the trajectory has ended
    """

    def __init__(
        self, inputs: tuple[str, ...], times: np.ndarray, coefficients: np.ndarray, after: np.ndarray,
        name: str = "planned efforts",
    ) -> None:  # fmt: skip
        self.name, self.inputs = name, inputs
        self.times, self.coefficients, self.after = times, coefficients, after

    def bind(self, model: Model) -> BoundLaw:
        """The law, its numbers laid out for this plant."""
        from ...kernels.control.trajectory_tracking import PlannedParameters, feedforward

        inputs = []
        degree = self.coefficients.shape[2]
        knots = np.append(self.times, self.times[-1] + 1.0)
        for i, name in enumerate(self.inputs):
            if name not in model.index.v:
                raise ModelError.at(name, f"{self.name}: the model has no such velocity; plan with this model")
            behind = np.zeros(degree)
            behind[0] = self.after[i]
            numbers = [0.0, len(knots) - 1.0, degree - 1.0, 1.0, *knots, *self.coefficients[i].ravel(), *behind]
            inputs.append({"v": model.index.v[name], "effort": {"code": PIECES, "data": numbers}})
        bound = BoundLaw(ControlLaw("planned efforts", feedforward), PlannedParameters.packed(inputs=inputs))
        bound.name = self.name
        return bound


@checked
class Tracking(Controller):
    """The efforts of a trajectory, and feedback of the deviation from it, in the tangent space.

    inputs      names of the velocities on which they act
    times       (N + 1,) knots [s]
    efforts     (N + 1, inputs, 2) coefficients of the time since the knot; the last row holds behind the end
    states      (N + 1, nq + nv, 4) of the planned state, in the same way
    gains       (N, inputs, 2 nv) by displacements and by velocities, as `model.names.v`; behind the end the last ones
    """

    def __init__(
        self, inputs: tuple[str, ...], times: np.ndarray, efforts: np.ndarray, states: np.ndarray, gains: np.ndarray,
        name: str = "planned efforts with feedback",
    ) -> None:  # fmt: skip
        self.name, self.inputs = name, inputs
        self.times, self.efforts, self.states, self.gains = times, efforts, states, gains

    def bind(self, model: Model) -> BoundLaw:
        """The law, its numbers laid out for this plant."""
        for name in self.inputs:
            if name not in model.index.v:
                raise ModelError.at(name, f"{self.name}: the model has no such velocity; plan with this model")
        if self.states.shape[1] != model.nq + model.nv:
            raise ModelError.at(self.name, "was planned with another model; plan with this one")
        from ...kernels.control.trajectory_tracking import TrackingParameters, tracking

        p = TrackingParameters.packed(
            times=self.times,
            inputs=[model.index.v[name] for name in self.inputs],
            q_index=model.arrays.q_index,
            rotations=[{"q": j, "v": k, "free": free} for j, k, free in model.arrays.rotations.array],
            efforts=self.efforts,
            states=self.states,
            gains=np.concatenate([self.gains, self.gains[-1:]]),
        )
        bound = BoundLaw(ControlLaw("planned efforts with feedback", tracking), p)
        bound.name = self.name
        return bound

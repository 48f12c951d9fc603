"""Composite control of a flexible arm: an impedance for its slow motion and a regulator for its vibrations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ModelError
from ..laws import BoundLaw
from ..values import shown
from .base import Controller
from .gearing import refuse_gears
from .impedance import Laid, TipController
from .numbers import begins, internal_entries, mapped
from .optimal import lqr, weight
from .task import control_start

if TYPE_CHECKING:
    from ..model import Model


class Composite(Controller):
    """tau = tau_slow + tau_fast, by singular perturbation (Kim 1999, chapter 5).

    The slow part sees a rigid arm; joints that it does not drive, a free base say, follow those that it drives. The
    fast one is -F eta, eta = (xi - xi_slow, eps xi'), xi = K_ff q_f the elastic forces, xi_slow those that go with the
    slow motion, eps = scale^-1/2; F is the regulator that minimises the integral of eta^T Q eta + tau^T R tau in the
    fast time t / eps (eqs. 5.40-5.44).

    slow        Impedance or Cartesian on the flexible model, with feedback="rigid" or "tip"
    Q, R        weights: one number, a vector or a matrix; of 2 nf states and of the driven joints
    scale       common stiffness scale k >> 1: K_ff = k K; only the weights' meaning depends on it
    schedule    configurations (States or dicts) at which gains are computed: one, where they are frozen, or several,
                between which they are interpolated at the nearest point of the line through them. None: the start
    """

    def __init__(
        self,
        slow: TipController,
        Q: Any = 1.0,
        R: Any = 1.0,
        *,
        scale: float = 1e4,
        schedule: Sequence[Any] | None = None,
        name: str = "composite",
    ) -> None:
        self.name = name
        if not isinstance(slow, TipController) or slow.feedback == "flexible":
            raise ModelError.at(name, 'slow must be an Impedance or Cartesian with feedback="rigid" or "tip"')
        if not internal_entries(slow.model):
            raise ModelError.at(
                name, f'the model "{slow.model.name}" of its slow part has no flexible body; give one that has'
            )
        if not (np.isfinite(scale) and scale > 0.0):
            raise ModelError.at(name, f"scale is {scale}; give a number above zero")
        if schedule is not None and (not isinstance(schedule, list | tuple) or not schedule):
            raise ModelError.at(name, f"schedule is {shown(schedule)}; give a list of configurations")
        self.slow, self.Q, self.R, self.scale, self.schedule = slow, Q, R, float(scale), schedule

    def bind(self, model: Model) -> BoundLaw:
        from ..kernels.control import impedance as k

        laid = self.slow.lay(model)
        refuse_gears(model, laid.driven, self.name)
        numbers, control = laid.numbers, self.slow.model
        names = [control.names.v[i] for i in laid.straight]
        missing = [name for name in names if name not in model.index.v]
        if missing:
            raise ModelError.at(
                missing[0], f"{self.name}: the plant does not have this coordinate, which it must measure"
            )
        poses = self._poses(model, laid)
        gains = [self.gains(model, pose) for pose in poses]
        numbers.set(k.FAST, 1.0)
        numbers.set(k.ROOT, self.scale**-0.5)
        numbers.put(k.ELASTIC, elastic_stiffness(control, laid.straight))
        numbers.put(k.ELASTIC_Q, [model.index.q[name] for name in names])
        numbers.put(k.ELASTIC_V, [model.index.v[name] for name in names])
        numbers.set(k.POSES, len(poses))
        numbers.put(k.POSE, [[pose.q[entry.q] for entry in laid.driven] for pose in poses])
        numbers.put(k.GAINS, gains)
        law = self.slow.law()
        law.name = self.name
        return BoundLaw(law, numbers.array(), **laid.options)

    def _poses(self, model: Model, laid: Laid) -> list[Any]:
        if self.schedule is None:
            return [laid.start]
        poses = [begins(model, one, f"{self.name}: schedule") for one in self.schedule]
        places = np.array([[pose.q[entry.q] for entry in laid.driven] for pose in poses])
        if len(poses) > 1 and np.any(np.linalg.norm(np.diff(places, axis=0), axis=1) < 1e-9):
            raise ModelError.at(
                self.name, "schedule: two configurations that follow each other are the same; leave one out"
            )
        return poses

    def fast_system(self, model: Model, pose: Any) -> tuple[np.ndarray, np.ndarray]:
        """(D, E) of the fast subsystem at a configuration of the plant, in fast time: eqs. 5.23-5.25."""
        laid = self.slow.lay(model)
        control = self.slow.model
        along = mapped(model, control, self.name, laid.straight)
        state = control_start(control, along, begins(model, pose, self.name))
        driven = [entry.v for entry in laid.own]
        H = np.linalg.inv(control.mass_matrix(state.q))
        K = elastic_stiffness(control, laid.straight) / self.scale
        f, n = laid.straight, len(laid.straight)
        D = np.block([[np.zeros((n, n)), np.eye(n)], [-K @ H[np.ix_(f, f)], np.zeros((n, n))]])
        return D, np.vstack([np.zeros((n, len(driven))), K @ H[np.ix_(f, driven)]])

    def gains(self, model: Model, pose: Any) -> np.ndarray:
        """F (driven joints, 2 nf) at a configuration of the plant."""
        D, E = self.fast_system(model, pose)
        Q = weight(self.Q, len(D), f"{self.name}: Q", "fast states")
        R = weight(self.R, E.shape[1], f"{self.name}: R", "driven joints", positive=True)
        control = self.slow.model
        elastic = [control.names.v[k] for k in self.slow.lay(model).straight]
        return lqr(D, E, Q, R, names=[f"{prefix}:{name}" for prefix in "xv" for name in elastic]).gain

    def poles(self, model: Model, pose: Any) -> np.ndarray:
        """Poles of the fast loop at a configuration [1/s], slowest first; the links' own damping is not in them."""
        D, E = self.fast_system(model, pose)
        found = np.linalg.eigvals(D - E @ self.gains(model, pose)) * np.sqrt(self.scale)
        return found[np.lexsort((-found.imag, np.round(np.abs(found), 9)))]


def elastic_stiffness(model: Model, entries: Sequence[int]) -> np.ndarray:
    """Stiffness matrix of internal coordinates about the straight bodies, by differences of the elastic forces.

    These are linear there, so a difference over 1e-3 is exact but for the bodies whose stiffness is not.
    """
    places = [int(model.arrays.q_index[i]) for i in entries]
    out = np.empty((len(entries), len(entries)))
    for c, j in enumerate(places):
        up, down = model.neutral.copy(), model.neutral.copy()
        up[j] += 1e-3
        down[j] -= 1e-3
        rest = np.zeros(model.nv)
        out[:, c] = (model.bias(up, rest) - model.bias(down, rest))[list(entries)] / 2e-3
    return 0.5 * (out + out.T)

"""Composite control of a flexible arm: an impedance for its slow motion and a regulator for its vibrations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import ByName, StartLike
from ..basics.values import shown
from ..describe.laws import BoundLaw
from .controller import Controller
from .gearing import refuse_gears
from .impedance import TaskParameters, TipController
from .linear_quadratic import lqr, weight
from .parameters import begins, internal_entries, mapped
from .tip_task import control_start

if TYPE_CHECKING:
    from ..model.model import Model


@checked
class Composite(Controller):
    """tau = tau_slow + tau_fast, by singular perturbation (Kim 1999, chapter 5).

    The slow part sees a rigid arm; joints that it does not drive, a free base say, follow those that it drives. The
    fast one is -F eta, eta = (xi - xi_slow, eps xi'), xi = K_ff q_f the elastic forces, xi_slow those that go with the
    slow motion, eps = scale^-1/2; F is the regulator that minimises the integral of eta^T Q eta + tau^T R tau in the
    fast time t / eps (eqs. 5.40-5.44). K_ff is elastic only; how gravity stiffens or loosens the links, a pendulum or a
    mast, is in the linear model of each pose.

    slow        Impedance or Cartesian on the flexible model, with feedback="rigid" or "tip"
    Q, R        weights: one number, a vector or a matrix; of 2 nf states and of the driven joints
    scale       common stiffness scale k >> 1: K_ff = k K; only the weights' meaning depends on it
    schedule    configurations (States or dicts) at which gains are computed: one, where they are frozen, or several,
                between which they are interpolated at the nearest point of the line through them. None: the start
    """

    def __init__(
        self,
        slow: TipController,
        Q: ByName = 1.0,
        R: ByName = 1.0,
        *,
        scale: float = 1e4,
        schedule: Sequence[StartLike] | None = None,
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
            raise ModelError.at(name, f"scale is {scale}; give a number above zero", "scale")
        if schedule is not None and (not isinstance(schedule, list | tuple) or not schedule):
            raise ModelError.at(name, f"schedule is {shown(schedule)}; give a list of configurations", "schedule")
        self.slow, self.Q, self.R, self.scale, self.schedule = slow, Q, R, float(scale), schedule

    def bind(self, model: Model) -> BoundLaw:
        laid = self.slow.lay(model)
        refuse_gears(model, laid.driven, self.name)
        control = self.slow.model
        names = [control.names.v[i] for i in laid.straight]
        missing = [name for name in names if name not in model.index.v]
        if missing:
            raise ModelError.at(
                missing[0], f"{self.name}: the plant does not have this coordinate, which it must measure"
            )
        poses = self._poses(model, laid)
        gains = [self.gains(model, pose) for pose in poses]
        sags = [self._gravity(model, pose).sag for pose in poses]
        p = laid.packed(
            fast=True,
            root=self.scale**-0.5,
            elastic=elastic_stiffness(self._weightless, laid.straight),
            elastic_q=[model.index.q[name] for name in names],
            elastic_v=[model.index.v[name] for name in names],
            poses=[[pose.q[entry.q] for entry in laid.driven] for pose in poses],
            gains=gains,
            sags=sags,
        )
        law = self.slow.law()
        law.name = self.name
        return BoundLaw(law, p, **laid.options)

    @cached_property
    def _weightless(self) -> Model:
        return weightless(self.slow.model)

    def _poses(self, model: Model, laid: TaskParameters) -> list[Any]:
        if self.schedule is None:
            return [laid.start]
        poses = [begins(model, one, f"{self.name}: schedule") for one in self.schedule]
        places = np.array([[pose.q[entry.q] for entry in laid.driven] for pose in poses])
        if len(poses) > 1 and np.any(np.linalg.norm(np.diff(places, axis=0), axis=1) < 1e-9):
            raise ModelError.at(
                self.name, "schedule: two configurations that follow each other are the same; leave one out", "schedule"
            )
        return poses

    def fast_system(self, model: Model, pose: StartLike) -> tuple[np.ndarray, np.ndarray]:
        """(D, E) of the fast subsystem at a configuration of the plant, in fast time: eqs. 5.23-5.25.

        With G the derivative of all efforts of gravity by q_f there, q'' = H (tau - (K + G) q_f), so that the thesis's
        K H_ff is K (H_ff + H_f G K^-1).
        """
        laid = self.slow.lay(model)
        found = self._gravity(model, pose)
        driven, f, n = [entry.v for entry in laid.own], laid.straight, len(laid.straight)
        H, K = found.inverse_mass, found.elastic
        inertia = K @ H[np.ix_(f, f)]
        if np.any(found.by_gravity):
            inertia = inertia + np.linalg.solve(K, (K @ H[f] @ found.by_gravity).T).T
        D = np.block([[np.zeros((n, n)), np.eye(n)], [-inertia / self.scale, np.zeros((n, n))]])
        return D, np.vstack([np.zeros((n, len(driven))), K @ H[np.ix_(f, driven)] / self.scale])

    def _gravity(self, model: Model, pose: Any) -> Pulled:
        """What gravity does to the deflected links at a configuration of the plant."""
        laid = self.slow.lay(model)
        control, f = self.slow.model, list(laid.straight)
        along = mapped(model, control, self.name, laid.straight)
        state = control_start(control, along, begins(model, pose, self.name))
        M = control.mass_matrix(state.q)
        free = self._weightless
        K = elastic_stiffness(free, f)
        if free is control:
            return Pulled(np.linalg.inv(M), K, np.zeros((control.nv, len(f))), np.eye(len(f)))
        G = effort_partials(control, state.q, f) - effort_partials(free, state.q, f)
        held = [entry.v for entry in laid.own]
        u = [k for k in range(control.nv) if k not in held and k not in f]
        # free coordinates follow: q_u'' = -M_uu^-1 G_u q_f
        whole = K + G[f] - M[np.ix_(f, u)] @ np.linalg.solve(M[np.ix_(u, u)], G[u])
        if np.linalg.cond(whole) > 1e9:
            raise ModelError.at(
                self.name,
                "schedule: at a pose gravity takes all stiffness of a link, which buckles; choose another",
                "schedule",
            )
        return Pulled(np.linalg.inv(M), K, G, np.linalg.solve(whole.T, K.T).T)

    def gains(self, model: Model, pose: StartLike) -> np.ndarray:
        """F (driven joints, 2 nf) at a configuration of the plant."""
        D, E = self.fast_system(model, pose)
        Q = weight(self.Q, len(D), f"{self.name}: Q", "fast states")
        R = weight(self.R, E.shape[1], f"{self.name}: R", "driven joints", positive=True)
        control = self.slow.model
        elastic = [control.names.v[k] for k in self.slow.lay(model).straight]
        return lqr(D, E, Q, R, names=[f"{prefix}:{name}" for prefix in "xv" for name in elastic]).gain

    def poles(self, model: Model, pose: StartLike) -> np.ndarray:
        """Poles of the fast loop at a configuration [1/s], slowest first; the links' own damping is not in them."""
        D, E = self.fast_system(model, pose)
        found = np.linalg.eigvals(D - E @ self.gains(model, pose)) * np.sqrt(self.scale)
        return found[np.lexsort((-found.imag, np.round(np.abs(found), 9)))]


class Pulled(NamedTuple):
    """The links at one configuration.

    inverse_mass    of the control model, (nv, nv)
    elastic         K_ff (nf, nf)
    by_gravity      change of the efforts that hold it against gravity, by q_f (nv, nf)
    sag             elastic forces of the links at rest under gravity, by those of straight links (nf, nf)
    """

    inverse_mass: np.ndarray
    elastic: np.ndarray
    by_gravity: np.ndarray
    sag: np.ndarray


def weightless(model: Model) -> Model:
    """The model without gravity, or itself where it has none."""
    from ..model.model import Model

    if len(model.arrays.orbit.numbers) == 3 and not np.any(model.arrays.orbit.numbers):
        return model
    description = {key: value for key, value in model.description.items() if key != "environment"}
    return Model.from_description(description | {"gravity": [0.0, 0.0, 0.0]})


def effort_partials(model: Model, q: np.ndarray, entries: Sequence[int]) -> np.ndarray:
    """Derivatives of `bias` at rest by internal coordinates (nv, nf), by fourth-order differences over 1e-3."""
    h, rest = 1e-3, np.zeros(model.nv)
    out = np.empty((model.nv, len(entries)))
    for c, i in enumerate(entries):
        step = np.zeros(model.nq)
        step[int(model.arrays.q_index[i])] = h
        near, far = (model.bias(q + k * step, rest) - model.bias(q - k * step, rest) for k in (1, 2))
        out[:, c] = (8.0 * near - far) / (12.0 * h)
    return out


def elastic_stiffness(model: Model, entries: Sequence[int]) -> np.ndarray:
    """Stiffness matrix of internal coordinates about the straight bodies, of a model without gravity."""
    K = effort_partials(model, model.neutral, entries)[list(entries)]
    return 0.5 * (K + K.T)

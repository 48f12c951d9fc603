"""Whether bodies stayed within what their models hold for: slopes and strains of what a run kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..basics.warn import warn

if TYPE_CHECKING:
    from ..describe.bodies.body import Body
    from ..model.model import Model


class RangeWarning(UserWarning):
    """A flexible body bends, turns or is strained beyond what its model holds for."""


def warn_out_of_range(model: Model, time: np.ndarray, q: np.ndarray) -> None:
    """Warns of each body that leaves its range, once: when, by what, how far, and what to do.

    time    (nt,) [s]
    q       (nt, nq); rows that are not finite are left out
    """
    for body, columns in _flexible(model):
        worst = None
        with np.errstate(all="ignore"):
            for one in body.excesses(q[:, columns]):
                over = np.nan_to_num(one.values / one.limit, nan=0.0, posinf=0.0)
                if np.max(over, initial=0.0) > 1.0 and (worst is None or np.max(over) > worst[0]):
                    worst = float(np.max(over)), one, float(time[int(np.argmax(over > 1.0))])
        if worst is not None:
            part, one, since = worst
            reached = f"its {one.what} reaches {part * one.limit:.3g}{one.unit}"
            warn(
                f'{model.name}: body "{body.name}" leaves what its model holds for at t = {since:.4g} s: {reached}, '
                f"and {one.limit:g}{one.unit} is the most {one.why}; {one.remedy}",
                RangeWarning,
            )


def _flexible(model: Model) -> list[tuple[Body, list[int]]]:
    """Bodies with internal coordinates, and where these are in q."""
    from ..model.bodies import body_of

    found = [body_of(model, model.bodies[i - 1]) for i in model.arrays.flexible]
    bodies = [body for body in found if body is not None]
    return [(body, [model.index.q[one] for one in body.coordinate_names()]) for body in bodies]

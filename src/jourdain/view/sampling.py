"""A run at even times: what a screen shows, with every contact's peaks kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import quaternions as Q

if TYPE_CHECKING:
    from ..model import Model
    from ..run import Run


def even_times(run: Run, frames_per_second: float, limit: int) -> np.ndarray:
    """Times from the first sample to the last, so many a second but at most `limit` [s]."""
    time = run.record.time
    if len(time) == 1:
        return time.copy()
    count = int(np.ceil(run.duration * frames_per_second)) + 1
    return np.linspace(time[0], time[-1], int(np.clip(count, 2, limit)))


def quaternion_places(model: Model) -> np.ndarray:
    """Where the quaternions of q begin."""
    return np.array([i for i, name in enumerate(model.names.q) if name.endswith(".qw")], dtype=np.int64)


def coordinates_at(run: Run, times: np.ndarray) -> np.ndarray:
    """Coordinates q (nt, nq) at any times of a run.

    Rotations take the shorter way between two samples at an even rate. Coordinates whose rate is an entry of v follow
    the cubic that has both values and both rates (Hermite's, fourth order); the others a straight line.
    """
    record, model = run.record, run.model
    if len(record) == 1:
        return np.repeat(record.q, len(times), axis=0)
    i = np.clip(np.searchsorted(record.time, times, side="right") - 1, 0, len(record) - 2)
    h = (record.time[i + 1] - record.time[i])[:, None]
    s = (times - record.time[i])[:, None] / h
    before, after = record.q[i], record.q[i + 1]
    out = before + s * (after - before)
    drives = np.asarray(model.arrays.q_index)
    plain, rates = drives[drives >= 0], np.flatnonzero(drives >= 0)
    if len(plain):
        a, b = before[:, plain], after[:, plain]
        va, vb = h * record.v[i][:, rates], h * record.v[i + 1][:, rates]
        bend = s * (1.0 - s)
        out[:, plain] += bend * ((1.0 - s) * (va - (b - a)) - s * (vb - (b - a)))
    for place in quaternion_places(model):
        four = slice(place, place + 4)
        out[:, four] = Q.slerp(before[:, four], after[:, four], s[:, 0])
    return out


def peaks_at(time: np.ndarray, size: np.ndarray, times: np.ndarray) -> np.ndarray:
    """For each even time the recorded sample to show (nt,): the one of largest size nearer to it than to the others.

    time, size    of the record (nr,)
    """
    if len(times) == 1:
        return np.array([int(np.argmax(size))])
    step = (times[-1] - times[0]) / (len(times) - 1)
    nearest = np.clip(np.searchsorted(time, times), 1, len(time) - 1)
    chosen = nearest - (times - time[nearest - 1] < time[nearest] - times)
    shown = np.clip(np.rint((time - times[0]) / step).astype(np.int64), 0, len(times) - 1)
    order = np.lexsort((size, shown))
    last = np.flatnonzero(np.diff(shown[order], append=-1))
    chosen[shown[order][last]] = order[last]
    return chosen

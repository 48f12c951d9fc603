"""A run at the times of its pictures: even ones, and those at which something happens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..basics import quaternions as Q

if TYPE_CHECKING:
    from ..model.model import Model
    from ..results.run import Run


def even_times(run: Run, frames_per_second: float, limit: int) -> np.ndarray:
    """Times from the first sample to the last, so many a second but at most `limit` [s]."""
    time = run.record.time
    if len(time) == 1:
        return time.copy()
    count = int(np.ceil(run.duration * frames_per_second)) + 1
    return np.linspace(time[0], time[-1], int(np.clip(count, 2, limit)))


def picture_times(run: Run, frames_per_second: float, limit: int, also: Iterable[float] = ()) -> np.ndarray:
    """Even times, and between them the recorded samples at which something happens, at most `limit` in all [s].

    also    further times, which come first where there is little memory
    """
    time = run.record.time
    wanted = [float(t) for t in also if time[0] <= t <= time[-1]]
    special = list(dict.fromkeys([*wanted, *(float(time[i]) for i in turning_samples(run))]))[: limit // 3]
    return np.union1d(even_times(run, frames_per_second, max(2, limit - len(special))), special)


def turning_samples(run: Run) -> list[int]:
    """Samples of a run that its pictures must not miss, what matters most first.

    Of every spell of a contact the largest force, its first and its last sample and those around it without contact;
    of every event the samples before and after it.
    """
    last = len(run.record) - 1
    found: list[tuple[float, list[int]]] = []
    piles = {run.contact.names[number] for number in run.contact.piles}
    for name in run.contact.display_names:
        if name in piles:
            continue
        one = run.contact[name]
        size = np.linalg.norm(np.nan_to_num(one.force.values), axis=1)
        touching = np.isfinite(one.point.values[:, 0])
        edges = np.flatnonzero(np.diff(touching.astype(np.int8), prepend=0, append=0))
        scale = float(size.max()) or 1.0
        for first, behind in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            top = first + int(np.argmax(size[first:behind]))
            found.append((size[top] / scale, [top, first, max(first - 1, 0), behind - 1, min(behind, last)]))
    for happening in run.events:
        i = int(np.searchsorted(run.record.time, happening.time))
        found.append((2.0, [max(i - 1, 0), min(i, last), min(i + 1, last)]))
    return list(dict.fromkeys(i for _, some in sorted(found, key=lambda one: -one[0]) for i in some))


def nearest(time: np.ndarray, t: float | np.ndarray) -> np.ndarray:
    """Places of the samples that are nearest to times; the rule by which replay and plots show numbers."""
    if len(time) == 1:
        return np.zeros(np.shape(t), np.int64)
    i = np.clip(np.searchsorted(time, t), 1, len(time) - 1)
    return i - (np.asarray(t) - time[i - 1] <= time[i] - np.asarray(t))


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

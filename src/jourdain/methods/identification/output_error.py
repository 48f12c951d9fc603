"""Output error: the numbers with which the model's own run is nearest to what was measured.

    minimise  sum_c sum_i rho( (g_c y_c(t_i - d_c; x) + o_c - m_ci)^2 / s_c^2 )  +  priors,

y the quantities of a run that begins at the record's state, g, d and o gain, delay and offset of a sensor, s its noise
(Ljung 1999, System Identification, 7.2 and 7.4). The search is Gauss-Newton in a trust region with bounds (Branch,
Coleman & Li 1999, as SciPy has it), with sensitivities of runs in step. Noise that is not given is estimated with the
rest, channel by channel (maximum likelihood, Ljung 7.4), by fitting again with the deviations of the residuals.

A record may be cut into parts that begin from states of their own, which the search then joins (multiple shooting, Bock
1981): unstable plants leave a record within a few time constants, a part of it they do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...basics.errors import JourdainError, ModelError
from .experiment import Experiment
from .measured import Channel, Measured
from .sensitivity import QUICK
from .unknowns import Unknowns

JOINED = 1e-6
"""Gap between the parts of a record that counts like one standard deviation, over the size of the state."""
HELD = 0.03
"""Weight of the distance from the start, over the sizes of the unknowns: it holds what no record shows, and moves what
has an error of a size by a thousandth of that error."""
ROUNDS = 6
"""How often the noise is estimated at most."""
SETTLED = 0.01
"""Change of the noise, over itself, at which its estimate is done."""
UNITS = {"degrees": 180.0 / np.pi, "thousandths of its unit": 1000.0, "thousands of its unit": 0.001}
"""Factors between a record and a model that a forgotten unit makes."""
LOSSES = ("linear", "soft_l1", "huber", "cauchy")


@dataclass(frozen=True, eq=False)
class SearchResult:
    """Where a search ended.

    x            the numbers of the search
    jacobian     (residuals, n) of all residuals over their deviations, joins and priors among them
    residuals    (residuals,)
    samples      how many of these are samples of channels: the first ones
    noise        deviation by channel
    iterations   evaluations of sensitivities
    converged    whether the search came to its end
    """

    x: np.ndarray
    jacobian: np.ndarray
    residuals: np.ndarray
    samples: int
    noise: dict[str, float]
    iterations: int
    converged: bool
    message: str


def stated_by(sensor: Mapping[str, float], times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """What a sensor with a gain, a delay [s] and an offset measures of values (nt,) at times."""
    if sensor["delay"] != 0.0:
        from scipy.interpolate import CubicSpline

        values = CubicSpline(times, values)(np.maximum(times - sensor["delay"], times[0]))
    return sensor["gain"] * values + sensor["offset"]


class OutputError:
    """The residuals of records as functions of the numbers of a search.

    records        what was measured
    experiments    the run of each
    unknowns       the numbers
    links          (a, b): record b goes on where record a ends
    """

    def __init__(
        self,
        records: Sequence[Measured],
        experiments: Sequence[Experiment],
        unknowns: Unknowns,
        links: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.records, self.experiments, self.unknowns, self.links = records, experiments, unknowns, list(links)
        self.ends = {a for a, _ in links}
        model = experiments[0].model
        self.states = [f"q:{name}" for name in model.names.q] + [f"v:{name}" for name in model.names.v]
        self.state_scale = self._state_scale()
        names = dict.fromkeys(channel.name for record in records for channel in record.channels)
        self.suspicions: list[str] = []
        self.noise = {name: self._rough(name) for name in names}
        self.estimated = [name for name in names if any(c.noise is None for c in self._all(name))]

    def _all(self, name: str) -> list[Channel]:
        return [one for record in self.records for one in record.channels if one.name == name]

    def _rough(self, name: str) -> float:
        """The noise of a channel as given, or a tenth of how far it moves."""
        given = [one.noise for one in self._all(name)]
        if given and all(one is not None for one in given):
            return float(given[0])  # type: ignore[arg-type]
        return 0.1 * max(float(np.std(one.values)) for one in self._all(name))

    def _state_scale(self) -> np.ndarray:
        every = [np.concatenate([one.state.q, one.state.v]) for one in self.records]
        return np.maximum(np.max(np.abs(every), axis=0), 1.0)

    def quantities(self, record: int) -> list[str]:
        """What is asked of a run: the channels, and its whole state where another part goes on from it."""
        names = [channel.name for channel in self.records[record].channels]
        return names + (self.states if record in self.ends else [])

    def raw(self, x: np.ndarray, record: int, checked: bool = True) -> np.ndarray:
        """Quantities (nt, ny) of the run of a record."""
        values = self.unknowns.of_model(x, record)
        return self.experiments[record].outputs(values, self.quantities(record), checked)

    def sensed(self, x: np.ndarray, raw: np.ndarray, record: int) -> list[np.ndarray]:
        """What the sensors of a record measure of its run, channel by channel, and the state at its end where it is
        joined."""
        one, times = self.records[record], self.experiments[record].times
        out = []
        for j, channel in enumerate(one.channels):
            sensor = self.unknowns.of_sensor(x, channel.name)
            out.append(stated_by(sensor, times, raw[:, j])[one.places(channel)])
        if record in self.ends:
            out.append(raw[-1, len(one.channels) :])
        return out

    def starts(self, x: np.ndarray, record: int) -> np.ndarray:
        """The state (q, v) that a record begins from."""
        values = self.unknowns.of_model(x, record)
        _, state, _ = self.experiments[record].case(values, True)
        return np.concatenate([state.q, state.v])

    def stacked(self, x: np.ndarray, stated: Sequence[Sequence[np.ndarray]]) -> np.ndarray:
        """All residuals over their deviations: channels of all records, joins, priors."""
        parts = []
        for record, values in zip(self.records, stated, strict=True):
            for channel, one in zip(record.channels, values, strict=False):
                parts.append((one - channel.values) / self.noise[channel.name])
        for a, b in self.links:
            parts.append((stated[a][-1] - self.starts(x, b)) / (JOINED * self.state_scale))
        parts.append(self._priors(x))
        return np.concatenate(parts)

    def _priors(self, x: np.ndarray) -> np.ndarray:
        values = dict(zip(self.unknowns.names, self.unknowns.reported(x), strict=True))
        return np.array([
            (value - mean) / deviation
            for wanted, (mean, deviation) in self.unknowns.priors.items()
            for name, value in values.items()
            if wanted in (name, name.partition("@")[0])
        ])  # fmt: skip

    @property
    def samples(self) -> int:
        """How many samples there are."""
        return sum(len(channel.time) for record in self.records for channel in record.channels)

    @property
    def tight(self) -> slice:
        """Which of the residuals are gaps between parts."""
        return slice(self.samples, self.samples + len(self.links) * len(self.state_scale))

    def residuals(self, x: np.ndarray) -> np.ndarray:
        """All residuals; infinite where the model cannot be run with these numbers."""
        try:
            stated = self._stated(x)
        except JourdainError:
            count = self.samples + len(self.links) * len(self.state_scale) + len(self._priors(x))
            return np.full(count, np.inf)
        return self.stacked(x, stated)

    def _stated(self, x: np.ndarray) -> list[list[np.ndarray]]:
        # checked, so that a search never leaves what can be built
        raws = [self.raw(x, i, checked=False) for i in range(len(self.records))]
        return [self.sensed(x, raw, i) for i, raw in enumerate(raws)]

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Derivatives of the residuals by the numbers of the search."""
        count = len(self.records)
        for i in range(count):
            self.experiments[i].lock(self.unknowns.of_model(x, i))
        base = [self.raw(x, i) for i in range(count)]
        columns = []
        for k in range(len(x)):
            h = QUICK * self.unknowns.scale[k]
            ends: list[np.ndarray | None] = []
            for side in (1.0, -1.0):
                moved = np.array(x)
                moved[k] += side * h
                try:
                    ends.append(self.stacked(moved, [self._moved(moved, i, k, base[i]) for i in range(count)]))
                except JourdainError:
                    ends.append(None)
            up, down = ends
            if up is None and down is None:
                raise ModelError.at(self.unknowns.names[k], "neither a larger nor a smaller value can be run")
            if up is None or down is None:
                here = self.stacked(x, [self.sensed(x, raw, i) for i, raw in enumerate(base)])
                columns.append((up - here) / h if up is not None else (here - down) / h)
            else:
                columns.append((up - down) / (2.0 * h))
        return np.column_stack(columns)

    def _moved(self, x: np.ndarray, record: int, k: int, base: np.ndarray) -> list[np.ndarray]:
        """What sensors measure with another number k; the run is made again only where it has to do with it."""
        same = self.unknowns.is_sensor(k) or not self.unknowns.concerns(k, record)
        return self.sensed(x, base if same else self.raw(x, record), record)

    def search(self, loss: str = "linear", most: int = 50) -> SearchResult:
        """The numbers at which the sum of squares is least."""
        x, rounds, total = self.unknowns.start, 0, 0
        raws = [self.raw(x, i, checked=False) for i in range(len(self.records))]
        self.suspicions = self._suspicions(raws)
        while True:
            x, fine, message, evaluated = self._joined(x, most) if self.links else self._least(x, loss, most)
            rounds, total = rounds + 1, total + evaluated
            before = dict(self.noise)
            self._estimate(x, loss)
            moved = max((abs(self.noise[one] / before[one] - 1.0) for one in self.estimated), default=0.0)
            if moved < SETTLED or rounds == ROUNDS or (loss == "linear" and len(self.noise) == 1 and not self._other):
                break
        return SearchResult(
            x, self.jacobian(x), self.residuals(x), self.samples, dict(self.noise), total, fine, message
        )

    def _least(self, x: np.ndarray, loss: str, most: int) -> tuple[np.ndarray, bool, str, int]:
        """Gauss-Newton in a trust region, with bounds; what no record shows stays where it began."""
        from scipy.optimize import least_squares

        held, scale = self.unknowns.start, HELD / self.unknowns.scale

        def residuals(x: np.ndarray) -> np.ndarray:
            return np.concatenate([self.residuals(x), scale * (x - held)])

        def jacobian(x: np.ndarray) -> np.ndarray:
            return np.vstack([self.jacobian(x), np.diag(scale)])

        made = least_squares(
            residuals, x, jacobian, (self.unknowns.low, self.unknowns.high), method="trf",
            x_scale=self.unknowns.scale, loss=loss, xtol=1e-9, ftol=1e-8, gtol=1e-12, max_nfev=most,
        )  # fmt: skip
        return made.x, bool(made.status > 0), str(made.message), int(made.njev)

    def _joined(self, x: np.ndarray, most: int) -> tuple[np.ndarray, bool, str, int]:
        """Gauss-Newton whose steps close the joins to first order (Bock 1981): the least squares of the samples among
        the steps dx with C dx = -c, found in the null space of C. Steps are halved until samples and gaps together
        are nearer."""
        scale, low, high = self.unknowns.scale, self.unknowns.low, self.unknowns.high
        tight = self.tight
        r = self.residuals(x)
        for count in range(1, most + 1):
            J = self.jacobian(x) * scale
            C, c = JOINED * J[tight], JOINED * r[tight]
            near = -np.linalg.lstsq(C, c, rcond=1e-10)[0]
            Z = np.linalg.svd(C)[2][len(C) :].T
            rest = np.delete(np.arange(len(r)), np.arange(tight.start, tight.stop))
            inner = -np.linalg.lstsq(J[rest] @ Z, r[rest] + J[rest] @ near, rcond=1e-10)[0] if Z.size else np.zeros(0)
            step = (near + (Z @ inner if Z.size else 0.0)) * scale
            gap = float(np.linalg.norm(c))
            weight = 2.0 * float(np.linalg.norm(r[rest])) / (gap or 1.0)
            merit = float(np.linalg.norm(r[rest])) + weight * gap
            part = 1.0
            for _ in range(10):
                trial = np.clip(x + part * step, low, high)
                new = self.residuals(trial)
                if np.linalg.norm(new[rest]) + weight * JOINED * np.linalg.norm(new[tight]) <= merit * (1.0 + 1e-9):
                    break
                part *= 0.5
            else:
                return x, bool(np.max(np.abs(step / scale)) < 1e-5), "no step is nearer", count
            x, r = trial, new
            if np.max(np.abs(part * step / scale)) < 1e-7:
                return x, True, "steps are small", count
        return x, False, "too many steps", most

    def _suspicions(self, raws: Sequence[np.ndarray]) -> list[str]:
        """Channels that look like the model at the start in another unit, turned round, or with times in ms."""
        out = []
        for i, record in enumerate(self.records):
            stated = self.sensed(self.unknowns.start, raws[i], i)
            alike = []
            for channel, values in zip(record.channels, stated, strict=False):
                spread, like = float(np.std(values)), _likeness(values, channel.values)
                gain = float(np.std(channel.values)) / spread if spread > 0.0 else 0.0
                alike.append(like)
                for words, factor in UNITS.items():
                    if abs(gain / factor - 1.0) < 0.15 and like > 0.5:
                        out.append(
                            f"{channel.name}: the record is {gain:.4g} times the model; it seems to be in {words}"
                        )
                if abs(gain - 1.0) < 0.15 and like < -0.9:
                    out.append(
                        f"{channel.name}: the record is {-gain:.4g} times the model; its sign seems to be turned"
                    )
            if alike and max(np.abs(alike)) < 0.5 and self._in_milliseconds(i):
                out.append(f"{record.name}: its times seem to be in ms; divide them by 1000")
        return out

    def _in_milliseconds(self, record: int) -> bool:
        """Whether the run of a record looks like it where its times are a thousandth of what they are."""
        one, base = self.records[record], self.experiments[record]
        begin = one.state.time
        quick = Experiment(base.model, base.state, begin + 1e-3 * (base.times - begin), base.drive)
        try:
            raw = quick.outputs(self.unknowns.of_model(self.unknowns.start, record), self.quantities(record))
        except JourdainError:
            return False
        stated = self.sensed(self.unknowns.start, raw, record)
        return all(_likeness(x, c.values) > 0.9 for c, x in zip(one.channels, stated, strict=False))

    @property
    def _other(self) -> bool:
        """Whether there are residuals besides those of one channel, whose weight depends on its noise."""
        return bool(self.links or self.unknowns.priors)

    def _estimate(self, x: np.ndarray, loss: str) -> None:
        """Sets the noise that is not given to the deviation of the residuals; of robust losses by their median."""
        if not self.estimated:
            return
        residuals = self.residuals(x)[: self.samples]
        lost = 1.0 - min(len(x), self.samples - 1) / self.samples
        parts: dict[str, list[np.ndarray]] = {}
        at = 0
        for record in self.records:
            for channel in record.channels:
                parts.setdefault(channel.name, []).append(residuals[at : at + len(channel.time)])
                at += len(channel.time)
        for name in self.estimated:
            every = np.concatenate(parts[name])
            if loss == "linear":
                factor = np.sqrt(np.mean(every**2) / lost)
            else:
                factor = 1.4826 * np.median(np.abs(every)) / np.sqrt(lost)
            self.noise[name] *= float(max(factor, 1e-9))


def _likeness(one: np.ndarray, other: np.ndarray) -> float:
    """Correlation of two signals; zero where one of them stands still."""
    if not (np.std(one) > 0.0 and np.std(other) > 0.0):
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])


def split(records: Sequence[Measured], parts: int) -> tuple[list[Measured], list[tuple[int, int]]]:
    """Records cut into parts of equal duration, and which of them join."""
    out: list[Measured] = []
    links: list[tuple[int, int]] = []
    for record in records:
        times = record.times
        cuts = np.linspace(record.state.time, times[-1], parts + 1)[1:-1]
        cuts = np.unique(times[np.searchsorted(times, cuts)])
        edges = [-np.inf, *cuts, np.inf]
        for k, (low, high) in enumerate(zip(edges, edges[1:], strict=False)):
            channels = _within(record.channels, low, high)
            if not channels:
                raise ModelError.at(record.name or "record", f"{parts} parts leave one without samples; take fewer")
            state = record.state.copy()
            if k:
                state = type(state)(float(low), state.q, state.v, state.z)
                links.append((len(out) - 1, len(out)))
            out.append(Measured(channels, state, record.drive, f"{record.name} part {k + 1}".strip()))
    return out, links


def _within(channels: Sequence[Channel], low: float, high: float) -> tuple[Channel, ...]:
    """Samples from a time on and before another."""
    out = []
    for one in channels:
        inside = (one.time >= low - 1e-9) & (one.time < high - 1e-9)
        if np.sum(inside) >= 8:
            out.append(Channel(one.name, one.time[inside], one.values[inside], one.noise, one.unit))
    return tuple(out)

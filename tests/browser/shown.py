"""What a report shows at a time, read off its page: values of the plots' legends and the numbers of the replay."""

import numpy as np

from jourdain.results.quantities import quantity
from jourdain.view.sampling import nearest

SHOWN = """((time) => {
  const { clock, plots, stage } = jourdain;
  clock.play(false); clock.seek(time);
  if (stage) stage.pose(clock.time);
  const own = ({ plot }) => plot.series.map((s, i) => [s, i]).filter(([s]) => !s.ghost);
  return {
    time: clock.time,
    plots: plots.all.map((one) => ({
      id: one.plot.id,
      at: one.x[one.u.legend.idxs[0] ?? one.u.legend.idx],
      labels: own(one).map(([s]) => s.label),
      texts: own(one).map(([, i]) => one.host.querySelectorAll(".u-legend .u-series")[i + 1]
        .querySelector(".u-value").textContent),
    })),
    arrows: stage ? stage.arrows[0].items.map((item) => ({
      name: item.name, value: item.value, shown: Boolean(item.mesh.visible),
      text: item.mesh.visible ? item.label.textContent : "",
    })) : [],
  };
})(%r)"""


def shown(page, time: float) -> dict:
    """What the page shows at a time [s]."""
    return page.evaluate(SHOWN % float(time))


def value(text: str) -> float:
    """The number of a text such as "−142.9 N"."""
    return float(text.replace("−", "-").split()[0])


def same(text: str, wanted: float) -> bool:
    """Whether a text says a number with its four digits; very small ones have three, and single precision counts."""
    if text.startswith("–") or not text:
        return not np.isfinite(wanted)
    return abs(value(text) - wanted) <= 0.51e-2 * 10.0 ** np.floor(np.log10(max(abs(wanted), 1e-300)))


def check(page, run, names: dict[str, list[str]], times) -> int:
    """At some times: replay and plots show the same recorded sample. Returns how many arrows were looked at.

    names    quantities by the place of their plot, in the order of its lines
    """
    record, seen = run.record.time, 0
    forces = {name: np.linalg.norm(run.contact[name].force.values, axis=1) for name in run.contact.display_names}
    touching = {name: np.isfinite(run.contact[name].point.values[:, 0]) for name in run.contact.display_names}
    values = {name: quantity(run, name).values for some in names.values() for name in some}
    for time in times:
        found = shown(page, time)
        (at,) = {one["at"] for one in found["plots"]}
        sample = int(nearest(record, at))
        assert record[sample] == at, f"{at} s is no recorded sample"
        for one in found["plots"]:
            for name, text in zip(names.get(one["id"], []), one["texts"]):
                assert same(text, values[name][sample]), (time, name, text, values[name][sample])
        for arrow in found["arrows"]:
            wanted = float(forces[arrow["name"]][sample]) if touching[arrow["name"]][sample] else 0.0
            assert abs(arrow["value"] - wanted) <= 1e-6 * max(wanted, 1.0), (time, arrow, wanted)
            assert not arrow["shown"] or same(arrow["text"], wanted)
            assert arrow["shown"] or wanted <= 1e-3 * forces[arrow["name"]].max()
            seen += arrow["shown"]
    return seen

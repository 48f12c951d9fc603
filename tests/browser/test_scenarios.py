"""The six packaged scenarios in a real browser: at any time the replay shows the numbers that its plots show."""

import numpy as np
import pytest
from browser.shown import check

from jourdain.study.demo import SCENARIOS, shipped
from jourdain.study.report.run_report import write_report

READY = "document.documentElement.dataset.ready"
NAMES = sorted(path.stem for path in SCENARIOS.glob("*.yaml"))


def plotted(page, scenario) -> dict[str, list[str]]:
    """Quantities of the scenario's figures by the place of their plot; a figure of several units has several."""
    names = [name for figure in scenario.figures for name in figure.quantities]
    places = page.evaluate(
        "jourdain.plots.all.map(({ plot }) => [plot.id, plot.series.filter((s) => !s.ghost).length])"
        ".filter(([id]) => id.startsWith('plot'))"
    )
    whole: list[list[str]] = []
    for figure in scenario.figures:
        units: dict[str, list[str]] = {}
        for name in figure.quantities:
            units.setdefault(scenario.units[name], []).append(name)
        whole += units.values()
    assert [len(some) for some in whole] == [count for _, count in places] and len(names) == sum(map(len, whole))
    return {place: some for (place, _), some in zip(places, whole)}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_replay_says_what_the_plots_say(chromium, tmp_path, name, rng):
    """200 random times, and those of every peak and touchdown."""
    from jourdain.results.quantities import quantity
    from jourdain.view.sampling import turning_samples

    scenario = shipped(name)
    run = scenario.simulate()
    scenario.units = {one: quantity(run, one).unit for figure in scenario.figures for one in figure.quantities}
    page = chromium.page(700, 600)
    page.open(write_report(run, tmp_path / "report.html"))
    page.wait_for(READY)
    names = plotted(page, scenario)
    times = rng.uniform(run.record.time[0], run.record.time[-1], 200)
    turns = run.record.time[turning_samples(run)[:40]]
    seen = check(page, run, names, [*times, *turns])
    assert (seen > 0) == bool(len(turns))
    for time in turns[:1]:
        # the largest force of all is shown at its own time, and 10 ms before the first touch there is none
        top = check(page, run, names, [time])
        assert top == 1
    assert page.errors == [] and np.all(np.diff(page.evaluate("[...jourdain.plots.all[0].x]")) > 0.0)

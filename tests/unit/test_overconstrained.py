"""Linkages with more rows than rank, through places where rows that were independent come to depend on each other."""

import warnings
from functools import cache

import numpy as np
import pytest
from linkages import LINKAGES, G, bennett_frames, linkage
from loop_machines import machines
from random_linkages import FAMILIES, Round, random_linkage

import jourdain as jd
from jourdain.run.plan import Plan
from jourdain.run.redundancy import near_singular, weighted_rows

pytestmark = pytest.mark.filterwarnings("ignore::jourdain.constraints.ConstraintWarning")

BENNETT = LINKAGES["Bennett"]
UNTIL = 1.0
"""By then Bennett's linkage has passed two places where the rows of largest volume at the start are dependent."""

METHODS = {
    "projection": jd.constraints.Projection(),
    "optimal": jd.constraints.Projection(partition="optimal"),
    "baumgarte": jd.constraints.Baumgarte(rate=30.0),
    "unstabilised": jd.constraints.Unstabilised(),
    "orthogonal": jd.constraints.Orthogonal(),
    "orthogonal unit": jd.constraints.Orthogonal(weight="unit"),
    "partitioning": jd.constraints.Partitioning(),
    "null-space": jd.constraints.NullSpace(),
    "conjugate-gradients": jd.constraints.ConjugateGradients(),
    "blocks": jd.constraints.ConjugateGradients(preconditioner="blocks"),
    "momenta": jd.constraints.Momenta(),
}


@pytest.fixture(scope="module")
def bennett():
    model = BENNETT.system().compile()
    return model, BENNETT.start(model)


class Watched:
    """Rows that the workspace of a run takes, as the compiled loop asks for them."""

    def __init__(self, model: jd.Model, state: jd.State) -> None:
        from jourdain.kernels.constraints.row_selection import watch_closure

        self.plan = Plan(model, state, 1.0, 0.5).prepare()
        self.ws, self.task = self.plan.workspace(), self.plan.task()
        self.call = watch_closure.ready(model.features).python

    def at(self, q: np.ndarray, first: int = 0) -> tuple[int, np.ndarray]:
        """What it says of coordinates, and the rows that are then taken."""
        status = self.call(self.plan.model.arrays, self.task, 0.0, np.array(q), np.zeros(len(q)), self.ws, first)
        at = self.ws.layout.taken
        return status, np.flatnonzero(self.ws.solve_links[at : at + len(self.ws.constraint_rows)])


QUICK = [("Bennett", 0), ("Bennett", 2), ("line-symmetric", 2), ("Goldberg", 3), ("spherical", 3)]
TURNS = [*QUICK, *(pytest.param(name, 3, marks=pytest.mark.slow) for name in FAMILIES if (name, 3) not in QUICK)]
"""Of `random_linkages`: Bennett's with rows along the line that it stretches out on, and one of each family."""


@cache
def turning(family: str, number: int) -> tuple[Round, jd.Model]:
    one = random_linkage(family, number)
    return one, one.system().compile()


@pytest.mark.parametrize(("family", "number"), TURNS)
def test_rows_that_are_taken_stay_far_from_dependent(family, number):
    """The least singular value of the rows taken is never below a tenth of that of all rows, in the metric of the
    kinetic energy: for rows of largest volume it is above one of sqrt(1 + r (m - r)) (Goreinov & Tyrtyshnikov 2001),
    here at least 1 / sqrt(7), and they are kept until another volume is sqrt(2 / 0.3) times as large."""
    one, model = turning(family, number)
    watched = Watched(model, one.start(model))
    scale = np.sqrt(watched.plan.roles.weights)[:, None]
    left, chosen = [], set()
    for i, q in enumerate(one.way.points):
        status, taken = watched.at(q[: model.nq], first=int(i == 0))
        assert status == 0
        chosen.add(tuple(taken))
        rows = scale * weighted_rows(model, 0.0, q[: model.nq], [])
        mine, every = (np.linalg.svd(some, compute_uv=False)[len(taken) - 1] for some in (rows[taken], rows))
        left.append(mine / every)
    assert min(left) > 0.1
    if family == "Bennett":
        assert len(chosen) > 1


@pytest.mark.parametrize(("family", "number"), TURNS)
def test_linkages_pass_every_configuration_of_a_turn(family, number):
    """An error of rtol = 1e-9 a step adds up along a way of some ten radians; 1e-7 leaves ten for each of ten."""
    one, model = turning(family, number)
    run = jd.simulate(model, one.start(model), one.way.until, output=one.way.until / 12)
    assert one.way.error(run.record.time, run.record.q) < 1e-7
    assert run.trusted
    assert "singular" not in run.options


def test_runge_kutta_keeps_its_order_where_rows_vanish():
    """Rows of the start that vanish on the way made an error of 1 rad of the finer steps."""
    one, model = turning("Bennett", 0)
    errors = []
    for steps in (600, 1200, 2400):
        run = jd.simulate(model, one.start(model), one.way.until, step=one.way.until / steps, output=one.way.until / 12)
        errors.append(one.way.error(run.record.time, run.record.q))
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([4.0, 4.0], abs=0.2)


def test_loops_wear_each_for_themselves():
    """What one loop loses of its volume, another may gain: both together hide it."""
    some = [random_linkage("Bennett", number) for number in (0, 2, 10)]
    system = jd.System("three loops", gravity=tuple(G))
    v = {}
    for i, one in enumerate(some):
        one.add_to(system, f"{i}.".replace(".", "_"))
        v |= {f"{i}_{name}": speed for name, speed in one.velocities.items()}
    model = system.compile()
    until = min(one.way.until for one in some)
    run = jd.simulate(model, model.state(v=v), until, output=until / 12)
    for i, one in enumerate(some):
        columns = [model.index.q[f"{i}_hinge{k + 1}"] for k in range(3)]
        assert one.way.error(run.record.time, run.record.q[:, columns]) < 1e-7


def stretched(angle: float) -> Round:
    """Bennett's linkage at an angle from where it is stretched out on a line, and rows along that vanish."""
    alpha, beta = np.radians((35.0, 70.0))
    frames = bennett_frames(0.6, 0.6 * np.sin(beta) / np.sin(alpha), alpha, beta, angle)
    return Round(linkage("stretched", [p for _, p in frames], [R[:, 2] for R, _ in frames], 1.2))


@pytest.mark.parametrize("angle", [1e-7, 1e-5, 1e-3])
def test_a_start_near_where_rows_vanish_may_be_off_a_little(angle):
    """Divided by its own length, a row of 1e-5 that is 1e-10 off has a direction that is 1e-5 off, and one rank too
    much was counted: the linkage moved as if it were locked, without a word."""
    one = stretched(angle)
    model = one.system().compile()
    rng = np.random.default_rng(1)
    exact = jd.simulate(model, one.start(model), 0.1, output=0.1)
    assert model.mobility(model.state()).degrees == 1
    assert len(model.linearize(model.state(), independent=["hinge1"]).A) == 2
    for off in (1e-13, 1e-11, 1e-9):
        state = one.start(model)
        begun = jd.State(0.0, state.q + off * rng.uniform(-1.0, 1.0, 3), state.v)
        run = jd.simulate(model, begun, 0.1, output=0.1)
        assert run.record.q[-1] == pytest.approx(exact.record.q[-1], abs=1e-7)


@pytest.mark.parametrize("number", [0, 3])
def test_kinematics_pass_every_configuration_of_a_turn(number):
    """A row that vanishes is no lock-up, and no bifurcation; places are those of the way by closure."""
    one, model = turning("Bennett", number)
    end = float(one.way.points[-1][0])
    driver = {"hinge1": jd.Polynomial([0.0, end])}
    found = jd.mechanism.positions(model, driver, np.linspace(0.0, 1.0, 25), start=model.state())
    first = np.array(one.way.points)[:, 0]
    for q in found.q[1:-1]:
        k = int(np.searchsorted(first * np.sign(end), q[0] * np.sign(end))) - 1
        assert one.way.off(k, q) < 1e-9
    path = jd.mechanism.trace(model, driver, start=model.state(), until=1.0, length=60.0, step=0.1)
    assert path.stopped == "until" and not path.events


@pytest.mark.parametrize("method", ["partitioning", "null-space"])
def test_independent_coordinates_may_stop(method):
    """Every hinge of this linkage stops somewhere on its way: an entry that is independent must not be there."""
    one, model = turning("spherical", 3)
    run = jd.simulate(model, one.start(model), one.way.until, constraints=method)
    assert one.way.error(run.record.time, run.record.q) < 1e-7


def test_a_loop_without_surplus_rows_exchanges_none():
    """Three rows of a planar loop that is closed by a spatial hinge do nothing; the other two have nothing to spare."""
    model = machines.four_bars(1).compile()
    watched = Watched(model, machines.four_bars_start(model))
    assert watched.ws.layout.spare == 0
    assert len(watched.at(watched.plan.q, first=1)[1]) == 2


def test_runge_kutta_keeps_its_order_where_rows_are_exchanged(bennett):
    """With the rows of the start the error was 3e-2 at 4 ms and fell by no power of the step."""
    exact = BENNETT.motion(UNTIL)[0]
    errors = []
    for step in (4e-3, 2e-3):
        run = jd.simulate(*bennett, UNTIL, step=step, output=UNTIL)
        errors.append(np.max(np.abs(run.record.q[-1] - exact)))
    assert errors[0] < 1e-6
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.15)


@pytest.mark.parametrize("method", METHODS)
def test_every_constraint_method_solves_bennetts_linkage(bennett, method):
    run = jd.simulate(*bennett, UNTIL, output=UNTIL, rtol=1e-12, atol=1e-13, constraints=METHODS[method])
    assert run.record.q[-1] == pytest.approx(BENNETT.motion(UNTIL)[0], abs=1e-9)
    assert np.max(np.abs(run.energy["balance"])) < 1e-8


@pytest.mark.parametrize("form", ["index-3", "index-2", "index-1"])
def test_implicit_methods_solve_bennetts_linkage(bennett, form):
    """Radau's order, and what generalized-alpha and BDF reach with their tolerances."""
    exact = BENNETT.motion(UNTIL)[0]
    run = jd.simulate(*bennett, UNTIL, step=5e-3, method="radau", output=UNTIL, form=form)
    assert run.record.q[-1] == pytest.approx(exact, abs=2e-7)
    for method, off in (("generalized-alpha", 1e-3), ("bdf", 1e-4)):
        run = jd.simulate(*bennett, UNTIL, method=method, output=UNTIL, rtol=1e-6, atol=1e-8, form=form)
        assert run.record.q[-1] == pytest.approx(exact, abs=off), method


def test_many_runs_begin_with_the_same_rows(bennett):
    """A case does not depend on the rows that the case before it, in the same workspace, ended with."""
    model, state = bennett
    alone = jd.simulate(model, state, 0.5, step=2e-3, output=0.5).record.q[-1]
    many = jd.simulate_many(model, [state] * 3, 0.5, step=2e-3, workers=1)
    assert not many.failed
    assert np.array_equal(many.record.q[:, -1], np.tile(alone, (3, 1)))


def test_a_place_that_only_the_taken_rows_allow_is_left(bennett):
    """Two of the five rows of Bennett's linkage have other solutions, on which the remaining three are open."""
    model, state = bennett
    watched = Watched(model, state)
    _, taken = watched.at(state.q, first=1)
    rng = np.random.default_rng(2)
    elsewhere = 0
    for _ in range(10):
        q = state.q + rng.uniform(-2.0, 2.0, model.nq)
        for _ in range(30):
            A, gap = model.constraints.jacobian(q)[taken], model.constraints.residual(q)[taken]
            q = q - np.linalg.lstsq(A, gap, rcond=None)[0]
        gaps = np.abs(model.constraints.residual(q))
        if np.max(gaps[taken]) < 1e-12:
            assert watched.at(q, first=1)[0] == int(np.max(gaps) > 1e-5)
            elsewhere += int(np.max(gaps) > 1e-2)
    assert elsewhere > 0


def test_a_run_that_leaves_its_constraints_says_so(bennett):
    """Multipliers alone and steps that are much too long: no quiet end, whatever the method of integration."""
    with pytest.raises(
        jd.errors.SimulationError, match='left its constraints: "closure" is open by .*projection'
    ) as stopped:
        jd.simulate(*bennett, 3.0, step=2.5e-2, method="euler", constraints="unstabilised")
    assert stopped.value.culprit == "closure"
    assert stopped.value.partial.options["gap"]["largest"] > 0.05
    many = jd.simulate_many(*bennett, 3.0, step=2.5e-2, method="euler", constraints="unstabilised")
    assert list(many.failed) == [0]


def test_loops_that_open_visibly_are_told_of(bennett):
    with pytest.warns(
        jd.constraints.ConstraintWarning, match='"closure" was open by .* at t = .*constraints="projection"'
    ):
        run = jd.simulate(*bennett, 0.5, step=2e-2, method="heun", constraints="unstabilised")
    gap = run.options["gap"]
    assert gap["constraint"] == "closure"
    assert gap["largest"] == pytest.approx(np.max(np.abs(run.constraint["closure"].gap.values)), rel=1e-9)


def parallelogram(lean: float, weld: bool) -> Round:
    """In space: its links turn as one, and in line it may go on as an antiparallelogram."""
    flat = np.array([[0.0, 0.0, 0.0], [0.4 * np.cos(lean), 0.4 * np.sin(lean), 0.1],
                     [0.9 + 0.4 * np.cos(lean), 0.4 * np.sin(lean), -0.1], [0.9, 0.0, 0.05]])  # fmt: skip
    R = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]
    return Round(linkage("parallelogram", flat @ R.T, [R[:, 2]] * 4, 1.0), weld, 0.3)


@pytest.mark.filterwarnings("default::jourdain.constraints.ConstraintWarning")
@pytest.mark.parametrize("weld", [False, True])
@pytest.mark.parametrize("options", [{}, {"step": 1e-3}, {"step": 1e-3, "constraints": "null-space"}], ids=str)
def test_a_singular_configuration_that_is_passed_is_told_by_time_and_loop(weld, options):
    """With another loop in the model, which is regular. It goes straight on: opposite hinges turn by the same angle."""
    lean = 0.7
    one, other = parallelogram(lean, weld), random_linkage("Bennett", 1)
    system = jd.System("two loops", gravity=tuple(G))
    one.add_to(system)
    other.add_to(system, "b_")
    model = system.compile()
    start = {f"hinge{i + 1}": way for i, way in enumerate((10.0, -10.0, 10.0, -10.0)) if i < 3 + weld}
    state = model.state(v=start | {f"b_{name}": 0.1 * speed for name, speed in other.velocities.items()})
    told = 'a singular configuration: the rows of "closure" lose rank'
    with pytest.warns(jd.constraints.ConstraintWarning, match=told):
        run = jd.simulate(model, state, 0.6, output=0.05, **options)
    assert run.record.q[:, 0] == pytest.approx(-run.record.q[:, 1], abs=1e-9)
    passed = run.options["singular"]
    assert passed["constraints"] == ("closure",) and passed["least"] < 1e-3
    there = jd.simulate(model, state, passed["time"])
    assert np.sin(lean + there.record.q[-1, 0]) == pytest.approx(0.0, abs=1e-2)


def test_a_run_that_stops_at_a_singular_configuration_names_the_loop():
    lean = 0.7
    model = parallelogram(lean, True).system().compile()
    end = np.array([1.0, -1.0, 1.0, -1.0]) * (np.pi - lean)
    why, _ = near_singular(model, (0.0, model.neutral), (1.5, end), [])
    assert "t = 1.5 s" in why and "3 independent rows of constraints become 2" in why and '"closure"' in why


def test_redundant_rows_are_told_once_in_one_line():
    model = BENNETT.system().compile()
    planar = machines.four_bars(1).compile()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(2):
            jd.simulate(model, BENNETT.start(model), 0.01, step=1e-3)
        jd.simulate(planar, machines.four_bars_start(planar), 0.01, step=1e-3)
    assert [one.category for one in told] == [jd.constraints.ConstraintWarning]
    text = str(told[0].message)
    assert "3 of 5 rows" in text and "\n" not in text

"""Trajectory optimisation: a reach of a 7-axis arm by dynamic programming and by collocation, beside peers.

    python benchmarks/trajectories.py [rounds]

Dynamic programming beside Crocoddyl (pip install crocoddyl, which brings Pinocchio): the same arm, without gravity, the
same semi-implicit steps, costs, limits of torque and first guess, so that both walk to one cost. Joints' limits are a
barrier there and multipliers here; neither acts at the end. Collocation beside CasADi's interpreter: the same
Hermite-Simpson equations of articulated bodies in CasADi's expressions, the same scales, guess, IPOPT and linear
solver, with its Jacobian and Hessian from CasADi, as a graph of calls of one function and expanded into scalars, which
is what CasADi is fastest with. Ours is timed twice, with IPOPT and with our own solver by stages, which takes as many
iterations to the same cost. All on one thread; the time to build graphs and to compile does not count.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))

import models  # noqa: E402
import numpy as np  # noqa: E402
from results import Row  # noqa: E402
from timing import whole_runs  # noqa: E402

import jourdain as jd  # noqa: E402

N, T = 40, 1.0
START = np.array([0.0, 0.4, 0.0, 0.8, 0.0, 0.4, 0.0])
END = np.array([0.8, 0.9, -0.5, 1.2, 0.4, -0.3, 0.5])
STOP = 2.6
CROCODDYL_TARGET, CASADI_TARGET = 1.0, 5.0
o = jd.optimal


def reach() -> tuple[Any, np.ndarray]:
    """The reach as a problem with costs of its end, and the limits of torque."""
    system = models.arm_system()
    system.gravity = (0, 0, 0)
    model = system.compile()
    limit = np.array([40.0, 60.0, 20.0, 20.0, 4.0, 4.0, 1.0])
    names = model.names.q
    cost = 1e-3 * o.effort()
    for name, end in zip(names, END, strict=True):
        cost += 200.0 * o.final_square(name, end) + 2.0 * o.final_square(f"v:{name}") + 0.1 * o.square(f"v:{name}")
    limits = {f"effort:{name}": (-most, most) for name, most in zip(names, limit, strict=True)}
    limits |= dict.fromkeys(names, (-STOP, STOP))
    return o.Problem(model, model.state(q=START), until=T, cost=cost, limits=limits, rest=False), limit


def with_crocoddyl(problem: Any, limit: np.ndarray) -> Callable[[], Any]:
    """The same in Crocoddyl, solved by its box-constrained FDDP."""
    import crocoddyl as cr
    from peers.with_pinocchio import Pinocchio

    state = cr.StateMultibody(Pinocchio(problem.model).model)
    actuation = cr.ActuationModelFull(state)

    def residual(activation: Any, reference: np.ndarray) -> Any:
        return cr.CostModelResidual(state, activation, cr.ResidualModelState(state, reference, actuation.nu))

    def weighted(q: float, v: float) -> Any:
        return cr.ActivationModelWeightedQuad(np.repeat([2.0 * q, 2.0 * v], 7))

    def node(last: bool) -> Any:
        costs = cr.CostModelSum(state, actuation.nu)
        if last:
            costs.addCost("end", residual(weighted(200.0, 2.0), np.append(END, np.zeros(7))), 1.0)
        else:
            effort = cr.CostModelResidual(state, cr.ResidualModelControl(state, actuation.nu))
            far = np.repeat([STOP, 1e6], 7)
            barrier = cr.ActivationModelQuadraticBarrier(cr.ActivationBounds(-far, far, 1.0))
            costs.addCost("effort", effort, 2e-3)
            costs.addCost("speed", residual(weighted(0.0, 0.1), np.zeros(14)), 1.0)
            costs.addCost("stops", residual(barrier, np.zeros(14)), 1e3)
        rates = cr.DifferentialActionModelFreeFwdDynamics(state, actuation, costs)
        out = cr.IntegratedActionModelEuler(rates, 0.0 if last else T / N)
        out.u_lb, out.u_ub = -limit, limit
        return out

    begin = np.append(START, np.zeros(7))
    shooting = cr.ShootingProblem(begin, [node(False)] * N, node(True))
    shooting.nthreads = 1

    def solve() -> Any:
        solver = cr.SolverBoxFDDP(shooting)
        solver.th_stop = 1e-9
        assert solver.solve([begin] * (N + 1), [np.zeros(7)] * N, 200, False)
        return solver

    return solve


def dynamic_programming(rounds: int) -> list[Row]:
    """Time to one cost of both."""
    problem, limit = reach()
    theirs = with_crocoddyl(problem, limit)

    def ours() -> Any:
        return problem.solve("ddp", intervals=N, integrator="semi-implicit")

    found, other = ours(), theirs()
    assert found.converged and abs(found.cost - other.cost) < 1e-6 * other.cost, (found.cost, other.cost)
    best = whole_runs({"ours": ours, "theirs": theirs}, rounds, clock=time.process_time)
    what = f"reach of a 7-axis arm by DDP, {N} intervals, {found.iterations} and {other.iter} iterations"
    return [Row(what, "Crocoddyl (box-FDDP)", best["ours"], best["theirs"], CROCODDYL_TARGET)]


def chain() -> list[Any]:
    """The links of the arm for CasADi, with a little damping."""
    from peers.with_casadi import Link

    lengths, masses = (0.3, 0.3, 0.3, 0.3, 0.3, 0.2, 0.1), (5.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.0)
    out = []
    for i, (axis, length, mass) in enumerate(zip("zyzyzyz", lengths, masses, strict=True)):
        across = mass * (length**2 / 12.0 + 0.04**2 / 4.0)
        at = (0.0, 0.0, lengths[i - 1] if i else 0.0)
        inertia = (across, across, 0.5 * mass * 0.04**2)
        out.append(Link(axis, at, mass, (0.0, 0.0, 0.5 * length), inertia, 0.5, 0.0))
    return out


def with_casadi(problem: Any, links: list[Any], limit: np.ndarray, expand: bool) -> Callable[[], Any]:
    """The same Hermite-Simpson equations in CasADi."""
    import casadi as ca
    from peers.with_casadi import forward

    from jourdain.methods.optimal.guesses import first_guess, sizes
    from jourdain.methods.optimal.schemes import even_mesh, scheme_named

    mesh = even_mesh(scheme_named("hermite-simpson"), N)
    point = first_guess(problem, mesh, None)
    nodes, h = mesh.size, T / N
    size = sizes(problem, mesh, point)[: 21 * nodes]
    q, v, u = (ca.SX.sym(letter, 7) for letter in "qvu")
    f = ca.Function("f", [q, v, u], [ca.cse(forward(links, q, v, u))])
    Z = ca.MX.sym("Z", 21 * nodes)
    Y = ca.reshape(Z * ca.DM(size), 21, nodes)
    X, V, U = Y[:14, :], Y[7:14, :], Y[14:, :]
    F = ca.vertcat(V, f.map(nodes)(Y[:7, :], V, U))
    first, middle, last = slice(0, nodes - 1, 2), slice(1, nodes, 2), slice(2, nodes, 2)
    fa, fm, fb = F[:, first], F[:, middle], F[:, last]
    scale = ca.repmat(ca.DM(size[:14]), 1, N)
    inner = (X[:, middle] - X[:, first] - h * (5 / 24 * fa + 1 / 3 * fm - 1 / 24 * fb)) / scale
    outer = (X[:, last] - X[:, first] - h * (1 / 6 * fa + 2 / 3 * fm + 1 / 6 * fb)) / scale
    cost = ca.sum2(ca.sum1(U**2) * (ca.DM(mesh.weights) * T).T)
    rows = [one * inner + other * outer for one, other in mesh.scheme.mixing.tolist()]
    program = {"x": Z, "f": cost, "g": ca.vertcat(*(ca.vec(row) for row in rows))}
    quiet = {"print_level": 0, "sb": "yes", "tol": 1e-8, "linear_solver": "mumps"}
    solver = ca.nlpsol("solver", "ipopt", program, {"print_time": 0, "expand": expand, "ipopt": quiet})
    high = np.tile(np.concatenate([np.full(7, STOP), np.full(7, np.inf), limit]), (nodes, 1))
    low = -high
    low[0, :14] = high[0, :14] = np.append(START, np.zeros(7))
    low[-1, :14] = high[-1, :14] = np.append(END, np.zeros(7))
    guess = np.concatenate([point.X, point.U], axis=1).ravel() / size

    def solve() -> tuple[float, int]:
        found = solver(x0=guess, lbx=low.ravel() / size, ubx=high.ravel() / size, lbg=0, ubg=0)
        return float(found["f"]), solver.stats()["iter_count"]

    return solve


def collocation(rounds: int, graph: bool = True) -> list[Row]:
    """Time to one cost of both; `graph` also as a graph of calls, which takes longest."""
    from peers.with_casadi import model as casadi_model

    links = chain()
    model = casadi_model(links)
    names = model.names.q
    limit = np.array([60.0, 90.0, 40.0, 40.0, 12.0, 8.0, 3.0])
    limits = {f"effort:{name}": (-most, most) for name, most in zip(names, limit, strict=True)}
    limits |= dict.fromkeys(names, (-STOP, STOP))
    end = dict(zip(names, END.tolist(), strict=True))
    problem = o.Problem(model, model.state(q=START), until=T, end=end, cost=o.effort(), limits=limits)

    def ours() -> Any:
        return problem.solve("collocation", intervals=N)

    def staged() -> Any:
        return problem.solve("collocation", intervals=N, solver="stage")

    peers = {"CasADi's interpreter, expanded": with_casadi(problem, links, limit, True)}
    if graph:
        peers["CasADi's interpreter, calls of one function"] = with_casadi(problem, links, limit, False)
    found = ours()
    for solve in (lambda: (staged().cost, staged().iterations), *peers.values()):
        cost, count = solve()
        assert abs(cost - found.cost) < 1e-6 * cost and count == found.iterations, (cost, found.cost)
    best = whole_runs({"ours": ours, "staged": staged, **peers}, rounds, clock=time.process_time)
    what = f"reach of a 7-axis arm by collocation, {N} intervals, {found.iterations} iterations"
    rows = [
        Row(f"{what}, our solver by stages", f"{name}, IPOPT", best["staged"], best[name], CASADI_TARGET)
        for name in peers
    ]
    return rows + [Row(f"{what} of IPOPT", name, best["ours"], best[name]) for name in peers]


def measure(rounds: int, graph: bool = True) -> list[Row]:
    """Rows of both; without Crocoddyl those of collocation alone."""
    try:
        import crocoddyl  # noqa: F401
    except ImportError:
        return collocation(rounds, graph)
    return [*dynamic_programming(4 * rounds), *collocation(rounds, graph)]


def main() -> None:
    for row in measure(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
        print(" | ".join(row.cells()), flush=True)


if __name__ == "__main__":
    main()

"""
Models of a wheelset and a bogie
================================

A wheelset and a bogie on a straight track, for their critical speeds.
"""

import numpy as np

import jourdain as jd

CONE, HEAD, RADIUS, GAUGE, LOAD, FRICTION = 1 / 20, 0.30, 0.46, 0.75, 80e3, 0.3
WHEEL = jd.contact.Profile.of(lambda y: CONE * y, -0.03, 0.03)
RAIL = jd.contact.Profile.of(lambda y: CONE * y - y**2 / (2 * HEAD), -0.03, 0.03)
MASS, YAW, SPIN = 1500.0, 900.0, 120.0  # of a wheelset [kg, kg m^2]
STIFF_Y, STIFF_YAW = 2.0e6, 4.0e6  # what guides a wheelset [N/m, N m/rad]
FRAME_MASS, FRAME_YAW, BASE, BOLSTER = 3000.0, 3500.0, 1.25, 3.0e5  # of a bogie [kg, kg m^2], half base [m], [N/m]


def add_wheelset(system, name, carrier, place, friction=FRICTION, guide=1.0):
    """Across and yaw on springs, then the axle that turns."""
    light = dict(mass=1e-3, inertia=(1e-3, 1e-3, 1e-3))
    sway = jd.Prismatic(f"{name}_y", "y", stiffness=guide * STIFF_Y)
    system.add(jd.RigidBody(f"{name}_box", **light), sway, to=carrier, position=(place, 0, 0))
    system.add(
        jd.RigidBody(f"{name}_turn", **light),
        jd.Revolute(f"{name}_yaw", "z", stiffness=guide * STIFF_YAW),
        to=f"{name}_box.origin",
    )
    axle = jd.RigidBody(name, MASS, inertia=(YAW, SPIN, YAW))
    system.add(axle, jd.Revolute(f"{name}_spin", "y"), to=f"{name}_turn.origin")
    track = jd.contact.wheelset(
        f"{name}.origin", WHEEL, RAIL, half_gauge=GAUGE, radius=RADIUS, load=LOAD, friction=friction
    )
    system.force(f"{name}_track", f"{name}.origin", track)


def vehicle(bogie, **wheels):
    """What travels along x: one wheelset, or two in the frame of a bogie; `wheels`: friction, share of the guidance."""
    system = jd.System("bogie" if bogie else "wheelset")
    system.add(jd.RigidBody("car", 1e6, inertia=(1e6, 1e6, 1e6)), jd.Prismatic("x", "x"))
    if not bogie:
        add_wheelset(system, "first", "car.origin", 0.0, **wheels)
        return system.compile()
    light = dict(mass=1e-3, inertia=(1e-3, 1e-3, 1e-3))
    sway = jd.Prismatic("frame_y", "y", stiffness=BOLSTER, damping=3e4)
    system.add(jd.RigidBody("sway", **light), sway, to="car.origin")
    frame = jd.RigidBody("frame", FRAME_MASS, inertia=(FRAME_YAW, FRAME_YAW, FRAME_YAW))
    system.add(frame, jd.Revolute("frame_yaw", "z", stiffness=4e5, damping=4e4), to="sway.origin")
    for name, place in (("first", BASE), ("second", -BASE)):
        add_wheelset(system, name, "frame.origin", place, **wheels)
    return system.compile()


def rolling(model, speed, shift=0.0):
    """All wheels roll; the first wheelset is a bit out of the middle."""
    spins = {name: speed / RADIUS for name in model.names.v if name.endswith("_spin")}
    return model.state({"first_y": shift}, {"x": speed} | spins)


def growth(model, speed):
    """The largest real part [1/s] and the frequency [Hz] of motions that swing, by linearisation."""
    values = np.linalg.eigvals(model.linearize(rolling(model, speed)).A)
    swinging = values[np.abs(values.imag) > 1.0]
    worst = swinging[np.argmax(swinging.real)]
    return worst.real, abs(worst.imag) / (2 * np.pi)


def simulated_growth(model, speed, shift=2e-5, seconds=6.0):
    """The same from a run: the slope of the logarithm of peaks, the first third left out."""
    run = jd.simulate(model, rolling(model, speed, shift), until=seconds, step=1e-3, output=2e-3)
    y, t = np.asarray(run.q["first_y"]), np.asarray(run.time)
    peaks = 1 + np.flatnonzero((np.abs(y[1:-1]) > np.abs(y[:-2])) & (np.abs(y[1:-1]) >= np.abs(y[2:])))
    peaks = peaks[t[peaks] > seconds / 3]
    return np.polyfit(t[peaks], np.log(np.abs(y[peaks])), 1)[0]


def two_equations(f11, f22, f23):
    """Critical speed [m/s] of a wheelset, across and in yaw, from slopes of creep forces by creepage and by spin."""
    M, K = np.diag([MASS, YAW]), np.array([[STIFF_Y, -2 * f22], [2 * f11 * CONE * GAUGE / RADIUS, STIFF_YAW]])
    C = np.array([[2 * f22, 2 * f23], [0.0, 2 * f11 * GAUGE**2]])

    def rate(speed):
        damped = np.hstack([-np.linalg.solve(M, K), -np.linalg.solve(M, C / speed)])
        return np.linalg.eigvals(np.vstack([np.eye(2, 4, 2), damped])).real.max()

    return critical(rate, 60.0, 300.0, 1e-6)


def critical(rate, low, high, tolerance=1e-3):
    """The speed [m/s] at which a rate of growth is zero, by bisection."""
    assert rate(low) < 0.0 < rate(high), (rate(low), rate(high))
    while high - low > tolerance * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rate(middle) < 0.0 else (low, middle)
    return 0.5 * (low + high)

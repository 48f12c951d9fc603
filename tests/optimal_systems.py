"""Systems of differential equations for the tests of trajectory optimisation."""

from __future__ import annotations

import numpy as np

import jourdain as jd


def cart_rates(t, x, u, p, dx):
    dx[0] = x[1]
    dx[1] = u[0]


def swing_rates(t, x, u, p, dx):
    dx[0] = x[1]
    dx[1] = u[0] - p[0] * np.sin(x[0])


def odd_rates(t, x, u, p, dx):
    """Nothing in it is affine, and time is in it."""
    dx[0] = x[1] * (1.0 + 0.1 * t)
    dx[1] = u[0] * np.cos(0.1 * u[0]) - p[0] * np.sin(x[0]) + t * t * x[1]


def odd_outputs(t, x, u, p, y):
    y[0] = x[0] * x[1] + u[0] ** 2 * p[0] + np.sin(t)


def bead_rates(t, x, u, p, dx):
    dx[0] = x[2] * np.sin(u[0])
    dx[1] = x[2] * np.cos(u[0])
    dx[2] = 9.81 * np.cos(u[0])


def oscillator_rates(t, x, u, p, dx):
    dx[0] = (1.0 - x[1] * x[1]) * x[0] - x[1] + u[0]
    dx[1] = x[0]


def rocket_rates(t, x, u, p, dx):
    h, v, m = x[0], x[1], x[2]
    dx[0] = v
    dx[1] = (u[0] - 310.0 * v * v * np.exp(-500.0 * (h - 1.0))) / m - 1.0 / (h * h)
    dx[2] = -2.0 * u[0]


CART = jd.optimal.Ode(cart_rates, ("x", "v"), ("u",), name="cart")
SWING = jd.optimal.Ode(swing_rates, ("x", "v"), ("u",), {"k": 9.0}, name="swing")
ODD = jd.optimal.Ode(odd_rates, ("x", "v"), ("u",), {"k": 9.0}, odd_outputs, ("power",), name="odd")
BEAD = jd.optimal.Ode(bead_rates, ("x", "y", "v"), ("angle",), name="bead")
OSCILLATOR = jd.optimal.Ode(oscillator_rates, ("x1", "x2"), ("u",), name="Van der Pol")
ROCKET = jd.optimal.Ode(rocket_rates, ("h", "v", "m"), ("thrust",), name="Goddard's rocket")

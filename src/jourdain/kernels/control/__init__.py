"""Compiled controllers. A control law is `f(t, q, v, z, s, p, effort, dz)`, as a user's law is; one that has a model of
its own is `f(control, cws, x, t, q, v, z, s, p, effort, dz)` with the arrays of that model, a workspace and scratch."""

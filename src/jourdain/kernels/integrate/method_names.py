"""The explicit methods by name."""

from __future__ import annotations

FIXED = ("euler", "heun", "rk3", "rk4", "rk5")
"""Methods whose step a user gives."""
ADAPTIVE = ("dopri5", "dop853")
"""Methods that choose their own steps."""

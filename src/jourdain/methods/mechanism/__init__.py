"""Mechanism kinematics: where a machine with loops goes when its drivers move, and what its loops allow."""

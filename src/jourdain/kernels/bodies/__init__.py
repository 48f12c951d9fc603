"""The kinds of bodies: inertia, bias forces, internal forces and markers of each."""

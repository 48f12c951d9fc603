"""The recursions over the tree of bodies, and what acts on it besides contacts and constraints."""

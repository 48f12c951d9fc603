"""Bodies in absolute nodal coordinates (ANCF) and arbitrary Lagrangian-Eulerian (ALE) ones: cables, beams, shells."""

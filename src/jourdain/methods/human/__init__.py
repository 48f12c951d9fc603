"""Human models: segments, a skeleton and a seated dummy, muscles and how they share a load, comfort, feet."""

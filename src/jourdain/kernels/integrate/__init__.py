"""Methods of integration on the group: one loop, and for each method how it tries a step, interpolates and goes on."""

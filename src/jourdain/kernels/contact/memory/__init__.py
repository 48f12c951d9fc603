"""Contact memory: latched values, states of bristles, and the events that change them."""

"""Models and robots against the clock: ticks, deadlines, packets, an operator."""

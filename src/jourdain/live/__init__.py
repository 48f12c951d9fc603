"""Models and robots in real time: ticks, deadlines, packets, an operator."""

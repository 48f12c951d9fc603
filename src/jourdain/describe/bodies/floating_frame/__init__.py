"""Bodies in a floating frame of reference (FFR): beams, reduced parts, deployable beams."""

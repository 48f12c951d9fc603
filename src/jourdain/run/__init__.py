"""From a Model and a State to a Run: options checked, the compiled loop driven, and what is watched on the way."""

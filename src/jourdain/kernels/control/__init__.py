"""Compiled laws of `jourdain.control`, and what they are made of; imported when a controller is first used."""

"""Simulators: each takes numbers and a generator, and returns what was drawn."""

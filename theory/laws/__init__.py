"""Spectral laws as rational curves: composition, views, spikes."""

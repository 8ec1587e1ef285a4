"""Folds events into outcomes, to the byte; reads no clock and invents nothing."""

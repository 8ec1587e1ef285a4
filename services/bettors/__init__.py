"""Scripted bettors: read events and outcomes, send commands; see no hidden card."""

"""The published language: what services say to one another. Imports nothing of ours."""

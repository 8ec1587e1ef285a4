"""Tests; unit tests mirror the tree, contract and integration tests need a Redis."""

"""The record you can hand to someone: Merkle tree over a log's lines. No Redis, no rules."""

"""The record you can hand to someone: logs, trees, signatures, proofs. No Redis, no rules."""

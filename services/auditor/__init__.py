"""Trusts nobody: rebuilds the shoe and checks it again; reaches no room that it audits."""

"""Chaos tests: processes are killed and links fail, yet nothing is lost, doubled or left hanging."""

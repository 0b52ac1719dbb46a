"""Chaos tests: processes die and links fail, yet nothing is lost, doubled or left hanging."""

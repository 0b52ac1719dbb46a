"""Penny as an installed app: what a browser asks of it, and what other apps share with it."""

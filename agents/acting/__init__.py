"""Errands: what Penny does on the pages of one site, step by step."""

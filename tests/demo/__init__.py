"""A demonstration that needs nothing: a small web of its own, a browser in the background, and Penny thinking about it
for real.
"""

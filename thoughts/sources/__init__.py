"""The owner's own sources, imported from files of other programs.

Thinking may visit these feeds, sites and pages.
"""

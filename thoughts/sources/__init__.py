"""The owner's own sources: feeds, sites and pages that came from files which other programs wrote, and which thinking
may look at.
"""

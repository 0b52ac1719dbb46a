"""Offer each view of the feed to other programs as Atom and JSON Feed.

The address contains a token that the owner can revoke.
"""

"""What other programs may read of the feed: Atom and JSON Feed of each view, under an address with a token that the
owner can revoke.
"""

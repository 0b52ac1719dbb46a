"""A demonstration without prerequisites: Penny thinks for real about a small web of its own."""

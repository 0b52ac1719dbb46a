"""The page Permissions › Record: how often what left this machine, by host and day."""

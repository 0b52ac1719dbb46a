"""The owner's own sources: feeds, sites and pages, from files of other programs, that thinking may visit."""

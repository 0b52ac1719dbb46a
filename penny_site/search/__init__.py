"""The search of the header: one query over pages, finds, messages, interests, sites, commands and the handbook."""

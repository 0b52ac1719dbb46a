"""The pages of Activity: what waits, what runs, what happened, what was sent."""

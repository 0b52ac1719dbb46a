"""The frame around every page: the places, their tabs, and what their counts show."""

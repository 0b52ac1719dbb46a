"""How the owner is reached: one module for each kind of line, and one line for it in registry.py."""

"""What the owner commands: registry.py says what a command is, every.py lists the modules that register them."""

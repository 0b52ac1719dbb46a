"""Pages that Penny acts on in tests: those of frameworks (src/, bundled by the Makefile), and plain ones."""

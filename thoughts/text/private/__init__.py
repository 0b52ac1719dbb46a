"""Decide what is private: topics of pages, secrets in texts, fields and addresses.

`topics.json` and `secrets.json` hold every word and pattern. browser_ext/src/private/ reads the same files and has the
same rules; tests/bench/private/ holds both to one corpus. Patterns use only what Python's `regex` and JavaScript read
alike. Words are written without accents; `word*` begins, `*word` ends and `*word*` is inside a word. Imports no Django.
"""

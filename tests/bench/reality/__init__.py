"""What people's models, shops, files and words are like: cases after public bug reports, and Penny's answer to each.

A module of this folder holds one part: its cases as data, and `outcomes()`, which tries each of them on Penny's own
code. Numbers (B001 …) and kinds (K1 …) are those of the collection.
"""

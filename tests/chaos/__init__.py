"""Penny under attack by bad luck: processes are killed, links are cut and slowed, and nothing may be lost, doubled or
left hanging.
"""

"""What other programs call: chat completions as OpenAI's clients know them. A call is a turn of the one conversation,
from a device.
"""

"""What the checks of Signal's server share."""

from agents.llm.servers.model_names import opener as opener

SIGNAL_TEST_S, QR_BYTES = 10, 1024 * 1024

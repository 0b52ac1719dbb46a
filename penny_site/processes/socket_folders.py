"""The names of the folders for the sockets of Penny's own servers. Imports only the standard library."""

import hashlib
import os
import tempfile
from pathlib import Path

OWN, READERS = "", "-reader"


def socket_folder_of(data: Path, ending: str) -> Path:
    """Return the folder of a data folder: the same at each start, so that a start finds what a killed one left."""
    name = hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"penny-{os.getuid()}-{name}{ending}"

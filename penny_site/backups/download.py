"""Files on their way to a browser, a piece at a time: a backup may be larger than memory."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from django.http import FileResponse

PIECE_BYTES = 256 * 1024


class Download(FileResponse):
    """Django's own hands an ASGI server the whole file at once."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        super().__init__(self._file, as_attachment=True, filename=path.name)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await asyncio.to_thread(self._file.read, PIECE_BYTES):
            yield piece

"""Send a file to a browser piece by piece: a backup may be larger than memory."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from django.http import FileResponse

PIECE_BYTES = 256 * 1024


class Download(FileResponse):
    """Stream a file. Django's FileResponse passes an ASGI server the whole file at once."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        super().__init__(self._file, as_attachment=True, filename=path.name)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await asyncio.to_thread(self._file.read, PIECE_BYTES):
            yield piece

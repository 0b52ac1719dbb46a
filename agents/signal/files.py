"""What came with a message over Signal: a voice note becomes words, a picture or a text goes with the message as from
any device.
"""

from dataclasses import dataclass, field

from django.conf import settings

from agents.answers import attachments
from agents.answers.attachments import FILE_BYTES, PICTURE_QUESTION, AttachmentRefused
from agents.signal import voice_notes
from devices import protocol
from devices.channels.channel import NotSent, TryLater
from devices.channels.signal import api
from devices.channels.signal.frames import Attachment, DataMessage

FILES_MAX = 8
TEXT_QUESTION = "What does this say?"  # of a text that came without a word
LONG_TEXT = "text/x-signal-plain"  # how Signal sends the whole of a long message
NO_VOICE = "I cannot listen to voice notes: no model is set for them (PENNY_TRANSCRIPTION_MODEL). Write to me instead."
TOO_MANY = f"Send me at most {FILES_MAX} files with one message."
TOO_LARGE = f"{{name}} is larger than {FILE_BYTES // 1024**2} MB. Send a smaller one."
ONCE = "I keep what I answer from, so I did not look at what may be viewed only once. Send it in the usual way."


@dataclass
class Brought:
    """What a message says in all, the files that go with it, and why others were not taken."""

    said: list[str] = field(default_factory=list)
    files: list[protocol.Attachment] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What is asked; of files without a word, what they hold."""
        if self.said or not self.files:
            return "\n\n".join(self.said)
        return PICTURE_QUESTION if any(taken.is_picture for taken in attachments.taken(self.files)) else TEXT_QUESTION


async def brought(data: DataMessage, *, is_patient: bool = True) -> Brought:
    """Fetch what came with a message. Raises TryLater where the line does not answer just now, unless it was tried long
    enough.
    """
    found = Brought([data.words] if data.words else [])
    if data.attachments and data.viewOnce:
        found.refused.append(ONCE)
    elif len(data.attachments) > FILES_MAX:
        found.refused.append(TOO_MANY)
    else:
        for attachment in data.attachments:
            await _take(attachment, found, is_patient)
    found.refused = list(dict.fromkeys(found.refused))
    return found


async def _take(attachment: Attachment, found: Brought, is_patient: bool) -> None:
    name = attachment.filename or ("the picture" if attachment.is_picture else "the file")
    try:
        if attachment.is_voice:
            found.said.append(await _words(attachment))
        elif attachment.contentType == LONG_TEXT:
            found.said[:] = [(await api.attachment(attachment.id, FILE_BYTES)).decode(errors="replace").strip()]
        else:
            found.files.append(await _file(attachment, name))
    except AttachmentRefused as refused:
        found.refused.append(str(refused))
    except NotSent as error:
        if is_patient and isinstance(error, TryLater):
            raise
        found.refused.append(f"I could not fetch {name}, so I answered nothing. Send it again.")


async def _words(note: Attachment) -> str:
    """Raises AttachmentRefused, NotSent, TryLater."""
    if settings.TRANSCRIPTION_MODEL is None:
        raise AttachmentRefused(NO_VOICE)
    sound = await api.attachment(note.id, voice_notes.BYTES_MAX)
    try:
        return await voice_notes.transcribe(sound, note.contentType)
    except voice_notes.NotTranscribed as error:
        raise AttachmentRefused(f"I could not listen to your voice note. {error}") from None


async def _file(attachment: Attachment, name: str) -> protocol.Attachment:
    """Return a file that can be answered from; one that is too large is not fetched. Raises AttachmentRefused, NotSent,
    TryLater.
    """
    if (attachment.size or 0) > FILE_BYTES:
        raise AttachmentRefused(TOO_LARGE.format(name=name))
    try:
        data = await api.attachment(attachment.id, FILE_BYTES)
    except api.TooLarge:
        raise AttachmentRefused(TOO_LARGE.format(name=name)) from None
    file = attachments.attachment(name, attachment.contentType, data)
    attachments.taken([file])
    return file

"""Fetch the attachments of a Signal message.

What a voice note says is read back to the owner first: Signal does not tell a forwarded one from one that the owner
recorded now. The words of any other sound are a file, and go with the message as a picture or a text file does.
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
from devices.db import in_db

FILES_MAX = 8
TEXT_QUESTION = "What does this say?"  # for a text file without a message
LONG_TEXT = "text/x-signal-plain"  # Signal sends the full text of a long message as such a file
NO_VOICE = "I cannot listen to voice notes: no model is set for them (PENNY_TRANSCRIPTION_MODEL). Write to me instead."
SOUND_NAME = "sound"
TOO_MANY = f"Send me at most {FILES_MAX} files with one message."
TOO_LARGE = f"{{name}} is larger than {FILE_BYTES // 1024**2} MB. Send a smaller one."
ONCE = "I keep what I answer from, so I did not look at what may be viewed only once. Send it in the usual way."

UNREAD = "I cannot read {kind}. Write me in words what you want to say with it."


@dataclass
class MessageContent:
    """The texts and files of a message, with a reason for each file that Penny refuses.

    `voice`: what a voice note says, if the message is nothing else. `name`: what stands in the
    conversation for a message without words.
    """

    texts: list[str] = field(default_factory=list)
    voice: str = ""
    files: list[protocol.Attachment] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    name: str = "attachment"

    @property
    def text(self) -> str:
        """The question; for files without text, a standard question about them."""
        if self.texts or not self.files:
            return "\n\n".join(self.texts)
        return PICTURE_QUESTION if any(map(attachments.is_picture, self.files)) else TEXT_QUESTION


async def fetch_content(data: DataMessage, *, is_patient: bool = True) -> MessageContent:
    """Fetch the attachments of a message.

    Raises TryLater while the server does not answer. With `is_patient=False` that becomes a refusal instead.
    """
    content = MessageContent([data.words] if data.words else [])
    if data.kind:
        content.name = data.kind
        content.refusals.append(UNREAD.format(kind=data.kind))
    elif data.attachments and data.viewOnce:
        content.refusals.append(ONCE)
    elif len(data.attachments) > FILES_MAX:
        content.refusals.append(TOO_MANY)
    else:
        is_voice = not data.words and len(data.attachments) == 1 and data.attachments[0].may_be_recorded
        for attachment in data.attachments:
            await _fetch_attachment(attachment, content, is_patient, is_voice)
    content.refusals = list(dict.fromkeys(content.refusals))
    return content


async def _fetch_attachment(attachment: Attachment, content: MessageContent, is_patient: bool, is_voice: bool) -> None:
    name = attachment.filename or ("the picture" if attachment.is_picture else "the file")
    try:
        if is_voice:
            content.voice = await _transcript(attachment)
        elif attachment.is_sound:
            content.files.append(_sound_file(attachment, await _transcript(attachment)))
        elif attachment.contentType == LONG_TEXT:
            content.texts[:] = [(await api.attachment(attachment.id, FILE_BYTES)).decode(errors="replace").strip()]
        else:
            content.files.append(await _fetch_file(attachment, name))
    except AttachmentRefused as refusal:
        content.refusals.append(str(refusal))
    except NotSent as error:
        if is_patient and isinstance(error, TryLater):
            raise
        content.refusals.append(f"I could not fetch {name}, so I answered nothing. Send it again.")


async def _transcript(note: Attachment) -> str:
    """Return the transcript of a voice note. Raises AttachmentRefused, NotSent, TryLater."""
    if settings.TRANSCRIPTION_MODEL is None:
        raise AttachmentRefused(NO_VOICE)
    sound = await api.attachment(note.id, voice_notes.BYTES_MAX)
    try:
        return await voice_notes.transcribe(sound, note.contentType)
    except voice_notes.NotTranscribed as error:
        raise AttachmentRefused(f"I could not listen to your voice note. {error}") from None


def _sound_file(sound: Attachment, words: str) -> protocol.Attachment:
    name = f"{(sound.filename or SOUND_NAME)[:60]}.txt"
    return attachments.make_attachment(name, "text/plain", words.encode())


async def _fetch_file(attachment: Attachment, name: str) -> protocol.Attachment:
    """Return an attachment that Penny can answer from.

    A file whose declared size is too large is not fetched. Raises AttachmentRefused, NotSent, TryLater.
    """
    if (attachment.size or 0) > FILE_BYTES:
        raise AttachmentRefused(TOO_LARGE.format(name=name))
    try:
        data = await api.attachment(attachment.id, FILE_BYTES)
    except api.TooLarge:
        raise AttachmentRefused(TOO_LARGE.format(name=name)) from None
    file = attachments.make_attachment(name, attachment.contentType, data)
    await in_db(attachments.check_files)([file])
    return file

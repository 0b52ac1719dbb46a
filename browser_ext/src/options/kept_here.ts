// What the extension stores in this browser, counted from the stored items themselves.
import { say, sayCount, type Counted } from '../say'
import { stored } from '../state/stored'

export interface Kept {
  messages: number
  unsent: number
  draftCharacters: number
  draftFiles: number
  /** Characters of the draft's passage and of the quoted message. */
  draftAboutCharacters: number
  sites: number
  leftOut: number
  waitingVisits: number
  /** As JSON, without the browser's own overhead. */
  bytes: number
}

export async function keptHere(): Promise<Kept> {
  const [conversation, outbox, draft, aside, files, passage, quotedMessage, grants, history, visits] =
    await Promise.all([
      stored.conversation.getValue(),
      stored.outbox.getValue(),
      stored.draft.getValue(),
      stored.draftAside.getValue(),
      stored.draftFiles.getValue(),
      stored.draftPassage.getValue(),
      stored.draftQuoted.getValue(),
      stored.grants.getValue(),
      stored.history.getValue(),
      stored.visits.getValue(),
    ])
  return {
    messages: conversation.messages.length,
    unsent: outbox.length,
    draftCharacters: draft.length + aside.length,
    draftFiles: files.length,
    draftAboutCharacters: (passage?.text.length ?? 0) + (quotedMessage?.text.length ?? 0),
    sites: grants.length,
    leftOut: history.own.length,
    waitingVisits: visits.length,
    bytes: new Blob([
      JSON.stringify([conversation, outbox, draft, aside, files, passage, quotedMessage, grants, history, visits]),
    ]).size,
  }
}

/** One line for each kind of item: name and amount. */
export function describeItems(items: Kept): [string, string][] {
  return [
    [say('kept_messages'), formatCount('messages', items.messages)],
    [say('kept_unsent'), formatCount('messages', items.unsent)],
    [say('kept_draft'), formatCount('characters', items.draftCharacters)],
    [say('kept_draft_files'), formatCount('files', items.draftFiles)],
    [say('kept_draft_about'), formatCount('characters', items.draftAboutCharacters)],
    [say('kept_sites'), formatCount('entries', items.sites)],
    [say('kept_left_out'), formatCount('lines', items.leftOut)],
    [say('kept_visits'), formatCount('visits', items.waitingVisits)],
    [say('kept_all'), sizeOf(items.bytes)],
  ]
}

function formatCount(what: Counted, number: number): string {
  return number === 0 ? say('kept_none') : sayCount(what, number)
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? say('kept_bytes', bytes) : say('kept_kilobytes', Math.round(bytes / 1024))
}

/* Generated from devices/protocol by `npm run protocol`. Do not edit. */

export type ClientFrame =
  | AuthHello
  | AuthProof
  | ChatSend
  | TurnCancel
  | ToolResult
  | GrantAnswer
  | ApprovalAnswer
  | GrantSet
  | GrantRevoke
  | ThoughtReact
  | ThoughtUnreact
  | HistoryFetch
  | HistorySearch
  | PictureFetch
  | CommandsFetch
  | HistoryReport
  | DeviceUpdate
  | PurposeSet
  | MessageAck
  | Ping
export type ServerFrame =
  | AuthChallenge
  | Welcome
  | Ack
  | Error
  | MessageNew
  | HistoryPage
  | HistoryFound
  | Commands
  | Picture
  | TurnStarted
  | TurnDelta
  | TurnStatus
  | TurnDone
  | TurnFailed
  | ToolCall
  | ToolCancel
  | GrantAsk
  | GrantDismiss
  | ApprovalAsk
  | ApprovalDismiss
  | GrantsSync
  | ThoughtsCount
  | CountsChanged
  | Pong

export interface PennyProtocol {
  client?: ClientFrame
  server?: ServerFrame
}
export interface AuthHello {
  client: Client
  device_id: string
  nonce: string
  protocol: number
  type: 'auth.hello'
}
export interface Client {
  browser: string
  name: string
  version: string
}
export interface AuthProof {
  cursor: number | null
  signature: string
  tools: string[]
  type: 'auth.proof'
}
/**
 * A message from the owner.
 *
 * `earlier`: of a temporary one, the `sealed` of those before, oldest first.
 */
export interface ChatSend {
  attachments?: Attachment[] | null
  earlier?: string[] | null
  page?: Page | null
  parent_id?: string | null
  temporary?: boolean | null
  text: string
  thought_id?: string | null
  thread?: string | null
  turn_id: string
  type: 'chat.send'
}
/**
 * A text file or a picture. Untrusted, its name too.
 */
export interface Attachment {
  data: string
  mime: string
  name: string
}
/**
 * The result of one extraction of one URL; `url` is the final one. Always untrusted.
 *
 * `text` keeps the form of the page, Markdown-like: `#` before headings by their level; `- ` or `3. ` before the items
 * of lists, nested ones indented; `> ` before quotations; rows of tables as `| a | b |`, with `|---|---|` below a
 * header; fences around program text, which keeps every space, and backticks around code within a line; `[words](l7)`
 * for the seventh of `links`, `![words]` for a picture that stands for words, `[^1]` for the mark of a note. Raised
 * digits stay: m². The text of a file (`extracted_with` is "text") is the file's, without marks.
 *
 * `image`: the page's own picture, fetched and scaled by the extension, as a data: URL of at most 256 KiB; an address
 * is not followed. `fields`: the results of the call's selectors, if it had any. `words`: the count in the whole text,
 * also if it was cut. `left_out`: visible text that is no content, shown to the owner alone. `changing`: the page had
 * not come to rest. `notice`: what stands in place of all the content, and `text` is empty then, or in place of its
 * rest.
 */
export interface Page {
  changing?: boolean | null
  extracted_with: 'defuddle' | 'readability' | 'heuristics' | 'treewalker' | 'pdf' | 'text' | 'link'
  fields?: PageField[] | null
  image?: string | null
  left_out?: string | null
  links: Link[]
  metadata?: Metadata | null
  notice?: Notice | null
  text: string
  title: string
  truncated: boolean
  url: string
  words?: number | null
}
/**
 * The visible texts that one selector found, in page order, each on one line. Untrusted.
 */
export interface PageField {
  name: string
  texts: string[]
}
export interface Link {
  text: string
  url: string
}
/**
 * What a page says about itself, in typed values: untrusted, and invisible to its readers.
 *
 * Other values are dropped. `seconds` and `views` are those of a video. `images`: web addresses, the page's own
 * picture first; tools name one by its place in the list. `struck`: the amounts that the page shows struck out, as its
 * text writes them, without their currency. `json_ld`, `microdata` and `open_graph` may hold anything, in the shapes
 * of extruct. Only the sandbox reads these four, for a watch, and they are never stored.
 */
export interface Metadata {
  author?: string | null
  availability?: ('in_stock' | 'out_of_stock' | 'limited' | 'pre_order' | 'back_order' | 'discontinued') | null
  currency?: string | null
  images?: string[]
  json_ld?: {
    [k: string]: unknown
  }
  kind?: ('article' | 'product' | 'video' | 'recipe') | null
  microdata?: {
    [k: string]: unknown
  }
  modified?: string | null
  open_graph?: {
    [k: string]: unknown
  }
  price?: string | null
  published?: string | null
  seconds?: number | null
  site_name?: string | null
  struck?: string[] | null
  title?: string | null
  views?: number | null
}
/**
 * What a page shows in place of its content, and the words of it.
 *
 * `consent` about cookies and data, `paywall`, `sign_in`, `age`, `region`: not for this country, `human`: for a proof
 * that no program reads, `error`, `empty_app`: no script has filled the page.
 */
export interface Notice {
  kind: 'consent' | 'paywall' | 'sign_in' | 'age' | 'region' | 'human' | 'error' | 'empty_app'
  text: string
}
export interface TurnCancel {
  turn_id: string
  type: 'turn.cancel'
}
export interface ToolResult {
  call_id: string
  error?: ToolError | null
  result?: Page | SearchResults | CurrentTab | PageMetadata | PageLinks | Videos | Visits | Screenshot | null
  type: 'tool.result'
}
export interface ToolError {
  code: string
  message: string
}
/**
 * The results of a search. `url`: the final address of their page. Always untrusted.
 */
export interface SearchResults {
  results: SearchResult[]
  url?: string | null
}
export interface SearchResult {
  snippet: string
  title: string
  url: string
}
/**
 * Where the owner is, if they allowed that site. Untrusted.
 */
export interface CurrentTab {
  url: string
}
/**
 * The result of `read_metadata`, which has the arguments of `browse_url`. Untrusted.
 *
 * `url` is the final one.
 */
export interface PageMetadata {
  metadata: Metadata
  url: string
}
/**
 * The result of `read_links`, which has the arguments of `browse_url`. Untrusted.
 *
 * `url` is the final one.
 */
export interface PageLinks {
  links: Link[]
  url: string
}
/**
 * The results of a video search. `url`: the final address of their page. Always untrusted.
 */
export interface Videos {
  url: string
  videos: Video[]
}
/**
 * One video of a list. Values that the list does not give are absent.
 */
export interface Video {
  channel?: string
  seconds?: number | null
  thumbnail?: string | null
  title: string
  url: string
  views?: number | null
}
/**
 * The browser's history as far as the owner shares it, newest first. Untrusted.
 */
export interface Visits {
  visits: Visit[]
}
/**
 * One visit in the browser's history: a domain, and nothing more of its address.
 *
 * The server checks that.
 */
export interface Visit {
  domain: string
  title: string
  visited_at: string
}
/**
 * A picture of the page in front of the owner, if they allowed that site. Untrusted.
 *
 * `image`: a data: URL of at most 256 KiB. `masked`: the number of places painted over because they hold secrets.
 */
export interface Screenshot {
  height: number
  image: string
  masked: number
  url: string
  width: number
}
export interface GrantAnswer {
  decision: 'allow' | 'block' | 'dismiss'
  host?: string | null
  request_id: string
  scope?: ('once' | 'run' | 'hour' | 'always') | null
  session?: ('owner' | 'clean') | null
  type: 'grant.answer'
}
export interface ApprovalAnswer {
  decision: 'allow' | 'deny' | 'dismiss'
  request_id: string
  type: 'approval.answer'
}
export interface GrantSet {
  capability: 'read' | 'act'
  host: string
  scope: 'once' | 'run' | 'hour' | 'always'
  session?: ('owner' | 'clean') | null
  state: 'allowed' | 'blocked'
  type: 'grant.set'
}
export interface GrantRevoke {
  capability: 'read' | 'act'
  host: string
  type: 'grant.revoke'
}
/**
 * A thumb up or down. Repeating it has no effect.
 */
export interface ThoughtReact {
  thought_id: string
  type: 'thought.react'
  valence: 1 | -1
}
/**
 * Take that thumb back, if it is the current one; the previous one counts again.
 *
 * Repeating it has no effect.
 */
export interface ThoughtUnreact {
  thought_id: string
  type: 'thought.unreact'
  valence: 1 | -1
}
export interface HistoryFetch {
  before_seq: number
  limit: number
  type: 'history.fetch'
}
/**
 * Search for messages that hold all of these words. `before_seq`: only older ones.
 */
export interface HistorySearch {
  before_seq?: number | null
  ref: string
  text: string
  type: 'history.search'
}
/**
 * Ask for a picture. `name`: the part of its address before `.webp`.
 */
export interface PictureFetch {
  name: string
  ref: string
  type: 'picture.fetch'
}
/**
 * Ask for commands. `begun`: the beginning of a command's name, with or without its slash.
 */
export interface CommandsFetch {
  begun?: string
  ref: string
  type: 'commands.fetch'
}
export interface HistoryReport {
  ref: string
  type: 'history.report'
  visits: Visit[]
}
/**
 * Change a device. `history`: whether the owner shares this browser's history.
 */
export interface DeviceUpdate {
  history?: boolean | null
  label?: string | null
  ref: string
  tool_use?: boolean | null
  type: 'device.update'
}
/**
 * What Penny is for, as the owner says it at first.
 *
 * `thinks`: whether she looks for finds by herself. `likes`: in the owner's words.
 */
export interface PurposeSet {
  likes: string[]
  ref: string
  thinks: boolean
  type: 'purpose.set'
}
export interface MessageAck {
  seq: number
  type: 'message.ack'
}
export interface Ping {
  type: 'ping'
}
export interface AuthChallenge {
  nonce: string
  signature: string
  type: 'auth.challenge'
}
export interface Welcome {
  device: DeviceInfo
  grants: GrantInfo[]
  misfit?: Misfit | null
  owner: OwnerInfo
  seq: number
  type: 'welcome'
  unread_thoughts: number
}
export interface DeviceInfo {
  id: string
  label: string
  tool_use: boolean
}
/**
 * A grant. `used_at`: its last use, to the minute; absent if it was never used.
 */
export interface GrantInfo {
  capability: 'read' | 'act'
  expires_at: string | null
  host: string
  scope: 'once' | 'run' | 'hour' | 'always'
  session: 'owner' | 'clean'
  state: 'allowed' | 'blocked'
  used_at?: string | null
}
/**
 * The extension is of another release than Penny, whose version is `version`.
 */
export interface Misfit {
  extension: 'older' | 'newer'
  version: string
}
export interface OwnerInfo {
  name: string
  timezone: string
}
export interface Ack {
  ref: string
  type: 'ack'
}
export interface Error {
  code: string
  message: string
  ref?: string | null
  type: 'error'
}
export interface MessageNew {
  message: Message
  type: 'message.new'
}
/**
 * One entry of the conversation.
 *
 * `html` is sanitised on the server. `origin`: labels (DESIGN.md §4). `device_id`: the device that the owner wrote on,
 * as long as Penny knows it. `reaction`: of a message of that kind, the reaction to its thought afterwards: 1, -1, or
 * 0 for none. `temporary`: outside the conversation, with `seq` 0, and deleted soon. `sealed`: such a question and
 * answer, which the device sends back with the next one.
 */
export interface Message {
  attachments?: AttachmentInfo[] | null
  created_at: string
  device_id?: string | null
  device_label: string
  direction: 'in' | 'out'
  html: string
  id: string
  kind: 'chat' | 'notification' | 'reaction' | 'command' | 'cancelled' | 'failure'
  origin: string[]
  page?: PageHeader | null
  parent_id?: string | null
  reaction?: (1 | -1 | 0) | null
  sealed?: string | null
  seq: number
  temporary?: boolean | null
  text: string
  thought_id?: string | null
  thread?: string | null
  turn_id?: string | null
}
/**
 * What a message shows of its file.
 *
 * `image`: of a picture, as soon as its question is being answered.
 */
export interface AttachmentInfo {
  image?: string | null
  mime: string
  name: string
  size_bytes: number
}
/**
 * What a message shows of the page that it is about. `read`: the page that shows what Penny read of it.
 */
export interface PageHeader {
  image?: string | null
  read?: string | null
  title: string
  url: string
}
export interface HistoryPage {
  messages: Message[]
  more: boolean
  type: 'history.page'
}
/**
 * At most 20 messages, oldest first. `more`: whether older ones match too.
 */
export interface HistoryFound {
  messages: Message[]
  more: boolean
  ref: string
  type: 'history.found'
}
export interface Commands {
  commands: CommandInfo[]
  ref: string
  type: 'commands'
}
/**
 * One command: its name, its arguments, what it does.
 */
export interface CommandInfo {
  does: string
  name: string
  usage: string
}
/**
 * A picture that Penny encoded: WebP, in base64.
 */
export interface Picture {
  data: string
  ref: string
  type: 'picture'
}
/**
 * A turn began. `text`: all of its text so far, which replaces what the client shows.
 */
export interface TurnStarted {
  attempt: number
  device_label: string
  text: string
  turn_id: string
  type: 'turn.started'
}
export interface TurnDelta {
  attempt: number
  index: number
  text: string
  turn_id: string
  type: 'turn.delta'
}
export interface TurnStatus {
  text: string
  turn_id: string
  type: 'turn.status'
}
export interface TurnDone {
  message: Message
  turn_id: string
  type: 'turn.done'
}
export interface TurnFailed {
  error: ToolError
  message: Message
  turn_id: string
  type: 'turn.failed'
}
export interface ToolCall {
  arguments:
    BrowseUrlArguments | SearchWebArguments | GetCurrentTabArguments | GetHistoryArguments | ScreenshotPageArguments
  call_id: string
  deadline_ms: number
  tool: string
  type: 'tool.call'
}
/**
 * Arguments of `browse_url`. `selectors`: only for devices that list `read_selectors`.
 *
 * `scrolls`: the page is read for a list; one that grows while it is scrolled is scrolled on, within a bound.
 */
export interface BrowseUrlArguments {
  scrolls?: boolean | null
  selectors?: Selector[] | null
  session: 'owner' | 'clean'
  url: string
}
/**
 * A query for querySelector, and nothing else. `many`: all matches instead of the first.
 */
export interface Selector {
  css: string
  many: boolean
  name: string
}
export interface SearchWebArguments {
  query: string
  session?: 'owner' | 'clean'
  template: string
}
/**
 * No arguments: it is about the tab in front of the owner.
 */
export interface GetCurrentTabArguments {}
/**
 * Arguments of `get_history`.
 *
 * `words`: the topic of the visits, empty for all. `days`: how far back.
 */
export interface GetHistoryArguments {
  days: number
  words: string
}
/**
 * Arguments of `screenshot_page`.
 *
 * `area`: the visible part, the whole page, or the first element that `selector` finds.
 */
export interface ScreenshotPageArguments {
  area: 'visible' | 'full' | 'element'
  selector?: string | null
}
export interface ToolCancel {
  call_id: string
  type: 'tool.cancel'
}
export interface GrantAsk {
  capability: 'read' | 'act'
  expires_at: string
  host: string
  reason: string
  request_id: string
  type: 'grant.ask'
}
export interface GrantDismiss {
  request_id: string
  type: 'grant.dismiss'
}
export interface ApprovalAsk {
  expires_at: string
  request_id: string
  text: string
  type: 'approval.ask'
}
export interface ApprovalDismiss {
  request_id: string
  type: 'approval.dismiss'
}
/**
 * All current grants; with `page` a part of them, which count once each page of the set is there.
 */
export interface GrantsSync {
  grants: GrantInfo[]
  page?: GrantsPage | null
  type: 'grants.sync'
}
/**
 * The place of a frame among those that bring many grants: page `number` of `count`, all with the same `set`.
 */
export interface GrantsPage {
  count: number
  number: number
  set: string
}
export interface ThoughtsCount {
  type: 'thoughts.count'
  unread: number
}
/**
 * What the header of the pages counts: new finds, open questions of background work, connected browsers.
 */
export interface CountsChanged {
  browsers: number
  finds: number
  questions: number
  type: 'counts.changed'
}
export interface Pong {
  type: 'pong'
}
/**
 * A request to pair. `code`: 8 digits, spaces and hyphens ignored; `public_key`: SPKI DER.
 *
 * The key is P-256, in base64url.
 */
export interface PairRequest {
  code: string
  kind: 'browser' | 'api'
  label: string
  public_key: string
}
export interface PairResponse {
  device_id: string
  server_public_key: string
}

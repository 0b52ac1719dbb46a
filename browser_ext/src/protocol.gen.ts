/* Generated from devices/protocol by `npm run protocol`. Do not edit. */

export type ClientFrame =
  | AuthHello
  | AuthProof
  | ChatSend
  | TurnCancel
  | ToolResult
  | GrantAnswer
  | ApprovalAnswer
  | AskLate
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
  | ThreadsFetch
  | ThreadRename
  | ThreadDelete
  | ThreadRestore
  | MessageDelete
  | MessageRestore
  | ErrandCommand
  | PageKeep
  | KeptLook
  | FileBegin
  | FilePart
  | FileEnd
  | TextAsk
  | TextCancel
  | MessageAck
  | Ping
export type ActCode =
  | 'stale_ref'
  | 'not_found'
  | 'not_visible'
  | 'covered'
  | 'disabled'
  | 'unstable'
  | 'not_editable'
  | 'no_option'
  | 'ambiguous'
  | 'secret_refused'
  | 'value_refused'
  | 'unsupported'
  | 'left_site'
  | 'unsaved'
  | 'frame_not_granted'
  | 'changed_since_asked'
  | 'too_large'
  | 'owner_took_over'
export type CallCode =
  | 'not_granted'
  | 'tools_off'
  | 'bad_url'
  | 'redirect_not_granted'
  | 'load_failed'
  | 'timeout'
  | 'cancelled'
  | 'disconnected'
  | 'empty_page'
  | 'needs_sign_in'
  | 'secret_field'
  | 'no_clean_session'
  | 'shows_logins'
  | 'blocked_by_site'
  | 'asks_consent'
  | 'asks_human'
  | 'unreadable_results'
  | 'no_element'
  | 'internal'
  | 'no_tab'
  | 'outcome_unknown'
  | 'navigation_failed'
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
  | ThreadsSync
  | ThreadsFound
  | MessagesGone
  | LookingChanged
  | ErrandChanged
  | ActingChanged
  | StopChanged
  | KeptState
  | FileState
  | TextStarted
  | TextDelta
  | TextDone
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
 * `thread`: begun by the first message with its id; a reply goes to the thread of its parent. `earlier`: of a
 * temporary one, the `sealed` of those before, oldest first. `mode`: with `act`, Penny may do something on pages for
 * this message; `tab`: the site in front of the owner, whose tab she may use then.
 */
export interface ChatSend {
  attachments?: Attachment[] | null
  earlier?: string[] | null
  mode?: ('ask' | 'act') | null
  page?: Page | null
  parent_id?: string | null
  tab?: string | null
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
 * digits stay: m². The text of a file (`extracted_with` is "text") is the file's, without marks. What is said in the
 * recordings of a page comes last: `## Transcript`, then lines such as `[12:34] words`, each with its time.
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
  result?:
    | Page
    | SearchResults
    | CurrentTab
    | PageMetadata
    | PageLinks
    | Videos
    | Visits
    | Screenshot
    | TabState
    | Snapshot
    | LineMatches
    | Acted
    | ActOutcome
    | null
  type: 'tool.result'
}
export interface ToolError {
  code: ActCode | CallCode
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
/**
 * The tab of an errand. `is_own`: it was opened for the errand. Untrusted but for `tab`.
 */
export interface TabState {
  is_own: boolean
  tab: string
  title: string
  url: string
}
/**
 * A page as numbered lines. `version` goes up with each snapshot of the tab. Untrusted.
 */
export interface Snapshot {
  frames?: PageFrame[]
  is_cut?: boolean
  lines: number
  part: number
  parts: number
  refs: number
  text: string
  title: string
  url: string
  version: number
}
export interface PageFrame {
  host: string
  is_allowed: boolean
}
/**
 * What `find_on_page` found. Untrusted.
 */
export interface LineMatches {
  matches: LineMatch[]
  url: string
}
export interface LineMatch {
  line: string
  part: number
  ref?: string | null
}
/**
 * The result of `act_on_page`: it was done, or it needs the owner's yes to what `shown` says. Untrusted.
 *
 * `changes`: how the page differs from the snapshot before. `healed`: the old ref, and the one that took its place.
 */
export interface Acted {
  act_id: string
  changes?: string
  effects?: Effects | null
  healed?: unknown[] | null
  shown?: Shown | null
  state: 'done' | 'needs_approval'
  url: string
  version?: number | null
}
/**
 * What an act did. `writes`: requests that it sent.
 */
export interface Effects {
  dialog?: PageDialog | null
  focus?: string | null
  has_closed_tab: boolean
  has_navigated: boolean
  has_opened_tab: boolean
  is_nothing: boolean
  is_same_page: boolean
  opened?: string[]
  value?: string | null
  writes?: number
}
/**
 * What a page asked or said. It was answered no, unless `is_accepted`: the owner said yes to these words.
 */
export interface PageDialog {
  is_accepted?: boolean
  kind: 'alert' | 'confirm' | 'prompt'
  text: string
}
/**
 * What an act would do, as the owner is asked about it, read from the page when it was about to happen.
 *
 * `digest` stands for all of it: a yes is for this digest alone. `owner_task`: it is for the owner alone, no yes lets
 * Penny do it. Untrusted.
 */
export interface Shown {
  amount?: string
  button: string
  certainty: 'sure' | 'words' | 'none'
  dialog?: string
  digest: string
  fields?: ShownField[]
  files?: ShownFile[]
  host: string
  kinds: (
    | 'submit'
    | 'send'
    | 'buy'
    | 'delete'
    | 'grant'
    | 'account'
    | 'sign_in'
    | 'credential'
    | 'upload'
    | 'download'
    | 'leave'
    | 'carry'
    | 'call_api'
    | 'script'
    | 'confirm'
  )[]
  more_fields?: number
  more_hidden?: number
  owner_task?: ('captcha' | 'new_password' | 'certificate' | 'permission') | null
  role?: string
  to: string
}
/**
 * A field as the owner is asked about it. `more`: characters that are not shown.
 *
 * `value` is what the owner sees; `sent` what goes to the site, where it is another text, as of an option.
 * `is_hidden`: the page sends it without showing it. `name` is the field's own. `source`: where its value comes from,
 * as the server found: your words, this page, or neither.
 */
export interface ShownField {
  is_hidden?: boolean
  label: string
  more?: number
  name?: string
  sent?: string | null
  source?: ('you' | 'page' | 'penny') | null
  value: string
}
export interface ShownFile {
  name: string
  size: number
}
/**
 * `begun`: it may have happened. Of a finished one, `acted` is the result.
 */
export interface ActOutcome {
  act_id: string
  acted?: Acted | null
  state: 'unknown' | 'begun' | 'done'
}
export interface GrantAnswer {
  decision: 'allow' | 'block' | 'dismiss'
  host?: string | null
  request_id: string
  scope?: ('once' | 'run' | 'hour' | 'always') | null
  session?: ('owner' | 'clean') | null
  type: 'grant.answer'
}
/**
 * An answer to `approval.ask`. `words`: to a question of the operator.
 */
export interface ApprovalAnswer {
  decision: 'allow' | 'deny' | 'dismiss'
  request_id: string
  type: 'approval.answer'
  words?: string
}
/**
 * A yes to a question that nobody answered in time. The message is asked again as `turn_id`.
 */
export interface AskLate {
  ask_id: string
  turn_id: string
  type: 'ask.late'
}
export interface GrantSet {
  capability: 'read' | 'act' | 'keep'
  host: string
  scope: 'once' | 'run' | 'hour' | 'always'
  session?: ('owner' | 'clean') | null
  state: 'allowed' | 'blocked'
  type: 'grant.set'
}
export interface GrantRevoke {
  capability: 'read' | 'act' | 'keep'
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
/**
 * Ask for older messages: of one view, or of the whole conversation.
 */
export interface HistoryFetch {
  before_seq: number
  limit: number
  thread?: string | 'main' | null
  type: 'history.fetch'
}
/**
 * Search for messages that hold all of these words.
 *
 * `before_seq`: only older ones. `thread`: only those of a view.
 */
export interface HistorySearch {
  before_seq?: number | null
  ref: string
  text: string
  thread?: string | 'main' | null
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
 * Change a device.
 *
 * `history`: whether the owner shares this browser's history. `keeping`: which pages it keeps by itself.
 */
export interface DeviceUpdate {
  history?: boolean | null
  keeping?: ('off' | 'sites' | 'all') | null
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
/**
 * Search for threads whose name holds a text.
 */
export interface ThreadsFetch {
  ref: string
  text: string
  type: 'threads.fetch'
}
export interface ThreadRename {
  name: string
  ref: string
  thread_id: string
  type: 'thread.rename'
}
/**
 * Delete a thread with its messages. `thread.restore` takes that back for a day.
 */
export interface ThreadDelete {
  ref: string
  thread_id: string
  type: 'thread.delete'
}
export interface ThreadRestore {
  ref: string
  thread_id: string
  type: 'thread.restore'
}
/**
 * Delete a message, a question with its answer. `message.restore` takes that back for a day.
 */
export interface MessageDelete {
  message_id: string
  ref: string
  type: 'message.delete'
}
export interface MessageRestore {
  message_id: string
  ref: string
  type: 'message.restore'
}
/**
 * What the owner wants of an errand: end it, have its page themselves, or give the page back.
 *
 * Answered by `ack`, or by the error `no_errand` where it is over, or is not in a state for that.
 */
export interface ErrandCommand {
  do: 'stop' | 'take_over' | 'hand_back'
  errand_id: string
  ref: string
  type: 'errand.command'
}
/**
 * Keep a page. `auto`: the browser keeps it by itself, `asked`: the owner pressed a button for it.
 *
 * `masked`: how many secrets the browser covered in its text. `private_window`: the page stands in one. `asks_secret`:
 * a field for a password, a card or a code can be seen on it. Without these two it is not kept. Answered by `ack`, or
 * by an error that says why the page is not kept.
 */
export interface PageKeep {
  asks_secret?: boolean | null
  contacts?: Contacts | null
  masked: number
  page: Page
  private_window?: boolean | null
  ref: string
  type: 'page.keep'
  why: 'auto' | 'asked'
}
/**
 * How those whom a page names can be reached. Its addresses stand in attributes as well, which its text lacks.
 *
 * `emails`, `phones` (digits, with `+` before a country code) and `profiles` (web addresses). All of it is untrusted.
 */
export interface Contacts {
  emails?: string[]
  phones?: string[]
  profiles?: string[]
}
/**
 * Ask whether a page is kept. Answered by `kept.state`.
 *
 * `key`: the checksum of its address as it would be stored, so that asking tells the address of no page.
 */
export interface KeptLook {
  key: string
  ref: string
  type: 'kept.look'
}
/**
 * Begin to send a file, or go on with it after a lost connection. Answered by `file.state`.
 *
 * `sha256`: of its bytes. A file that is not whole after ten minutes is deleted.
 */
export interface FileBegin {
  name: string
  ref: string
  sha256: string
  size_bytes: number
  type: 'file.begin'
}
/**
 * The part of a file at `index`, in base64url: PART_BYTES; of the last one, the rest. Answered by `file.state`.
 */
export interface FilePart {
  data: string
  index: number
  ref: string
  type: 'file.part'
}
/**
 * Keep the file: all of it was sent. Answered by `file.state`.
 */
export interface FileEnd {
  ref: string
  type: 'file.end'
}
/**
 * Ask for one task on a passage. Answered by `text.started`, `text.delta`, and `text.done` or an error.
 *
 * `host`: the site of the passage, which labels it. `instruction`: in the owner's words. `to`: the language of the
 * answer. `limit`: how many characters the field takes. Sent again with the same `ref` it is one ask.
 */
export interface TextAsk {
  host: string
  instruction?: string
  limit?: number | null
  platform?: 'mail' | 'chat' | 'review' | 'code' | 'social' | 'search' | 'form' | 'text'
  ref: string
  style?:
    | (
        | 'shorter'
        | 'longer'
        | 'professional'
        | 'friendly'
        | 'improved'
        | 'simpler'
        | 'enthusiastic'
        | 'conversational'
        | 'custom'
      )
    | null
  task: 'explain' | 'rewrite' | 'write' | 'translate' | 'summarise'
  temporary?: boolean
  text?: string
  to?: string | null
  type: 'text.ask'
}
export interface TextCancel {
  ref: string
  type: 'text.cancel'
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
/**
 * The state at the start of a connection. `has_model`: whether a model writes the answers.
 */
export interface Welcome {
  device: DeviceInfo
  grants: GrantInfo[]
  has_model?: boolean
  misfit?: Misfit | null
  owner: OwnerInfo
  seq: number
  type: 'welcome'
  unread_thoughts: number
}
export interface DeviceInfo {
  id: string
  keeping: 'off' | 'sites' | 'all'
  label: string
  tool_use: boolean
}
/**
 * A grant. `used_at`: its last use, to the minute; absent if it was never used.
 */
export interface GrantInfo {
  capability: 'read' | 'act' | 'keep'
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
 * `html` is sanitised on the server. `origin`: where its words come from. `device_id`: the device that the owner wrote
 * on, as long as Penny knows it. `reaction`: of a message of that kind, the reaction to its thought afterwards: 1, -1,
 * or 0 for none. `temporary`: outside the conversation, with `seq` 0, and deleted soon. `sealed`: such a question and
 * answer, which the device sends back with the next one. `goes_on`: an answer that is not whole; the reply “go on” has
 * Penny go on with it.
 */
export interface Message {
  attachments?: AttachmentInfo[] | null
  created_at: string
  device_id?: string | null
  device_label: string
  direction: 'in' | 'out'
  goes_on?: boolean | null
  html: string
  id: string
  kind: 'chat' | 'notification' | 'reaction' | 'command' | 'cancelled' | 'failure'
  late_asks?: LateAsk[] | null
  origin: string[]
  page?: PageHeader | null
  parent_id?: string | null
  reaction?: (1 | -1 | 0) | null
  receipt?: Receipt | null
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
 * A question of a turn that nobody answered in time. Until `until` a yes allows the hosts and asks again.
 *
 * `engine`: the name of the search engine that the host is, else empty.
 */
export interface LateAsk {
  ask_id: string
  engine?: string
  hosts: string[]
  until: string
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
/**
 * What an answer took. `sites`, `searches` and `acts`: how many were read, made, and done on pages.
 *
 * `sent_to`: the hosts off this machine whose models got the owner's words. `cost`: in the owner's currency, as words;
 * empty without a price. `unseen_before`: what was said before was not seen for it, which is told once.
 */
export interface Receipt {
  acts?: number
  cost: string
  searches: number
  sent_to: string[]
  sites: number
  unseen_before?: string | null
}
export interface HistoryPage {
  messages: Message[]
  more: boolean
  thread?: string | 'main' | null
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
  error: TurnError
  message: Message
  turn_id: string
  type: 'turn.failed'
}
export interface TurnError {
  code: string
  message: string
}
export interface ToolCall {
  arguments:
    | BrowseUrlArguments
    | SearchWebArguments
    | GetCurrentTabArguments
    | GetHistoryArguments
    | ScreenshotPageArguments
    | ManageTabArguments
    | SnapshotPageArguments
    | FindOnPageArguments
    | ActOnPageArguments
    | ActOutcomeArguments
    | ReadTabArguments
  call_id: string
  deadline_ms: number
  tool: string
  type: 'tool.call'
}
/**
 * Arguments of `browse_url`. `selectors`: only for devices that list `read_selectors`.
 *
 * `scrolls`: the page is read for a list; one that grows while it is scrolled is scrolled on, within a bound.
 * `keeps`: the page is to be kept, so one that asks for a secret is refused with `secret_field`; only for devices that
 * list `read_to_keep`.
 */
export interface BrowseUrlArguments {
  keeps?: boolean | null
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
/**
 * Arguments of `manage_tab`: take the tab in front of the owner, open one, or give it back.
 *
 * `url` and `session` are those of a tab that is opened. `host` is the site of the errand.
 */
export interface ManageTabArguments {
  do: 'adopt' | 'open' | 'release'
  errand: string
  host: string
  session?: 'owner' | 'clean'
  url?: string | null
}
/**
 * Arguments of `snapshot_page`. `part` counts from 1. `ref`: only what lies below it. `characters`: of one part.
 *
 * `filter`: all, also what lies beneath a dialog; or controls without running text. Absent: as the page is to be used.
 */
export interface SnapshotPageArguments {
  characters: number
  filter?: ('all' | 'controls') | null
  part: number
  ref?: string | null
  tab: string
}
/**
 * Arguments of `find_on_page`: words, a role, or both.
 */
export interface FindOnPageArguments {
  limit: number
  role: string
  tab: string
  words: string
}
/**
 * Arguments of `act_on_page`. The same `act_id` is done at most once.
 *
 * `approved`: the digest of what the owner said yes to; anything else is refused.
 */
export interface ActOnPageArguments {
  act_id: string
  action: ClickAction | SetAction | TypeAction | PressAction | HoverAction | ScrollAction | GoAction | WaitAction
  approved?: string | null
  tab: string
}
export interface ClickAction {
  button?: 'left' | 'right' | 'middle'
  count?: number
  do?: 'click'
  keys?: ('Control' | 'Shift' | 'Alt' | 'Meta')[]
  ref: string
}
/**
 * Set controls in order. The first that fails ends it. `submits`: submit the form of the last one.
 */
export interface SetAction {
  do?: 'set'
  fields: FieldValue[]
  submits?: boolean
}
/**
 * What to put into a control: text, or whether it is on, or the options to choose.
 */
export interface FieldValue {
  ref: string
  value: string | boolean | string[]
}
export interface TypeAction {
  do?: 'type'
  ref?: string | null
  text: string
}
export interface PressAction {
  do?: 'press'
  keys: string
  times?: number
}
export interface HoverAction {
  do?: 'hover'
  ref: string
}
export interface ScrollAction {
  do?: 'scroll'
  ref?: string | null
  to: 'down' | 'up' | 'top' | 'end' | 'ref'
}
/**
 * Go back, forward or anew, to the link of a ref, or to a path of this site, which begins with one slash.
 */
export interface GoAction {
  do?: 'go'
  path?: string | null
  ref?: string | null
  to: 'back' | 'forward' | 'reload' | 'ref' | 'path'
}
export interface WaitAction {
  do?: 'wait'
  ms?: number
  until: 'quiet' | 'text' | 'gone' | 'path' | 'ms'
  value?: string
}
/**
 * Arguments of `act_outcome`: what became of an act whose answer was lost.
 */
export interface ActOutcomeArguments {
  act_id: string
}
/**
 * Arguments of `read_tab`: read the page of an errand's tab as `browse_url` does.
 */
export interface ReadTabArguments {
  read: string
}
export interface ToolCancel {
  call_id: string
  type: 'tool.cancel'
}
/**
 * A question about a site. Nobody waits beside one of background work, which reads without the owner's logins.
 *
 * `engine`: the name of the search engine that the site is, else empty.
 */
export interface GrantAsk {
  capability: 'read' | 'act'
  engine?: string
  expires_at: string
  host: string
  is_background?: boolean
  reason: string
  request_id: string
  type: 'grant.ask'
}
export interface GrantDismiss {
  request_id: string
  type: 'grant.dismiss'
}
/**
 * A question about one act, with `details` of what it would send; or a `question` that is answered in words.
 */
export interface ApprovalAsk {
  details?: Shown | null
  expires_at: string
  is_background?: boolean
  question?: PageQuestion | null
  request_id: string
  text: string
  type: 'approval.ask'
}
/**
 * What an operator asks the owner, made by a page as likely as by Penny. `options`: answers to choose from.
 */
export interface PageQuestion {
  host: string
  options: string[]
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
 * What the header of the pages counts: new finds, open questions of background work, connected browsers, and runs
 * under way.
 */
export interface CountsChanged {
  browsers: number
  finds: number
  questions: number
  running: number
  type: 'counts.changed'
}
/**
 * The threads that were used last, newest first: after `welcome`, and whenever one is begun, renamed or deleted.
 *
 * `more`: whether there are others, which `threads.fetch` finds.
 */
export interface ThreadsSync {
  more: boolean
  threads: ThreadInfo[]
  type: 'threads.sync'
}
/**
 * `used_at`: when the owner last wrote in it.
 */
export interface ThreadInfo {
  id: string
  name: string
  used_at: string
}
export interface ThreadsFound {
  more: boolean
  ref: string
  threads: ThreadInfo[]
  type: 'threads.found'
}
/**
 * Messages that were deleted: remove what is stored of them.
 */
export interface MessagesGone {
  ranges: SeqRange[]
  type: 'messages.gone'
}
/**
 * Numbers of messages, both ends included.
 */
export interface SeqRange {
  first: number
  last: number
}
/**
 * The newest search that the owner started, as it goes on; none some minutes after its end.
 */
export interface LookingChanged {
  look: Look | null
  type: 'looking.changed'
}
/**
 * A search for a find that the owner started. `about`: the interest, in the owner's words.
 *
 * `site`: what is asked, searched or read, the `number`th `of` so many pages. `question`: the question that it waits
 * for. Once it is over, `thought_id` is the find, or `outcome` says why there is none.
 */
export interface Look {
  about: string
  number?: number
  of?: number
  outcome?: string
  question?: string | null
  run_id: string
  site?: string
  step?: 'starting' | 'waiting' | 'searching' | 'reading' | 'writing' | 'over'
  thought_id?: string | null
}
export interface ErrandChanged {
  errand: ErrandInfo
  type: 'errand.changed'
}
/**
 * An errand as it stands. `turn_id`: of the message that it was asked for in. `code`: why it ended or waits.
 *
 * `goal`: its beginning, in the owner's words. `line`: what Penny is doing there. Both are empty for a temporary chat.
 * `waiting`: the question to the owner that it waits for.
 */
export interface ErrandInfo {
  code: string
  goal: string
  host: string
  id: string
  line: string
  state: 'running' | 'waiting' | 'paused' | 'done' | 'partial' | 'failed' | 'cancelled'
  steps: number
  steps_max: number
  turn_id?: string | null
  waiting?: string | null
}
/**
 * Whether Penny can act on pages now. `obstacle`: what keeps her from it, none if a browser may act.
 */
export interface ActingChanged {
  obstacle: ('no_model' | 'no_browser' | 'old_browser' | 'switched_off') | null
  type: 'acting.changed'
}
/**
 * Whether the owner stopped everything: Penny then opens and calls nothing until she may go on.
 */
export interface StopChanged {
  is_stopped: boolean
  type: 'stop.changed'
}
/**
 * When the page was kept, and the entry of its newest version. Both are absent where it is not kept.
 */
export interface KeptState {
  entry?: string | null
  kept_at?: string | null
  ref: string
  type: 'kept.state'
}
/**
 * How far a file is: it arrives, is read, is kept, or is refused with `message`. `parts`: those that arrived.
 */
export interface FileState {
  message?: string | null
  parts: number
  ref: string
  step: 'arriving' | 'reading' | 'kept' | 'refused'
  type: 'file.state'
}
export interface TextStarted {
  ref: string
  type: 'text.started'
}
/**
 * A piece of the text. `index` counts from 1; a piece of index 1 begins anew.
 */
export interface TextDelta {
  index: number
  ref: string
  text: string
  type: 'text.delta'
}
/**
 * The whole text, which holds in place of its pieces. `origin`: its labels. `made_by`: the name of the model.
 */
export interface TextDone {
  made_by: string
  origin: string[]
  ref: string
  text: string
  type: 'text.done'
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

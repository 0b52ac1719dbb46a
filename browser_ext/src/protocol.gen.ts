/* Generated from devices/protocol.py by `npm run protocol`. Do not edit. */

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
  | PictureFetch
  | HistoryReport
  | DeviceUpdate
  | MessageAck
  | Ping
export type ServerFrame =
  | AuthChallenge
  | Welcome
  | Ack
  | Error
  | MessageNew
  | HistoryPage
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
export interface ChatSend {
  attachments?: Attachment[] | null
  page?: Page | null
  parent_id?: string | null
  temporary?: boolean | null
  text: string
  thought_id?: string | null
  thread?: string | null
  turn_id: string
  type: 'chat.send'
}
export interface Attachment {
  data: string
  mime: string
  name: string
}
/**
 * What one extraction of one URL returned; `url` is the final one. Always untrusted.
 *
 * `image` is the page's own picture, fetched and scaled by the extension, as a data: URL of at most 256 KiB; an address is not followed.
 */
export interface Page {
  extracted_with: 'defuddle' | 'readability' | 'heuristics' | 'treewalker' | 'pdf' | 'text'
  image?: string | null
  links: Link[]
  metadata?: Metadata | null
  text: string
  title: string
  truncated: boolean
  url: string
}
export interface Link {
  text: string
  url: string
}
/**
 * What a page says about itself, in typed values alone: untrusted, and no part of what a reader sees. The rest of it is dropped.
 *
 * `images` are web addresses, nearest to the page's own picture first; whoever speaks of one names its place in the list.
 * `json_ld`, `microdata` and `open_graph` may hold anything, in the shapes of extruct: only the sandbox looks at them, for a watch, and
 * they are never stored.
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
  site_name?: string | null
  title?: string | null
}
export interface TurnCancel {
  turn_id: string
  type: 'turn.cancel'
}
export interface ToolResult {
  call_id: string
  error?: ToolError | null
  result?: Page | SearchResults | CurrentTab | null
  type: 'tool.result'
}
export interface ToolError {
  code: string
  message: string
}
/**
 * `url` is where the page of the results was in the end. Always untrusted.
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
 * A thumb up or down. The same again changes nothing.
 */
export interface ThoughtReact {
  thought_id: string
  type: 'thought.react'
  valence: 1 | -1
}
/**
 * Takes that thumb back, if it is the one that stands: what was before it stands again. The same again changes nothing.
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
 * `name`: of a picture that Penny serves, as it stands in its address before `.webp`.
 */
export interface PictureFetch {
  name: string
  ref: string
  type: 'picture.fetch'
}
export interface HistoryReport {
  ref: string
  type: 'history.report'
  visits: Visit[]
}
/**
 * One visit in the browser's history: a domain and nothing more of its address. Whoever takes it checks that.
 */
export interface Visit {
  domain: string
  title: string
  visited_at: string
}
/**
 * `history`: whether the owner shares this browser's history from now on.
 */
export interface DeviceUpdate {
  history?: boolean | null
  label?: string | null
  ref: string
  tool_use?: boolean | null
  type: 'device.update'
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
export interface GrantInfo {
  capability: 'read' | 'act'
  expires_at: string | null
  host: string
  scope: 'once' | 'run' | 'hour' | 'always'
  session: 'owner' | 'clean'
  state: 'allowed' | 'blocked'
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
 * One entry of the conversation. `html` is sanitised on the server; `origin` names the labels of DESIGN.md §4.
 *
 * `reaction`: of a message of that kind, what stands of its thought after it: 1, -1, or 0 where it was taken back.
 */
export interface Message {
  created_at: string
  device_label: string
  direction: 'in' | 'out'
  html: string
  id: string
  kind: 'chat' | 'notification' | 'reaction' | 'command' | 'cancelled' | 'failure'
  origin: string[]
  page?: PageHeader | null
  parent_id?: string | null
  reaction?: (1 | -1 | 0) | null
  seq: number
  text: string
  thought_id?: string | null
  thread?: string | null
  turn_id?: string | null
}
/**
 * What a message shows of the page that it is about.
 */
export interface PageHeader {
  image?: string | null
  title: string
  url: string
}
export interface HistoryPage {
  messages: Message[]
  more: boolean
  type: 'history.page'
}
/**
 * A picture as Penny encoded it: a WebP, in base64.
 */
export interface Picture {
  data: string
  ref: string
  type: 'picture'
}
/**
 * `text` is the whole text so far and replaces what was shown of the turn.
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
  arguments: BrowseUrlArguments | SearchWebArguments | GetCurrentTabArguments
  call_id: string
  deadline_ms: number
  tool: string
  type: 'tool.call'
}
export interface BrowseUrlArguments {
  session: 'owner' | 'clean'
  url: string
}
export interface SearchWebArguments {
  query: string
  template: string
}
/**
 * Nothing: it is about the tab in front of the owner.
 */
export interface GetCurrentTabArguments {}
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
export interface GrantsSync {
  grants: GrantInfo[]
  type: 'grants.sync'
}
export interface ThoughtsCount {
  type: 'thoughts.count'
  unread: number
}
export interface Pong {
  type: 'pong'
}
/**
 * `code`: 8 digits; spaces and hyphens are ignored. `public_key`: P-256, SPKI DER, base64url.
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

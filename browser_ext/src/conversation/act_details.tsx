// Everything that an act on a page would send, and where each value comes from.
import type { Shown, ShownField } from '../protocol.gen'
import { say, type Key } from '../say'

/** The first that an act has names it. */
const HEADINGS: [Shown['kinds'][number], Key][] = [
  ['buy', 'act_buy'],
  ['send', 'act_send'],
  ['delete', 'act_delete'],
  ['grant', 'act_grant'],
  ['account', 'act_account'],
  ['sign_in', 'act_sign_in'],
  ['credential', 'act_sign_in'],
  ['upload', 'act_upload'],
  ['download', 'act_download'],
  ['leave', 'act_leave'],
  ['confirm', 'act_confirm'],
  ['submit', 'act_submit'],
]
const SOURCES: Record<NonNullable<ShownField['source']>, Key> = {
  you: 'act_from_you',
  page: 'act_from_page',
  penny: 'act_from_penny',
}

export function headingOf({ kinds, host }: Shown): string {
  const key = HEADINGS.find(([kind]) => kinds.includes(kind))?.[1] ?? 'act_press'
  return say(key, host)
}

export function ActDetails({ details }: { details: Shown }) {
  const { button, amount, dialog, to, fields = [], files = [], more_hidden = 0 } = details
  const beneath = fields.filter((field) => field.is_hidden)
  return (
    <dl id="ask-reason" class="sent">
      {button && <Row label={say('act_button')} value={button} />}
      {amount && <Row label={say('act_amount')} value={amount} />}
      {fields.map((field, place) => !field.is_hidden && <FieldRow key={place} field={field} />)}
      {files.map((file) => (
        <Row key={file.name} label={say('act_file')} value={say('act_file_size', file.name, kilobytes(file.size))} />
      ))}
      {dialog && <Row label={say('act_dialog')} value={dialog} />}
      {to && <Row label={say('act_to')} value={to} />}
      {beneath.length > 0 && (
        <div>
          <dt>{say('act_hidden')}</dt>
          <dd class="hidden-fields">
            {beneath.map((field, place) => (
              <span key={place} dir="auto">
                {hiddenText(field)}
              </span>
            ))}
            {more_hidden > 0 && <span>{say('act_hidden_more', more_hidden)}</span>}
          </dd>
        </div>
      )}
    </dl>
  )
}

function FieldRow({ field }: { field: ShownField }) {
  const { label, value, sent, source } = field
  const text = typeof sent === 'string' ? say('act_value_sent', value, sent) : value
  return <Row label={label || say('act_no_name')} value={text} {...(source && { source })} />
}

function hiddenText({ name = '', value, more = 0 }: ShownField): string {
  return `${name} = ${value}${more > 0 ? ` ${say('act_hidden_cut', more)}` : ''}`
}

function Row({ label, value, source }: { label: string; value: string; source?: ShownField['source'] }) {
  return (
    <div>
      <dt>
        {label}
        {source && <span class="source">{say(SOURCES[source])}</span>}
      </dt>
      <dd dir="auto">{value || '–'}</dd>
    </div>
  )
}

function kilobytes(bytes: number): string {
  return Math.ceil(bytes / 1024).toLocaleString()
}

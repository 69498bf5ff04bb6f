import { Moment } from '../../contract/fields.ts'
import { mcpMessages } from '../../contract/mcp/server-messages.ts'

/** A text of Rowferry itself. All other strings of a result are marked as data. */
class OwnText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What a tool returns. Plain strings are foreign text. */
export type Shown =
  | string
  | number
  | boolean
  | null
  | undefined
  | OwnText
  | readonly Shown[]
  | { readonly [key: string]: Shown }

/** Marks a text as ours. Takes literal types only, such as the states of a run, so that no text of a person gets here by mistake. */
export const own = <T extends string>(text: string extends T ? never : T): OwnText => new OwnText(text)

/** A time as ISO 8601; anything else is treated as foreign text. */
export const moment = (at: string | null): Shown =>
  at !== null && Moment.safeParse(at).success ? new OwnText(at) : at

// Longer texts would fill the context of an agent.
const MAX_CHARACTERS = 1_000
// Control characters except tab and line feed, and characters that people do not see: an agent would read what they hide.
const UNSEEN = /[\u{FE00}-\u{FE0E}\u{E0100}-\u{E01EF}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?![\t\n])\p{Cc}/gu
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '＜': '&lt;', '＞': '&gt;' }

/** A foreign text between the delimiters. It cannot contain them: its angle brackets are escaped. */
function marked(text: string): string {
  const cut = text.length > MAX_CHARACTERS
  const visible = text.slice(0, MAX_CHARACTERS).toWellFormed().replace(UNSEEN, ' ')
  const escaped = visible.replace(/[&<>＜＞]/g, (sign) => ESCAPES[sign] ?? '')
  return `<data>${escaped}${cut ? '…' : ''}</data>`
}

/** A result as an agent reads it: the preamble, then JSON in which each foreign string is between <data> and </data>. */
export const render = (value: Shown): string => `${mcpMessages.preamble}\n${JSON.stringify(plain(value))}`

function plain(value: Shown): unknown {
  if (typeof value === 'string') return marked(value)
  if (value instanceof OwnText) return value.text
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [ownKey(key), plain(entry)]))
}

/** Throws TypeError for a key that is not a name of ours: names of fields are listed as values, so that they are marked. */
function ownKey(key: string): string {
  if (!/^[a-z_]+$/.test(key)) throw new TypeError('Foreign text as a key of a result')
  return key
}

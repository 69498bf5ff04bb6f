import { fieldsOf } from './json-path.ts'

/** An error reported in the body of a successful reply. */
export type ReportedError = {
  /** The API's message; it may be long and contain secrets. */
  detail: string
  /** An HTTP status, if the body has one. */
  code: number | null
  /** Whether the field exists only for errors; otherwise it is a status or code, which may echo the request. */
  isExplicit: boolean
}

type Field = [name: string, value: unknown]

const ERROR =
  /^_?(last_?)?(errors?|errs?|faults?|exceptions?)(_?(messages?|msg|text|descriptions?|details?|codes?|info|string|list))?$|^error_?s$/i
const SUCCESS = /^(is_?)?(success|successful|succeeded|ok)$/i
const STATUS = /^(status|result|outcome)(_?(text|name))?$/i
const CODE =
  /^(code|status|(status|http|http_?status|result|response|return|ret|error)_?code|http_?status|error|errno)$/i
/** Names of message fields. A title or description next to a code may belong to an entity. */
const MESSAGE = /^((error_?)?(message|msg)|error)$/i
const TEXT =
  /^((error_?)?(message|description|detail|details|msg|text|reason|title)|error|fault_?string|user_?message|info)$/i
/** Names of objects that describe the outcome. */
const ENVELOPE =
  /^(meta|_meta|header|head|response|result|status|body|envelope|info|fault|response_?(meta_?data|header|status|info))$/i

const FAILED =
  /^(err|errors?|errored|fail|failed|failure|fault|exception|denied|refused|rejected|unauthori[sz]ed|forbidden|expired|exceeded|limited|limit|invalid|timeout|unavailable|ko|nok)$/i
const FINE =
  /^(|0+|0x0+|2\d\d|1?0000|20{4,5}|ok|okay|success|successful|succeeded|none|null|nil|no|false|no_?errors?|s_?ok|成功|-)$/i
/** Longer texts are not status names. */
const STATUS_CHARACTERS = 40
/** Longer messages are truncated. */
const DETAIL_CHARACTERS = 2_000
const MAX_DEPTH = 4

/**
 * Finds an error in a reply: a filled error field, `success: false`, or a status or code that means failure. `way`:
 * the objects on the path to the list, outermost first; list entries are data. Null: no error.
 */
export function reportedError(way: readonly unknown[]): ReportedError | null {
  const envelopes = [...way, ...envelopesOf(way[0])].map(fieldsOf).filter((fields) => fields.length > 0)
  for (const signs of [explicitSign, statusSign])
    for (const fields of envelopes) {
      const sign = signs(fields)
      if (!sign) continue
      const detail = detailOf(sign, fields) ?? envelopes.map(textOf).find((text) => text !== null)
      return {
        detail: (detail ?? `${sign[0]}: ${JSON.stringify(sign[1])}`).slice(0, DETAIL_CHARACTERS),
        code: codeOf([...fieldsWithin(sign[1]), ...fields, ...envelopes.flat()]),
        isExplicit: signs === explicitSign,
      }
    }
  return null
}

/** A message such as `message` in a reply without a list; null: none. */
export const textIn = (value: unknown): string | null =>
  [value, ...envelopesOf(value)]
    .map((object) => textOf(fieldsOf(object)))
    .find((text) => text !== null)
    ?.slice(0, DETAIL_CHARACTERS) ?? null

const envelopesOf = (value: unknown): unknown[] =>
  fieldsOf(value).flatMap(([name, field]) => (ENVELOPE.test(name) ? [field] : []))

function explicitSign(fields: readonly Field[]): Field | undefined {
  return fields.find(
    ([name, value]) => (ERROR.test(name) && isFilled(value, 0)) || (SUCCESS.test(name) && isFalse(value)),
  )
}

function statusSign(fields: readonly Field[]): Field | undefined {
  return fields.find(
    ([name, value]) =>
      (STATUS.test(name) && typeof value === 'string' && saysFailed(value)) ||
      (CODE.test(name) && (isFailureStatus(value) || isOwnCode(value, fields))),
  )
}

/** Whether an error field contains an error: any text, number or true that does not mean "none". */
function isFilled(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.some((entry) => isFilled(entry, depth + 1))
  if (typeof value === 'object' && value !== null)
    return depth < MAX_DEPTH ? Object.values(value).some((entry) => isFilled(entry, depth + 1)) : true
  if (typeof value === 'boolean') return value
  return value !== null && value !== undefined && !FINE.test(String(value).trim())
}

const isFalse = (value: unknown) => value === false || value === 0 || /^(false|0|no)$/i.test(asText(value))

const saysFailed = (text: string) =>
  text.length <= STATUS_CHARACTERS &&
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^a-z]+/i)
    .some((word) => FAILED.test(word))

const isFailureStatus = (value: unknown) => /^[45]\d\d$/.test(asText(value))

/** An API-specific code; an error only if no text says that all is well. */
function isOwnCode(value: unknown, fields: readonly Field[]): boolean {
  if (!/^-?\d{1,9}$/.test(asText(value)) || FINE.test(asText(value)) || value === 1 || value === '1')
    return false
  const text = textOf(fields.filter(([name]) => MESSAGE.test(name)))
  return text !== null && !/success|成功|\bok\b/i.test(text) && (Number(value) < 0 || Number(value) >= 300)
}

const asText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** The field's own text, or its neighbours' if it is only a code. */
function detailOf([name, value]: Field, fields: readonly Field[]): string | null {
  if (typeof value === 'object' && value !== null) {
    const inner = textWithin(value, 0)
    if (inner !== null) return inner
  }
  const own = typeof value === 'string' && ERROR.test(name) ? value : null
  return own !== null && /\s/.test(own.trim()) ? own : (textOf(fields) ?? own)
}

/** Prefers sentences: `error` is often only a code. */
function textOf(fields: readonly Field[]): string | null {
  const texts = fields.filter(
    ([name, value]) => TEXT.test(name) && typeof value === 'string' && value.trim() !== '',
  )
  const text = texts.find(([name]) => name.toLowerCase() !== 'error') ?? texts[0]
  return text ? String(text[1]) : null
}

function textWithin(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (depth >= MAX_DEPTH || typeof value !== 'object' || value === null) return null
  const own = textOf(fieldsOf(value))
  if (own !== null) return own
  for (const inner of Object.values(value)) {
    const text = textWithin(inner, depth + 1)
    if (text !== null) return text
  }
  return null
}

const fieldsWithin = (value: unknown): Field[] => fieldsOf(Array.isArray(value) ? value[0] : value)

function codeOf(fields: readonly Field[]): number | null {
  const code = fields.find(([name, value]) => CODE.test(name) && isFailureStatus(value))
  return code ? Number(code[1]) : null
}

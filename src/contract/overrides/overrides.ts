import * as z from 'zod/mini'
import { Id, Moment } from '../fields.ts'
import { CellValue, type NumberFormat } from '../tables.ts'

/** A value that a person set for one field of one SKU. */
export const Override = z.object({
  id: Id,
  sku: z.string(),
  field: z.string(),
  /** Null: the field is blank. */
  value: CellValue,
  reason: z.string(),
  /** The last day on which it applies; null: no end. */
  ends_on: z.nullable(z.string()),
  /** `review`: a source has another value than when the override was set or kept. */
  state: z.enum(['active', 'review', 'ended']),
  /** What the last compile found; null: it was set after it. */
  found: z.nullable(z.enum(['applied', 'no_sku', 'no_field'])),
  author: z.string(),
  created_at: Moment,
  /** The change that set it, for undo. */
  batch: Id,
  /** Null: it has not ended. */
  end_reason: z.nullable(z.enum(['date', 'same', 'dropped', 'replaced', 'undone'])),
  ended_at: z.nullable(Moment),
  /** Null: a compile ended it. */
  ended_by: z.nullable(z.string()),
  /** What the state means, as a sentence. */
  note: z.string(),
  /** Sources with another value than when it was set or kept. */
  changes: z.array(z.object({ name: z.string(), from: CellValue, to: CellValue })),
})
export type Override = z.infer<typeof Override>

/** The override of a field of a compiled record. */
export const RecordOverride = z.pick(Override, {
  id: true,
  value: true,
  reason: true,
  ends_on: true,
  state: true,
  author: true,
  created_at: true,
  note: true,
  changes: true,
})

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
const DATE = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 86_400_000
// Day 0 of a spreadsheet.
const EPOCH_MS = Date.UTC(1899, 11, 30)

/** The value that a typed text means beside other values of its field: a number, date or boolean where they are; blank is null. */
export function typedValue(
  typed: string,
  others: readonly { value: CellValue; number_format?: z.infer<typeof NumberFormat> | null | undefined }[],
): CellValue {
  const text = typed.trim()
  if (text === '') return null
  const numbers = others.filter(({ value }) => typeof value === 'number')
  if (numbers.length > 0 && NUMBER.test(text)) return Number(text)
  if (DATE.test(text) && numbers.some(({ number_format }) => number_format?.type === 'DATE')) {
    const ms = Date.parse(text)
    if (!Number.isNaN(ms)) return (ms - EPOCH_MS) / DAY_MS
  }
  if (/^(?:true|false)$/i.test(text) && others.some(({ value }) => typeof value === 'boolean'))
    return text.toLowerCase() === 'true'
  return typed
}

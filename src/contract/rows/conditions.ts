import * as z from 'zod/mini'
import { limits } from '../limits.ts'
import { rowFieldMessages as messages } from './field-messages.ts'

/** How a condition compares a cell. Text ignores case; numbers, dates and blanks are as in `matches`. */
export const operators = [
  'is',
  'is_not',
  'contains',
  'begins_with',
  'one_of',
  'blank',
  'not_blank',
  'less',
  'at_most',
  'at_least',
  'greater',
  'on',
  'before',
  'after',
] as const
export type Operator = (typeof operators)[number]

/** Operators whose value is a number, a date, a list or nothing; the others compare text. */
export const valueKinds = {
  is: 'text',
  is_not: 'text',
  contains: 'text',
  begins_with: 'text',
  one_of: 'list',
  blank: 'none',
  not_blank: 'none',
  less: 'number',
  at_most: 'number',
  at_least: 'number',
  greater: 'number',
  on: 'date',
  before: 'date',
  after: 'date',
} as const satisfies Record<Operator, 'text' | 'list' | 'none' | 'number' | 'date'>

const PLAIN_NUMBER = /^[+-]?\d{1,300}(?:\.\d{1,300})?$/
/** "2026-11-27". */
const DATE_CHARACTERS = 10
const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i
const ISO_DATE = /^\d{4}-\d{2}-\d{2}/

/** A plain decimal number from text such as "12" or "-0.5"; null for any other text, such as "1.234,50". */
export function plainNumber(text: string): number | null {
  const trimmed = text.trim()
  return PLAIN_NUMBER.test(trimmed) ? Number(trimmed) : null
}

/** Milliseconds of a date or date and time in ISO 8601, such as "2026-11-27", in UTC without a zone; null for any other text. */
export function isoMoment(text: string): number | null {
  const trimmed = text.trim()
  if (!ISO_DATE.test(trimmed)) return null
  const time = trimmed.length === DATE_CHARACTERS ? `${trimmed}T00:00:00` : trimmed
  const ms = Date.parse(HAS_ZONE.test(time) ? time : `${time}Z`)
  // Date.parse accepts 2026-02-30.
  if (
    Number.isNaN(ms) ||
    (trimmed.length === DATE_CHARACTERS && new Date(ms).toISOString().slice(0, DATE_CHARACTERS) !== trimmed)
  )
    return null
  return ms
}

const Text = z.string().check(z.maxLength(limits.condition_characters))

/** A condition on one column. `values` has one entry, none for `blank` and `not_blank`, several for `one_of`. */
export const Condition = z
  .strictObject({
    column: Text.check(z.minLength(1, messages.column_required)),
    operator: z.enum(operators),
    values: z._default(z.array(Text).check(z.maxLength(limits.condition_values_max)), []),
  })
  .check(
    z.superRefine(({ operator, values }, context) => {
      const message = problemOf(operator, values)
      if (message !== null) context.addIssue({ code: 'custom', path: ['values'], message })
    }),
  )
export type Condition = z.infer<typeof Condition>

/** What is wrong with the values of a condition; null: nothing. */
export function problemOf(operator: Operator, values: readonly string[]): string | null {
  const kind = valueKinds[operator]
  const [value = ''] = values
  if (kind === 'none') return values.length === 0 ? null : messages.no_value
  if (kind === 'list') return values.length > 0 ? null : messages.values_required
  if (values.length !== 1) return messages.one_value
  if (kind === 'number' && plainNumber(value) === null) return messages.number_required(value)
  if (kind === 'date' && (value.trim().length !== DATE_CHARACTERS || isoMoment(value) === null))
    return messages.date_required(value)
  return null
}

/** Which rows of a table are meant: those for which all or any of the conditions hold. */
export const Filter = z.strictObject({
  match: z._default(z.enum(['all', 'any']), 'all'),
  conditions: z.array(Condition).check(z.minLength(1), z.maxLength(limits.conditions_max)),
})
export type Filter = z.infer<typeof Filter>

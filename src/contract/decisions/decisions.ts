import * as z from 'zod/mini'
import { Id, Moment } from '../fields.ts'
import type { CellValue } from '../tables.ts'

/** A value in the form in which values of sources are compared: its trimmed text; blank: it has none. */
export const valueText = (value: CellValue): string =>
  value === null ? '' : String(value).trim().normalize('NFC')

const OneSource = z.object({ source_task_id: Id, name: z.string() })

/** A rule that was decided for a field. */
export const Decision = z.object({
  id: Id,
  field: z.string(),
  /** The different values that it is about; null: any. */
  texts: z.nullable(z.array(z.string())),
  /** The value that is used where these disagree; null: that of the source. */
  text: z.nullable(z.string()),
  /** The source that is preferred; null: the value counts, whichever source has it. */
  source: z.nullable(OneSource),
  /** The rule as a sentence. */
  sentence: z.string(),
  reason: z.string(),
  author: z.string(),
  created_at: Moment,
  /** The change that made it, for undo. */
  batch: Id,
  ended_at: z.nullable(Moment),
  end_reason: z.nullable(z.enum(['removed', 'replaced', 'undone'])),
  ended_by: z.nullable(z.string()),
  /** Records to which the last compile applied it; null: it is newer. */
  records: z.nullable(z.int()),
})
export type Decision = z.infer<typeof Decision>

/** The rule that decided a field of a record. */
export const RecordDecision = z.pick(Decision, {
  id: true,
  sentence: true,
  reason: true,
  author: true,
  created_at: true,
})
export type RecordDecision = z.infer<typeof RecordDecision>

/** Different values that sources have for one field. */
export const Disagreement = z.object({
  id: Id,
  field: z.string(),
  /** The values as texts, with the sources that have them and the number of records that they fill. */
  options: z.array(z.object({ text: z.string(), sources: z.array(OneSource), wins: z.int() })),
  records: z.int(),
  /** SKUs of the first records. */
  skus: z.array(z.string()),
  /** The fields that come from one source together with this one, so that only a source can be preferred; null: none do. */
  group: z.nullable(z.array(z.string())),
  /** The rule for these values; null: there is none yet. */
  decision: z.nullable(Decision),
})
export type Disagreement = z.infer<typeof Disagreement>

/** Sources that disagree about a field, whatever the values are. */
export const Dispute = z.object({
  field: z.string(),
  sources: z.array(OneSource),
  records: z.int(),
  /** Of these, those whose values are not listed: they are too long, or there are too many different ones. */
  unlisted: z.int(),
  /** The rule that prefers a source for the field; null: there is none. */
  decision: z.nullable(Decision),
})
export type Dispute = z.infer<typeof Dispute>

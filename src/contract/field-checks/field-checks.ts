import * as z from 'zod/mini'
import { compilerFieldMessages } from '../compiler/field-messages.ts'
import { Id } from '../fields.ts'
import { limits } from '../limits.ts'

/** Name of a record field or a source column. */
export const FieldName = z
  .string()
  .check(z.minLength(1, compilerFieldMessages.field_blank), z.maxLength(limits.field_name_characters))

/** Ways of writing numbers: which marks separate decimals and thousands. */
export const NumberLocale = z.enum(['en', 'de', 'fr', 'de-CH'])
export type NumberLocale = z.infer<typeof NumberLocale>

const common = {
  /** Field that is checked. */
  field: FieldName,
  /** Errors count as `has_errors`; warnings are only listed. */
  severity: z.enum(['error', 'warning']),
  /** What a record has instead of a value that fails: that value, the last good value, or nothing. */
  keep_out: z.enum(['none', 'last_good', 'blank']),
}
const Text = z.string().check(z.maxLength(limits.check_text_characters))
const Texts = z.array(Text).check(z.maxLength(limits.check_values_max, compilerFieldMessages.values_many))
const Bound = z.nullable(z.number())
const ordered = ({ min, max }: { min: number | null; max: number | null }) =>
  (min !== null || max !== null) && (min === null || max === null || min <= max)

/** A check of the values of one field. */
export const FieldCheck = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ ...common, kind: z.literal('required') }),
    z.strictObject({
      ...common,
      kind: z.literal('type'),
      type: z.enum(['number', 'integer', 'date', 'boolean', 'url', 'email', 'image_url']),
    }),
    z
      .strictObject({ ...common, kind: z.literal('range'), min: Bound, max: Bound })
      .check(z.refine(ordered, compilerFieldMessages.bounds)),
    z
      .strictObject({
        ...common,
        kind: z.literal('length'),
        min: z.nullable(z.int().check(z.minimum(0))),
        max: z.nullable(z.int().check(z.minimum(0))),
      })
      .check(z.refine(ordered, compilerFieldMessages.bounds)),
    z.strictObject({
      ...common,
      kind: z.literal('one_of'),
      values: Texts.check(z.minLength(1, compilerFieldMessages.values_missing)),
    }),
    /** One of the values in a column of a source's current rows. */
    z.strictObject({ ...common, kind: z.literal('one_of_column'), source_task_id: Id, column: FieldName }),
    z.strictObject({
      ...common,
      kind: z.literal('pattern'),
      /** RE2 expression that must match the whole value. */
      pattern: Text.check(z.minLength(1, compilerFieldMessages.pattern_missing)),
    }),
    z.strictObject({
      ...common,
      kind: z.literal('check_digit'),
      code: z.enum(['gtin', 'ean', 'upc', 'isbn']),
    }),
    z.strictObject({
      ...common,
      kind: z.literal('amount'),
      locale: NumberLocale,
      /** Accepted units and currencies; empty: any, or none. */
      units: Texts,
    }),
    z.strictObject({ ...common, kind: z.literal('unique') }),
    z.strictObject({
      ...common,
      kind: z.literal('compare'),
      operator: z.enum(['<', '<=', '=', '!=', '>=', '>']),
      other_field: FieldName,
    }),
    /** Compared with the last compile: the median of the field's numbers moved by at most this percentage. */
    z.strictObject({
      ...common,
      kind: z.literal('median'),
      percent: z.number().check(z.minimum(0), z.maximum(1000)),
    }),
  ],
  { error: compilerFieldMessages.check_kind },
)
export type FieldCheck = z.infer<typeof FieldCheck>
export type CheckKind = FieldCheck['kind']

// These are decided when all records have been merged, so no value can be kept out.
const DECIDED_LATER: readonly CheckKind[] = ['unique', 'median']

/** Whether values that fail this kind of check can be kept out of the record. */
export const canKeepOut = (kind: CheckKind): boolean => !DECIDED_LATER.includes(kind)

/** A step that changes a value before it is checked and merged. */
export const RuleStep = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('trim') }),
    z.strictObject({ kind: z.literal('case'), to: z.enum(['upper', 'lower', 'title']) }),
    /** Text that is a number in this notation becomes a number. */
    z.strictObject({ kind: z.literal('number'), locale: NumberLocale }),
    /** Text that is a number with a unit or currency: its number, or its unit. */
    z.strictObject({ kind: z.literal('amount'), locale: NumberLocale, part: z.enum(['number', 'unit']) }),
    /** A code that leading zeros make valid gets them back: a spreadsheet has removed them. */
    z.strictObject({ kind: z.literal('zeros'), code: z.enum(['gtin', 'ean', 'upc', 'isbn']) }),
    /** Text that is a date in this order becomes year-month-day. */
    z.strictObject({ kind: z.literal('date'), order: z.enum(['dmy', 'mdy', 'ymd']) }),
    z.strictObject({
      kind: z.literal('map'),
      values: z
        .array(
          z.strictObject({ from: Text.check(z.minLength(1, compilerFieldMessages.from_blank)), to: Text }),
        )
        .check(z.maxLength(limits.check_values_max, compilerFieldMessages.values_many)),
    }),
  ],
  { error: compilerFieldMessages.step_kind },
)
export type RuleStep = z.infer<typeof RuleStep>

/** How the values of one field are normalised. Stored rows of sources do not change. */
export const FieldRule = z.strictObject({
  field: FieldName,
  steps: z
    .array(RuleStep)
    .check(
      z.minLength(1, compilerFieldMessages.steps_missing),
      z.maxLength(limits.rule_steps_max, compilerFieldMessages.steps_many),
    ),
})
export type FieldRule = z.infer<typeof FieldRule>

/** Settings of a configuration that check and normalise fields. */
export const fieldSettings = {
  field_checks: z.array(FieldCheck).check(
    z.maxLength(limits.field_checks_max, compilerFieldMessages.checks_many),
    z.refine(
      (checks) => checks.every(({ kind, keep_out }) => keep_out === 'none' || canKeepOut(kind)),
      compilerFieldMessages.cannot_keep_out,
    ),
  ),
  field_rules: z.array(FieldRule).check(
    z.maxLength(limits.compiled_fields_max, compilerFieldMessages.fields_many),
    z.refine(
      (rules) => new Set(rules.map(({ field }) => field)).size === rules.length,
      compilerFieldMessages.field_twice,
    ),
  ),
}

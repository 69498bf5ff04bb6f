import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { FieldCheck, FieldName } from '../field-checks/field-checks.ts'
import { IdParams } from '../fields.ts'
import { limits } from '../limits.ts'
import { CellValue, NumberFormat } from '../tables.ts'

/** How many records fail a check, and the first of them. */
export const CheckCount = z.object({
  /** Records that were checked. */
  checked: z.int(),
  /** All records of the configuration. */
  records: z.int(),
  failed: z.int(),
  first: z.array(
    z.object({
      sku: z.string(),
      value: CellValue,
      number_format: z.nullable(NumberFormat),
      /** The code with its lost leading zeros; null: zeros do not repair it. */
      repaired: z.nullable(z.string()),
    }),
  ),
  /** Of a check of a median: the median of the records; null for other checks, and without numbers. */
  median: z.nullable(z.number()),
})
export type CheckCount = z.infer<typeof CheckCount>

/** What a check of the last compile found. */
export const CheckResult = z.object({
  /** Number of the check, for the filter `failed_check`. */
  check_no: z.int(),
  check: FieldCheck,
  /** What it demands. */
  sentence: z.string(),
  /** Records that fail. */
  records: z.int(),
  /** Of checks of a median: the median now and in the previous compile, and whether it moved too far. */
  median: z.nullable(
    z.object({ now: z.nullable(z.number()), before: z.nullable(z.number()), has_moved: z.boolean() }),
  ),
})

const MappedText = z.string().check(z.maxLength(limits.check_text_characters))

/** API calls for checks and normalisation of a configuration's fields. */
export const compilerChecks = {
  countFailures: {
    method: 'POST',
    path: '/api/compiler/configs/:id/check_failures',
    needs: 'read',
    summary:
      'How many records of the last compile fail a check that need not be saved, or the median that it compares; within 4 s, so perhaps not all are checked',
    params: IdParams,
    body: z.strictObject({ check: FieldCheck }),
    reply: CheckCount,
  },
  mapValue: {
    method: 'PUT',
    path: '/api/compiler/configs/:id/value_mappings',
    summary:
      'Replace a value of a field by another one from the next compile on; null removes the replacement',
    params: IdParams,
    body: z.strictObject({
      field: FieldName,
      from: MappedText.check(z.minLength(1)),
      to: z.nullable(MappedText),
    }),
    status: 204,
  },
} satisfies Calls

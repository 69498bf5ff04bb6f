import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Moment, singleBlanks } from '../fields.ts'
import { limits } from '../limits.ts'
import { runLimitFieldMessages as messages } from './field-messages.ts'

const number = (min: number, max: number) => {
  const message = messages.number(min, max)
  return z.int(message).check(z.minimum(min, message), z.maximum(max, message))
}

/** Header of a column, in the form in which headers are compared: NFC, in one line, without surrounding blanks. */
const ColumnName = z.pipe(
  z.pipe(
    z.string(),
    z.transform((name) => singleBlanks(name.normalize('NFC'))),
  ),
  z
    .string()
    .check(
      z.minLength(1, messages.column_required),
      z.maxLength(limits.field_name_characters, messages.column_long),
    ),
)

const ColumnNames = z
  .array(ColumnName)
  .check(z.maxLength(limits.limited_columns_max, messages.columns_many(limits.limited_columns_max)))

/** Percent of the former rows that a run may remove, and of a column's filled cells that it may empty; 100: all of them. */
const Percent = number(0, 100)
const Rows = number(1, limits.start_row_max)
const Cells = number(0, limits.limited_cells_max)

/** All limits of a sync task. Removed and emptied percentages hold from `from_rows` rows, or filled cells of a column, on. */
export const AllLimits = z.strictObject({
  removed_percent: z.nullable(Percent),
  emptied_percent: z.nullable(Percent),
  from_rows: z.nullable(Rows),
  /** Cells of rows that stay. */
  changed_cells: z.nullable(Cells),
  /** Columns that must exist, must have no blank cell, and may have no value twice. */
  required_columns: ColumnNames,
  filled_columns: ColumnNames,
  unique_column: z.nullable(ColumnName),
})
export type AllLimits = z.output<typeof AllLimits>

/** The same in requests and stored: omitted members keep their values, or are null, the default of the installation. */
export const RunLimits = z.partial(AllLimits)
export type RunLimits = z.output<typeof RunLimits>

/** Every limit is the default. */
export const NO_LIMITS: AllLimits = {
  removed_percent: null,
  emptied_percent: null,
  from_rows: null,
  changed_cells: null,
  required_columns: [],
  filled_columns: [],
  unique_column: null,
}

/** Limits of tasks that do not set them. `changed_cells` null: no limit. */
export const LimitDefaults = z.strictObject({
  removed_percent: z._default(Percent, 50),
  emptied_percent: z._default(Percent, 50),
  from_rows: z._default(Rows, 20),
  changed_cells: z._default(z.nullable(Cells), null),
})
export type LimitDefaults = z.output<typeof LimitDefaults>

/** The limits of one run, complete. */
export const EffectiveLimits = z.object({
  ...LimitDefaults.shape,
  required_columns: z.array(z.string()),
  filled_columns: z.array(z.string()),
  unique_column: z.nullable(z.string()),
})
export type EffectiveLimits = z.output<typeof EffectiveLimits>

/** What a run may do: the limits of its task, and the defaults where that has none. */
export const effectiveLimits = (own: RunLimits, defaults: LimitDefaults): EffectiveLimits => ({
  removed_percent: own.removed_percent ?? defaults.removed_percent,
  emptied_percent: own.emptied_percent ?? defaults.emptied_percent,
  from_rows: own.from_rows ?? defaults.from_rows,
  changed_cells: own.changed_cells ?? defaults.changed_cells,
  required_columns: own.required_columns ?? [],
  filled_columns: own.filled_columns ?? [],
  unique_column: own.unique_column ?? null,
})

/** A limit that a plan exceeds, as a sentence. */
export const ExceededLimit = z.object({
  kind: z.enum([
    'rows_removed',
    'cells_emptied',
    'cells_changed',
    'column_missing',
    'column_blank',
    'column_repeated',
    'cells_beside',
  ]),
  text: z.string(),
})
export type ExceededLimit = z.infer<typeof ExceededLimit>

const SavedDefaults = z.object({ ...LimitDefaults.shape, updated_at: z.nullable(Moment) })

/** API calls for the limits of tasks that do not set their own. */
export const runLimits = {
  defaults: {
    method: 'GET',
    path: '/api/run_limits',
    summary:
      'The limits of sync tasks that do not set their own; `updated_at` is null before the first change',
    reply: SavedDefaults,
  },
  saveDefaults: {
    method: 'PUT',
    path: '/api/run_limits',
    summary:
      'Change the limits of sync tasks that do not set their own, for runs that are queued from now on. A stale `updated_at` is a conflict',
    body: z.strictObject({
      removed_percent: Percent,
      emptied_percent: Percent,
      from_rows: Rows,
      changed_cells: z.nullable(Cells),
      updated_at: z.optional(z.nullable(Moment)),
    }),
    reply: SavedDefaults,
  },
} satisfies Calls

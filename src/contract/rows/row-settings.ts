import * as z from 'zod/mini'
import { limits } from '../limits.ts'
import { Filter } from './conditions.ts'
import { rowFieldMessages as messages } from './field-messages.ts'

const ColumnName = z
  .string()
  .check(z.minLength(1, messages.column_required), z.maxLength(limits.condition_characters))
const TargetName = z
  .string()
  .check(z.trim(), z.minLength(1, messages.column_name_required), z.maxLength(limits.condition_characters))

/** A column of the source by its header, and its name in the target. */
export const ChosenColumn = z.strictObject({ source: ColumnName, name: TargetName })
export type ChosenColumn = z.infer<typeof ChosenColumn>

/** A column that the source does not have: one text for all rows, the source's name, the number of the row in the source, or the time of the run. */
export const ExtraColumn = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('constant'),
    name: TargetName,
    value: z.string().check(z.maxLength(limits.condition_characters)),
  }),
  z.strictObject({ kind: z.literal('source_name'), name: TargetName }),
  z.strictObject({ kind: z.literal('row_number'), name: TargetName }),
  z.strictObject({ kind: z.literal('run_time'), name: TargetName }),
])
export type ExtraColumn = z.infer<typeof ExtraColumn>

export const SortColumn = z.strictObject({ column: ColumnName, descending: z._default(z.boolean(), false) })
export type SortColumn = z.infer<typeof SortColumn>

/**
 * Which fields compiled records need for this target. `fields`: null: all that the task copies. `only_complete`: records that lack one
 * are not written, except that those which were written before keep the row that was written last.
 */
export const Completeness = z.strictObject({
  fields: z.nullable(
    z
      .array(ColumnName)
      .check(z.minLength(1, messages.fields_required), z.maxLength(limits.chosen_columns_max)),
  ),
  only_complete: z.boolean(),
})
export type Completeness = z.infer<typeof Completeness>

/** Refuses a list in which two entries have the same `nameOf`. */
const refuseTwice = <T>(nameOf: (entry: T) => string, message: (name: string) => string) =>
  z.superRefine<T[]>((entries, context) => {
    const seen = new Set<string>()
    for (const [index, entry] of entries.entries()) {
      const name = nameOf(entry)
      if (seen.has(name)) context.addIssue({ code: 'custom', path: [index], message: message(name) })
      seen.add(name)
    }
  })

/** Settings of a sync task that choose the rows and columns of its source. */
export const rowSettings = {
  /** Null: all columns, in the order of the source. */
  columns: z.nullable(
    z.array(ChosenColumn).check(
      z.minLength(1, messages.columns_required),
      z.maxLength(limits.chosen_columns_max),
      refuseTwice<ChosenColumn>(({ source }) => source, messages.source_twice),
      refuseTwice<ChosenColumn>(({ name }) => name, messages.name_twice),
    ),
  ),
  /** Whether columns that are new in the source are copied behind the chosen ones. Otherwise a run names them in its log. */
  include_new_columns: z.boolean(),
  /** Null: all rows. */
  filter: z.nullable(Filter),
  /** First the most important column. */
  sort_by: z.array(SortColumn).check(
    z.maxLength(limits.sort_columns_max),
    refuseTwice<SortColumn>(({ column }) => column, messages.sort_twice),
  ),
  /** Maximum number of rows, after filter and order; null: all. */
  max_rows: z.nullable(z.int().check(z.minimum(1), z.maximum(limits.start_row_max))),
  /** Columns behind those of the source. */
  extra_columns: z.array(ExtraColumn).check(
    z.maxLength(limits.extra_columns_max),
    refuseTwice<ExtraColumn>(({ name }) => name, messages.name_twice),
  ),
  /** Null: the completeness of records is not measured. */
  completeness: z.nullable(Completeness),
}

/** All rows and columns, as they are. */
export const wholeTable = {
  columns: null,
  include_new_columns: false,
  filter: null,
  sort_by: [],
  max_rows: null,
  extra_columns: [],
  completeness: null,
} as const satisfies z.input<z.ZodMiniObject<typeof rowSettings>>

export const RowSettings = z.object(rowSettings)
export type RowSettings = z.infer<typeof RowSettings>

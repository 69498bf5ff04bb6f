import { z } from 'zod'
import { wholeTable } from '../../../../contract/rows/row-settings.ts'
import { findColumn } from '../../../snapshots/column-names.ts'
import type { StoredVersion } from './stored-version.ts'
import type { TargetTask } from './target-tasks.ts'

/** How the run that read the rows was defined. */
const CopyDefinition = z.object({
  source_type: z.enum(['sheet', 'internal']),
  source_ss_id: z.string(),
  source_sheet_name: z.string(),
  source_place: z.string().nullable().default(null),
  source_task_id: z.int().nullable().default(null),
  further_sources: z
    .array(
      z.object({
        source_type: z.enum(['sheet', 'internal']),
        source_ss_id: z.string(),
        source_sheet_name: z.string(),
        source_place: z.string().nullable(),
        source_task_id: z.int().nullable(),
      }),
    )
    .default([]),
  excluded_fields: z.array(z.string()).default([]),
  columns: z
    .array(z.object({ source: z.string(), name: z.string() }))
    .nullable()
    .default(wholeTable.columns),
  extra_columns: z.array(z.object({ name: z.string() })).default([]),
  /** Older than the target's, if the rows are those of an earlier run. */
  start_row: z.int().optional(),
})
export type CopyDefinition = z.infer<typeof CopyDefinition>

/** The definition of the run that read a copy, else that of the task's last run; null: neither is known. */
export const definitionOf = (
  { definition }: Pick<StoredVersion, 'definition'>,
  task: Pick<TargetTask, 'definition'>,
): CopyDefinition | null => CopyDefinition.safeParse(definition ?? task.definition).data ?? null

type Copy = Pick<StoredVersion, 'source_columns' | 'names'>

/** Whether the task adds the column itself. */
export function isExtra(
  { source_columns, names }: Copy,
  { columns, extra_columns }: CopyDefinition,
  column: number,
): boolean {
  if (source_columns) return source_columns[column] === null
  const name = names[column]
  const isChosen = columns?.some((one) => one.name === name) && names.indexOf(name ?? '') === column
  return !isChosen && extra_columns.some((one) => one.name === name)
}

/** Column of the sheet for a column of its copy; null: none, or not known, because earlier releases did not store it. */
export function sheetColumn(
  { source_columns }: Pick<StoredVersion, 'source_columns'>,
  definition: CopyDefinition | null,
  column: number,
): number | null {
  if (source_columns && column < source_columns.length) return source_columns[column] ?? null
  return isAsInSource(definition) ? column : null
}

/** Column of the copy for a column of the sheet; -1: left out, null: not known. */
export function columnInCopy(
  { source_columns }: Pick<StoredVersion, 'source_columns'>,
  definition: CopyDefinition | null,
  column: number,
): number | null {
  if (source_columns) return source_columns.indexOf(column)
  return isAsInSource(definition) ? column : null
}

/** Whether the definition copies all columns in their places. */
const isAsInSource = (definition: CopyDefinition | null): boolean =>
  definition !== null &&
  definition.excluded_fields.length === 0 &&
  definition.columns === null &&
  definition.extra_columns.length === 0

/** Name in the source of a column of the copy. Chosen columns stand before others of the same name. */
export function sourceName({ names }: Copy, { columns }: CopyDefinition, column: number): string {
  const name = names[column] ?? ''
  const chosen = names.indexOf(name) === column ? columns?.find((one) => one.name === name) : undefined
  return chosen?.source ?? name
}

/** Column of the copy for a named column of its source; -1: left out. */
export const columnOfName = (copy: Copy, definition: CopyDefinition | null, name: string): number =>
  definition === null
    ? copy.names.indexOf(name)
    : copy.names.findIndex(
        (_, column) =>
          !isExtra(copy, definition, column) &&
          findColumn([sourceName(copy, definition, column)], name) === 0,
      )

import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'

import { DependencyCondition, TaskCategory } from '../../../contract/tasks/schemas.ts'
import type { CsvExport } from '../../csv-jobs/export.ts'
import { type CellKind, readCells } from '../../platform/csv/cells.ts'
import type { Cells, CsvShape, CsvValues } from '../../platform/csv/rows.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import { READY_BY_COLUMN } from '../../tasks/forecast/csv-ready-by.ts'

/** Categories whose types can be imported and exported. */
export type FileCategory = 'sync' | 'source'

/** Unique key of a type. */
export type TypeKey = `${TaskCategory} ${string}`

/** A dependency as named in files. */
export type NamedDependency = { key: TypeKey; condition: DependencyCondition }

// Column types.
const fields = {
  name: 'text',
  description: 'lines',
  group_name: 'text',
  cron_schedule: 'text',
  priority: 'number',
  is_active: 'flag',
  allowed_concurrent_tasks: 'number',
  timeout_minutes: 'number_or_none',
  max_retries: 'number',
  retry_delay_seconds: 'number',
  queue_delay_seconds: 'number',
  chunk_size: 'number',
} as const satisfies Record<string, CellKind>

const columns = [...Object.keys(fields), 'dependencies', READY_BY_COLUMN]

/** CSV columns of types, by API name. */
export const shapes: Record<FileCategory, CsvShape> = {
  // Only sync types have scheduled times.
  sync: shapeOf(
    columns.filter((name) => name !== 'cron_schedule'),
    ['name'],
  ),
  source: shapeOf(columns, ['name', 'group_name', 'description']),
}

function shapeOf(names: string[], required: string[]): CsvShape {
  return {
    columns: names,
    required,
    ignored: ['id', 'task_category', 'next_run', 'sort_order', 'tasks_count', 'created_at', 'updated_at'],
    aliases: { max_concurrent: 'allowed_concurrent_tasks', retry_delay: 'retry_delay_seconds' },
    // All rows of a file are planned together because of their dependencies.
    max_rows: 20_000,
  }
}

/** Converts a CSV row to a request body for validation, without dependencies. */
export const toBody = (cells: Cells): Record<string, unknown> => readCells(fields, cells)

/**
 * Parses a dependencies cell, one per line: `Name | category | condition`. Category defaults to that of the file, condition to
 * success. Throws NamedError on an invalid line.
 */
export function readDependencies(cell: string, own: TaskCategory): NamedDependency[] {
  const lines = cell.split(/\r\n?|\n/).flatMap((line) => line.trim() || [])
  return lines.map((line) => {
    const parts = line.split('|')
    const condition = takeLast(parts, DependencyCondition) ?? 'success'
    const category = takeLast(parts, TaskCategory) ?? own
    // A name may contain the separator.
    const name = parts.join('|').trim()
    if (name === '')
      throw new NamedError('invalid', {
        message: csvJobServerMessages.csv_dependency_word(line),
        field: 'dependencies',
      })
    return { key: `${category} ${name.normalize('NFC')}`, condition }
  })
}

/** Removes the last part if it is one of the words and not the only part. */
function takeLast<T extends string>(parts: string[], words: z.ZodMiniType<T>): T | undefined {
  if (parts.length < 2) return undefined
  const { data: word } = words.safeParse(parts.at(-1)?.trim().toLowerCase())
  if (word !== undefined) parts.pop()
  return word
}

const writeDependencies = (dependencies: NamedDependency[]) =>
  dependencies
    .map(({ key, condition }) => {
      const { category, name } = partsOf(key)
      return `${name} | ${category} | ${condition}`
    })
    .join('\n')

/** Splits a type key into category and name. */
export function partsOf(key: TypeKey): { category: string; name: string } {
  const at = key.indexOf(' ')
  return { category: key.slice(0, at), name: key.slice(at + 1) }
}

/** A type in CSV form. */
export type StoredType = {
  id: number
  category: TaskCategory
  settings: Record<keyof typeof fields, string | number | boolean | null> & { name: string }
  dependencies: NamedDependency[]
  ready_by: string | null
}

/** Reads the types of one or all categories in order. */
export async function storedTypes(db: Db, category: TaskCategory | null): Promise<StoredType[]> {
  const { rows } = await sql<StoredType>`
    select id, category,
      json_build_object('name', name, 'description', description, 'group_name', group_name,
        'cron_schedule', cron_schedule, 'priority', priority, 'is_active', is_active,
        'allowed_concurrent_tasks', allowed_concurrent_tasks, 'timeout_minutes', timeout_minutes,
        'max_retries', max_retries, 'retry_delay_seconds', retry_delay_seconds,
        'queue_delay_seconds', queue_delay_seconds, 'chunk_size', chunk_size) as settings,
      coalesce((
        select json_agg(json_build_object('key', other.category || ' ' || other.name, 'condition', d.condition)
          order by d.position)
        from task_type_dependencies d join task_types other on other.id = d.depends_on_id
        where d.task_type_id = t.id
      ), '[]') as dependencies,
      (select b.ready_by from ready_by b where b.task_type_id = t.id) as ready_by
    from task_types t where ${category}::text is null or category = ${category}
    order by sort_order, name`.execute(db)
  return rows
}

/** Exports all types of a category in order. */
export const typeExport = (category: FileCategory): CsvExport => ({
  type: `${category}_task_type`,
  columns: shapes[category].columns,
  rows: async function* (db): AsyncGenerator<CsvValues> {
    for (const { settings, dependencies, ready_by } of await storedTypes(db, category))
      yield { ...settings, dependencies: writeDependencies(dependencies), ready_by }
  },
})

/** File name of an export, in the time of `zone`. */
export function exportName(category: FileCategory, { now, zone }: { now: () => Date; zone: string }): string {
  // The Swedish locale formats dates as ISO 8601.
  const [date, time = ''] = now().toLocaleString('sv-SE', { timeZone: zone }).split(' ')
  return category === 'source'
    ? `source_task_types_${date}.csv`
    : `sync_task_types_export_${date}_${time.replaceAll(':', '-')}.csv`
}

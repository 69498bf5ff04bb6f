import { sql } from 'kysely'
import { RunFailure } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import { TableFormats } from '../../snapshots/column-format.ts'
import { columnNames } from '../../snapshots/column-names.ts'
import { pinSnapshot } from '../../snapshots/pin.ts'
import type { CompileDefinition } from './definition.ts'
import type { Kept, NumberedSource, SourceVersion } from './rules/compile-plan.ts'

/**
 * The current rows of all sources as they are at one moment, the master's first, kept from being pruned, with the
 * SKUs that the configuration, where there is one already, knows by another one. Throws RunFailure when there is no master, or a
 * source has no rows.
 */
export async function takeVersions(
  db: Db,
  { sources, config_id }: { sources: CompileDefinition['sources']; config_id: number | null },
): Promise<SourceVersion[]> {
  const wanted = [...sources].sort((a, b) => Number(b.is_master) - Number(a.is_master))
  if (!wanted[0]?.is_master)
    throw new RunFailure('The configuration has no master source.', { retryable: false })
  const { rows } = await sql<
    Omit<SourceVersion, 'name' | 'formats'> & { formats: unknown; format_runs: unknown }
  >`
    select t.id as task_id, s.id as snapshot_id, s.columns, s.formats, s.format_runs, s.row_count, coalesce(m.sku_mappings, '{}') as sku_mappings
    from tasks t join snapshots s on s.id = t.snapshot_id and s.completed_at is not null
    left join lateral (
      select jsonb_object_agg(sku, master_sku) as sku_mappings from compiler_sku_mappings
      where compiler_config_id = ${config_id} and source_task_id = t.id
    ) m on true
    where t.id = any (${wanted.map(({ task_id }) => task_id)}::int[])`.execute(db)
  const versions = new Map(rows.map((row) => [row.task_id, row]))
  return Promise.all(
    wanted.map(async ({ task_id, name }) => {
      const version = versions.get(task_id)
      if (version === undefined || !(await pinSnapshot(db, version.snapshot_id)))
        throw new RunFailure(`‘${name}’ has no data yet. Run it first.`, { retryable: version !== undefined })
      const { columns, formats, format_runs, ...rest } = version
      return {
        ...rest,
        name,
        columns: columnNames(columns),
        formats: TableFormats.parse({ formats, format_runs }),
      }
    }),
  )
}

/** Records that a configuration has so far. */
export type PreviousRecords = Kept & {
  version_id: number
  /** Whose rows they are. */
  snapshot_id: number
  /** With those that a person has removed. */
  records: number
  removed: Buffer
  /** What they were merged from; null: it is not known. */
  merged_from: string | null
  /** Of each source that was merged how many rows have no SKU. */
  without_sku: number[]
}

/** The current records of a configuration's task; null while it has none. */
export async function readPrevious(db: Db, task_id: number): Promise<PreviousRecords | null> {
  const { rows } = await sql<
    Omit<PreviousRecords, keyof Kept> & { columns: string[]; sources: NumberedSource[] }
  >`
    select v.snapshot_id as version_id, coalesce(s.rows_of, s.id) as snapshot_id, s.removed, s.columns, v.sources,
      v.merged_from, v.without_sku,
      s.row_count + bit_count(s.removed)::int as records
    from tasks t join compiled_versions v on v.snapshot_id = t.snapshot_id join snapshots s on s.id = v.snapshot_id
    where t.id = ${task_id}`.execute(db)
  const [current] = rows
  if (current === undefined) return null
  const { columns, sources, ...rest } = current
  return { ...rest, fields: columnNames(columns).slice(1), numbered: sources }
}

import { sql } from 'kysely'
import { RunFailure } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import { TableFormats } from '../../snapshots/column-format.ts'
import { columnNames } from '../../snapshots/column-names.ts'
import { pinSnapshot } from '../../snapshots/pin.ts'
import type { CompileDefinition } from './definition.ts'
import type { SourceVersion } from './rules/compile-plan.ts'

/**
 * The current version of each source, the master first, all read at one moment and pinned, with the SKU mappings of the
 * configuration (`config_id` null: it is not saved yet). Throws RunFailure if there is no master, or a source has no data.
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

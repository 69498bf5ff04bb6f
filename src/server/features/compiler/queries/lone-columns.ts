import { sql } from 'kysely'
import type { QueryOf } from '../../../../contract/calls.ts'
import type { ColumnSource, compilerColumns, LoneColumn } from '../../../../contract/compiler/columns.ts'
import { isSkuName, type MergeSettings } from '../../../../contract/compiler/configs.ts'
import type { Db } from '../../../platform/db.ts'
import { columnNames, resolveName } from '../../../snapshots/column-names.ts'
import { taskOfConfig } from '../../../tasks/task-identity.ts'
import { nearFields } from './near-fields.ts'

type Source = { source_task_id: number; name: string; is_master: boolean; columns: Column[] }
type Column = { column: string; read_as: string | null; field: string }

/**
 * Lists columns that only one source has and the master does not, and columns that are mapped to another field, each with
 * suggestions. If a source has no SKU column, all its columns come first. Throws NamedError `compiler_task_not_found`.
 */
export async function readLoneColumns(
  db: Db,
  { compiler_config_id, limit, offset }: QueryOf<typeof compilerColumns.loneColumns>,
) {
  await taskOfConfig(db, compiler_config_id)
  const read = await readSources(db, compiler_config_id)
  const owners = Map.groupBy(
    read.flatMap(({ source_task_id, columns }) => columns.map(({ field }) => ({ field, source_task_id }))),
    ({ field }) => field,
  )
  const columns = read.flatMap((source) => {
    const { source_task_id, has_sku, fields } = source
    return source.columns
      .filter(
        ({ read_as, field }) =>
          read_as !== null ||
          !has_sku ||
          (!source.is_master && !isSkuName(field) && owners.get(field)?.length === 1),
      )
      .map(({ column, read_as }) => ({
        has_sku,
        listed: { source_task_id, column, read_as, candidates: nearFields(column, fields) },
      }))
  })
  columns.sort(
    (one, other) =>
      Number(one.has_sku) - Number(other.has_sku) ||
      Number(other.listed.candidates.length > 0) - Number(one.listed.candidates.length > 0),
  )
  const data: LoneColumn[] = columns.slice(offset, offset + limit).map(({ listed }) => listed)
  const sources = read.map(
    ({ source_task_id, name, has_sku, fields }): ColumnSource => ({ source_task_id, name, has_sku, fields }),
  )
  const has_next = offset + data.length < columns.length
  return { data, sources, total_count: columns.length, has_next, has_prev: offset > 0, limit, offset }
}

/** Sources with rows, and the fields of other sources that each one lacks. */
async function readSources(db: Db, config_id: number) {
  const { rows } = await sql<Omit<Source, 'columns'> & Named & { headings: string[] }>`
    select s.source_task_id, t.name, s.is_master, n.columns as headings, c.column_names
    from compiler_sources s
    join compiler_configs c on c.id = s.compiler_config_id
    join tasks t on t.id = s.source_task_id
    join snapshots n on n.id = t.snapshot_id and n.completed_at is not null
    where s.compiler_config_id = ${config_id} order by s.position`.execute(db)
  const sources = rows.map(({ headings, column_names, ...source }) => ({
    ...source,
    columns: readAs(columnNames(headings), source.source_task_id, { column_names }),
  }))
  const all = [...new Set(sources.flatMap(({ columns }) => columns.map(({ field }) => field)))]
  return sources.map((source) => {
    const own = new Set(source.columns.map(({ field }) => field))
    const has_sku = [...own].some(isSkuName)
    const others = all.filter((field) => !own.has(field) && !isSkuName(field))
    return { ...source, has_sku, fields: has_sku ? others : ['SKU', ...others] }
  })
}

type Named = Pick<MergeSettings, 'column_names'>

function readAs(columns: readonly string[], source_task_id: number, { column_names }: Named): Column[] {
  const named = new Map(
    column_names
      .filter((one) => one.source_task_id === source_task_id)
      .map((one) => [resolveName(new Set(columns), one.column), one.field]),
  )
  return columns.map((column) => {
    const read_as = named.get(column) ?? null
    return { column, read_as, field: read_as ?? column }
  })
}

import { sql } from 'kysely'
import type { Row } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import type { BitSet } from '../../../snapshots/bit-sets.ts'
import { TableFormats } from '../../../snapshots/column-format.ts'
import { columnNames } from '../../../snapshots/column-names.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'
import { type SourcePart, textsOfRows } from '../../../snapshots/snapshot.ts'

/** A version of stored rows, and the run that made it. */
export type StoredVersion = {
  id: number
  kind: 'copy' | 'before' | 'source' | 'compiled'
  task_id: number
  task_name: string
  category: TaskCategory
  /** Of compiled versions. */
  config_id: number | null
  /** Null: the run is no longer kept. */
  run_id: number | null
  completed_at: Date
  header: Row
  names: string[]
  formats: TableFormats
  row_count: number
  rows_of: number
  removed: BitSet
  source_columns: (number | null)[] | null
  read_snapshot_id: number | null
  /** The rows of each source; null: there is one. */
  source_parts: SourcePart[] | null
  /** Of the run. */
  definition: unknown
}

type Stored = Omit<StoredVersion, 'names' | 'formats'> & {
  columns: string[]
  formats: unknown
  format_runs: unknown
}

/** Reads a version and pins it; null if it is no longer stored, or its task was deleted. Served by primary keys. */
export async function readVersion(db: Db, id: number | null): Promise<StoredVersion | null> {
  if (id === null) return null
  const { rows } = await sql<Stored & { is_pinned: boolean }>`
    select s.id, s.kind, s.task_id, t.name as task_name, t.category, c.id as config_id, s.run_id, s.completed_at, s.header, s.columns,
      s.formats, s.format_runs, s.row_count, coalesce(s.rows_of, s.id) as rows_of, s.removed, s.source_columns, s.read_snapshot_id,
      s.source_parts,
      r.definition, s.pinned_until > now() + interval '5 minutes' as is_pinned
    from snapshots s join tasks t on t.id = s.task_id
    left join runs r on r.id = s.run_id
    left join compiler_configs c on c.task_id = t.id
    where s.id = ${id} and s.completed_at is not null`.execute(db)
  const [version] = rows
  // Nearly always another reader has pinned it already.
  if (version === undefined || !(version.is_pinned || (await pinSnapshot(db, id)))) return null
  const { columns, formats, format_runs, is_pinned: _, ...rest } = version
  return { ...rest, names: columnNames(columns), formats: TableFormats.parse({ formats, format_runs }) }
}

/** Cells of a row of a version that is not compiled; row 0 is the header. Null: there is no such row. */
export async function readRow(
  db: Db,
  { id, header }: Pick<StoredVersion, 'id' | 'header'>,
  row_no: number,
): Promise<Row | null> {
  if (row_no === 0) return header
  const text = (await textsOfRows(db, id, [row_no])).get(row_no)
  if (text === undefined) return null
  const cells: Row = JSON.parse(text)
  return cells.map((cell) => (cell === '' ? null : cell))
}

/** The data row of the source that a data row of a copy was read from. */
export async function sourceRowOf(
  db: Db,
  { id }: Pick<StoredVersion, 'id'>,
  row_no: number,
): Promise<number> {
  const { rows } = await sql<{ row_no: number | null }>`
    select source_rows[${row_no}::int] as row_no from snapshots where id = ${id}`.execute(db)
  return rows[0]?.row_no ?? row_no
}

/** The data row of a copy that was read from a data row of the source; null: the copy leaves it out. */
export async function placeOfSourceRow(
  db: Db,
  { id }: Pick<StoredVersion, 'id'>,
  row_no: number,
): Promise<number | null> {
  if (row_no === 0) return 0
  const { rows } = await sql<{ row_no: number | null }>`
    select case when source_rows is null then ${row_no}::int else array_position(source_rows, ${row_no}::int) end as row_no
    from snapshots where id = ${id}`.execute(db)
  return rows[0]?.row_no ?? null
}

export const runOf = ({ run_id, completed_at }: Pick<StoredVersion, 'run_id' | 'completed_at'>) =>
  run_id === null ? null : { id: run_id, at: completed_at.toISOString() }

/** A task as replies name it. */
export const taskOf = ({
  task_id,
  task_name,
  category,
  config_id,
}: Pick<StoredVersion, 'task_id' | 'task_name' | 'category' | 'config_id'>) => ({
  category,
  id: config_id ?? task_id,
  name: task_name,
})

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { countRows } from '../../../snapshots/bit-sets.ts'
import { columnNames } from '../../../snapshots/column-names.ts'
import { type FieldFormats, readFieldFormats } from '../../../snapshots/field-formats.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'

/** The current compile of a configuration. */
export type CompiledVersion = {
  compiler_config_id: number
  snapshot_id: number
  /** Whose rows it reads. */
  rows_of: number
  fields: string[]
  /** Those that had to be filled; none: all of them. */
  required_fields: string[]
  /** By their numbers, which count from 1. */
  sources: { task_id: number; name: string }[]
  formats: FieldFormats
  master: number | null
  /** Records. */
  row_count: number
  /** With those that a person has removed. */
  stored_rows: number
  /** When its compile began: what that has added or changed is younger. */
  began_at: Date
  completed_at: Date
  removed: Buffer
}

type Row = Omit<
  CompiledVersion,
  'compiler_config_id' | 'fields' | 'formats' | 'stored_rows' | 'snapshot_id'
> & {
  snapshot_id: number | null
  columns: string[]
}

/** The current records of a configuration, kept from being pruned; null while there are none. Throws NamedError `compiler_task_not_found`. */
export const readCompiled = (db: Db, compiler_config_id: number): Promise<CompiledVersion | null> =>
  readVersion(db, compiler_config_id, sql.ref('t.snapshot_id'))

/** The records of the compile before; null where there was none. */
export const readEarlier = (db: Db, compiler_config_id: number): Promise<CompiledVersion | null> =>
  readVersion(db, compiler_config_id, sql.ref('t.before_snapshot_id'))

async function readVersion(
  db: Db,
  compiler_config_id: number,
  pointer: RawBuilder<unknown>,
): Promise<CompiledVersion | null> {
  const { rows } = await sql<Row>`
    select v.snapshot_id, coalesce(s.rows_of, s.id) as rows_of, s.columns, s.row_count, s.created_at as began_at, s.completed_at,
      s.removed, v.sources, v.required_fields,
      (select source_task_id from compiler_sources m where m.compiler_config_id = c.id and m.is_master) as master
    from compiler_configs c join tasks t on t.id = c.task_id
    left join compiled_versions v on v.snapshot_id = ${pointer}
    left join snapshots s on s.id = v.snapshot_id
    where c.id = ${compiler_config_id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new NamedError('compiler_task_not_found')
  const { snapshot_id, columns, ...version } = row
  if (snapshot_id === null || !(await pinSnapshot(db, snapshot_id))) return null
  const stored_rows = version.row_count + countRows(version.removed)
  return {
    ...version,
    compiler_config_id,
    snapshot_id,
    stored_rows,
    fields: columnNames(columns).slice(1),
    formats: await readFieldFormats(db, snapshot_id),
  }
}

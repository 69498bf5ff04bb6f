import { type RawBuilder, sql } from 'kysely'
import type { FieldCheck } from '../../../../contract/field-checks/field-checks.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { countRows } from '../../../snapshots/bit-sets.ts'
import { columnNames } from '../../../snapshots/column-names.ts'
import { type FieldFormats, readFieldFormats } from '../../../snapshots/field-formats.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'

/** The current compiled version of a configuration. */
export type CompiledVersion = {
  compiler_config_id: number
  snapshot_id: number
  /** Version whose rows are shared. */
  rows_of: number
  fields: string[]
  /** Required fields. Empty means all. */
  required_fields: string[]
  /** Checks of the compile. */
  field_checks: FieldCheck[]
  /** Ordered by source number, starting at 1. */
  sources: { task_id: number; name: string }[]
  formats: FieldFormats
  master: number | null
  /** Number of records. */
  row_count: number
  /** Number of rows including removed records. */
  stored_rows: number
  /** Start of the compile. Rows that it added or changed have a later timestamp. */
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

/** Reads and pins the current version of a configuration; null if there is none. Throws NamedError `compiler_task_not_found`. */
export const readCompiled = (db: Db, compiler_config_id: number): Promise<CompiledVersion | null> =>
  readVersion(db, compiler_config_id, sql.ref('t.snapshot_id'))

/** Reads the version of the previous compile; null if there is none. */
export const readEarlier = (db: Db, compiler_config_id: number): Promise<CompiledVersion | null> =>
  readVersion(db, compiler_config_id, sql.ref('t.before_snapshot_id'))

/** Reads the version of a compile that waits for an approval; null if none waits. */
export const readWaiting = (db: Db, compiler_config_id: number): Promise<CompiledVersion | null> =>
  readVersion(db, compiler_config_id, sql.ref('t.waiting_snapshot_id'))

async function readVersion(
  db: Db,
  compiler_config_id: number,
  pointer: RawBuilder<unknown>,
): Promise<CompiledVersion | null> {
  const { rows } = await sql<Row>`
    select v.snapshot_id, coalesce(s.rows_of, s.id) as rows_of, s.columns, s.row_count, s.created_at as began_at, s.completed_at,
      s.removed, v.sources, v.required_fields, v.field_checks,
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

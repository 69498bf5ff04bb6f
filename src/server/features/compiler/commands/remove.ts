import { sql } from 'kysely'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { notify } from '../../../platform/notify.ts'
import { hasRow } from '../../../snapshots/bit-sets.ts'
import { rowsOfSku } from '../../../snapshots/record-blocks.ts'
import { lockTask } from '../../../tasks/edit/lock-task.ts'
import { taskObject, taskOfConfig } from '../../../tasks/task-identity.ts'

/**
 * Removes a record by creating a version without it. The new version shares the rows of the previous one, so concurrent readers are
 * not affected. Throws NamedError `compiler_task_not_found`, `record_not_found`, or `live_records` while a compile is live.
 */
export const removeRecord = (
  db: Db,
  actor: Actor,
  { sku, compiler_config_id }: { sku: string; compiler_config_id: number },
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { task_id, current } = await lockRecords(trx, compiler_config_id)
    if (current === null) throw new NamedError('record_not_found')
    const row_nos = await rowsOfSku(trx, current.rows_of, sku)
    const row_no = row_nos.find((one) => !hasRow(current.removed, one))
    if (row_no === undefined) throw new NamedError('record_not_found')
    const snapshot_id = await versionWithout(trx, current.snapshot_id, row_no)
    await trx.updateTable('tasks').set({ snapshot_id }).where('id', '=', task_id).execute()
    await audit(trx, actor, { action: 'delete_record', ...taskObject('compiler', task_id), details: { sku } })
    await notify(trx, { kind: 'tasks', task_ids: [task_id] })
  })

/**
 * Removes all records of a configuration, also those of a compile that waits, and returns how many were current. Throws as removeRecord does, except if there are no records.
 */
export const clearRecords = (db: Db, actor: Actor, compiler_config_id: number): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { task_id, current } = await lockRecords(trx, compiler_config_id)
    if (current === null) return 0
    await trx
      .updateTable('tasks')
      .set({ snapshot_id: null, before_snapshot_id: null, waiting_snapshot_id: null })
      .where('id', '=', task_id)
      .execute()
    const details = { deleted_count: current.row_count }
    await audit(trx, actor, { action: 'clear_records', ...taskObject('compiler', task_id), details })
    await notify(trx, { kind: 'tasks', task_ids: [task_id] })
    return current.row_count
  })

type Current = { snapshot_id: number; rows_of: number; row_count: number; removed: Buffer }

/** Returns the current version and locks it against compiles and removals until the transaction ends. */
async function lockRecords(
  trx: Trx,
  config_id: number,
): Promise<{ task_id: number; current: Current | null }> {
  const task_id = await taskOfConfig(trx, config_id)
  const { live } = await lockTask(trx, 'compiler', task_id)
  if (live) throw new NamedError('live_records')
  const { rows } = await sql<Current>`
    select s.id as snapshot_id, coalesce(s.rows_of, s.id) as rows_of, s.row_count, s.removed
    from tasks t join snapshots s on s.id = t.snapshot_id where t.id = ${task_id}`.execute(trx)
  return { task_id, current: rows[0] ?? null }
}

/** Adds a copy of a version that excludes one row. */
async function versionWithout(trx: Trx, id: number, row_no: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into snapshots (task_id, run_id, kind, columns, header, formats, row_count, created_at, completed_at, rows_of, removed)
    select task_id, run_id, kind, columns, header, formats, row_count - 1, created_at, completed_at, coalesce(rows_of, id),
      set_bit(removed || decode(repeat('00', greatest((${row_no}::int + 7) / 8 - length(removed), 0)), 'hex'), ${row_no - 1}, 1)
    from snapshots where id = ${id} returning id`.execute(trx)
  const snapshot_id = rows[0]?.id
  if (snapshot_id === undefined) throw new Error(`Snapshot ${id} is gone although its task is locked.`)
  // Copies the remaining data of the version.
  await sql`
    insert into compiled_versions
    select without.* from compiled_versions v,
      lateral jsonb_populate_record(v, jsonb_build_object('snapshot_id', ${snapshot_id}::int)) without
    where v.snapshot_id = ${id}`.execute(trx)
  await sql`
    insert into compiled_failures (snapshot_id, check_no, rows, median)
    select ${snapshot_id}::int, check_no, rows, median from compiled_failures where snapshot_id = ${id}`.execute(
    trx,
  )
  return snapshot_id
}

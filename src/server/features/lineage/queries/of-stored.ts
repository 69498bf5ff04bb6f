import { sql } from 'kysely'
import type { Lineage } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { cellName } from './cell-link.ts'
import { readCompiled, recordOfSku } from './compiled-version.ts'
import { type Asking, columnIndex, lineageOfTarget } from './of-link.ts'
import { type LineageDeps, sheetLink } from './places.ts'
import { recordStep } from './record-step.ts'
import { stepsFrom } from './steps.ts'
import { readVersion, type StoredVersion, sourceRowOf } from './stored-version.ts'
import { syncTask, type TargetTask, tabsOfRow } from './target-tasks.ts'
import { addUsesOfRecord, addUsesOfRow, MAX_USES, Uses } from './uses.ts'

/**
 * Lineage of a cell of a sync or source task's stored rows. The row counts from 1 without the header. Throws NamedError
 * `task_not_found`, `no_data`, or `invalid` for an unknown row or column.
 */
export async function lineageOfRow(
  deps: LineageDeps,
  { task_id, row, column }: { task_id: number; row: number; column: string | undefined },
  asking: Asking,
): Promise<Lineage> {
  const { db } = deps
  const task = await db
    .selectFrom('tasks')
    .select(['name', 'category', 'snapshot_id'])
    .where('id', '=', task_id)
    .where('category', 'in', ['sync', 'source'])
    .executeTakeFirst()
  if (task === undefined) throw new NamedError('task_not_found')
  const version = await readVersion(db, task.snapshot_id)
  if (version === null) throw new NamedError('no_data')
  if (row > version.row_count)
    throw new NamedError('invalid', { message: messages.row_unknown(version.row_count), field: 'row' })
  const index = columnIndex(version.names, column, 'column')
  const name = version.names[index] ?? ''
  const target = task.category === 'sync' ? await syncTask(db, task_id) : null
  if (target) {
    const written = target.is_split
      ? await rowOfTab(db, target, { version, row })
      : { task: target, version, row }
    if (written === null) throw new NamedError('no_data')
    const cell = { row: written.task.start_row + written.row, column: index }
    const found = await lineageOfTarget(deps, written, cell, asking)
    const link = sheetLink(deps, written.task, cellName(cell.row, cell.column))
    return { ...none, ...found, link, row: { columns: version.names, column: name } }
  }
  const at = { task_id, task_name: task.name, snapshot_id: version.id, row_no: row, column: index }
  const uses = new Uses()
  await addUsesOfRow(deps, uses, at)
  return {
    ...none,
    title: messages.rows(name, row, task.name),
    steps: await stepsFrom(deps, at),
    ...listed(uses),
    row: { columns: version.names, column: name },
  }
}

/** The tab of a split task that has a data row of all its rows; null: it was not written yet, or its rows are no longer stored. */
async function rowOfTab(
  db: LineageDeps['db'],
  target: TargetTask,
  { version, row }: { version: StoredVersion; row: number },
) {
  const [found] = await tabsOfRow(db, target, version, await sourceRowOf(db, version, row))
  const ofTab = found ? await readVersion(db, found.task.snapshot_id) : null
  return found === undefined || ofTab === null
    ? null
    : { task: found.task, version: ofTab, row: found.row_no }
}

/**
 * Lineage of a field of a compiled record, by default of its SKU. Throws NamedError `compiler_task_not_found`, `record_not_found`, or
 * `invalid` for an unknown field.
 */
export async function lineageOfRecord(
  deps: LineageDeps,
  { compiler_config_id, sku, field }: { compiler_config_id: number; sku: string; field: string | undefined },
): Promise<Lineage> {
  const version = await readCompiled(deps.db, await versionOfConfig(deps.db, compiler_config_id))
  const record = version && (await recordOfSku(deps.db, version, sku))
  if (!version || !record) throw new NamedError('record_not_found')
  const column = columnIndex(version.names, field, 'field')
  const { step, next } = await recordStep(deps, version, { record, column, notes: [] })
  const uses = new Uses()
  await addUsesOfRecord(deps, uses, version, { record, column })
  const name = version.names[column] ?? ''
  return {
    ...none,
    title: messages.record(name, record.sku, version.task_name),
    steps: [step, ...(await stepsFrom(deps, next))],
    ...listed(uses),
    row: { columns: version.names, column: name },
  }
}

const none: Lineage = {
  title: '',
  link: null,
  notes: [],
  written: null,
  steps: [],
  uses: [],
  has_more_uses: false,
  row: null,
}

const listed = ({ list }: Uses) => ({
  uses: list.slice(0, MAX_USES),
  has_more_uses: list.length > MAX_USES,
})

async function versionOfConfig(db: Db, id: number): Promise<number | null> {
  const { rows } = await sql<{ snapshot_id: number | null }>`
    select t.snapshot_id from compiler_configs c join tasks t on t.id = c.task_id where c.id = ${id}`.execute(
    db,
  )
  const [config] = rows
  if (config === undefined) throw new NamedError('compiler_task_not_found')
  return config.snapshot_id
}

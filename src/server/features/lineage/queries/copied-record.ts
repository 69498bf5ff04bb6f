import type { LineageStep } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import type { Row } from '../../../../contract/tables.ts'
import { findColumn } from '../../../snapshots/column-names.ts'
import type { BlockRecord } from '../../../snapshots/record-blocks.ts'
import { type CompiledVersion, readCompiled, recordInPlace, recordOfSku } from './compiled-version.ts'
import { type CopyDefinition, columnOfName, isExtra, sourceName } from './copied-columns.ts'
import type { LineageDeps } from './places.ts'
import { recordStep } from './record-step.ts'
import { stepsFrom } from './steps.ts'
import { runOf, type StoredVersion } from './stored-version.ts'
import type { TargetTask } from './target-tasks.ts'

type Copy = { task: TargetTask; version: StoredVersion; definition: CopyDefinition }

/** `row_no`: of the version that was read. `column`, `row`: of the copy. */
type Copied = { row_no: number; column: number; row: Row }

/** The compiled record that a row of a copy was copied from, by its place in the version that was read, else by its SKU. */
export async function recordSteps(
  deps: LineageDeps,
  { task, version, definition }: Copy,
  { row_no, column, row }: Copied,
): Promise<LineageStep[]> {
  const { db } = deps
  const none: LineageStep = {
    kind: 'record',
    text: messages.record_unknown,
    task: null,
    run: null,
    place: null,
    record: null,
    notes: [],
  }
  if (isExtra(version, definition, column))
    return [
      {
        ...none,
        text: messages.read_records(task.name),
        task: { category: 'sync', id: task.task_id, name: task.name },
        run: runOf(version),
        notes: [messages.extra_column(version.names[column] ?? '')],
      },
    ]
  const name = sourceName(version, definition, column)
  const copied = await readCompiled(db, version.read_snapshot_id)
  const record = copied && (await recordInPlace(db, copied, row_no))
  if (copied && record) {
    const index = version.source_columns?.[column] ?? findColumn(copied.names, name)
    return stepsOf(deps, copied, { record, column: index, notes: [] })
  }
  const current = await readCompiled(db, await currentVersion(deps, definition))
  // The records have their SKU in the first column.
  const key = version.source_columns?.indexOf(0) ?? columnOfName(version, definition, 'SKU')
  const sku = row[key] ?? null
  const now = current && sku !== null ? await recordOfSku(db, current, String(sku)) : null
  if (!current || !now) return [none]
  // The columns may stand in other places by now.
  const index = findColumn(current.names, name)
  const note = version.read_snapshot_id === null ? messages.version_unknown : messages.version_gone
  return stepsOf(deps, current, { record: now, column: index, notes: [note] })
}

async function stepsOf(
  deps: LineageDeps,
  from: CompiledVersion,
  cell: { record: BlockRecord; column: number; notes: string[] },
): Promise<LineageStep[]> {
  if (cell.column < 0) return []
  const { step, next } = await recordStep(deps, from, cell)
  return [step, ...(await stepsFrom(deps, next))]
}

async function currentVersion(
  { db }: LineageDeps,
  { source_task_id }: CopyDefinition,
): Promise<number | null> {
  if (source_task_id === null) return null
  const task = await db
    .selectFrom('tasks')
    .select('snapshot_id')
    .where('id', '=', source_task_id)
    .executeTakeFirst()
  return task?.snapshot_id ?? null
}

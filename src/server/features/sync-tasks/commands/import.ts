import { SyncTaskCreate, SyncTaskUpdate } from '../../../../contract/sync-tasks/edits.ts'
import type { CsvImport } from '../../../csv-jobs/import.ts'
import type { Cells } from '../../../platform/csv/rows.ts'
import { NamedError } from '../../../platform/errors.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import { importTasks, type KnownOfRow, type TaskFile } from '../../../tasks/edit/import-tasks.ts'
import { columnOf, shape, toBody } from '../csv.ts'
import { allLimits, csvTasks } from '../queries/export.ts'
import { constraints } from './constraints.ts'
import { addSyncTasks } from './create.ts'
import { takenTargets } from './taken-targets.ts'
import { changeSyncTask } from './update.ts'

/** Imports sync tasks from CSV. A row identifies a task by type and name. */
export const syncTaskImport: CsvImport = {
  type: 'sync_task',
  shape,
  run: (trx, context) => importTasks(trx, file, context),
}

const file: TaskFile<ReturnType<typeof bodyOf>, ReturnType<typeof changesOf>> = {
  category: 'sync',
  type_column: 'task_type',
  may_lack_type: false,
  constraints,
  columnOf,
  toBody: bodyOf,
  toChanges: changesOf,
  refusals: async (trx, bodies) => {
    const taken = await takenTargets(trx, bodies)
    return new Map(
      [...taken].map(([place, name]) => [place, new NamedError(name, { field: 'target_sheet_name' })]),
    )
  },
  add: addSyncTasks,
  read: async (trx, ids) => {
    const tasks = await csvTasks(trx).where('t.id', 'in', ids).execute()
    return new Map(tasks.map(({ limits, ...task }) => [task.id, { ...task, limits: allLimits(limits) }]))
  },
  change: changeSyncTask,
}

function bodyOf(cells: Cells, { name, type_id, chunk_size, owner_id }: KnownOfRow) {
  const said = {
    ...toBody(cells),
    name,
    sync_task_type_id: type_id,
    ...(owner_id !== undefined && { owner_id }),
  }
  const body = parseInput(SyncTaskCreate, said, columnOf)
  return { ...body, chunk_size: body.chunk_size ?? chunk_size }
}

function changesOf(cells: Cells, { owner_id }: Pick<KnownOfRow, 'owner_id'>) {
  // Existing tasks keep their position.
  const { sort_order: _, ...changes } = parseInput(
    SyncTaskUpdate,
    { ...toBody(cells), ...(owner_id !== undefined && { owner_id }) },
    columnOf,
  )
  return changes
}

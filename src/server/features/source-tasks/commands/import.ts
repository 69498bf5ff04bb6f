import { SourceTaskCreate, SourceTaskUpdate } from '../../../../contract/source-tasks/edits.ts'
import type { CsvImport } from '../../../csv-jobs/import.ts'
import type { Cells } from '../../../platform/csv/rows.ts'
import { NamedError } from '../../../platform/errors.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import { importTasks, type KnownOfRow, type TaskFile } from '../../../tasks/edit/import-tasks.ts'
import { lockOrigins } from '../../../tasks/edit/origins.ts'
import { columnOf, shape, TYPE_COLUMN, toBody } from '../csv.ts'
import { readCsvTasks } from '../queries/export.ts'
import { constraints } from './constraints.ts'
import { addSourceTasks, newTaskOf } from './create.ts'
import { referencesOf } from './references.ts'
import { changeSourceTask } from './update.ts'

/** Imports source tasks from CSV. A row identifies a task by type (optional) and name. */
export const sourceTaskImport: CsvImport = {
  type: 'source_task',
  shape,
  run: async (trx, context) => {
    await lockOrigins(trx)
    await importTasks(trx, file, context)
  },
}

const file: TaskFile<ReturnType<typeof bodyOf>, ReturnType<typeof changesOf>> = {
  category: 'source',
  type_column: TYPE_COLUMN,
  may_lack_type: true,
  constraints,
  columnOf,
  toBody: bodyOf,
  toChanges: changesOf,
  refusals: async (trx, bodies) => {
    const references = await referencesOf(trx, bodies)
    return new Map(
      references.flatMap((reference, place) =>
        reference instanceof NamedError ? [[place, reference] as const] : [],
      ),
    )
  },
  add: addSourceTasks,
  read: async (trx, ids) => {
    const tasks = await readCsvTasks(trx, ids)
    return new Map([...tasks].map(([id, { said }]) => [id, said]))
  },
  change: changeSourceTask,
}

function bodyOf(cells: Cells, { name, type_id, chunk_size, owner_id }: KnownOfRow) {
  const said = {
    ...toBody(cells),
    name,
    source_task_type_id: type_id,
    ...(owner_id !== undefined && { owner_id }),
  }
  const task = newTaskOf(parseInput(SourceTaskCreate, said, columnOf))
  return { ...task, chunk_size: task.chunk_size ?? chunk_size }
}

function changesOf(cells: Cells, { owner_id }: Pick<KnownOfRow, 'owner_id'>) {
  const said = { ...toBody(cells), ...(owner_id !== undefined && { owner_id }) }
  return parseInput(SourceTaskUpdate, said, columnOf)
}

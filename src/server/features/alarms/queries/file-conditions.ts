import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import { readLackedFolders } from '../../../engine/workers.ts'
import type { Db } from '../../../platform/db.ts'
import type { Condition } from './conditions.ts'

/** Looks for the file of a task. `changed`: milliseconds since 1970. */
export type StateOfFile = (
  spreadsheet_id: string,
) => Promise<{ name: string; changed: number } | { problem: string }>

/** Folders that some live worker cannot open. */
export async function folderConditions(db: Db): Promise<Condition[]> {
  const folders = await readLackedFolders(db)
  return folders.flatMap(({ name, workers, none_left }) =>
    workers.length === 0
      ? []
      : [
          {
            kind: 'worker',
            subject: `folder ${name}`,
            category: null,
            task_id: null,
            task_type_id: null,
            title: messages.folder_missing(name),
            reason: messages.folder_missing_reason(workers, none_left),
          },
        ],
  )
}

const HOUR_MS = 3_600_000

/** Files that are missing or older than their task expects. They are looked for one after the other: a mount may be slow. */
export async function fileConditions(
  db: Db,
  stateOfFile: StateOfFile,
  now: () => number = Date.now,
): Promise<Condition[]> {
  const tasks = await db
    .selectFrom('source_tasks')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .select(['id', 'name', 'task_type_id', 'spreadsheet_id', 'file_expected_hours'])
    .where('is_active', '=', true)
    .where('source_type', '=', 'sheet')
    .where('provider', '=', 'files')
    .where('file_expected_hours', 'is not', null)
    .execute()
  const found: Condition[] = []
  for (const { id, name, task_type_id, spreadsheet_id, file_expected_hours: hours } of tasks) {
    if (hours === null) continue
    const state = await stateOfFile(spreadsheet_id)
    const reason =
      'problem' in state
        ? state.problem
        : now() - state.changed > hours * HOUR_MS
          ? messages.file_late(state.name, hours)
          : null
    if (reason === null) continue
    found.push({
      kind: 'file',
      subject: `file of task ${id}`,
      category: 'source',
      task_id: id,
      task_type_id,
      title: name,
      reason,
    })
  }
  return found
}

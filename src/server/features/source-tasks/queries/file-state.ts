import type { z } from 'zod/mini'
import { isFilePath } from '../../../../contract/files/providers.ts'
import type { FileState, uploads } from '../../../../contract/uploads/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

/** Looks for a file by its id. Failures are returned. */
export type ReadFileState = (spreadsheet_id: string) => Promise<FileState>

const HOUR_MS = 3_600_000

/** The file that the next run of a source task reads. Throws NamedError `source_task_not_found`, and `not_found` without a file. */
export async function readFileState(
  db: Db,
  readState: ReadFileState,
  task_id: number,
  now: Date,
): Promise<z.output<typeof uploads.state.reply>> {
  const task = await db
    .selectFrom('source_tasks')
    .select(['spreadsheet_id', 'file_expected_hours'])
    .where('task_id', '=', task_id)
    .executeTakeFirst()
  if (!task) throw new NamedError('source_task_not_found')
  const { spreadsheet_id, file_expected_hours: hours } = task
  if (!isFilePath(spreadsheet_id)) throw new NamedError('not_found')
  const state = await readState(spreadsheet_id)
  const { modified_at } = state
  const is_late =
    hours !== null && (modified_at === null || now.getTime() - Date.parse(modified_at) > hours * HOUR_MS)
  return { spreadsheet_id, ...state, is_late }
}

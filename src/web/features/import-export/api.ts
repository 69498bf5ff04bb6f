import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { csvJobMessages } from '../../../contract/csv-jobs/client-messages.ts'
import { syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import { watchJobs } from '../../csv-jobs/jobs.ts'
import { CallError, call } from '../../lib/call.ts'
import { saveFile } from '../../lib/save-file.ts'

/** Fetches all sync tasks as a file and saves it. */
export const exportSyncTasks = mutationOptions({ mutationFn: () => saveFile(syncTasks.exportCsv, {}) })

/** Sends a file of sync tasks; lists of tasks and jobs are read again. */
export const importSyncTasks = mutationOptions({
  mutationFn: (file: File) => call(syncTasks.importCsv, { file }),
  onSettled: (_data, _error, _file, _result, { client }) => refresh(client),
})

const refresh = (client: QueryClient) =>
  Promise.all([watchJobs(client, 'sync_task'), client.invalidateQueries({ queryKey: [syncTasks.list.path] })])

/** What to tell of an import that failed: the server's words where it had some. */
export function importFailure(error: unknown): string {
  if (!(error instanceof CallError)) return csvJobMessages.import_failed(frameMessages.unexpected)
  const unexplained = error.status !== 0 && !error.explained
  return csvJobMessages.import_failed(unexplained ? csvJobMessages.server_error(error.status) : error.message)
}

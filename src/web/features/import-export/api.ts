import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { csvJobMessages } from '../../../contract/csv-jobs/client-messages.ts'
import { syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import { watchJobs } from '../../csv-jobs/jobs.ts'
import { CallError, call } from '../../lib/call.ts'
import { saveFile } from '../../lib/save-file.ts'

/** Downloads all sync tasks as a CSV file. */
export const exportSyncTasks = mutationOptions({ mutationFn: () => saveFile(syncTasks.exportCsv, {}) })

/** Uploads a CSV file of sync tasks, then refetches the lists of tasks and jobs. */
export const importSyncTasks = mutationOptions({
  mutationFn: (file: File) => call(syncTasks.importCsv, { file }),
  onSettled: (_data, _error, _file, _result, { client }) => refresh(client),
})

const refresh = (client: QueryClient) =>
  Promise.all([watchJobs(client, 'sync_task'), client.invalidateQueries({ queryKey: [syncTasks.list.path] })])

/** Message of a failed import: the server's if it sent one. */
export function importFailure(error: unknown): string {
  if (!(error instanceof CallError)) return csvJobMessages.import_failed(frameMessages.unexpected)
  const unexplained = error.status !== 0 && !error.explained
  return csvJobMessages.import_failed(unexplained ? csvJobMessages.server_error(error.status) : error.message)
}

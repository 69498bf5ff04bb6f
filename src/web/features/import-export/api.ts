import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type CsvJob, csvJobs } from '../../../contract/csv-jobs.ts'
import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import { syncTasks } from '../../../contract/sync-tasks.ts'
import { CallError, call } from '../../lib/call.ts'
import { saveFile } from '../../lib/save-file.ts'

const JOBS_POLL_MS = 1500

const keys = { jobs: [csvJobs.list.path, 'sync_task'] as const }

/** Whether a job has not ended yet. */
export const isUnfinished = ({ status }: CsvJob) => status === 'pending' || status === 'running'

/** The newest imports of sync tasks; asked again and again while one is under way. */
export const jobsQuery = queryOptions({
  queryKey: keys.jobs,
  queryFn: ({ signal }) =>
    call(csvJobs.list, { query: { type: 'sync_task', limit: String(limits.csv_jobs_shown) }, signal }),
  refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? JOBS_POLL_MS : false),
  meta: { failure: messages.fetch_jobs_failed, prefer_error: true },
})

/** Fetches all sync tasks as a file and saves it. */
export const exportSyncTasks = mutationOptions({ mutationFn: () => saveFile(syncTasks.exportCsv, {}) })

/** Sends a file of sync tasks; lists of tasks and jobs are read again. */
export const importSyncTasks = mutationOptions({
  mutationFn: (file: File) => call(syncTasks.importCsv, { file }),
  onSettled: (_data, _error, _file, _result, { client }) => refresh(client),
})

/** Saves the rows that an import refused. */
export const saveRefusedRows = mutationOptions({
  mutationFn: ({ id }: CsvJob) =>
    saveFile(csvJobs.download, { params: { id } }, `import_${id}_refused_rows.csv`),
})

/** Looks at the jobs again, to see one that has just begun. */
export const watchJobs = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.jobs })

const refresh = (client: QueryClient) =>
  Promise.all([watchJobs(client), client.invalidateQueries({ queryKey: [syncTasks.list.path] })])

/** What to tell of an import that failed: the server's words where it had some. */
export function importFailure(error: unknown): string {
  if (!(error instanceof CallError)) return messages.import_failed(messages.unexpected)
  const unexplained = error.status !== 0 && !error.explained
  return messages.import_failed(unexplained ? messages.server_error(error.status) : error.message)
}

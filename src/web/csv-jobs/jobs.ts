import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type CsvJob, type CsvType, csvJobs } from '../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../contract/limits.ts'

import { call } from '../lib/call.ts'
import { saveFile } from '../lib/save-file.ts'

/** Whether a job has not ended. */
export const isUnfinished = ({ status }: Pick<CsvJob, 'status'>) =>
  status === 'pending' || status === 'running'

/** Polling interval of a job in milliseconds; false once it has ended. */
export const pollOf = (job: Pick<CsvJob, 'status'> | undefined) =>
  job === undefined || isUnfinished(job) ? limits.csv_poll_ms : false

/** The newest jobs of a type; polled while one is unfinished. */
export const jobsQuery = (type: CsvType) =>
  queryOptions({
    queryKey: [csvJobs.list.path, type] as const,
    queryFn: ({ signal }) =>
      call(csvJobs.list, { query: { type, limit: String(limits.csv_jobs_shown) }, signal }),
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? limits.csv_poll_ms : false),
    meta: { failure: csvJobMessages.fetch_jobs_failed, prefer_error: true },
  })

/** One job, polled until it has ended, even if single requests fail. */
export const jobQuery = (id: number) =>
  queryOptions({
    queryKey: [csvJobs.get.path, id] as const,
    queryFn: ({ signal }) => call(csvJobs.get, { params: { id }, signal }),
    refetchInterval: ({ state }) => pollOf(state.data),
    retry: false,
    staleTime: 0,
  })

/** Refetches the jobs of a type after a new one was started. */
export const watchJobs = (client: QueryClient, type: CsvType) =>
  client.invalidateQueries({ queryKey: [csvJobs.list.path, type] })

/** Downloads the result of a job: the file of an export, or the rejected rows of an import. */
export const saveJobFile = mutationOptions({
  mutationFn: ({ id, kind }: CsvJob) =>
    saveFile(
      csvJobs.download,
      { params: { id } },
      kind === 'import' ? `import_${id}_refused_rows.csv` : undefined,
    ),
})

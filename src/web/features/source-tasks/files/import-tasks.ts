import { type CsvJob, csvJobs } from '../../../../contract/csv-jobs/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { sourceTasks } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { CallError, call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { withTimeLimit } from '../../../lib/time-limit.ts'
import { awaitJob, PollTimeout } from './await-job.ts'

const limited = () => withTimeLimit(limits.source_timeout_ms)

/** Result of an import: short message, reason of a failure, and the job if there is one. */
export type ImportResult = {
  tone: 'success' | 'warning' | 'error'
  summary: string
  reason: string | null
  job: CsvJob | null
}

/** Uploads a file of source tasks and waits for its job. Failures are returned as an ImportResult, never thrown. */
export async function importTasks(file: File, onProgress: (job: CsvJob) => void): Promise<ImportResult> {
  try {
    const sent = await call(sourceTasks.importCsv, { file, signal: limited() })
    if ('job_id' in sent) return await followJob(sent.job_id, onProgress)
    return sent.status === 'failed' ? failed(sent.message) : completed(null)
  } catch (error) {
    const refused = error instanceof CallError && error.status >= 400 && error.status < 500
    return failed(
      reasonOf(error, sourceMessages.import_failed),
      refused ? sourceMessages.import_invalid : sourceMessages.import_failed,
    )
  }
}

async function followJob(id: number, onProgress: (job: CsvJob) => void): Promise<ImportResult> {
  const read = () => call(csvJobs.get, { params: { id }, signal: limited() })
  const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))
  try {
    return resultOf(await awaitJob({ read, pause, now: () => performance.now(), onProgress }))
  } catch (error) {
    const reason =
      error instanceof PollTimeout ? error.message : reasonOf(error, sourceMessages.import_polling_failed)
    return failed(reason, sourceMessages.import_polling_failed)
  }
}

/** Result of a job that has ended. */
export const resultOf = (job: CsvJob): ImportResult =>
  job.status === 'completed'
    ? completed(job)
    : {
        ...failed(job.error ?? sourceMessages.import_failed),
        ...(job.errors.length > 0 && { summary: sourceMessages.import_invalid }),
        job,
      }

const completed = (job: CsvJob | null): ImportResult => ({
  tone: job && job.errors.length + job.warnings.length > 0 ? 'warning' : 'success',
  summary: sourceMessages.import_completed,
  reason: null,
  job,
})

const failed = (reason: string, summary: string = sourceMessages.import_failed): ImportResult => ({
  tone: 'error',
  summary,
  reason,
  job: null,
})

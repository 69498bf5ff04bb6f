import type { CsvJob } from '../../../../contract/csv-jobs/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'

import { isUnfinished } from '../../../csv-jobs/jobs.ts'

/** The job did not end within the time limit. It continues. */
export class PollTimeout extends Error {
  override name = 'PollTimeout'
  readonly code = 'POLL_TIMEOUT'

  constructor() {
    super(sourceMessages.polling_timed_out)
  }
}

type Polling = {
  read: () => Promise<CsvJob>
  /** Resolves after `ms` milliseconds. */
  pause: (ms: number) => Promise<void>
  /** Current time in milliseconds, of any one clock. */
  now: () => number
  onProgress: (job: CsvJob) => void
}

/** Polls a job every second until it has ended, and returns it. Throws PollTimeout after 120 s, or the third error in a row. */
export async function awaitJob({ read, pause, now, onProgress }: Polling): Promise<CsvJob> {
  const end = now() + limits.source_import_timeout_ms
  let failures = 0
  while (now() < end) {
    try {
      const job = await read()
      failures = 0
      if (!isUnfinished(job)) return job
      onProgress(job)
    } catch (error) {
      failures += 1
      if (failures === limits.source_poll_failures) throw error
    }
    await pause(limits.source_import_poll_ms)
  }
  throw new PollTimeout()
}

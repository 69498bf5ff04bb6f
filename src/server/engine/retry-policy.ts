import type { LeasedRun } from './delivery.ts'
import type { RunFailure } from './types.ts'

/** A run is ended after so many redeliveries: it probably crashes its workers. */
export const MAX_REDELIVERIES = 3

type Attempt = Pick<LeasedRun, 'attempts' | 'max_retries' | 'retry_delay_seconds'>

export type RetryDecision =
  | { retry: true; error: string; delay_seconds: number; message: string }
  | { retry: false; error: string }

/** Whether and when a failed attempt is retried, and the sentence for the log. */
export function retryDecision(
  failure: Pick<RunFailure, 'message' | 'retryable' | 'retry_after_seconds'>,
  { attempts, max_retries, retry_delay_seconds }: Attempt,
): RetryDecision {
  const error = failure.message
  if (!failure.retryable) return { retry: false, error }
  const all = max_retries + 1
  if (attempts >= all)
    return { retry: false, error: all === 1 ? error : `${sentence(error)} Given up after ${all} attempts.` }
  const delay_seconds = Math.max(retry_delay_seconds, failure.retry_after_seconds ?? 0)
  const message = `Attempt ${attempts} of ${all} failed, the next one starts ${inTime(delay_seconds)}: ${error}`
  return { retry: true, error, delay_seconds, message }
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

export const tooManyRedeliveriesMessage = (redeliveries: number): string =>
  `Given up after ${redeliveries} lost workers. The server log may say why.`

export const timeoutMessage = ({ timeout_minutes }: Pick<LeasedRun, 'timeout_minutes'>): string =>
  `The run took longer than its time limit of ${timeout_minutes} ${timeout_minutes === 1 ? 'minute' : 'minutes'}.`

/** For unexpected errors, whose text may contain data that users must not see. */
export const unexpectedMessage = (run_id: number): string =>
  `Unexpected error. The server log has the details under run ${run_id}.`

/** "at once", "in 45 seconds", "in 5 minutes" */
function inTime(seconds: number): string {
  if (seconds <= 0) return 'at once'
  if (seconds < 120) return `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `in ${Math.round(seconds / 60)} minutes`
}

import * as z from 'zod/mini'
import { digits, Id } from '../fields.ts'
import { ActionReply } from '../tasks/schemas.ts'
import { RunState } from './status.ts'

/** Maximum wait for a run, in seconds; proxies may time out earlier. */
const WAIT_SECONDS_MAX = 300

/** Number of seconds that the reply waits for the end of the run; without it, it does not wait. */
export const WaitQuery = z.strictObject({ wait: z.optional(digits('wait', 1, WAIT_SECONDS_MAX)) })

/** Summary of a run. */
export const RunOutcome = z.object({
  id: Id,
  state: RunState,
  /** Processed so far, or in total. */
  rows: z.int(),
  duration_seconds: z.nullable(z.number()),
  warnings: z.array(z.string()),
})
export type RunOutcome = z.infer<typeof RunOutcome>

/** Reply of a call that runs a task; `run` is set if the call waited for it. */
export const RunReply = z.extend(ActionReply, { run: z.optional(RunOutcome) })
export type RunReply = z.infer<typeof RunReply>

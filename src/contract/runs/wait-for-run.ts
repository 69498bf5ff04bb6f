import * as z from 'zod/mini'
import { digits, Id } from '../fields.ts'
import { ActionReply } from '../tasks/schemas.ts'
import { RunState } from './status.ts'

/** The longest wait for a run, in seconds; proxies give up earlier unless they are told. */
const WAIT_SECONDS_MAX = 300

/** How many seconds the answer may wait for the end of the run; absent: it does not. */
export const WaitQuery = z.strictObject({ wait: z.optional(digits('wait', 1, WAIT_SECONDS_MAX)) })

/** A run in short. */
export const RunOutcome = z.object({
  id: Id,
  state: RunState,
  /** So far, or in all. */
  rows: z.int(),
  duration_seconds: z.nullable(z.number()),
  warnings: z.array(z.string()),
})
export type RunOutcome = z.infer<typeof RunOutcome>

/** Answer of a call that runs a task; `run` where it was to wait for it. */
export const RunReply = z.extend(ActionReply, { run: z.optional(RunOutcome) })
export type RunReply = z.infer<typeof RunReply>

import * as z from 'zod/mini'
import { Moment } from '../fields.ts'

/** A user: mail address and name. */
const Person = z.object({ email: z.string(), name: z.string() })

/**
 * Mark on a task whose last run failed, was stopped or left warnings: such a task is not listed as needing attention. Ends when a run
 * ends with another cause or well; `snoozed` also at `until`.
 */
export const FailureMark = z.object({
  kind: z.enum(['acknowledged', 'snoozed']),
  by: Person,
  at: Moment,
  until: z.nullable(Moment),
})
export type FailureMark = z.infer<typeof FailureMark>

/** "I am on it": the user who works on the failure of a task, and since when. Ends like a mark, or by hand. */
export const FailureClaim = z.object({ by: Person, at: Moment })
export type FailureClaim = z.infer<typeof FailureClaim>

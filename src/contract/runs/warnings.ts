import * as z from 'zod/mini'
import { Moment } from '../fields.ts'

/**
 * A warning of a successful run. Warnings of a task with the same `id` have the same cause: the same kind and the same cells. Later
 * runs with only acknowledged warnings are a Success until a warning changes.
 */
export const Warning = z.object({
  id: z.string(),
  message: z.string(),
  /** Mail address of the user, and the time. */
  acknowledged: z.nullable(z.object({ by: z.string(), at: Moment })),
})
export type Warning = z.infer<typeof Warning>

/** Warnings of a task's last run. */
export const WarningIds = z.strictObject({
  warning_ids: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(100)),
})

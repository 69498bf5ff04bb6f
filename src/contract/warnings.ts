import { z } from 'zod'
import { Moment } from './fields.ts'

/**
 * Something that a run which ended well leaves to be looked at. Warnings of a task with the same `id` are about the same
 * thing: the same kind, the same cells. One that is acknowledged leaves later runs a Success until it changes.
 */
export const Warning = z.object({
  id: z.string(),
  message: z.string(),
  /** By whom (an address) and when. */
  acknowledged: z.object({ by: z.string(), at: Moment }).nullable(),
})
export type Warning = z.infer<typeof Warning>

/** Warnings of a task's last run. */
export const WarningIds = z.strictObject({ warning_ids: z.array(z.string().max(100)).min(1).max(100) })

import * as z from 'zod/mini'
import { Moment } from '../fields.ts'

/**
 * Something that a run which ended well leaves to be looked at. Warnings of a task with the same `id` are about the same
 * thing: the same kind, the same cells. One that is acknowledged leaves later runs a Success until it changes.
 */
export const Warning = z.object({
  id: z.string(),
  message: z.string(),
  /** By whom (an address) and when. */
  acknowledged: z.nullable(z.object({ by: z.string(), at: Moment })),
})
export type Warning = z.infer<typeof Warning>

/** Warnings of a task's last run. */
export const WarningIds = z.strictObject({
  warning_ids: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(100)),
})

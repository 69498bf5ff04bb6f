import * as z from 'zod/mini'
import { Id } from '../fields.ts'
import { limits } from '../limits.ts'
import { ActionReply } from '../tasks/schemas.ts'

/** Hash of a plan. */
export const PlanHash = z.string().check(z.maxLength(64))

/** Plans that are applied together. */
export const ApplyPlansBody = z.strictObject({
  plans: z.array(PlanHash).check(z.minLength(1), z.maxLength(limits.previews_max)),
})

/** What became of each plan. `task_id` is null if the plan cannot be applied. */
export const ApplyPlansReply = z.extend(ActionReply, {
  results: z.array(
    z.object({
      plan: z.string(),
      task_id: z.nullable(Id),
      status: z.enum(['done', 'refused']),
      message: z.string(),
    }),
  ),
})
export type ApplyPlansReply = z.infer<typeof ApplyPlansReply>

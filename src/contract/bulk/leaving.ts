import * as z from 'zod/mini'
import { Id } from '../fields.ts'

/** Tasks that a bulk call will delete when its time to undo is over. */
export const LeavingTasks = z.object({
  bulk_id: Id,
  task_ids: z.array(Id),
  /** Address of the user who has asked for it. */
  by: z.string(),
  /** The caller has asked for it, and can undo it. */
  is_own: z.boolean(),
})
export type LeavingTasks = z.infer<typeof LeavingTasks>

/** The call that lists them. */
export const leavingTasks = {
  method: 'GET',
  path: '/api/tasks/leaving',
  summary: 'Tasks that bulk calls will delete when their ten seconds to undo are over',
  reply: z.array(LeavingTasks),
} as const

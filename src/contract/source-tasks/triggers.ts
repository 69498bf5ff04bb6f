import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { IdParams } from '../fields.ts'
import { limits } from '../limits.ts'
import { RunReply, WaitQuery } from '../runs/wait-for-run.ts'
import { StartedReply, Trigger } from '../tasks/schemas.ts'

/** What made a caller ask for runs of source tasks. */
export const TriggerBody = z.prefault(
  z.strictObject({ trigger: z._default(Trigger, limits.trigger_default) }),
  {},
)

/** The calls on schedules that run source tasks by hand, which a list of them loads without the others. */
export const sourceTriggers = {
  triggerAll: {
    method: 'POST',
    path: '/api/source_schedule/trigger_all',
    summary: 'Run all active source tasks that are not under way',
    needs: 'run',
    body: TriggerBody,
    reply: StartedReply,
  },
  triggerTask: {
    method: 'POST',
    path: '/api/source_schedule/trigger_task/:id',
    summary:
      'Run a source task; a warning when it is inactive or already under way. With `wait` the answer comes when that run is over, or as 202 when it is not by then',
    needs: 'run',
    params: IdParams,
    query: WaitQuery,
    body: TriggerBody,
    reply: RunReply,
    accepted: RunReply,
  },
  triggerType: {
    method: 'POST',
    path: '/api/source_schedule/trigger_type/:id',
    summary: 'Run all active source tasks of a type that are not under way',
    needs: 'run',
    params: IdParams,
    body: TriggerBody,
    reply: StartedReply,
  },
} satisfies Calls

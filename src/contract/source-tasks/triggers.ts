import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { IdParams } from '../fields.ts'
import { limits } from '../limits.ts'
import { RunReply, WaitQuery } from '../runs/wait-for-run.ts'
import { StartedReply, Trigger } from '../tasks/schemas.ts'

/** Name of the caller that triggers runs of source tasks. */
export const TriggerBody = z.prefault(
  z.strictObject({ trigger: z._default(Trigger, limits.trigger_default) }),
  {},
)

/** API calls that run source tasks; separate, so that a list does not load the calls for schedules. */
export const sourceTriggers = {
  triggerAll: {
    method: 'POST',
    path: '/api/source_schedule/trigger_all',
    summary: 'Run all active idle source tasks',
    needs: 'run',
    body: TriggerBody,
    reply: StartedReply,
  },
  triggerTask: {
    method: 'POST',
    path: '/api/source_schedule/trigger_task/:id',
    summary:
      'Run a source task; a warning if it is inactive or live. With `wait` the reply comes when that run is over, or as 202 after that time',
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
    summary: 'Run all active idle source tasks of a type',
    needs: 'run',
    params: IdParams,
    body: TriggerBody,
    reply: StartedReply,
  },
} satisfies Calls

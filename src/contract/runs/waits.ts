import * as z from 'zod/mini'
import { Moment } from '../fields.ts'

/** What a running run waits for: a service's quota, or the retry of a failed request. */
const AtWork = [
  /** `requests`: number of its waiting requests, if its worker reports it. */
  z.object({ for: z.literal('quota'), service: z.string(), until: Moment, requests: z.optional(z.int()) }),
  z.object({ for: z.literal('backoff'), reason: z.string(), until: Moment }),
] as const

/** What a running run waits for. `until` is an estimate. */
export const RunWait = z.discriminatedUnion('for', AtWork)
export type RunWait = z.infer<typeof RunWait>

/**
 * What a live run waits for; if there are several reasons, the first in the order below. `type` is the task type's name,
 * null for tasks without one.
 */
export const Wait = z.discriminatedUnion('for', [
  ...AtWork,
  /** The last attempt failed and will be retried. */
  z.object({ for: z.literal('retry'), at: Moment, attempt: z.int(), error: z.string() }),
  /** No worker for this category is running, or none that has these folders. */
  z.object({ for: z.literal('worker'), folders: z.optional(z.array(z.string())) }),
  /** Runs of these task types were queued before it. */
  z.object({ for: z.literal('prerequisites'), types: z.array(z.string()) }),
  /** Runs of these tasks, whose rows it reads, were queued before it or with it; `more`: number of tasks that are not named. */
  z.object({ for: z.literal('inputs'), tasks: z.array(z.string()), more: z.int() }),
  /** A run of this task holds a resource that only one run may use. */
  z.object({ for: z.literal('exclusive'), task: z.string() }),
  /** All slots of its type are taken. */
  z.object({ for: z.literal('slot'), type: z.nullable(z.string()), at_work: z.int(), slots: z.int() }),
  /** The type has a delay between runs. */
  z.object({ for: z.literal('delay'), type: z.nullable(z.string()), until: Moment }),
  /** Ready to be admitted. */
  z.object({ for: z.literal('turn') }),
  /** Admitted; waits for a free worker. */
  z.object({ for: z.literal('pick_up') }),
])
export type Wait = z.infer<typeof Wait>

/** Queued runs with the same wait reason. `is_ordered`: `task_ids` are in start order, so each has a position. */
export const WaitGroup = z.object({ wait: Wait, is_ordered: z.boolean(), task_ids: z.array(z.int()) })
export type WaitGroup = z.infer<typeof WaitGroup>

/** Runs delayed by a service's quota, including those queued behind them, and requests waiting for quota. */
export const QuotaBacklog = z.object({ service: z.string(), runs: z.int(), requests: z.int() })
export type QuotaBacklog = z.infer<typeof QuotaBacklog>

import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Moment } from '../fields.ts'

/** A part of Rowferry that does not run as it should. */
export const Outage = z.object({
  part: z.enum(['database', 'sandbox', 'worker', 'scheduler']),
  /** No other process does its work meanwhile. */
  none_left: z.boolean(),
  /** How it ended last, and when it is started again; null: nothing is known of it but its silence. */
  reason: z.nullable(z.string()),
  next_start: z.nullable(Moment),
})
export type Outage = z.infer<typeof Outage>

/** The calls on Rowferry itself. */
export const system = {
  status: {
    method: 'GET',
    path: '/api/system_status',
    summary:
      'Which parts of Rowferry are down: workers and schedulers, and what the supervisor cannot keep up',
    reply: z.object({ outages: z.array(Outage) }),
  },
} satisfies Calls

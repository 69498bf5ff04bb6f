import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Moment } from '../fields.ts'

/** A process of Rowferry that is not running. */
export const Outage = z.object({
  part: z.enum(['database', 'sandbox', 'worker', 'scheduler']),
  /** No other process of its kind is running. */
  none_left: z.boolean(),
  /** How it ended, and when it is restarted; null if only its heartbeat is missing. */
  reason: z.nullable(z.string()),
  next_start: z.nullable(Moment),
})
export type Outage = z.infer<typeof Outage>

/** A folder of FILES_FOLDERS that some processes cannot open. */
export const MissingFolder = z.object({
  name: z.string(),
  /** The processes, as role, host and process id. */
  missing_on: z.array(z.string()),
  /** No running worker can open it. */
  none_left: z.boolean(),
  /** The same as a sentence. */
  message: z.string(),
})
export type MissingFolder = z.infer<typeof MissingFolder>

/** API calls for the processes of Rowferry. */
export const system = {
  status: {
    method: 'GET',
    path: '/api/system_status',
    summary:
      'Which parts of Rowferry are down: workers, schedulers, and processes that the supervisor cannot keep running; and folders of files that some processes lack',
    reply: z.object({ outages: z.array(Outage), missing_folders: z.array(MissingFolder) }),
  },
} satisfies Calls

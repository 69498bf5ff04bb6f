import * as z from 'zod/mini'
import type { Calls } from './calls.ts'
import { StartedReply } from './tasks.ts'

const Started = z.object({ started_count: z.int(), skipped_count: z.int() })

/** The calls on the pipeline as a whole: the tasks of all categories, from origins to target sheets. */
export const pipeline = {
  run: {
    method: 'POST',
    path: '/api/pipeline/run',
    summary:
      'Run all active tasks of all categories that are not under way; their types’ dependencies order them',
    reply: z.extend(StartedReply, {
      by_category: z.object({ source: Started, compiler: Started, sync: Started }),
    }),
  },
} satisfies Calls

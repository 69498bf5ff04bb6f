import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Moment } from '../fields.ts'
import { PipelineTask } from '../pipeline/calls.ts'

/** What users do to objects, as the summary of changes names it. */
export const ChangeKind = z.enum([
  'created',
  'changed',
  'deleted',
  'activated',
  'deactivated',
  'imported',
  'approved',
])
export type ChangeKind = z.infer<typeof ChangeKind>

/** Changes of one kind that one user made to objects of one type, such as `sync_task`. `names`: of the latest tasks among them. */
const Changes = z.object({
  by: z.object({ email: z.string(), name: z.string() }),
  kind: ChangeKind,
  object_type: z.string(),
  count: z.int(),
  names: z.array(z.string()),
})
export type Changes = z.infer<typeof Changes>

const Tasks = z.object({
  count: z.int(),
  /** The latest. */
  tasks: z.array(PipelineTask),
})

/** What happened between `since` and now. */
export const News = z.object({
  since: Moment,
  /** Tasks that fail now and did not then, by cause, the largest number first. */
  failed: z.object({
    count: z.int(),
    causes: z.array(z.extend(Tasks, { cause: z.string(), reason: z.string() })),
  }),
  /** Tasks that failed then or later, and whose last run ended well. */
  recovered: Tasks,
  /** Changes by other users and by programs, the largest number first. */
  changes: z.array(Changes),
})
export type News = z.infer<typeof News>

/** API calls for the visits of the signed-in user. */
export const visits = {
  record: {
    method: 'POST',
    path: '/api/visits',
    needs: 'person',
    summary:
      'Record activity of the signed-in user. A visit ends after 30 minutes without activity; returns the end of the previous visit, null on the first one',
    reply: z.object({ started_at: Moment, previous_ended_at: z.nullable(Moment) }),
  },
  news: {
    method: 'GET',
    path: '/api/visits/news',
    summary:
      'What happened since a time, by default since the previous visit of the signed-in user: tasks that fail, tasks that recovered, and changes by others',
    query: z.strictObject({ since: z.optional(Moment) }),
    /** Null without a previous visit. */
    reply: z.nullable(News),
  },
} satisfies Calls

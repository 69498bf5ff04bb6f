import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id } from '../fields.ts'
import { QuotaBacklog, WaitGroup } from '../runs/waits.ts'
import { TaskLogLine, TaskState } from '../tasks/schemas.ts'
import { TypeState } from '../type-graph/calls.ts'

/**
 * Event of the stream. `tasks`: the list changed (added, moved, deleted), refetch it. `changed`: these tasks were
 * edited, in the shape of their category's calls. `run_all`: a Run All started, or its last run ended. `queue`: changes of what queued
 * tasks wait for, and the quota backlog. `types`: state changes of these task types. `pipeline`: the current `PipelineState`; lists of
 * tasks do not use it. `runs`: these runs changed, each a `ListedRun` without its receipt.
 */
export const LiveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('status'), tasks: z.array(TaskState) }),
  z.object({ type: z.literal('log'), task_id: z.int(), entry: TaskLogLine }),
  z.object({ type: z.literal('tasks') }),
  z.object({ type: z.literal('changed'), tasks: z.array(z.looseObject({ id: Id })) }),
  z.object({ type: z.literal('run_all'), all_running_status: z.boolean() }),
  z.object({ type: z.literal('queue'), lines: z.array(WaitGroup), quota_backlog: z.nullable(QuotaBacklog) }),
  z.object({ type: z.literal('types'), types: z.array(TypeState) }),
  z.object({ type: z.literal('pipeline'), state: z.unknown() }),
  z.object({ type: z.literal('runs'), runs: z.array(z.unknown()) }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

const StreamOf = z.enum(['tasks', 'source_tasks', 'compiler_tasks', 'types', 'pipeline', 'runs'])

/** Subject of an event stream. */
export type StreamOf = z.infer<typeof StreamOf>

/** API call for the live stream (server-sent events). */
export const events = {
  stream: {
    method: 'GET',
    path: '/api/events',
    summary:
      'Status, progress and log lines of all sync tasks, all source tasks or all compiler configurations as they happen, the states of all task types, or all runs that change (server-sent events)',
    query: z.strictObject({ of: z._default(StreamOf, 'tasks') }),
    events: LiveEvent,
  },
} satisfies Calls

import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, IdParams } from '../fields.ts'
import { limits } from '../limits.ts'
import { WarningIds } from '../runs/warnings.ts'
import { ActionReply, LogEntry, TaskState } from '../tasks/schemas.ts'

/** The calls on the compiles of configurations, but for their history, which is among those on runs. A compile is begun by the call `compile`. */
export const compilerRuns = {
  states: {
    method: 'GET',
    path: '/api/compiler/states',
    summary:
      'What every configuration is at, by its task_id; the event stream of compiler_tasks tells of changes',
    shared: true,
    reply: z.array(TaskState),
  },
  stop: {
    method: 'POST',
    path: '/api/compiler/configs/:id/stop',
    summary: 'Stop the compile of a configuration; its records stay as they were',
    needs: 'run',
    params: IdParams,
    reply: ActionReply,
  },
  logs: {
    method: 'GET',
    path: '/api/compiler/configs/:id/logs',
    summary: 'The newest lines of the log of a configuration, newest first',
    params: IdParams,
    query: z.strictObject({
      limit: z._default(digits('limit', 1, limits.logs_max), limits.logs_page_size),
    }),
    reply: z.array(LogEntry),
  },
  clearLogs: {
    method: 'DELETE',
    path: '/api/compiler/configs/:id/logs',
    summary: 'Clear the log of a configuration',
    params: IdParams,
    status: 204,
  },
  acknowledge: {
    method: 'POST',
    path: '/api/compiler/configs/:id/warnings/acknowledge',
    summary: 'Acknowledge warnings of the last compile: later ones with nothing else end as a success',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
  takeBack: {
    method: 'POST',
    path: '/api/compiler/configs/:id/warnings/take_back',
    summary: 'Take back that warnings were acknowledged',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
} satisfies Calls

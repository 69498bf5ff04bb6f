import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { IdParams } from '../fields.ts'
import { WarningIds } from '../runs/warnings.ts'
import { ActionReply, LogQuery, TaskLogLine, TaskState } from '../tasks/schemas.ts'

/** API calls for compiles. Their history is among the calls for runs, and `compile` starts one. */
export const compilerRuns = {
  states: {
    method: 'GET',
    path: '/api/compiler/states',
    summary: 'State of every configuration by its task_id; the event stream of compiler_tasks sends changes',
    shared: true,
    reply: z.array(TaskState),
  },
  stop: {
    method: 'POST',
    path: '/api/compiler/configs/:id/stop',
    summary: 'Stop the compile of a configuration; its records do not change',
    needs: 'run',
    params: IdParams,
    reply: ActionReply,
  },
  logs: {
    method: 'GET',
    path: '/api/compiler/configs/:id/logs',
    summary: 'Log lines of a configuration, newest first',
    params: IdParams,
    query: LogQuery,
    reply: z.array(TaskLogLine),
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
    summary:
      'Acknowledge warnings of the last compile: later compiles with no other warnings count as a success',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
  takeBack: {
    method: 'POST',
    path: '/api/compiler/configs/:id/warnings/take_back',
    summary: 'Withdraw the acknowledgement of warnings',
    params: IdParams,
    body: WarningIds,
    reply: ActionReply,
  },
} satisfies Calls

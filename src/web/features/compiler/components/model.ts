import { compiler } from '../../../../contract/compiler/calls.ts'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import { compilerRuns } from '../../../../contract/compiler/runs.ts'
import { runs } from '../../../../contract/runs/calls.ts'
import type { TaskRunState } from '../../../../contract/runs/status.ts'
import { call } from '../../../lib/call.ts'
import { keysOf } from '../../../tasks/cache/keys.ts'
import type { RunModel, StatusDefinition } from '../../../tasks/task-model.ts'

const NEVER = 'new'

// In the order of importance.
const statuses: readonly (StatusDefinition & { name: NonNullable<TaskRunState> | typeof NEVER })[] = [
  { name: 'failed', label: 'Failed', tone: 'error', is_failure: true },
  { name: 'error', label: 'Error', tone: 'error', is_failure: true },
  { name: 'running', label: 'Compiling', tone: 'running', is_live: true, can_stop: true },
  { name: 'stopping', label: 'Stopping', tone: 'warning', is_live: true },
  { name: 'queued', label: 'Waiting', tone: 'neutral', is_live: true, can_stop: true },
  { name: 'warning', label: 'Warning', tone: 'warning' },
  { name: 'success', label: 'Compiled', tone: 'success' },
  { name: 'stopped', label: 'Stopped', tone: 'warning' },
  { name: NEVER, label: 'Never compiled', tone: 'light' },
]

/** Adapts compiles to the shared components for runs; ids are those of configurations. */
export const compileModel: RunModel = {
  api: compiler.listConfigs.path,
  statuses,
  statusOfRun: (state) => state ?? NEVER,
  receiptOf: ({ receipt, message }) =>
    receipt && 'rows_read' in receipt
      ? {
          summary: message ?? '',
          proof: compilerMessages.receipt(receipt.rows_read, receipt.sources, receipt.fields),
        }
      : null,
  calls: {
    logs: (id, query, signal) => call(compilerRuns.logs, { params: { id }, query, signal }),
    runs: (id, cursor, signal) =>
      call(runs.ofCompilerConfig, {
        params: { id },
        query: cursor === null ? {} : { cursor: String(cursor) },
        signal,
      }),
  },
}

/** Query keys of the shared components for compiles. */
export const compileKeys = keysOf(compileModel)

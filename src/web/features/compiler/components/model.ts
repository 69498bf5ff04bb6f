import { compiler } from '../../../../contract/compiler/calls.ts'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import { runs } from '../../../../contract/runs/calls.ts'
import type { TaskRunState } from '../../../../contract/runs/status.ts'
import { call } from '../../../lib/call.ts'
import { keysOf } from '../../../tasks/cache/keys.ts'
import type { RunModel, StatusWord } from '../../../tasks/task-model.ts'

const NEVER = 'new'

// The ones that matter first.
const statuses: readonly (StatusWord & { word: NonNullable<TaskRunState> | typeof NEVER })[] = [
  { word: 'failed', label: 'Failed', tone: 'error', is_failure: true },
  { word: 'error', label: 'Error', tone: 'error', is_failure: true },
  { word: 'running', label: 'Compiling', tone: 'running', is_live: true, can_stop: true },
  { word: 'stopping', label: 'Stopping', tone: 'warning', is_live: true },
  { word: 'queued', label: 'Waiting', tone: 'neutral', is_live: true, can_stop: true },
  { word: 'warning', label: 'Warning', tone: 'warning' },
  { word: 'success', label: 'Compiled', tone: 'success' },
  { word: 'stopped', label: 'Stopped', tone: 'warning' },
  { word: NEVER, label: 'Never compiled', tone: 'light' },
]

/** Compiles as the shared rooms show runs; their ids are those of configurations. */
export const compileModel: RunModel = {
  api: compiler.listConfigs.path,
  statuses,
  statusOfRun: (state) => state ?? NEVER,
  receiptOf: ({ receipt, message }) =>
    receipt && 'rows_read' in receipt
      ? {
          sentence: message ?? '',
          proof: compilerMessages.receipt(receipt.rows_read, receipt.sources, receipt.fields),
        }
      : null,
  calls: {
    runs: (id, cursor, signal) =>
      call(runs.ofCompilerConfig, {
        params: { id },
        query: cursor === null ? {} : { cursor: String(cursor) },
        signal,
      }),
  },
}

/** Keys of what the shared rooms read of compiles. */
export const compileKeys = keysOf(compileModel)

import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

/** Messages of the server about source tasks. */
export const sourceServerMessages = {
  connection_gone: (kind: 'api' | 'database', name: string) =>
    `There is no ${kind === 'api' ? 'API' : 'database'} connection called “${quoted(name)}”`,
  origin_form:
    'An internal source is named like task-12 (a source task) or config-3 (a compiler configuration)',
  origin_gone: (identifier: string) => `There is no ${identifier} to read from`,
  waiting_rows_changed: 'Other rows are waiting now, or none. Reload the task.',
  rows_at_work: 'A run of this task is running. Wait until it ends.',
  rows_accepted: (rows: number) => `${formatted(rows)} rows are current now`,
  rows_discarded: 'The waiting rows are discarded',

  // adding and editing
} as const

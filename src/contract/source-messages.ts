import { formatted } from './counted.ts'
import { quoted } from './quoted.ts'
import { sourceMessages as pageMessages } from './source-page-messages.ts'

/** The part of the catalogue that is about source tasks: what their pages say by themselves, and what only the server says. */
export const sourceMessages = {
  ...pageMessages,

  connection_gone: (kind: 'api' | 'database', name: string) =>
    `There is no ${kind === 'api' ? 'API' : 'database'} connection called “${quoted(name)}”`,
  origin_form:
    'An internal source is named like task-12 (a source task) or config-3 (a compiler configuration)',
  origin_gone: (identifier: string) => `There is no ${identifier} to fetch from`,
  waiting_rows_changed: 'Other rows wait by now, or none. Look at the task again.',
  rows_at_work: 'A run of this task is at work. Wait until it ends.',
  rows_accepted: (rows: number) => `${formatted(rows)} rows are current now`,
  rows_discarded: 'The rows that waited are discarded',
} as const

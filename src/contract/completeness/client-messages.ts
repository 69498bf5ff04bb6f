import { formatted } from '../counted.ts'
import { completePercent } from './calls.ts'

const records = (count: number) => `${formatted(count)} ${count === 1 ? 'record' : 'records'}`

/** Texts about the completeness of records by target. */
export const completenessMessages = {
  title: 'Completeness by target',
  section: 'Completeness',
  hint: 'Which fields the records must have for this target. Shown on records, under Quality and on Home.',
  needed: 'Fields that a record needs',
  needs_none: 'Do not measure completeness',
  needs_header: 'All fields that this task copies',
  needs_named: 'These fields',
  fields: 'Needed fields',
  fields_hint: 'Names of fields of the records. Enter adds one.',
  only_complete: 'Write only complete records',
  only_complete_hint: 'A record that becomes incomplete keeps the row that was written last.',
  load_failed: 'Failed to load the completeness',
  percent: (counts: { records: number; complete: number }) => `${completePercent(counts)} %`,
  lack: (count: number, field: string) => `${records(count)} ${count === 1 ? 'lacks' : 'lack'} ${field}`,
  incomplete: (count: number) => `${records(count)} incomplete`,
  all_complete: 'All records are complete',
  incomplete_for: (name: string) => `Incomplete for ${name}`,
  complete_for: (name: string) => `Complete for ${name}`,
  lacks: (name: string, fields: readonly string[]) => `Incomplete for ${name}: no ${fields.join(', ')}`,
  trend: (from: number, to: number, compiles: number) =>
    from === to ? `${to} % in ${compiles} compiles` : `${from} % → ${to} % in ${compiles} compiles`,
} as const

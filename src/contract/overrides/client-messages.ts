import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

const inQuotes = (text: string) => `“${quoted(text)}”`

const overrides = (count: number) => `${formatted(count)} ${count === 1 ? 'override' : 'overrides'}`
const shown = (value: string | number | boolean | null) =>
  value === null ? 'blank' : inQuotes(String(value))

const MAX_NAMED = 5

const named = (count: number, first: readonly { sku: string; field: string }[]) => {
  const names = first.slice(0, MAX_NAMED).map(({ sku, field }) => `${quoted(field)} of ${quoted(sku)}`)
  const more = count - names.length
  return [...names, ...(more > 0 ? [`${formatted(more)} more`] : [])].join(', ')
}

/** Texts of the screens about overrides. */
export const overrideMessages = {
  title: 'Overrides',
  subtitle: 'Values that people set in place of what the sources have',
  load_failed: 'Failed to load the overrides',
  save_failed: 'Failed to set the value',
  decide_failed: 'Failed to save the decision',
  undo_failed: 'Failed to undo the change',
  import_failed: 'Failed to read the file',
  none_yet: 'No override yet',
  none_yet_hint:
    'Open a record and set a value for one of its fields, or import a CSV file. The value wins over all sources until it ends.',
  none_match: 'No override matches these filters',
  set_value: (field: string) => `Set ${field}`,
  set_hint: 'Wins over all sources from the next compile on. Blank: the field has no value.',
  perhaps: (value: string) => `Perhaps ${quoted(value)}: leading zeros may be lost.`,
  use: (value: string) => `Use ${quoted(value)}`,
  use_of: (value: string, field: string) => `Use ${quoted(value)} as ${field}`,
  zeros_restored: 'Lost leading zeros restored',
  saved: (field: string) => `${field} is set from the next compile on`,
  set_count: (count: number) => `${overrides(count)} set, from the next compile on`,
  undone: ({ count, first }: { count: number; first: readonly { sku: string; field: string }[] }) =>
    count === 0
      ? 'The change is undone'
      : `The change is undone, except for ${overrides(count)} changed by others since: ${named(count, first)}`,
  kept: 'Override kept',
  dropped: 'Override dropped, from the next compile on',
  restored: 'Override restored',
  keep_all: (count: number) => `Keep all ${formatted(count)}…`,
  drop_all: (count: number) => `Drop all ${formatted(count)}…`,
  all_title: { keep: 'Keep overrides', drop: 'Drop overrides' },
  all_question: {
    keep: (count: number) =>
      `${overrides(count)} that match the filters stay in force. They are for review again when a source changes.`,
    drop: (count: number) =>
      `${overrides(count)} that match the filters end with the next compile, and the sources win again.`,
  },
  all_done: {
    keep: (count: number) => `${overrides(count)} kept`,
    drop: (count: number) => `${overrides(count)} dropped, from the next compile on`,
  },
  by: (author: string, day: string) => `Set by ${author}, ${day}`,
  coming: (value: string) => `From the next compile on: ${value === '' ? 'blank' : value}`,
  until: (day: string) => `until ${day}`,
  change: (name: string, from: string | number | boolean | null, to: string | number | boolean | null) =>
    `${name}: ${shown(from)} → ${shown(to)}`,
  file_hint: 'A CSV file with the columns sku, field, value, and perhaps reason and ends_on (2026-12-31).',
  file_result: ({ set, replaced, unchanged, no_sku, refused }: FileCounts) =>
    [
      `${overrides(set)} would be set`,
      ...(replaced > 0 ? [`${formatted(replaced)} of them replace another one`] : []),
      ...(no_sku > 0
        ? [
            `${formatted(no_sku)} ${no_sku === 1 ? 'waits for its' : 'wait for their'} SKU, which no record has`,
          ]
        : []),
      ...(unchanged > 0 ? [`${formatted(unchanged)} are set already`] : []),
      ...(refused > 0 ? [`${formatted(refused)} refused and left out`] : []),
    ].join('; '),
  select: 'Set a value…',
  select_chosen: (count: number) => `Set a value for ${formatted(count)} selected…`,
  choose_none: 'Clear selection',
  export_with: 'With authors and reasons of overrides',
  export_with_hint: 'Adds the column overrides',
  select_title: (count: number) => `Set a field of ${formatted(count)} ${count === 1 ? 'record' : 'records'}`,
  file_apply: (count: number) => `Set ${overrides(count)}`,
  row: (row: number, message: string) => `Row ${formatted(row)}: ${message}`,
} as const

type FileCounts = { set: number; replaced: number; unchanged: number; no_sku: number; refused: number }

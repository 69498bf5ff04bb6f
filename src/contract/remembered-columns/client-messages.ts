import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'
import type { ColumnChange } from './calls.ts'

const named = (name: string) => `‘${quoted(name)}’`

/** Texts about columns that disappear, appear or shift in new rows. */
export const columnMessages = {
  // of runs
  read_as: (column: string, read_as: string) => `${named(column)} is read as ${named(read_as)}.`,
  renamed: (title: string, column: string, former: string) =>
    `${named(column)} of ${title} looks like the missing column ${named(former)}. If the rows are accepted, it is read as ${named(former)} from now on.`,
  shifted: (title: string, column: string, neighbour: string) =>
    `The values in ${named(column)} of ${title} look like those of its neighbour ${named(neighbour)} last time: cells may have shifted.`,
  added: (title: string, columns: readonly string[], more: number) =>
    `${title} has ${columns.length + more === 1 ? 'a new column' : `${formatted(columns.length + more)} new columns`}: ${columns.map((name) => quoted(name)).join(', ')}${more > 0 ? ` and ${formatted(more)} more` : ''}.`,

  // of calls
  not_waiting: (column: string) => `The waiting rows have no column ${named(column)}.`,
  not_missing: (column: string) => `${named(column)} is not a column that the waiting rows lack.`,
  read_twice: (column: string) => `Two columns cannot both be read as ${named(column)}.`,
  same_name: 'A column is read under its own name anyway. Choose another name.',
  accepted: (names: readonly { column: string; read_as: string }[]) =>
    names
      .map(({ column, read_as }) => ` ${named(column)} is read as ${named(read_as)} from now on.`)
      .join(''),

  // of the page and the command line
  title: 'Columns that differ',
  kinds: {
    missing: 'Missing',
    renamed: 'Renamed?',
    new: 'New',
    shifted: 'Shifted?',
  } satisfies Record<ColumnChange['kind'], string>,
  before: 'Current rows',
  now: 'New rows',
  change: 'Change',
  place: (position: number) => `column ${formatted(position)}`,
  absent: 'No such column',
  no_values: 'no values',
  looks_like: (neighbour: string) => `looks like ${named(neighbour)} in the current rows`,
  is_now: (column: string) => `Is now, ${column}`,
  is_now_label: 'is now',
  is_gone: 'gone',
  names_title: 'Columns under another name',
  names_hint: 'These columns of the source are stored under the name that they had before.',
  column: 'In the source',
  stored_as: 'Stored as',
  set_by: 'Set by',
  remove: (column: string) => `Stop reading ${column} under another name`,
  removed: 'From the next run on, the column keeps its own name',
  failed: 'Failed to change the name of the column',
  load_failed: 'Failed to load the columns.',
  none: 'No column is read under another name.',
} as const

import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

/** Names in a sentence. */
const MAX_NAMES = 5

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `‘${quoted(name)}’`)
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more.toLocaleString('en')} more` : shown.join(', ')
}

/** What runs say about chosen rows and columns. */
export const rowServerMessages = {
  missing: (title: string, names: readonly string[], near: readonly string[]) =>
    `${title} has no column ${listed(names)}.${
      near.length > 0 ? ` Its nearest names are ${listed(near)}.` : ''
    } The target was not changed. Choose its columns again in the task’s settings, or correct the header of the source.`,
  taken: (name: string) =>
    `Two columns would be called ‘${quoted(name)}’ in the target. The target was not changed. Rename one in the task’s settings.`,
  not_chosen: (names: readonly string[]) => `Not chosen, so not copied: ${listed(names)}.`,
  included: (names: readonly string[]) => `Copied besides the chosen columns: ${listed(names)}.`,
  passed: (rows: number, of: number) =>
    `${rows.toLocaleString('en')} of ${of.toLocaleString('en')} rows pass the filter.`,
  incomplete: (rows: number, kept: number) =>
    rows === 0
      ? 'All records are complete.'
      : `${formatted(rows)} ${rows === 1 ? 'record is' : 'records are'} incomplete: ${formatted(kept)} keep the row that was written last, ${formatted(rows - kept)} are not written.`,
  limited: (rows: number) =>
    `Only the first ${rows.toLocaleString('en')} of these rows are copied, the maximum of this task.`,
  none_passes: (title: string, target: string, rows: string) =>
    `No row of ${title} passes the filter, but ${target} has ${rows}. The target was not changed, because a copy never removes all rows of a target.`,
  too_large_to_sort: (title: string, megabytes: number) =>
    `${title} has more than ${megabytes} MB of rows, which is too much to sort. The target was not changed. Remove the sort order, or add a filter.`,
} as const

type Named = { names: readonly string[]; count: number }

const rowsOf = ({ names, count }: Named) => {
  const more = count - names.length
  return more > 0 ? `${names.join(', ')} and ${formatted(more)} more` : names.join(', ')
}

/** What runs say about rows that are matched with those of the target. */
export const writeServerMessages = {
  row: (number: number) => `row ${formatted(number)}`,
  no_key_column: (title: string, name: string, near: readonly string[]) =>
    `${title} has no column ‘${quoted(name)}’, which is a key column of this task.${
      near.length > 0 ? ` Its nearest names are ${listed(near)}.` : ''
    } Nothing was written. Choose the key columns again in the task’s settings, or correct the header.`,
  key_column_repeated: (title: string, name: string) =>
    `${title} has two columns ‘${quoted(name)}’, so it cannot be a key column. Nothing was written. Rename one of them.`,
  column_repeated: (title: string, name: string) =>
    `${title} has two columns ‘${quoted(name)}’, so it is not clear which one this task writes. Nothing was written. Rename one of them.`,
  header_gone: ({
    title,
    start_row,
    expected,
    found,
    mayHaveWritten,
  }: {
    title: string
    start_row: number
    expected: readonly string[]
    found: readonly string[]
    /** Whether the run has written already. */
    mayHaveWritten: boolean
  }) =>
    `The header of ${title} is no longer in row ${formatted(start_row)}, which has ${listed(found)} in place of ${listed(expected)}. ${
      mayHaveWritten
        ? 'This happened while the run wrote: some of its values may stand in another row until the next run.'
        : 'Nothing was written.'
    } Put the header back into this row, for example by inserting the rows that were deleted above it, and run the task again.`,
  blank_keys: (title: string, key: string, rows: Named) =>
    `${title} has ${formatted(rows.count)} ${rows.count === 1 ? 'row' : 'rows'} without ${key}: ${rowsOf(rows)}.`,
  repeated_keys: (
    title: string,
    key: string,
    repeated: readonly (Named & { value: string })[],
    count: number,
  ) =>
    `${title} has ${formatted(count)} ${count === 1 ? 'value' : 'values'} of ${key} in several rows: ${repeated
      .map(({ value, ...rows }) => `‘${quoted(value)}’ in ${rowsOf(rows)}`)
      .join('; ')}${count > repeated.length ? '; and others' : ''}.`,
  bad_keys_fail: (sentence: string) =>
    `${sentence} Nothing was written. Correct these rows, or let the task skip them in its settings.`,
  bad_keys_skipped: (sentence: string) => `${sentence} These rows were skipped.`,
  moved: (title: string, cells: string) =>
    `${title} was sorted or edited while this run wrote. Writing again what differs: ${cells}.`,
  keeps_changing: (title: string, cells: string) =>
    `${title} keeps changing while this run writes, so it could not be verified: ${cells}.`,
  put_back: (title: string, cells: readonly string[]) =>
    `${title} was sorted, or rows of it were cleared, while this run wrote. ${formatted(cells.length)} ${
      cells.length === 1 ? 'cell of another row was' : 'cells of other rows were'
    } written over and put back: ${cells.slice(0, 5).join(', ')}${cells.length > 5 ? ` and ${formatted(cells.length - 5)} more` : ''}.`,
  too_many_formulas: (title: string, most: number) =>
    `${title} has more than ${formatted(most)} formulas of other people in the columns of this task. Nothing was written, because they could not be kept. Move the formulas to other columns.`,
} as const

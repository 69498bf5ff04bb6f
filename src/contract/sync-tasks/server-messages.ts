import { quoted } from '../quoted.ts'

/** Messages of the server about sync tasks. */
export const syncTaskServerMessages = {
  // adding and editing
  target_taken:
    'This task conflicts with an existing task. Please check the values and try again. ' +
    'Two tasks that write to the same target sheet would overwrite each other’s rows.',

  // readiness
  source_not_ready: (number: number, message: string) => `Source ${number}: ${message}`,
  all_ready: (sources: number, message: string) => `All ${sources} sources are ready. ${message}`,
} as const

const MAX_NAMES = 5

/** What runs say about tasks with several sources. */
export const consolidateServerMessages = {
  title: (first: string, further: number) =>
    `${first} and ${further === 1 ? 'another source' : `${further} other sources`}`,
  failed: (number: number, message: string) => `Source ${number}: ${message}`,
  address: (title: string, address: string) => `${address} of ${title}`,
  no_header: (title: string) =>
    `${title} has no header row. Columns of several sources are matched by their headers. The target was not changed.`,
  header_twice: (title: string, names: readonly string[]) =>
    `${title} has two columns called ${names
      .slice(0, MAX_NAMES)
      .map((name) => `‘${quoted(name)}’`)
      .join(
        ', ',
      )}. Columns of several sources are matched by their headers. The target was not changed. Rename one of them.`,
  no_column_header: (title: string, address: string) =>
    `${title} has a value in ${address}, where the column has no header. Columns of several sources are matched by their headers. The target was not changed. Give the column a header, or choose the columns of the task.`,
  no_rows: (title: string) => `${title} has no rows below its header.`,
} as const

/** What runs say about tasks that write a tab per value. */
export const splitServerMessages = {
  no_tabs: 'No rows of the tabs are kept, so there is nothing to compare. Nothing was written.',
  conflict: (reason: string) => `${reason}. The target was not changed.`,
  column_missing: (title: string, column: string) =>
    `${title} has no column ‘${quoted(column)}’ to split by. The target was not changed.`,
  no_rows: (title: string) =>
    `${title} has no rows to split. The target was not changed, because an empty source is never copied.`,
  is_source: (value: string, tab: string) =>
    `The tab of ‘${quoted(value)}’ would be ‘${quoted(tab)}’, which is a source of the task. The target was not changed.`,
  blank: (column: string, rows: number, row: number) =>
    `${rows.toLocaleString('en')} ${rows === 1 ? 'row has' : 'rows have'} no value in ‘${quoted(column)}’, such as row ${row.toLocaleString('en')} of the copy. The target was not changed. Each row needs a value, because it names its tab. A filter can leave these rows out.`,
  too_many: (column: string, values: number, most: number) =>
    `‘${quoted(column)}’ has ${values.toLocaleString('en')} values, which is more than ${most} tabs. The target was not changed.`,
  bad_name: (value: string, reason: string) =>
    `The value ‘${quoted(value)}’ cannot name a tab: ${reason}. The target was not changed.`,
  equal_names: (one: string, other: string) =>
    `The values ‘${quoted(one)}’ and ‘${quoted(other)}’ would name one tab. The target was not changed.`,
  read: (tabs: number, rows: number) =>
    `Splitting ${rows.toLocaleString('en')} rows into ${tabs.toLocaleString('en')} ${tabs === 1 ? 'tab' : 'tabs'}.`,
  together: (tabs: number) =>
    `The differences of ${tabs.toLocaleString('en')} tabs fit one request, so all of them change in one step.`,
  one_by_one:
    'The differences of the tabs do not fit one request, so the tabs are written one after the other, each in one step.',
  kept: (names: readonly string[]) =>
    `Kept as they are, because their values are gone: ${names.map((name) => `‘${quoted(name)}’`).join(', ')}.`,
  tab: (place: number, of: number, name: string, message: string) =>
    `Tab ${place} of ${of}, ‘${quoted(name)}’: ${message}`,
  done: (tabs: number, changed: number) =>
    `${tabs.toLocaleString('en')} ${tabs === 1 ? 'tab holds' : 'tabs hold'} their rows, read back and compared; ${changed.toLocaleString('en')} changed.`,
} as const

import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

const list = (names: readonly string[]) => names.map((name) => `‘${quoted(name)}’`).join(', ')

/** A blank `sheet` is the first tab. */
function tab(sheet: string, spreadsheet: string): string {
  const name = sheet === '' ? 'the first tab' : `‘${quoted(sheet)}’`
  return spreadsheet === '' ? name : `${name} in ‘${quoted(spreadsheet)}’`
}

const column = (name: string) => (name === '' ? 'The cell' : `‘${quoted(name)}’`)

/** Texts of the server about where a cell comes from. */
export const lineageServerMessages = {
  // the question
  no_link: (text: string) =>
    `“${quoted(text)}” is not a link to a cell of a spreadsheet. In Google Sheets, right-click the cell and choose “View more cell actions”, then “Get link to this cell”.`,
  no_tab: 'The link names no tab: it has no “gid=”. Copy the link to the cell.',
  no_range: 'The link names no cell: it has no “range=”. Copy the link to the cell.',
  range_invalid: (range: string) => `The range “${quoted(range)}” of the link is not a cell such as B7.`,
  range_named: 'The link names a saved range. Copy the link to the cell instead.',
  first_of: (range: string, cell: string) => `The link is to ${range}; this is its first cell, ${cell}.`,
  spreadsheet_unknown: 'No task reads or writes this spreadsheet.',
  tab_unknown: (tabs: readonly string[]) =>
    `No task reads or writes this tab. In this spreadsheet, tasks use ${list(tabs)}.`,
  tab_not_seen: (tasks: readonly string[]) =>
    `No task is known to use this tab. ${list(tasks)} ${tasks.length === 1 ? 'uses' : 'use'} this spreadsheet and ${tasks.length === 1 ? 'has' : 'have'} not run yet, so ${tasks.length === 1 ? 'its tab is' : 'their tabs are'} not known.`,
  row_unknown: (rows: number) =>
    rows === 0 ? 'The task has no rows.' : `The task has ${formatted(rows)} rows; there is no such row.`,
  column_unknown: (name: string) => `There is no column “${quoted(name)}”.`,

  // places
  sheet: (cell: string, sheet: string, spreadsheet: string) => `${cell} of ${tab(sheet, spreadsheet)}`,
  sheet_without_column: (name: string, row: number, sheet: string, spreadsheet: string) =>
    `${column(name)} in row ${formatted(row)} of ${tab(sheet, spreadsheet)}`,
  api: (name: string, item: number, connection: string, is_file: boolean) =>
    is_file
      ? `${column(name)} in row ${formatted(item)} of the file of ‘${quoted(connection)}’`
      : `${column(name)} of item ${formatted(item)} in the reply of ‘${quoted(connection)}’`,
  database: (name: string, row: number, connection: string) =>
    `${column(name)} in row ${formatted(row)} of the statement of ‘${quoted(connection)}’`,
  rows: (name: string, row: number, task: string) =>
    `${column(name)} in row ${formatted(row)} of ‘${quoted(task)}’`,
  record: (name: string, sku: string, config: string) =>
    `${column(name)} of record ${quoted(sku)} in ‘${quoted(config)}’`,

  // the cell of a target
  value: (task: string, name: string) =>
    `‘${quoted(task)}’ writes this cell${name === '' ? '' : `, column ‘${quoted(name)}’`}.`,
  header: (task: string) => `This is a header that ‘${quoted(task)}’ writes.`,
  above: (task: string, row: number) =>
    `This row is above the table of ‘${quoted(task)}’, whose header is in row ${formatted(row)}. The task does not write it.`,
  below: (task: string, row: number) =>
    `This row is below the table of ‘${quoted(task)}’, which ends in row ${formatted(row)}. The task does not write it.`,
  outside: (task: string, last: string) =>
    `This column is not one of ‘${quoted(task)}’, which writes columns A to ${last}. The task does not write it.`,
  not_run: (task: string) =>
    `‘${quoted(task)}’ has not run yet, or its rows are no longer stored. Run it first.`,

  // the cell of a source
  not_read_yet: (task: string) =>
    `‘${quoted(task)}’ has not read this tab yet, or its rows are no longer stored.`,
  not_read: (task: string, { first, last, column: to }: { first: number; last: number; column: string }) =>
    last < first
      ? `‘${quoted(task)}’ read no rows from this tab.`
      : `‘${quoted(task)}’ reads rows ${formatted(first)} to ${formatted(last)} and columns A to ${to} of this tab. This cell is not one of them.`,

  // steps
  read_sheet: (task: string) => `‘${quoted(task)}’ copies it from a sheet.`,
  read_records: (task: string) => `‘${quoted(task)}’ copies the row from compiled records.`,
  restored: (task: string, version: { run_id: number; side: 'former' | 'wanted' } | null) =>
    version === null
      ? `‘${quoted(task)}’ restored it from an earlier version.`
      : version.side === 'wanted'
        ? `‘${quoted(task)}’ restored it from the version of run ${version.run_id}.`
        : `‘${quoted(task)}’ restored it from the version before run ${version.run_id}.`,
  restored_edits:
    'Cells that had been edited kept their values when the version was restored. This may be one of them.',
  read_source: (task: string) => `‘${quoted(task)}’ read it from its source.`,
  read_task: (task: string) => `‘${quoted(task)}’ read it from rows that another task had stored.`,
  compiled: (config: string) => `‘${quoted(config)}’ compiled it.`,
  gone: (task: string) => `The rows of ‘${quoted(task)}’ that it came from are no longer stored.`,
  letter_unknown:
    'The copy leaves columns out. Which column of the source this is will be known after the next run.',
  extra_column: (name: string) =>
    `${column(name)} is no column of the source: the task adds it to the row that was copied.`,
  version_gone: 'The records were compiled again since they were copied. This is the record as it is now.',
  version_unknown:
    'Which version of the records was copied is not known until the next run. This is the record as it is now.',
  record_unknown: 'The record that was copied is no longer stored.',
  changed: (value: string | number | boolean | null) =>
    `The record has ${value === null ? 'nothing' : `“${quoted(String(value))}”`} instead: the value was normalised, or kept out by a check.`,
  overridden: (by: string, reason: string) =>
    `${by} set this value in place of what the sources have${reason === '' ? '' : ` (${reason})`}.`,
  decided: (by: string, rule: string) => `A rule that ${by} set decided between the sources: ${rule}.`,
  kept: 'A compile that keeps existing records left this record as it was. The source row is not known.',

  // rules
  rule_sku: (source: string) =>
    `Rows of all sources with the same SKU are one record. ‘${quoted(source)}’ has it first.`,
  rule_none: 'No source has a value for this field.',
  rule_order: (names: readonly string[]) => `The first source with a value, in the order ${list(names)}.`,
  rule_priority: (names: readonly string[]) =>
    `This field has an order of its own: the first source with a value, in the order ${list(names)}.`,
  rule_group: (fields: readonly string[], names: readonly string[]) =>
    `${list(fields)} come from one source together: the first with a value in any of them, in the order ${list(names)}.`,
  rule_unknown: 'The first source with a value, in the order of the configuration.',

  // uses
  use_excluded: (task: string, name: string) => `‘${quoted(task)}’ leaves column ‘${quoted(name)}’ out`,
  use_filtered: (task: string) => `‘${quoted(task)}’ leaves this row out`,
  use_letter_unknown: (task: string, row: number) =>
    `‘${quoted(task)}’ copies this row to row ${formatted(row)} of its target. Which column this is will be known after its next run`,
  use_restored: (task: string) =>
    `The target of ‘${quoted(task)}’ holds an older version, so where this is there is not known`,
  use_not_yet: (task: string) => `‘${quoted(task)}’ has not copied the current version yet`,
  use_chosen: (record: string) => `${record}: this cell fills it`,
  use_other: (record: string, source: string) => `${record}: filled from ‘${quoted(source)}’ instead`,
  use_blank: (record: string) => `${record}: blank`,
  use_none: (config: string) =>
    `No record of ‘${quoted(config)}’ uses this row: it has no SKU, or a row above has the same one`,
  use_outdated: (config: string) => `‘${quoted(config)}’ was last compiled from earlier rows of this source`,

  // edits since
  as_written: 'The cell is as it was written.',
  edited: (now: string) => `The cell was edited since: it holds ${now} now.`,
  blank: 'nothing',
  not_checked: (reason: string) => `Whether it was edited since could not be read: ${reason}`,
  check_too_slow: 'Google did not answer in time.',
  check_outside: 'Only cells that the task writes are read.',
} as const

import { formatted } from '../counted.ts'
import { limits } from '../limits.ts'
import { quoted } from '../quoted.ts'

/** Messages of the server about imports and exports. */
export const csvJobServerMessages = {
  // CSV
  import_goes_on: (job_id: number) => `The import goes on in the background. Job ID: ${job_id}`,
  export_goes_on: (job_id: number) =>
    `The export takes longer than usual. Its file can be downloaded when it is ready. Job ID: ${job_id}`,
  csv_interrupted: `The server stopped ${limits.csv_attempts} times during this job, which was given up. Nothing of it was kept.`,
  all_rows_refused: (count: number) =>
    count === 1
      ? 'The only row of the file was refused'
      : `All ${formatted(count)} rows of the file were refused`,
  import_empty: 'The file has a header but no rows.',
  csv_empty: 'The file is empty. Its first line must name the columns.',
  csv_utf16: 'The file is encoded as UTF-16. Save it as “CSV UTF-8” and try again.',
  csv_latin1: 'The file is not UTF-8 but looks like Latin-1. Save it as “CSV UTF-8” and try again.',
  csv_workbook:
    'The file is a spreadsheet workbook under the name of a CSV. Save it as “CSV UTF-8” and try again.',
  csv_nul: 'The file holds the character NUL, so it is no text.',
  csv_columns_missing: (names: string[]) =>
    `The first line lacks the ${names.length === 1 ? 'column' : 'columns'} ${names.join(', ')}.`,
  csv_column_unknown: (name: string) => `The first line names a column that does not exist: ${quoted(name)}`,
  csv_column_twice: (name: string) => `The first line names the column ${quoted(name)} twice.`,
  csv_columns_same: (one: string, other: string) =>
    `The first line names the same column twice: ${quoted(one)} and ${quoted(other)} mean the same.`,
  csv_columns_many: (max: number) => `The file has more than ${formatted(max)} columns.`,
  csv_rows_many: (max: number) => `The file has more than ${formatted(max)} rows.`,
  csv_quote_open: (row: number) => `Row ${formatted(row)} has a quote that is never closed.`,
  csv_quote_stray: (row: number) => `Row ${formatted(row)} has a quote in the wrong place.`,
  csv_row_long: (row: number) => `Row ${formatted(row)} is too long; perhaps a quote in it is never closed.`,
  csv_row_ragged: (cells: number, columns: number) =>
    `The row has ${formatted(cells)} ${cells === 1 ? 'cell' : 'cells'}, the header ${formatted(columns)}`,
  csv_key_twice: (row: number) => `Row ${formatted(row)} of this file has the same type and name`,
  csv_name_twice: (row: number) => `Row ${formatted(row)} of this file has the same name`,
  csv_dependency_unknown: (category: string, name: string) =>
    `There is no ${category} task type “${quoted(name)}” to depend on`,
  csv_dependency_word: (line: string) => `“${quoted(line)}” names no task type`,
  type_skipped: (name: string) => `“${quoted(name)}” exists already and was skipped`,
  type_unscheduled: (name: string, reason: string) =>
    `“${quoted(name)}” was imported without a schedule: ${reason}`,
  type_import_started: (job_id: number) =>
    `Import started successfully! Job ID: ${job_id}. Check job status below.`,
  csv_type_unknown: (name: string) => `There is no task type “${quoted(name)}”`,
} as const

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text
import { mutationsOf } from './mutation.ts'

export const importMutations = mutationsOf('src/server', {
  'imports: a text that begins like a formula is not escaped': [
    "(FORMULA.test(text) && !DURATION.test(text) ? `'${text}` : text)",
    'text',
    'csv/rows.test.ts',
  ],
  'imports: the apostrophe of an escaped formula becomes part of the text': [
    'ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell',
    'cell',
    'csv/rows.test.ts',
  ],
  'imports: a file has no byte order mark': [
    'header ? BYTE_ORDER_MARK + rows : rows',
    'rows',
    'csv/rows.test.ts',
    'csv-jobs/excel-files.test.ts',
  ],
  'imports: a row with a wrong number of cells is accepted': [
    'if (record.length < header.length || !blank) {',
    'if (!blank) {',
    'csv/rows.test.ts',
  ],
  'imports: a duplicate column is accepted': [
    'if (earlier === name) throw invalid(csvJobServerMessages.csv_column_twice(name))',
    '',
    'csv/rows.test.ts',
  ],
  'imports: a required column may be missing': [
    'if (missing.length > 0) throw invalid(csvJobServerMessages.csv_columns_missing(missing))',
    '',
    'csv/rows.test.ts',
  ],
  'imports: a file has more rows than are allowed': [
    'if (row > max_rows) throw invalid(csvJobServerMessages.csv_rows_many(max_rows))',
    '',
    'csv/rows.test.ts',
  ],
  'imports: rows are counted from the data, not from the header': [
    "if (record.every((cell) => cell === '')) continue\n      if (header === undefined)",
    "if (record.every((cell) => cell === '')) { row -= 1; continue }\n      if (header === undefined)",
    'csv/rows.test.ts',
  ],
  'imports: a semicolon file is read with commas': [
    "const DELIMITERS = [',', ';', '\\t', '|']",
    "const DELIMITERS = [',', '\\t', '|']",
    'csv/dialect.test.ts',
  ],
  'imports: a workbook is parsed as a CSV file': [
    'if (WORKBOOKS.some(starts)) throw invalid(csvJobServerMessages.csv_workbook)',
    '',
    'csv/rows.test.ts',
  ],
  'imports: changes of a refused row are kept': [
    '    await sql`rollback to savepoint attempt`.execute(trx)\n',
    '',
    'csv-jobs/worker.test.ts',
    'sync-tasks/csv.test.ts',
  ],
  'imports: a file that kills its workers is retried without limit': [
    "if (job.attempts > limits.csv_attempts) throw new NamedError('csv_interrupted')",
    '',
    'csv-jobs/worker.test.ts',
  ],
  'imports: an interruption by a shutdown counts as an attempt': [
    ".set({ status: 'pending', attempts: attempts - 1 })",
    ".set({ status: 'pending' })",
    'csv-jobs/worker.test.ts',
  ],
  'imports: the time 04:00:00 PM is read as 04:00': [
    "(Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)",
    'Number(hour) % 12',
    'csv/cells.test.ts',
  ],
  'imports: refused rows are not listed in file order': [
    'kept = kept.sort((a, b) => a.row - b.row).slice(0, shown)',
    'kept = kept.slice(0, shown)',
    'csv-jobs/worker.test.ts',
    'sync-tasks/csv.test.ts',
  ],
})

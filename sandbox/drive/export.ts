import { DriveError } from '../error-reply.ts'
import type { Book } from '../sheets/model/book.ts'
import { Reader } from '../sheets/values/read.ts'
import { writeXlsx, xlsxType } from '../xlsx/write-xlsx.ts'

const mostBytes = 10 * 1024 * 1024

const writers: Readonly<Record<string, (book: Book) => Buffer>> = {
  'text/csv': (book) => Buffer.from(csvOf(book)),
  [xlsxType]: writeXlsx,
}

/** Exports a spreadsheet as .csv (first tab) or .xlsx. Throws Drive's errors for other types and above 10 MB. */
export function exported(book: Book, mimeType: string | undefined): { type: string; content: Buffer } {
  if (mimeType === undefined) {
    throw new DriveError(400, 'INVALID_ARGUMENT', 'Required parameter: mimeType', 'required', 'mimeType')
  }
  const write = Object.hasOwn(writers, mimeType) ? writers[mimeType] : undefined
  if (!write) {
    throw new DriveError(
      400,
      'INVALID_ARGUMENT',
      'The requested conversion is not supported.',
      'badRequest',
      'convertTo',
    )
  }
  const content = write(book)
  if (content.length > mostBytes) {
    throw new DriveError(
      403,
      'PERMISSION_DENIED',
      'This file is too large to be exported.',
      'exportSizeLimitExceeded',
    )
  }
  return { type: mimeType, content }
}

/** Displayed values of the first tab up to the last non-blank column. Lines are separated by CRLF, without one at the end. */
function csvOf(book: Book): string {
  const [sheet] = book.sheets
  if (!sheet) return ''
  const block = { startRow: 0, endRow: sheet.rowCount, startColumn: 0, endColumn: sheet.columnCount }
  const rendering = { values: 'FORMATTED_VALUE', dates: 'FORMATTED_STRING' } as const
  const rows = new Reader(book).valueRange(sheet, block, 'ROWS', rendering).values ?? []
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  return rows
    .map((row) => Array.from({ length: width }, (_, x) => field(String(row[x] ?? ''))).join(','))
    .join('\r\n')
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { detectDialect, SAMPLE_BYTES } from '../../../platform/csv/dialect.ts'
import { unescaped } from '../../../platform/csv/rows.ts'
import { OriginFailure } from '../../connector.ts'
import type { CsvTargetSettings } from '../../csv-target-settings.ts'

export type CsvFormat = { delimiter: string; quote: string; newline: string; has_mark: boolean }

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** The format of an existing file. Throws OriginFailure if it is not in UTF-8. */
export async function readCsvFormat(path: string, name: string): Promise<CsvFormat & { skipped: number }> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
    const start = buffer.subarray(0, bytesRead)
    const has_mark = start.subarray(0, MARK.length).equals(MARK)
    const text = start.subarray(has_mark ? MARK.length : 0)
    // The sample may end inside a character.
    const isText = [0, 1, 2, 3].some((end) => isUtf8(text.subarray(0, text.length - end)))
    if (!isText || text.includes(0)) throw new OriginFailure('invalid', texts.csv_encoding(name))
    const { delimiter, quote, skipped, newline } = detectDialect(text.toString('utf8'))
    const lineEnd = newline === '\n' && text.includes('\r\n') ? '\r\n' : newline
    return { delimiter, quote, newline: lineEnd, has_mark, skipped: skipped + (has_mark ? MARK.length : 0) }
  } finally {
    await file.close()
  }
}

/** The format to write, by the settings, the file as it is (null: new), and its name. */
export function csvFormatFor(
  name: string,
  former: CsvFormat | null,
  { delimiter, byte_order_mark }: CsvTargetSettings,
): CsvFormat {
  const usual = /\.tsv$/i.test(name) ? '\t' : ','
  return {
    delimiter: delimiter ?? former?.delimiter ?? usual,
    quote: '"',
    newline: former?.newline ?? '\r\n',
    has_mark: byte_order_mark ?? former?.has_mark ?? false,
  }
}

// As in exports: spreadsheets would take a text with this start for a formula.
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** The value of a cell. CSV has no types: what is written in quotes is text, other numbers and booleans are such. */
export function csvValue(cell: string, isQuoted: boolean): CellValue {
  if (cell === '') return null
  if (!isQuoted) {
    if (cell === 'TRUE' || cell === 'FALSE') return cell === 'TRUE'
    if (String(Number(cell)) === cell && Number.isFinite(Number(cell))) return Number(cell)
  }
  return unescaped(cell)
}

/** A cell as it is written, so that `csvValue` gives its value. */
export function csvCell(value: CellValue, { delimiter, quote }: CsvFormat): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  const text = FORMULA.test(value) ? `'${value}` : value
  const isPlain =
    typeof csvValue(text, false) === 'string' && !/[\r\n"']|^\s|\s$/.test(text) && !text.includes(delimiter)
  return isPlain ? text : quote + text.replaceAll(quote, quote + quote) + quote
}

/** The bytes in front of the first row. */
export const csvStart = ({ has_mark }: CsvFormat): Buffer => (has_mark ? MARK : Buffer.alloc(0))

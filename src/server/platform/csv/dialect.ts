import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'

/** The delimiter, quote and line ending of a CSV file. */
export type Dialect = {
  delimiter: string
  quote: string
  /** A `\n` may have any number of `\r` before it. */
  newline: '\n' | '\r'
  /** Number of characters before the header: Excel's line `sep=;`. */
  skipped: number
}

/** Enough of a file to detect its dialect. */
export const SAMPLE_BYTES = 65_536
const SAMPLE_ROWS = 100
const DELIMITERS = [',', ';', '\t', '|']
/** The delimiter may be any ASCII character that is not a letter, digit or quote. */
const SEP_LINE = /^"?sep=([!#-&(-/:-@[-^`{-~\t])"?(?:\r*\n|\r)/i
const QUOTED_NAMES = /^'[^'\r\n]*'(?:[,;\t|]'[^'\r\n]*')*[\r\n]/

/**
 * Detects the dialect from the first `SAMPLE_BYTES` of a file. Values in `given` win; otherwise a first line `sep=;`
 * names the delimiter, or it is the one that splits most of the first 100 rows into as many cells as the header.
 */
export function detectDialect(
  beginning: string,
  given: { delimiter?: string | undefined; quote?: string | undefined } = {},
): Dialect {
  const [line = '', named] = SEP_LINE.exec(beginning) ?? []
  const text = beginning.slice(line.length)
  const newline = /^[^\r\n]*\r(?!\r*(?:\n|$))/.test(text) ? '\r' : '\n'
  const quote = given.quote ?? (QUOTED_NAMES.test(text) ? "'" : '"')
  const delimiter = given.delimiter ?? named ?? detectDelimiter(text, quote, newline)
  return { delimiter, quote, newline, skipped: line.length }
}

function detectDelimiter(text: string, quote: string, newline: Dialect['newline']): string {
  const candidates = DELIMITERS.map((delimiter) => judge(delimiter, text, { quote, newline }))
  const likely = candidates.filter(({ header }) => header > 1)
  // A few ragged rows do not rule out a delimiter.
  const tenths = ({ share }: Candidate) => Math.round(share * 10)
  const [best] = likely.toSorted(
    (a, b) =>
      tenths(b) - tenths(a) ||
      Number(b.fits) - Number(a.fits) ||
      Number(a.isPunctuation) - Number(b.isPunctuation) ||
      b.header - a.header,
  )
  return best?.delimiter ?? ','
}

type Candidate = {
  delimiter: string
  /** Number of header cells. */
  header: number
  /** Share of the first rows with the most frequent number of cells, if that is two or more. */
  share: number
  /** The header has the same number. */
  fits: boolean
  /** In the header, each occurrence is followed by a blank or is between digits, as in “Size, cm”. */
  isPunctuation: boolean
}

function judge(
  delimiter: string,
  text: string,
  { quote, newline }: Pick<Dialect, 'quote' | 'newline'>,
): Candidate {
  const widths = cellCounts(text, { delimiter, quote, newline })
  const [header = 1] = widths
  const counts = new Map<number, number>()
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1)
  const [[usual, rows] = [0, 0]] = [...counts].toSorted((a, b) => b[1] - a[1])
  const [line = ''] = text.split(/[\r\n]/, 1)
  return {
    delimiter,
    header,
    share: rows / Math.max(1, widths.length),
    fits: header === usual,
    isPunctuation: delimiter === ',' && !/,(?! )(?:(?<!\d,)|(?!\d))/.test(line),
  }
}

/** Number of cells of each of the first rows, without blank cells beyond the header. */
function cellCounts(
  text: string,
  { delimiter, quote, newline }: Pick<Dialect, 'delimiter' | 'quote' | 'newline'>,
): number[] {
  const counts: number[] = []
  try {
    parse(text, {
      delimiter,
      quote,
      record_delimiter: newline === '\r' ? ['\r'] : ['\r\r\n', '\r\n', '\n'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: SAMPLE_ROWS,
      on_record: (record: string[]) => {
        const [header = record.length] = counts
        const hasBlankEnd = record.length === header + 1 && record.at(-1) === ''
        counts.push(hasBlankEnd ? header : record.length)
        return null
      },
    })
  } catch (error) {
    // The sample may end inside quotes.
    if (!(error instanceof CsvError)) throw error
  }
  return counts
}

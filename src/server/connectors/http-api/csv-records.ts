import { limits } from '../../../contract/limits.ts'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'

const DELIMITERS = [',', ';', '\t', '|']
/** Enough of a file to tell how its cells and lines are divided. */
const SAMPLE_CHARACTERS = 10_000

type Dialect = { delimiter: string; newline: '\n' | '\r' }

/**
 * The records of a CSV file, a batch for each piece of its text; empty lines are left out. Comma, semicolon, tab or bar divide cells,
 * whichever the first line has most of. Throws OriginFailure for quotes that do not close and for a record that is too long. Written
 * by hand, since a record without quotes is split by one call: several times the rate of csv-parse, whose options it needs none of.
 */
export async function* csvRecords(pieces: AsyncIterable<string>): AsyncGenerator<string[][]> {
  let dialect: Dialect | undefined
  let rest = ''
  let done = 0
  for await (const piece of pieces) {
    rest += piece
    if (!dialect && rest.length < SAMPLE_CHARACTERS) continue
    dialect ??= dialectOf(rest)
    const { records, end } = split(rest, dialect, done)
    rest = rest.slice(end)
    done += records.length
    if (rest.length > limits.csv_record_characters)
      throw new OriginFailure('invalid', messages.csv_record_long(done + 1))
    if (records.length > 0) yield records
  }
  dialect ??= dialectOf(rest)
  const { records, end } = split(`${rest}${dialect.newline}`, dialect, done)
  if (end <= rest.length)
    throw new OriginFailure('invalid', messages.csv_quote_open(done + records.length + 1))
  yield records
}

/** The records that are complete, and where the next one begins. */
function split(text: string, dialect: Dialect, done: number): { records: string[][]; end: number } {
  const { delimiter, newline } = dialect
  const records: string[][] = []
  let at = 0
  for (;;) {
    const lineEnd = text.indexOf(newline, at)
    if (lineEnd < 0) return { records, end: at }
    const line = text.slice(at, lineEnd)
    let end = lineEnd + 1
    if (line.includes('"')) {
      const quoted = readQuoted(text, at, dialect)
      if (quoted === 'stray')
        throw new OriginFailure('invalid', messages.csv_quote_stray(done + records.length + 1))
      if (quoted === 'open') return { records, end: at }
      records.push(quoted.record)
      end = quoted.end
    } else {
      const plain = newline === '\n' && line.endsWith('\r') ? line.slice(0, -1) : line
      if (plain !== '') records.push(plain.split(delimiter))
    }
    at = end
  }
}

/** A record in which quotes occur. `open`: its end is not in the text; `stray`: something follows a closing quote. */
function readQuoted(
  text: string,
  start: number,
  { delimiter, newline }: Dialect,
): { record: string[]; end: number } | 'open' | 'stray' {
  const record: string[] = []
  let at = start
  let lineEnd = -1
  for (;;) {
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1)
      if (close < 0) return 'open'
      record.push(text.slice(at + 1, close).replaceAll('""', '"'))
      at = close + 1
      if (text[at] === '\r' && newline === '\n') at += 1
      if (at >= text.length) return 'open'
    } else {
      if (lineEnd < at) lineEnd = text.indexOf(newline, at)
      if (lineEnd < 0) return 'open'
      const next = text.indexOf(delimiter, at)
      const end = next >= 0 && next < lineEnd ? next : lineEnd
      const cell = text.slice(at, end)
      record.push(end === lineEnd && newline === '\n' && cell.endsWith('\r') ? cell.slice(0, -1) : cell)
      at = end
    }
    if (text[at] === newline) return { record, end: at + 1 }
    if (text[at] !== delimiter) return 'stray'
    at += 1
  }
}

/** Where a quoted cell ends; two quotes are one of its characters. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

function dialectOf(text: string): Dialect {
  const sample = text.slice(0, SAMPLE_CHARACTERS).replace(/"(?:[^"]|"")*"/g, '')
  const [first = ''] = sample.split(/[\r\n]/, 1)
  const newline = /^[^\r\n]*\r(?!\n)/.test(sample) && sample[first.length + 1] !== undefined ? '\r' : '\n'
  const count = (delimiter: string) => first.split(delimiter).length
  const [delimiter = ','] = DELIMITERS.toSorted((a, b) => count(b) - count(a))
  return { delimiter, newline }
}

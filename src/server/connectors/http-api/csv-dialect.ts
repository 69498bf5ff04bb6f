/** Enough of a file to tell how its cells and lines are divided. */
const SAMPLE_CHARACTERS = 10_000
const DELIMITERS = [',', ';', '\t', '|']

/** How the cells and lines of a file are divided, as bytes. */
export type Dialect = { delimiter: number; newline: number }

/** The dialect of a file by its beginning, some 10,000 characters: of comma, semicolon, tab and bar the one that its first line has most of. */
export function dialectOf(text: string): Dialect {
  const sample = text.slice(0, SAMPLE_CHARACTERS).replace(/"(?:[^"]|"")*"/g, '')
  const [first = ''] = sample.split(/[\r\n]/, 1)
  const newline = /^[^\r\n]*\r(?!\n)/.test(sample) && sample[first.length + 1] !== undefined ? '\r' : '\n'
  const count = (delimiter: string) => first.split(delimiter).length
  const [delimiter = ','] = DELIMITERS.toSorted((a, b) => count(b) - count(a))
  return { delimiter: delimiter.charCodeAt(0), newline: newline.charCodeAt(0) }
}

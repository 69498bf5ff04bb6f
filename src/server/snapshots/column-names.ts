import { distance } from 'fastest-levenshtein'
import { singleBlanks } from '../../contract/fields.ts'
import { plainName } from '../../contract/rows/plain-name.ts'
import type { CellValue, Row } from '../../contract/tables.ts'

export { plainName }

/** Letters of a column by its index: A, B, … Z, AA. */
export function letters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}

/**
 * Unique column names from headers. A name is trimmed and normalised unless another column has exactly that name. A blank header
 * becomes "Column D", a repeated one "Name (2)".
 */
export function columnNames(headers: readonly string[]): string[] {
  // Parsers that guard against prototype pollution drop this key.
  const taken = new Set(['__proto__'])
  // A header keeps its own name even if a numbered one would match it: in A, A, "A (2)" the last one stays.
  const own = new Set(headers)
  return headers.map((header, index) => {
    const plain = plainName(header)
    const base = plain === '' ? `Column ${letters(index)}` : own.has(plain) ? header : plain
    let name = base
    for (let n = 2; taken.has(name) || (name !== header && own.has(name)); n += 1) name = `${base} (${n})`
    taken.add(name)
    return name
  })
}

/** Header of a column in the form in which limits and keys name columns: Unicode NFC, in one line. */
export const headerName = (cell: CellValue | undefined): string =>
  singleBlanks(String(cell ?? '').normalize('NFC'))

/** Unique column names of a header row. */
export const headerNames = (header: Row): string[] => columnNames(header.map((cell) => String(cell ?? '')))

/** The column name that a setting refers to: an exact match, else the form in which names are compared. */
export function resolveName(names: ReadonlySet<string>, name: string): string {
  return names.has(name) ? name : plainName(name)
}

/** Index of the column that a setting names, in names of `columnNames`; -1: none. */
export function findColumn(names: readonly string[], name: string): number {
  return names.indexOf(resolveName(new Set(names), name))
}

/** The names that differ least from `name`, closest first. */
export function nearestNames(name: string, names: readonly string[], most = 3): string[] {
  const letters = (text: string) => plainName(text).toLowerCase()
  return names
    .map((other) => ({ other, steps: distance(letters(name), letters(other)) }))
    .filter(({ other, steps }) => steps < Math.max(name.length, other.length))
    .sort((one, other) => one.steps - other.steps)
    .slice(0, most)
    .map(({ other }) => other)
}

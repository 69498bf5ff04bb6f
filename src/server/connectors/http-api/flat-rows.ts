import { originMessages } from '../../../contract/connections/server-messages.ts'
import type { CellValue, Row } from '../../../contract/tables.ts'
import { OriginFailure } from '../connector.ts'
import { storableName } from '../row-json.ts'
import { isObject } from './json-path.ts'

/** Nesting depth that is flattened; deeper values stay JSON. */
const MAX_DEPTH = 20
/** Column for entries that are not objects, and for entries of nested lists. */
const ONLY_COLUMN = 'value'

/**
 * Converts entries of JSON lists to rows: nested objects become dotted columns, lists JSON text. New columns are
 * appended.
 */
export class FlatRows {
  /** Column names so far. */
  readonly columns: string[]
  readonly #places: Map<string, number>

  /** `columns`: known columns; others are added. */
  constructor(columns: string[] = []) {
    this.columns = columns
    this.#places = new Map(columns.map((name, place) => [name, place]))
  }

  /** Converts an entry; missing cells are null. */
  row(entry: unknown): Row {
    const row: Row = []
    if (Array.isArray(entry)) {
      for (const [index, cell] of entry.entries()) this.#put(row, `${ONLY_COLUMN}.${index + 1}`, asCell(cell))
    } else if (isObject(entry)) this.#take(row, '', entry, 1)
    else if (entry !== null) this.#put(row, ONLY_COLUMN, asCell(entry))
    for (let place = 0; place < row.length; place += 1) row[place] ??= null
    return row
  }

  #take(row: Row, prefix: string, object: object, depth: number): void {
    for (const [key, value] of Object.entries(object)) {
      const name = prefix + storableName(key)
      if (isObject(value) && depth < MAX_DEPTH) this.#take(row, `${name}.`, value, depth + 1)
      else this.#put(row, name, asCell(value))
    }
  }

  #put(row: Row, name: string, cell: CellValue): void {
    let place = this.#place(name)
    // {"a.b": 1, "a": {"b": 2}} has two columns with one name.
    for (let n = 2; row[place] !== undefined; n += 1) place = this.#place(`${name} (${n})`)
    row[place] = cell
  }

  #place(name: string): number {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.columns.length)
    return this.columns.push(name) - 1
  }
}

function asCell(value: unknown): CellValue {
  if (value === '' || value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  try {
    return JSON.stringify(value)
  } catch (cause) {
    // Stack overflow.
    throw new OriginFailure('invalid', originMessages.json_too_deep, { cause })
  }
}

import { originMessages as messages } from '../../../contract/origin-messages.ts'
import type { CellValue, Row } from '../../../contract/tables.ts'
import { OriginFailure } from '../connector.ts'
import { storableName } from '../row-json.ts'
import { isObject } from './json-path.ts'

/** Objects within objects are taken apart so far; what lies deeper is kept as JSON. */
const MAX_DEPTH = 20
/** Of an entry of the list that is no object, and of the entries of one that is a list. */
const ONLY_COLUMN = 'value'

/**
 * Makes rows of the entries of JSON lists: nested objects become dotted columns, lists JSON text. A column that comes to light later
 * stands behind those that there are.
 */
export class FlatRows {
  /** Names of the columns so far. */
  readonly columns: string[]
  readonly #places: Map<string, number>

  /** `columns`: those that are known; others are added to them. */
  constructor(columns: string[] = []) {
    this.columns = columns
    this.#places = new Map(columns.map((name, place) => [name, place]))
  }

  /** The entry as a row; cells that it says nothing about are null. */
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
    // {"a.b": 1, "a": {"b": 2}} has two columns of one name.
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
    // Deeper than the stack.
    throw new OriginFailure('invalid', messages.json_too_deep, { cause })
  }
}

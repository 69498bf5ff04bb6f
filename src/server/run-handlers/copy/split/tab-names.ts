import { SheetName } from '../../../../contract/fields.ts'
import { limits } from '../../../../contract/limits.ts'
import { splitServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { plainSku } from '../../../snapshots/sku.ts'

/** The rows of a value, and the name of their tab. Data rows count from 1. */
export type TabRows = { value: string; name: string; rows: number[] }

/** Collects the rows of a table by the value of a column. */
export class RowsByValue {
  readonly #pattern: string
  readonly #tabs = new Map<string, TabRows>()
  /** Data rows without a value. */
  readonly #blank: number[] = []

  /** `pattern`: a tab's name with `{value}`. */
  constructor(pattern: string) {
    this.#pattern = pattern
  }

  add(row: number, cell: CellValue): void {
    const value = plainSku(String(cell ?? ''))
    const tab = this.#tabs.get(value)
    if (value === '') this.#blank.push(row)
    else if (tab) tab.rows.push(row)
    else this.#tabs.set(value, { value, name: this.#pattern.replaceAll('{value}', () => value), rows: [row] })
  }

  /** In the order in which the values appear. */
  get tabs(): TabRows[] {
    return [...this.#tabs.values()]
  }

  /** Why the rows cannot be split, with the rows or values; null: they can. `header_row`: counted from 1. */
  problem(column: string, header_row: number): string | null {
    const [blank] = this.#blank
    if (blank !== undefined) return messages.blank(column, this.#blank.length, header_row + blank)
    if (this.#tabs.size > limits.split_tabs_max)
      return messages.too_many(column, this.#tabs.size, limits.split_tabs_max)
    const byName = new Map<string, string>()
    for (const { value, name } of this.#tabs.values()) {
      const refusal = SheetName.safeParse(name).error?.issues[0]?.message
      if (refusal !== undefined) return messages.bad_name(value, refusal)
      const other = byName.get(tabKey(name))
      if (other !== undefined) return messages.equal_names(other, value)
      byName.set(tabKey(name), value)
    }
    return null
  }
}

/** Tabs of a spreadsheet whose names differ in case are one tab. */
const tabKey = (name: string) => name.normalize('NFKC').toLowerCase()

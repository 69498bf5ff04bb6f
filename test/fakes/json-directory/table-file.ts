import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { OriginFailure } from '../../../src/server/connectors/connector.ts'

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type Cell = z.infer<typeof Cell>
const Format = z.object({ type: z.string(), pattern: z.string().optional() })

/** File format of a table. The id does not change when the file is renamed. */
export const Table = z.object({
  id: z.string(),
  rows: z.array(z.array(Cell)),
  /** Number formats by column. */
  formats: z.array(Format.nullable()),
})
export type Table = z.infer<typeof Table>

/** A folder whose files are tables; it corresponds to a spreadsheet. */
export class Book {
  readonly folder: string
  readonly title: string

  constructor(root: string, id: string) {
    this.folder = join(root, id)
    const title = join(this.folder, 'title.txt')
    if (!existsSync(title)) throw new OriginFailure('not_found', `There is no folder ${id}.`)
    this.title = readFileSync(title, 'utf8')
  }

  /** All files in the folder, including partial files of runs. */
  get names(): string[] {
    return readdirSync(this.folder)
      .filter((file) => file !== 'title.txt')
      .map((file) => file.replace(/\.json$/, ''))
  }

  file(name: string): string {
    return join(this.folder, `${name}.json`)
  }

  /** Content of a table's file; null if it does not exist. */
  text(name: string): string | null {
    return existsSync(this.file(name)) ? readFileSync(this.file(name), 'utf8') : null
  }

  /** Parses a table. Throws if it does not exist. */
  table(name: string): Table {
    return parsed(readFileSync(this.file(name), 'utf8'))
  }

  /** Name of the table with this id, or else of the table with this name. */
  find({ place, sheet_name }: { place: string | null; sheet_name: string }): string | null {
    const tables = this.names.filter((name) => existsSync(this.file(name)))
    const bound = place === null ? undefined : tables.find((name) => this.table(name).id === place)
    return bound ?? tables.find((name) => name.toLowerCase() === sheet_name.toLowerCase()) ?? null
  }

  /** Applies a user's edit to a table atomically. */
  edit(name: string, change: (table: Table) => void): void {
    const table = this.table(name)
    change(table)
    const next = join(this.folder, `${name}.edited`)
    writeFileSync(next, JSON.stringify(table))
    renameSync(next, this.file(name))
  }
}

/** Warns about a table whose name differs from the task's. */
export const renamedWarnings = (name: string, { sheet_name }: { sheet_name: string }): string[] =>
  name === sheet_name ? [] : [`‘${sheet_name}’ is called ‘${name}’ now. It was followed.`]

export const parsed = (text: string): Table => Table.parse(JSON.parse(text))

export const newId = (): string => `table ${randomUUID()}`

/** Id of a table, which corresponds to a tab's id. */
export const idOf = (sheet_id: number): string => `table ${sheet_id}`

/** Sets a cell and extends the rows if necessary. */
export function put(rows: Cell[][], row: number, column: number, value: Cell): void {
  while (rows.length <= row) rows.push([])
  const cells = rows[row] ?? []
  while (cells.length <= column) cells.push(null)
  cells[column] = value === '' ? null : value
}

/** Removes trailing blank cells and trailing blank rows. */
export function trimmed(rows: Cell[][]): Cell[][] {
  const cut = rows.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== null) + 1))
  return cut.slice(0, cut.findLastIndex((row) => row.length > 0) + 1)
}

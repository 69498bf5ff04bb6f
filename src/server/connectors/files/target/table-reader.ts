import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import type { FormatRuns } from '../../../snapshots/column-format.ts'
import { type CellPlace, OriginFailure, type TableRead } from '../../connector.ts'
import type { TargetContext } from '../../target-context.ts'
import { type FileVersion, NO_FILE, versionOf } from './file-version.ts'
import { FormulaPlaces } from './formula-places.ts'
import { fileFailure } from './replace-file.ts'
import type { TableFile } from './table-file.ts'
import type { TargetFile } from './target-file.ts'

type ReadTable = { version: FileVersion; rows: number; columns: number }

/** Reads the table of a target file, and keeps what a change of it needs: which content was read, and its size. */
export class TableReader {
  readonly #file: TargetFile
  readonly #table: TableFile
  readonly #context: Pick<TargetContext, 'signal' | 'beforeRequest'>
  #formulas = new FormulaPlaces()
  /** The last reading that reached the end. */
  #last: ReadTable | null = null

  constructor(file: TargetFile, table: TableFile, context: Pick<TargetContext, 'signal' | 'beforeRequest'>) {
    this.#file = file
    this.#table = table
    this.#context = context
  }

  read(columns: number): TableRead {
    return { batches: this.#batches(columns), requests: 1 }
  }

  readFormats(columns: number[], rows: number): Promise<Map<number, FormatRuns>> {
    if (!this.#table.readFormats) throw new Error(`${this.#file.name} has no formats`)
    return this.#table.readFormats(columns, rows)
  }

  /** Of the last reading. */
  isFormula(cell: CellPlace): boolean {
    return this.#formulas.has(cell)
  }

  /** The last reading of at least so many columns, which the change was made for; a new one if there was none. */
  async whole(columns: number): Promise<ReadTable> {
    const compared = this.#last
    if (compared && compared.columns >= columns) return compared
    for await (const _ of this.#batches(columns));
    if (this.#last === null) throw new Error(`${this.#file.name} was not read`)
    if (compared && compared.version !== this.#last.version)
      throw new OriginFailure('tab_gone', texts.changed(this.#file.name))
    return this.#last
  }

  /** The file was replaced. */
  forget(): void {
    this.#last = null
  }

  async *#batches(columns: number): AsyncGenerator<Uint8Array[]> {
    const { signal, beforeRequest } = this.#context
    await beforeRequest()
    this.#last = null
    const formulas = new FormulaPlaces()
    this.#formulas = formulas
    const { path, name, exists } = this.#file
    let rows_read = 0
    let version = NO_FILE
    try {
      // Before the rows: if the file is replaced in between, the rows are those of a content that no change is made for.
      version = await versionOf(path, name)
      if ((version !== NO_FILE) !== exists) throw new OriginFailure('tab_gone', texts.changed(name))
      for await (const rows of this.#table.rows(columns, (row, column) => formulas.add(row, column))) {
        signal.throwIfAborted()
        yield rows
        rows_read += rows.length
      }
    } catch (error) {
      throw fileFailure(error, name)
    }
    this.#last = { version, rows: rows_read, columns }
  }
}

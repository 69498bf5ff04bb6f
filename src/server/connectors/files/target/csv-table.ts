import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { type CastingContext, parse } from 'csv-parse'
import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import type { FormatRuns } from '../../../snapshots/column-format.ts'
import type { RowSet } from '../../../snapshots/row-set.ts'
import { type NumberedCells, OriginFailure } from '../../connector.ts'
import type { CsvTargetSettings } from '../../csv-target-settings.ts'
import type { PatchRow } from '../workbook/tab-change.ts'
import { type CsvFormat, csvCell, csvFormatFor, csvStart, csvValue, readCsvFormat } from './csv-format.ts'
import type { TargetFile } from './target-file.ts'
import type { FileRow, TablePatch, WrittenTable } from './written-table.ts'

const ROWS_PER_BATCH = 1_000
const PIECE_CHARACTERS = 131_072

/** A CSV file as a target. It is written in UTF-8. Texts that begin like a formula get an apostrophe, as in exports. */
export class CsvTable implements WrittenTable {
  readonly #file: TargetFile
  readonly #start: number
  readonly #exists: boolean
  readonly #settings: CsvTargetSettings

  constructor(
    file: TargetFile,
    { start, exists, csv }: { start: number; exists: boolean; csv: CsvTargetSettings },
  ) {
    this.#file = file
    this.#start = start
    this.#exists = exists
    this.#settings = csv
  }

  async *rows(columns: number): AsyncGenerator<FileRow[]> {
    let batch: FileRow[] = []
    let row = -this.#start
    for await (const all of this.#records()) {
      const cells = trimmed(all.slice(0, columns))
      if (row >= 0 && cells.length > 0) batch.push({ row, cells, formulas: [] })
      row += 1
      if (batch.length < ROWS_PER_BATCH) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }

  async *readBeside(columns: number, wanted: RowSet): AsyncGenerator<NumberedCells> {
    let row = -this.#start
    for await (const cells of this.#records()) {
      if ((row === 0 || wanted.has(row)) && cells.length > columns) yield { row, cells: cells.slice(columns) }
      row += 1
    }
  }

  /** A CSV file has no formats. */
  async readFormats(): Promise<Map<number, FormatRuns>> {
    return new Map()
  }

  async write(patch: TablePatch, out: string): Promise<void> {
    const { path, name } = this.#file
    const former = this.#exists ? await readCsvFormat(path, name) : null
    const format = csvFormatFor(name, former, this.#settings)
    const file = await open(out, 'wx')
    try {
      await file.write(csvStart(format))
      let text = ''
      for await (const line of this.#lines(patch, format)) {
        text += line
        if (text.length < PIECE_CHARACTERS) continue
        await file.appendFile(text)
        text = ''
      }
      await file.appendFile(text)
    } finally {
      await file.close()
    }
  }

  /** The lines of the file with a patch. Blank rows at the end are omitted. */
  async *#lines({ columns, rows }: TablePatch, format: CsvFormat): AsyncGenerator<string> {
    const patches = oneByOne(rows)
    let patch = await patches.next()
    let blank = ''
    let number = 1
    const merged = async (cells: Row): Promise<string> => {
      if (!patch.done && patch.value.row === number) {
        for (const { column, value } of patch.value.cells) {
          while (cells.length <= column) cells.push(null)
          if (value !== undefined) cells[column] = value
        }
        patch = await patches.next()
      }
      number += 1
      const isBlank = trimmed(cells).length === 0
      while (cells.length < columns) cells.push(null)
      // A line without a delimiter would be an empty line, which readers skip.
      const line =
        cells.length === 1 && isBlank
          ? '""'
          : cells.map((cell) => csvCell(cell, format)).join(format.delimiter)
      const ended = line + format.newline
      if (isBlank) {
        blank += ended
        return ''
      }
      const all = blank + ended
      blank = ''
      return all
    }
    for await (const cells of this.#records()) yield await merged(cells)
    while (!patch.done) yield await merged([])
  }

  /** All rows of the file from the first one on. */
  async *#records(): AsyncGenerator<Row> {
    if (!this.#exists) return
    const { path, name } = this.#file
    const { delimiter, quote, skipped } = await readCsvFormat(path, name)
    const parser = parse({
      delimiter,
      quote,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      cast: (cell: string, { quoting }: CastingContext): CellValue => csvValue(cell, quoting),
    })
    // A failure destroys the parser, so the loop below throws it.
    pipeline(createReadStream(path, { start: skipped }), parser, () => undefined)
    try {
      for await (const record of parser) {
        const cells: Row = record
        yield cells
      }
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('CSV_'))
        throw new OriginFailure('invalid', texts.csv_broken(name), { cause })
      throw cause
    }
  }
}

const trimmed = (cells: Row): Row => cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1)

async function* oneByOne(batches: AsyncIterable<readonly PatchRow[]>): AsyncGenerator<PatchRow, undefined> {
  for await (const batch of batches) yield* batch
}

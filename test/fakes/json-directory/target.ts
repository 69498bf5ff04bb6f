import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import {
  type Change,
  OriginFailure,
  type ReadableTarget,
  type Target,
  type WritableTarget,
} from '../../../src/server/connectors/connector.ts'
import { parseRow } from '../../../src/server/connectors/row-json.ts'
import type { TableReference } from '../../../src/server/connectors/table-provider.ts'
import type { TargetContext } from '../../../src/server/connectors/target-context.ts'
import { type ReadLimits, readTable } from './reading.ts'
import { Book, newId, parsed, put, renamedWarnings, type Table } from './table-file.ts'

/** Limits, delays and hooks of a directory. */
export type Limits = ReadLimits & {
  root: string
  /** Up to this many differing cells are written individually; for more, the whole table is written to a partial file first. */
  most_cells: number
  /** Maximum length of a cell's text in UTF-16 code units. */
  cell_characters: number
  /** Delay of each step of a write. */
  step_ms: number
  /** Called with the folder's name after each step. */
  stepped: (id: string) => void
  /** Called when a run has written a file. */
  wrote: (run_id: number) => void
}

/** Number of rows and bytes in the partial file; `id` is the id of the new table. */
const Checkpoint = z.object({ id: z.string(), rows: z.int(), bytes: z.int() })

/** Name of a run's partial file. Only a worker that still finds this file may replace the table. */
const partOf = (run_id: number) => `run ${run_id}.part`

/** Opens a file of a directory as the target of a copy. */
export async function openTarget(
  { root, most_cells, cell_characters, step_ms, stepped, wrote, ...reads }: Limits,
  { spreadsheet_id, start_row, ...wanted }: TableReference,
  use: TargetContext,
): Promise<Target> {
  const book = new Book(root, spreadsheet_id)
  const name = book.find(wanted) ?? wanted.sheet_name
  const part = join(book.folder, partOf(use.run_id))
  const title = `‘${name}’ in ‘${book.title}’`
  const start = start_row - 1
  let checkpoint =
    use.checkpoint === null ? { id: newId(), rows: 0, bytes: 0 } : Checkpoint.parse(use.checkpoint)
  /** The table as last read; writes refer to its positions. */
  let seen: string | null = null
  const save = async (change: Partial<typeof checkpoint>) => {
    checkpoint = { ...checkpoint, ...change }
    await use.save(checkpoint)
  }

  const current = (): Table => {
    const text = book.text(name)
    return text === null ? { id: checkpoint.id, rows: [], formats: [] } : parsed(text)
  }

  const stage = async ({ table, rows: rows_total }: Change) => {
    truncateSync(part, checkpoint.bytes)
    let lines: string[] = []
    const write = async () => {
      await use.beforeRequest()
      use.signal.throwIfAborted()
      const text = lines.join('')
      appendFileSync(part, text)
      await save({ rows: checkpoint.rows + lines.length, bytes: checkpoint.bytes + Buffer.byteLength(text) })
      lines = []
      stepped(spreadsheet_id)
      await use.progress({ rows_done: checkpoint.rows, rows_total, phase: 'Writing' })
      await pause(step_ms)
    }
    for await (const page of table(checkpoint.rows))
      for (const { json } of page) {
        lines.push(`${Buffer.from(json).toString('utf8')}\n`)
        if (lines.length === use.chunk_size) await write()
      }
    if (lines.length > 0) await write()
  }

  /** Replaces the table atomically. Does nothing if the partial file is gone: another worker has committed it or fenced this attempt. */
  const replace = (table: Table) => {
    if (book.text(name) !== seen)
      throw new OriginFailure('tab_gone', `${title} was edited while it was copied.`)
    const next = `${part}.${process.pid}`
    writeFileSync(next, JSON.stringify(table))
    try {
      unlinkSync(part)
    } catch {
      unlinkSync(next)
      return
    }
    renameSync(next, book.file(name))
    wrote(use.run_id)
  }

  const readable: ReadableTarget = {
    title,
    warnings: renamedWarnings(name, wanted),
    provider: 'Tabledir',
    cell_characters,
    isWritePending: async () => false,
    identity: () => ({ spreadsheet_name: book.title, sheet_name: name, tab_id: current().id }),
    isRead: false,
    read: (columns) => {
      seen = book.text(name)
      if (seen === null) return { batches: nothing(), requests: 0 }
      return readTable(reads, { id: spreadsheet_id, book, name, start, columns, chunk_size: use.chunk_size })
    },
    formulas: async () => [],
    address: (row, column) => `${letterOf(column)}${start_row + row}`,
    columnName: letterOf,
    countCells() {
      let cells = 0
      return () => {
        cells += 1
        return cells / most_cells
      }
    },
  }

  const writable: WritableTarget = {
    ...readable,
    async apply(change, onPlan) {
      const mode = change.cells ? 'small' : 'staged'
      await onPlan({ mode, summary: 'The file is replaced by another one.' })
      if (!existsSync(part)) {
        await save({ rows: 0, bytes: 0 })
        writeFileSync(part, '')
      }
      if (!change.cells) await stage(change)
      await use.beforeRequest()
      use.commit_signal.throwIfAborted()
      const rows = change.cells ? [] : linesOf(part)
      replace(changed(current(), change, start, rows.map(parseRow)))
      await save({ rows: 0, bytes: 0 })
      return { warning: null }
    },
    async cleanUp() {
      rmSync(part, { force: true })
    },
  }

  /** Removes partial files of ended runs and earlier attempts, except the one that this attempt resumes. */
  const recover = async () => {
    const isStaged = checkpoint.rows > 0 && existsSync(part)
    if (checkpoint.rows > 0 && !isStaged) await save({ rows: 0, bytes: 0 })
    for (const left of book.names)
      if (left.startsWith('run ') && !(isStaged && left === partOf(use.run_id)))
        rmSync(join(book.folder, left))
  }

  return {
    ...readable,
    async begin() {
      await recover()
      rmSync(part, { force: true })
      await save({ rows: 0, bytes: 0 })
      return { ...writable, prestage: () => null }
    },
    async resume() {
      await recover()
      return writable
    },
  }
}

/** Rows of a table that does not exist yet. */
async function* nothing(): AsyncGenerator<Uint8Array[]> {}

const letterOf = (column: number): string => String.fromCharCode(65 + column)

/** Removes the partial files of a run. */
export const cleanUp = (root: string, spreadsheet_id: string, run_id: number): void =>
  rmSync(join(root, spreadsheet_id, partOf(run_id)), { force: true })

/** Returns the table after a change. `whole` holds the new rows if more than individual cells change. */
function changed(table: Table, change: Change, start: number, whole: Table['rows']): Table {
  const { rows, formats } = table
  const clear = (from: number, to: number, columns: number) => {
    for (const row of rows.slice(from, to)) row.fill(null, 0, Math.min(row.length, columns))
  }
  for (const former of change.rowsAbove) clear(start - former.rows, start, former.columns)
  if (!change.cells) clear(start, rows.length, Math.max(change.columns, change.owned_columns))
  for (const [row, cells] of whole.entries())
    for (const [column, value] of cells.entries()) put(rows, start + row, column, value)
  for (const { row, column, value } of change.cells ?? []) put(rows, start + row, column, value)
  for (const { column, format } of change.formats) {
    while (formats.length <= column) formats.push(null)
    formats[column] = format
  }
  return table
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)

import { z } from 'zod'
import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import {
  type Change,
  OriginFailure,
  type ReadableTarget,
  type Target,
  type WritableTarget,
} from '../../connector.ts'
import type { CsvTargetSettings } from '../../csv-target-settings.ts'
import { cellAddress, columnLetters } from '../../google-sheets/a1.ts'
import { parseRow } from '../../row-json.ts'
import type { TableReference } from '../../table-provider.ts'
import type { TargetContext } from '../../target-context.ts'
import { FILES, type FilesFolder } from '../folders.ts'
import { IsolatedTable } from './isolated-table.ts'
import { findParts, partPrefix, removeParts } from './own-files.ts'
import { replaceFile, waitUntilClosed } from './replace-file.ts'
import type { TableFile } from './table-file.ts'
import { TableReader } from './table-reader.ts'
import { findTargetFile, type TargetFile } from './target-file.ts'
import { type CreateJobs, TargetProcess } from './target-process.ts'

/** Up to this many differing cells, and bytes of their values, are kept in memory; for more, all rows that differ are written. */
export type WriteLimits = { cells: number; bytes: number }
const WRITE_LIMITS: WriteLimits = { cells: 1_000_000, bytes: 64 * 1_048_576 }

const UNCHANGED: CsvTargetSettings = { delimiter: null, byte_order_mark: null }

const processJobs: CreateJobs = (...about) => new TargetProcess(...about)

/** Reads a cell for a page. */
const NO_RUN = 0

/** Id of the tab that this run creates. */
const Checkpoint = z.object({ new_id: z.string() })

/** Opens a file of a folder as the target of a run. The file and its tab need not exist. Throws OriginFailure. */
export async function openTarget(
  folders: readonly FilesFolder[],
  reference: TableReference,
  context: TargetContext,
  { limits = WRITE_LIMITS, createJobs = processJobs }: { limits?: WriteLimits; createJobs?: CreateJobs } = {},
): Promise<Target> {
  await context.beforeRequest()
  const file = await findTargetFile(folders, reference.spreadsheet_id)
  const table = await openTable(file, reference, context, createJobs)
  const { tab_id } = table.identity()
  // Saved first, so that a worker that resumes this run creates the same tab.
  if (!table.exists) await context.save({ new_id: tab_id })
  const reader = new TableReader(file, table, context)
  const start = reference.start_row - 1
  /** Copies of earlier attempts of this run, and of runs that have ended without removing them: only one run at a time writes a tab. */
  const isEarlier = ({ run_id, isOfTab }: { run_id: number; isOfTab: (tab: string) => boolean }) =>
    run_id === context.run_id || isOfTab(tab_id)

  const readable: ReadableTarget = {
    title: table.title,
    warnings: table.warnings,
    provider: table.provider,
    cell_characters: table.cell_characters,
    identity: () => table.identity(),
    isRead: false,
    read: (columns) => reader.read(columns),
    readBeside: (columns, rows, wants) => table.readBeside(columns, rows, wants),
    ...(table.readFormats && { readFormats: (columns, rows) => reader.readFormats(columns, rows) }),
    formulas: async (cells) => cells.filter((cell) => reader.isFormula(cell)),
    address: (row, column) => cellAddress(start + row, column),
    columnName: columnLetters,
    countCells() {
      let [cells, size] = [0, 0]
      return (_row, _column, bytes) => {
        cells += 1
        size += bytes
        return Math.max(cells / limits.cells, size / limits.bytes)
      }
    },
    isWritePending: async () => (await findParts(file.path, isEarlier)).length > 0,
  }

  const writable: WritableTarget = {
    ...readable,
    async apply(change, onPlan) {
      refuseTooLarge(table, file, change, start)
      await onPlan({ mode: change.cells ? 'small' : 'staged', summary: table.summary(change) })
      const { version, rows } = await reader.whole(change.owned_columns)
      await replaceFile({
        file,
        tab: tab_id,
        expected: version,
        growth: change.bytes,
        write: (out) => table.write(change, rows, out, progressOf(context, change.rows)),
        context,
      })
      file.exists = true
      table.exists = true
      reader.forget()
      return { warning: null }
    },
    cleanUp: () => removeParts(file.path, ({ run_id }) => run_id === context.run_id),
  }

  const fence = async () => {
    await removeParts(file.path, isEarlier)
    await waitUntilClosed(file, context)
  }

  return {
    ...readable,
    async begin() {
      await fence()
      return { ...writable, prestage: () => null }
    },
    async resume() {
      await fence()
      return writable
    },
  }
}

async function openTable(
  file: TargetFile,
  { place, sheet_name, start_row, csv = UNCHANGED }: TableReference,
  { filled, checkpoint, run_id, signal }: Pick<TargetContext, 'filled' | 'checkpoint' | 'run_id' | 'signal'>,
  createJobs: CreateJobs,
): Promise<TableFile> {
  const new_id = checkpoint === null ? null : Checkpoint.parse(checkpoint).new_id
  const jobs = createJobs(file.path, partPrefix(file.path, run_id), signal)
  return IsolatedTable.open(jobs, file, { place, sheet_name, start: start_row - 1, csv, filled, new_id })
}

function refuseTooLarge(
  { extent }: TableFile,
  { name }: TargetFile,
  { rows, columns }: Change,
  start: number,
) {
  if (start + rows > extent.rows || columns > extent.columns)
    throw new OriginFailure('too_large', texts.too_many_rows(name, rows, columns))
}

/** Reports the rows that have been written, and ends with a stopped run. */
const progressOf =
  ({ signal, progress }: Pick<TargetContext, 'signal' | 'progress'>, rows_total: number) =>
  async (rows_done: number): Promise<void> => {
    signal.throwIfAborted()
    await progress({ rows_done, rows_total, phase: 'Writing' })
  }

/** Removes what a run that does not continue has left beside its target. */
export async function cleanUp(
  folders: readonly FilesFolder[],
  { spreadsheet_id }: TableReference,
  run_id: number,
): Promise<void> {
  const { path } = await findTargetFile(folders, spreadsheet_id)
  await removeParts(path, (part) => part.run_id === run_id)
}

/** A cell as it is now; a formula as text that begins with "=". Row and column count from 0; null if there is no such tab. */
export async function readCell(
  folders: readonly FilesFolder[],
  { spreadsheet_id, place, sheet_name }: Pick<TableReference, 'spreadsheet_id' | 'place' | 'sheet_name'>,
  { row, column }: { row: number; column: number },
  signal: AbortSignal,
): Promise<CellValue> {
  const file = await findTargetFile(folders, spreadsheet_id)
  const table = await openTable(
    file,
    { provider: FILES, spreadsheet_id, place, sheet_name, start_row: row + 1 },
    { filled: false, checkpoint: null, run_id: NO_RUN, signal },
    processJobs,
  )
  for await (const [first] of table.rows(column + 1, () => {}))
    return first ? (parseRow(Buffer.from(first).toString('utf8'))[column] ?? null) : null
  return null
}

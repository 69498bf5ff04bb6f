import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { type CsvSettings, DETECT_CSV } from '../../../contract/files/csv-settings.ts'
import { OriginFailure } from '../connector.ts'
import { IsolatedProcess } from '../isolated/child.ts'
import type { TableReference } from '../table-provider.ts'
import { type FileJob, FileTables, FoundTable, JobFailure, ReadEnd } from './file-jobs.ts'
import type { FoundFile } from './folders.ts'

const PROGRAM = join(import.meta.dirname, 'file-process.ts')
/** 1,000,000 rows x 20 columns of .xlsx take about 200 MB; 50 MB of .xls take the most. */
export const MEGABYTES = 1024
export const CPU_SECONDS = 900
const OBJECT = 0x7b

/** The part of a reference that says what is wanted of a file. */
export type WantedTable = Pick<TableReference, 'place' | 'sheet_name' | 'start_row'> & {
  csv?: CsvSettings | undefined
}

const ANY_TABLE: WantedTable = { place: null, sheet_name: '', start_row: 1 }

/** Lists the tables of a file. Throws OriginFailure or the reason of the signal. */
export async function listTables(file: FoundFile, signal: AbortSignal): Promise<FileTables> {
  const { child, close } = await start(file, jobOf('list', file, ANY_TABLE), signal)
  try {
    const [line] = await nextLines(child, signal)
    if (line === undefined) throw await child.failure()
    return parsed(line, FileTables)
  } finally {
    await close()
  }
}

/** A table that was found in a file, whose process is about to read it. */
export type OpenTable = {
  table: FoundTable
  /** Its rows as the bytes of JSON, from the header row on. Called once at most. Throws as `listTables`. */
  rows(onEnd?: (end: ReadEnd) => void): AsyncGenerator<Uint8Array[]>
  /** Ends the process. */
  close(): Promise<void>
}

/** Finds a table of a file, to read it. The caller closes it, or takes its rows. Throws as `listTables`. */
export async function openTable(
  file: FoundFile,
  wanted: WantedTable,
  signal: AbortSignal,
): Promise<OpenTable> {
  const { child, close } = await start(file, jobOf('read', file, wanted), signal)
  try {
    const [line, ...others] = await nextLines(child, signal)
    if (line === undefined) throw await child.failure()
    const table = parsed(line, FoundTable)
    return {
      table,
      close,
      async *rows(onEnd = () => {}) {
        try {
          for (let lines = others; ; lines = await nextLines(child, signal)) {
            const last = lines.at(-1)
            const isEnd = last?.[0] === OBJECT
            const rows = isEnd ? lines.slice(0, -1) : lines
            if (rows.length > 0) yield rows
            if (last && isEnd) {
              onEnd(parsed(last, ReadEnd))
              return
            }
          }
        } finally {
          await close()
        }
      },
    }
  } catch (error) {
    await close()
    signal.throwIfAborted()
    throw error
  }
}

const jobOf = (work: FileJob['work'], file: FoundFile, { csv, ...wanted }: WantedTable): FileJob => ({
  work,
  path: file.path,
  file: file.name,
  place: wanted.place,
  sheet_name: wanted.sheet_name,
  start_row: wanted.start_row,
  csv: csv ?? DETECT_CSV,
})

/** Starts a process that can read this file only, and has a folder of its own for temporary files. */
async function start({ writeInto }: FoundFile, wanted: FileJob, signal: AbortSignal) {
  signal.throwIfAborted()
  const folder = await mkdtemp(join(tmpdir(), 'rowferry-file-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const path = writeInto ? await writeInto(folder) : wanted.path
    const child = new IsolatedProcess(
      {
        program: PROGRAM,
        megabytes: MEGABYTES,
        cpu_seconds: CPU_SECONDS,
        readable: [path],
        writable: [folder],
        args: [folder],
      },
      signal,
    )
    child.send(JSON.stringify({ ...wanted, path }))
    const close = async () => {
      await child.end()
      await remove()
    }
    return { child, close }
  } catch (error) {
    await remove()
    throw error
  }
}

async function nextLines(child: IsolatedProcess, signal: AbortSignal): Promise<Uint8Array[]> {
  const { value, done } = await child.lines.next()
  signal.throwIfAborted()
  if (done) throw await child.failure()
  return value
}

function parsed<Result>(line: Uint8Array, schema: z.ZodMiniType<Result>): Result {
  const value: unknown = JSON.parse(Buffer.from(line).toString('utf8'))
  const failure = JobFailure.safeParse(value).data
  if (failure) throw new OriginFailure(failure.kind, failure.message)
  return schema.parse(value)
}

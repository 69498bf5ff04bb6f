import { fileMessages } from '../../../contract/files/server-messages.ts'
import { limits } from '../../../contract/limits.ts'
import type { SpreadsheetTabs } from '../../../contract/spreadsheets/calls.ts'
import type { Row } from '../../../contract/tables.ts'
import { OriginFailure } from '../connector.ts'
import { parseRow } from '../row-json.ts'
import type { SpreadsheetCatalog } from '../table-provider.ts'
import { browse } from './browse.ts'
import { findEditorLock } from './editor-lock.ts'

import type { FileTables } from './file-jobs.ts'
import { type FilesFolder, type FindFile, type FoundFile, placeIn } from './folders.ts'
import type { RefuseFolder } from './limited-folders.ts'

import { listTables, openTable, type WantedTable } from './read-file.ts'
import { inspectTarget } from './target/inspect-target.ts'
import { readCell } from './target/open-target.ts'

/** Rows that a check of readiness counts. */
const COUNTED_ROWS = 100_000

/** The files of all folders for forms. Users need no account. `now`: milliseconds since 1970. */
export function filesCatalog(
  {
    folders,
    find: findFile,
    refuse,
  }: { folders: readonly FilesFolder[]; find: FindFile; refuse: RefuseFolder },
  now: () => number = Date.now,
): SpreadsheetCatalog {
  async function* rowsOf(file: FoundFile, wanted: WantedTable, signal: AbortSignal): AsyncGenerator<Row> {
    const { rows } = await openTable(file, wanted, signal)
    for await (const batch of rows())
      for (const row of batch) yield parseRow(Buffer.from(row).toString('utf8'))
  }

  return {
    async list(_person, search) {
      const wanted = search.toLowerCase()
      const found = []
      for (const { name } of folders) {
        const { entries } = await browse(folders, name)
        for (const { kind, path, modified_at } of entries)
          if (kind === 'file' && path.toLowerCase().includes(wanted))
            found.push({ id: path, name: path, modified_at, owner: null })
      }
      const newest = found.toSorted((one, other) =>
        (one.modified_at ?? '') < (other.modified_at ?? '') ? 1 : -1,
      )
      return newest.slice(0, limits.spreadsheets_listed)
    },
    async describe({ user_id }, id, signal) {
      const file = await findFile(id, user_id)
      return { id, name: file.name, ...tabsOf(await listTables(file, signal)) }
    },
    async currentRows({ user_id }, { spreadsheet_id, ...table }, signal) {
      let rows = 0
      try {
        const file = await findFile(spreadsheet_id, user_id)
        for await (const _ of rowsOf(file, { ...table, place: null }, signal)) rows += 1
      } catch (error) {
        if (!(error instanceof OriginFailure) || error.kind !== 'not_found') throw error
      }
      return Math.max(0, rows - 1)
    },
    async inspectTarget(id, user_id) {
      await refuse(id, user_id)
      return inspectTarget(folders, id, now())
    },
    async find({ account_user_id }, id) {
      try {
        return { name: (await findFile(id, account_user_id)).name, error: null }
      } catch (error) {
        if (error instanceof OriginFailure && error.kind !== 'forbidden')
          return { name: null, error: error.message }
        throw error
      }
    },
    async readiness({ spreadsheet_id, sheet_name, start_row, account_user_id, ...tab }, signal) {
      const place = placeIn(spreadsheet_id, tab.place)
      try {
        const file = await findFile(spreadsheet_id, account_user_id)
        let rows = 0
        for await (const _ of rowsOf(file, { place, sheet_name, start_row }, signal)) {
          rows += 1
          if (rows > COUNTED_ROWS) break
        }
        const state = {
          file: file.name,
          size: file.size,
          minutes: Math.max(0, Math.floor((now() - file.changed) / 60_000)),
          locked_by: await lockedBy(file),
        }
        if (rows < 2) return { ready: false, message: fileMessages.no_rows(state, start_row) }
        return { ready: true, message: fileMessages.ready(state, rows - 1, rows > COUNTED_ROWS) }
      } catch (error) {
        if (error instanceof OriginFailure) return { ready: false, message: error.message }
        throw error
      }
    },
    async readCell({ account_user_id, ...cell }, signal) {
      await refuse(cell.spreadsheet_id, account_user_id)
      return readCell(folders, cell, cell, signal)
    },
  }
}

/** Who has a file open in a spreadsheet program; blank if that is not known, null: no one. */
export const lockedBy = async ({ path }: FoundFile): Promise<string | null> =>
  path === '' ? null : ((await findEditorLock(path))?.owner ?? null)

/** The tables of a file in the form of the API. */
export const tabsOf = ({ tables, format }: FileTables): Pick<SpreadsheetTabs, 'tabs' | 'format'> => ({
  tabs: tables.map(({ kind, ...size }) => ({ ...size, ...(kind !== 'tab' && { kind }) })),
  ...(format && { format }),
})

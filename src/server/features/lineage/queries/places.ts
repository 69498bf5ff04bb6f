import { sql } from 'kysely'
import { z } from 'zod'
import { isFilePath } from '../../../../contract/files/providers.ts'
import type { CellPlace } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import { SourceReference } from '../../../connectors/registry.ts'
import type { Db } from '../../../platform/db.ts'
import { cellName } from './cell-link.ts'
import type { StoredVersion } from './stored-version.ts'

/** What lineage needs besides the cell. */
export type LineageDeps = {
  db: Db
  /** Where spreadsheets are opened. */
  sheetsRoot: string
}

type Sheet = { spreadsheet_id: string; tab_id: string | null; sheet_name: string; spreadsheet_name: string }

/** Address of a cell of a spreadsheet; null if its tab is not known, and for files. `range`: such as B7. */
export const sheetLink = (
  { sheetsRoot }: Pick<LineageDeps, 'sheetsRoot'>,
  { spreadsheet_id, tab_id }: Pick<Sheet, 'spreadsheet_id' | 'tab_id'>,
  range: string,
): string | null =>
  tab_id === null || isFilePath(spreadsheet_id)
    ? null
    : `${sheetsRoot}/spreadsheets/d/${spreadsheet_id}/edit#gid=${tab_id}&range=${range}`

/** A cell of a sheet. `column` null: only its name is known. */
export function sheetPlace(
  deps: Pick<LineageDeps, 'sheetsRoot'>,
  sheet: Sheet,
  { row, column, name }: { row: number; column: number | null; name: string },
): CellPlace {
  const { sheet_name, spreadsheet_name } = sheet
  return {
    kind: 'sheet',
    text:
      column === null
        ? messages.sheet_without_column(name, row, sheet_name, spreadsheet_name)
        : messages.sheet(cellName(row, column), sheet_name, spreadsheet_name),
    row,
    link: sheetLink(deps, sheet, column === null ? `${row}:${row}` : cellName(row, column)),
  }
}

const SourceDefinition = z.object({ origin: SourceReference.nullable() })

/** What a version of a source task was read from: as its run was defined, else as the task is now. Null: nothing. */
export async function originOf(
  db: Db,
  { task_id, definition }: Pick<StoredVersion, 'task_id' | 'definition'>,
): Promise<SourceReference | null> {
  const frozen = SourceDefinition.safeParse(definition)
  if (frozen.success) return frozen.data.origin
  const { rows } = await sql<{ origin: unknown }>`
    select case source_type
      when 'sheet' then jsonb_build_object('provider', provider, 'spreadsheet_id', spreadsheet_id, 'place', place,
        'sheet_name', sheet_name, 'start_row', start_row)
      when 'internal' then jsonb_build_object('provider', 'internal', 'task_id', origin_task_id)
      else jsonb_build_object('provider', case source_type when 'api' then 'http-api' else 'database' end,
        'connection_id', connection_id) end as origin
    from source_tasks where task_id = ${task_id}`.execute(db)
  return SourceReference.safeParse(rows[0]?.origin).data ?? null
}

/** The place in its source of a cell of a source task's rows; null if the source is other stored rows, or is not known. */
export async function originPlace(
  deps: LineageDeps,
  version: Pick<StoredVersion, 'task_id' | 'definition'>,
  { row_no, column, name }: { row_no: number; column: number; name: string },
): Promise<CellPlace | null> {
  const { db } = deps
  const origin = await originOf(db, version)
  if (origin === null || 'task_id' in origin) return null
  if ('connection_id' in origin) {
    const { rows } = await sql<{ name: string; format: string | null }>`
      select name, settings ->> 'format' as format from connections where id = ${origin.connection_id}`.execute(
      db,
    )
    const connection = rows[0]?.name ?? ''
    return origin.provider === 'database'
      ? { kind: 'database', text: messages.database(name, row_no, connection), row: row_no, link: null }
      : {
          kind: 'api',
          text: messages.api(name, row_no, connection, rows[0]?.format === 'csv'),
          row: row_no,
          link: null,
        }
  }
  const task = await db
    .selectFrom('source_tasks')
    .select(['spreadsheet_id', 'spreadsheet_name', 'place'])
    .where('task_id', '=', version.task_id)
    .executeTakeFirst()
  const isSame = task?.spreadsheet_id === origin.spreadsheet_id
  const sheet = {
    spreadsheet_id: origin.spreadsheet_id,
    tab_id: origin.place ?? (isSame ? (task?.place ?? null) : null),
    sheet_name: origin.sheet_name,
    spreadsheet_name: isSame ? (task?.spreadsheet_name ?? '') : '',
  }
  return sheetPlace(deps, sheet, { row: origin.start_row + row_no, column, name })
}

import { sql } from 'kysely'
import type { Lineage } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { cellName, type LinkedCell, parseCellLink } from './cell-link.ts'
import { checkCell, type ReadCell } from './check-cell.ts'
import { lineageOfSheet, readersOfTab } from './of-sheet.ts'
import { type LineageDeps, sheetLink } from './places.ts'
import { readVersion } from './stored-version.ts'
import { taskOfTab, tasksFromTab } from './target-tasks.ts'
import { MAX_USES } from './uses.ts'
import { readWritten, type Target } from './written-cell.ts'

/** How a question is answered: `check` also reads the cell from its spreadsheet. */
export type Asking = { readCell: ReadCell; check: boolean; signal: AbortSignal }

/**
 * Lineage of the cell that a link names: as a cell of a target, and as a cell of a source. `name`: another column of its row. Throws
 * NamedError `invalid`, `cell_not_known`, or `tab_not_known` if tasks that use the spreadsheet have not run yet.
 */
export async function lineageOfLink(
  deps: LineageDeps,
  { link, name }: { link: string; name: string | undefined },
  asking: Asking,
): Promise<Lineage> {
  const { db } = deps
  const linked = parseCellLink(link)
  const { spreadsheet_id, tab_id } = linked
  const task = await taskOfTab(db, spreadsheet_id, tab_id)
  const readers = await readersOfTab(db, spreadsheet_id, tab_id)
  const copies = await tasksFromTab(db, { spreadsheet_id, tab_id, limit: MAX_USES })
  const [known] = [...(task ? [task] : []), ...readers]
  const version = await readVersion(db, known?.snapshot_id ?? null)
  const cell =
    name === undefined ? linked : { ...linked, column: columnIndex(version?.names ?? [], name, 'column') }
  const found = task ? await lineageOfTarget(deps, { task, version }, cell, asking) : null
  const source =
    readers.length + copies.length > 0 ? await lineageOfSheet(deps, cell, { readers, copies }) : null
  if (!found && !source) throw await unknownCell(db, linked)
  const address = cellName(cell.row, cell.column)
  const column = version?.names[cell.column]
  const list = source?.uses.list ?? []
  return {
    title: found?.title ?? messages.sheet(address, source?.sheet_name ?? '', source?.spreadsheet_name ?? ''),
    link: sheetLink(deps, cell, address),
    notes: [...(cell.note === null ? [] : [cell.note]), ...(source?.notes ?? [])],
    written: found?.written ?? null,
    steps: [...(found?.steps ?? []), ...(source?.steps ?? [])],
    uses: list.slice(0, MAX_USES),
    has_more_uses: list.length > MAX_USES,
    row: version && column !== undefined ? { columns: version.names, column } : null,
  }
}

/** Index of a named column, by default of the first one. Throws NamedError `invalid`. */
export function columnIndex(names: readonly string[], name: string | undefined, field: string): number {
  const index = name === undefined ? 0 : names.indexOf(name)
  if (index < 0) throw new NamedError('invalid', { message: messages.column_unknown(name ?? ''), field })
  return index
}

/** The cell of a task's target, and the way of its value. */
export async function lineageOfTarget(
  deps: LineageDeps,
  target: Target,
  { row, column }: Pick<LinkedCell, 'row' | 'column'>,
  { readCell, check, signal }: Asking,
): Promise<Pick<Lineage, 'title' | 'written' | 'steps'>> {
  const { task } = target
  const { written, steps } = await readWritten(deps, target, { row, column })
  const edited = check ? await checkCell(readCell, task, { row, column, written }, signal) : null
  return {
    title: messages.sheet(cellName(row, column), task.sheet_name, task.spreadsheet_name),
    written: { ...written, edited },
    steps,
  }
}

/** Why nothing is known of a cell. */
async function unknownCell(db: Db, { spreadsheet_id }: LinkedCell): Promise<NamedError> {
  const { rows } = await sql<{ name: string; sheet_name: string; is_seen: boolean }>`
    select t.name, s.target_sheet_name as sheet_name, s.target_place is not null and s.split_by is null as is_seen
    from sync_tasks s join tasks t on t.id = s.task_id where s.target_ss_id = ${spreadsheet_id}
      and (s.split_by is null or not exists (select from split_tabs b where b.task_id = s.task_id))
    union
    select t.name, b.target_sheet_name, b.target_place is not null
    from split_tabs b join tasks t on t.id = b.task_id where b.target_ss_id = ${spreadsheet_id}
    union
    select t.name, s.source_sheet_name, s.source_place is not null
    from sync_tasks s join tasks t on t.id = s.task_id where s.source_ss_id = ${spreadsheet_id} and s.source_type = 'sheet'
    union
    select t.name, f.source_sheet_name, f.source_place is not null
    from further_sources f join tasks t on t.id = f.task_id where f.source_ss_id = ${spreadsheet_id} and f.source_type = 'sheet'
    union
    select t.name, s.sheet_name, s.place is not null
    from source_tasks s join tasks t on t.id = s.task_id where s.spreadsheet_id = ${spreadsheet_id} and s.source_type = 'sheet'
    order by name limit ${NAMED}`.execute(db)
  const unseen = rows.flatMap(({ name, is_seen }) => (is_seen ? [] : [name]))
  if (unseen.length > 0)
    return new NamedError('tab_not_known', {
      message: messages.tab_not_seen([...new Set(unseen)]),
      field: 'link',
    })
  const tabs = [...new Set(rows.map(({ sheet_name }) => sheet_name))]
  return new NamedError('cell_not_known', {
    message: tabs.length === 0 ? messages.spreadsheet_unknown : messages.tab_unknown(tabs),
    field: 'link',
  })
}

/** Tasks that a message names. */
const NAMED = 5
